"""Keeps data on disk to the process's owner alone: papers, bookings and keys belong to other people."""

import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import make_url

from rental_app.infrastructure.settings import settings

FOLDER_MODE, FILE_MODE = 0o700, 0o600


def keep_new_files() -> None:
    """Make the files that this process and its children create from now on readable by their owner only."""
    os.umask(0o777 & ~FOLDER_MODE)


def keep_data() -> None:
    """Call `keep_new_files`, make the data folder, and close what an earlier version left readable by others.

    Raises SystemExit when it belongs to somebody else.
    """
    keep_new_files()
    folder = settings().data_dir
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for path in (folder, *_own_files(folder)):
            mode = FOLDER_MODE if path.is_dir() else FILE_MODE
            if path.exists() and path.stat().st_mode & 0o777 & ~mode:
                path.chmod(mode)
    except PermissionError as error:
        raise SystemExit(f"{error.filename} belongs to another user: what is kept there must be ours alone") from None


def _own_files(folder: Path) -> Iterator[Path]:
    """The files that we put into the data folder, and SQLite's, which a setting may put elsewhere."""
    yield from (folder / "build.log", folder / "signing.key")
    for folder_name in ("files", "mail"):
        for parent, _, names in os.walk(folder / folder_name):
            yield Path(parent)
            yield from (Path(parent, name) for name in names)
    url = make_url(settings().sqlalchemy_url)
    if url.get_backend_name() == "sqlite" and url.database:
        yield from (Path(f"{url.database}{end}") for end in ("", "-wal", "-shm"))
