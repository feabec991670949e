"""Processes with data folders of their own share one folder of files, as the containers of compose do."""

import subprocess
import sys
from pathlib import Path

import pytest

from rental_app.infrastructure.settings import settings
from rental_app.services.files import storage
from tests.conftest import forget

# Writes files, the first of which all write at once, waits for those of the others and reads them.
PROCESS = """
import asyncio, os, sys, time
from rental_app.domain.errors import NotFoundError
from rental_app.services.files import storage

own, *others = sys.argv[1:]
storage.ping()
for number in range(20):
    storage._put("public/same", b"x" * 300_000)
    storage._put(f"public/{own}-{number}", own.encode() * 100_000)

async def read(key):
    return b"".join([piece async for piece in storage.stored(key).pieces])

def arrived(key):
    try:
        return bool(storage.stored(key))
    except NotFoundError:
        return False

deadline = time.monotonic() + 30
for other in others:
    while not arrived(f"public/{other}-19") and time.monotonic() < deadline:
        time.sleep(0.01)
    for number in range(20):
        assert asyncio.run(read(f"public/{other}-{number}")) == other.encode() * 100_000
assert asyncio.run(read("public/same")) == b"x" * 300_000
# Ending the interpreter while the store's own threads run aborts now and then, on a busy machine.
os._exit(0)
"""


@pytest.mark.long
def test_two_processes_share_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # It is made, as the data folder's own is.
    folder = tmp_path / "shared files"
    monkeypatch.setenv("RENTAL_FILES_URL", folder.as_uri())
    running = []
    for own, other in ("ab", "ba"):
        monkeypatch.setenv("RENTAL_DATA_DIR", str(tmp_path / own))
        running.append(subprocess.Popen([sys.executable, "-c", PROCESS, own, other], stderr=subprocess.PIPE, text=True))
    for process in running:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
    assert len(list(folder.rglob("*-*"))) == 40
    assert not list(folder.rglob("*#*")), "nothing half written is left"


def test_the_reserve_counts_where_the_shared_folder_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_FILES_URL", (tmp_path / "shared").as_uri())
    monkeypatch.setenv("RENTAL_DATABASE_URL", "postgresql://user@host/name")
    forget()
    storage.store.cache_clear()
    try:
        assert not settings().is_sqlite
        assert list(storage._own_folders()) == [tmp_path / "shared"]
    finally:
        storage.store.cache_clear()
