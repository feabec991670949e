"""Settings, and the signing key they make."""

import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import ValidationError

from rental_app.settings import Settings, _key_in, _make_key, settings


@pytest.fixture(autouse=True)
def blank(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No variables, no .env and an empty folder to work in."""
    for name in Settings.model_fields:
        monkeypatch.delenv(f"RENTAL_{name.upper()}", raising=False)
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    yield
    settings.cache_clear()
    _key_in.cache_clear()


def test_the_defaults_run_the_demo_on_one_machine() -> None:
    assert settings().env == "development"
    assert settings().sqlalchemy_url == "sqlite:///data/pahiya.db"


def test_variables_have_the_prefix_and_env_files_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_CITY", "Pune")
    monkeypatch.setenv("CITY", "Delhi")
    Path(".env").write_text("RENTAL_PRODUCT_NAME=Chakra\n")
    assert (settings().city, settings().product_name) == ("Pune", "Chakra")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_postgresql_url_gets_the_one_driver(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    monkeypatch.setenv("RENTAL_DATABASE_URL", f"{scheme}://someone@host/pahiya")
    assert settings().sqlalchemy_url == "postgresql+psycopg://someone@host/pahiya"


def test_production_without_a_key_refuses_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_ENV", "production")
    with pytest.raises(ValidationError, match="RENTAL_SECRET_KEY must be set"):
        settings()


@pytest.mark.parametrize("env", ["development", "production"])
def test_a_short_key_refuses_to_start_anywhere(monkeypatch: pytest.MonkeyPatch, env: str) -> None:
    monkeypatch.setenv("RENTAL_ENV", env)
    monkeypatch.setenv("RENTAL_SECRET_KEY", "k" * 31)
    with pytest.raises(ValidationError, match="31 bytes"):
        settings()


def test_a_key_that_is_set_is_the_key_and_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_ENV", "production")
    monkeypatch.setenv("RENTAL_SECRET_KEY", "secret-" * 5)
    assert settings().signing_key == "secret-" * 5
    assert "secret-" not in repr(settings())
    assert not Path("data").exists()


def test_the_first_run_makes_a_key_for_the_owner_only() -> None:
    key = settings().signing_key
    made = Path("data/signing.key")
    assert len(key.encode()) >= 32
    assert made.read_text() == key
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert list(made.parent.iterdir()) == [made]


def test_the_next_run_finds_the_key_of_the_first() -> None:
    key = settings().signing_key
    _key_in.cache_clear()
    assert settings().signing_key == key


def test_starting_together_agrees_on_one_key() -> None:
    path = Path("data/signing.key")
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(_make_key, [path] * 32))
    assert list(path.parent.iterdir()) == [path]
    assert len(path.read_text()) == 64


def test_two_installations_have_two_keys(tmp_path: Path) -> None:
    assert _key_in(tmp_path / "one" / "signing.key") != _key_in(tmp_path / "other" / "signing.key")


def test_an_emptied_key_file_refuses_to_start() -> None:
    Path("data").mkdir()
    Path("data/signing.key").write_text("")
    with pytest.raises(ValueError, match="no usable signing key"):
        _ = settings().signing_key


def test_what_is_baked_into_pages_holds_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_SECRET_KEY", "secret-" * 5)
    monkeypatch.setenv("RENTAL_DATABASE_URL", "postgresql://someone:hidden@host/pahiya")
    text = str(settings().public())
    assert "secret-" not in text
    assert "hidden" not in text
    assert settings().product_name in text
