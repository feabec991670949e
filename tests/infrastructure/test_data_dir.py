"""Files on disk are accessible to their owner alone, even those that an earlier version left open."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import obstore
import pytest

from rental_app.infrastructure.data_dir import keep_data
from rental_app.infrastructure.db import engine
from rental_app.infrastructure.settings import settings
from rental_app.serve import prepare_database
from rental_app.services import health
from rental_app.services.files import storage
from tests.conftest import use


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder that does not exist yet; the process's umask makes files readable by everybody, as most do."""
    folder = tmp_path / "there" / "data"
    use(monkeypatch, f"sqlite:///{folder}/pahiya.db", folder)
    before = os.umask(0o022)
    yield folder
    os.umask(before)
    engine().dispose()


def modes(folder: Path) -> dict[str, int]:
    """Return the permissions of a folder and of everything in it."""
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.rglob("*")]}


def expected(folder: Path) -> dict[str, int]:
    return {name: 0o700 if (folder / name).is_dir() else 0o600 for name in modes(folder)}


def test_a_new_shop_keeps_everything_to_itself(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_DEMO_DATA", "off")
    monkeypatch.setenv("RENTAL_SECRET_KEY", "")
    settings.cache_clear()
    prepare_database()
    assert health.failing() == {}
    obstore.put(storage.store(), "private/paper", b"x")
    assert settings().signing_key
    assert {"pahiya.db", "pahiya.db-wal", "pahiya.db-shm", "signing.key", "files/private/paper"} <= set(modes(folder))
    assert modes(folder) == expected(folder)


def test_what_an_earlier_version_left_open_is_closed_and_what_others_put_beside_is_left_alone(folder: Path) -> None:
    (folder / "files" / "private").mkdir(parents=True)
    for name in ("pahiya.db", "pahiya.db-wal", "pahiya.db-shm", "build.log", "signing.key", "files/private/paper"):
        (folder / name).write_bytes(b"")
    assert modes(folder) != expected(folder)
    keep_data()
    assert modes(folder) == expected(folder)
    (folder / "tool").write_text("")
    (folder / "tool").chmod(0o755)
    keep_data()
    assert modes(folder)["tool"] == 0o755


def test_the_folder_is_closed_on_postgresql_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "postgresql://someone@nowhere/pahiya", folder)
    keep_data()
    assert modes(folder) == {".": 0o700}
