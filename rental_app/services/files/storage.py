"""Files that may be stored, and the folder or S3 bucket they are stored in."""

import logging
import re
import shutil
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import obstore
import obstore.exceptions
from obstore.store import LocalStore, ObjectStore, from_url

from rental_app.domain.errors import NotFoundError, OutcomeUnknownError, UnavailableError
from rental_app.domain.pictures import Picture
from rental_app.domain.uploads import MEGABYTE
from rental_app.infrastructure.settings import settings

if TYPE_CHECKING:
    from obstore import GetResult

PIECE_BYTES = 256 * 1024
STORE_FAILURES = (OSError, obstore.exceptions.BaseError)
DISK_RESERVE = "No more files can be taken right now, please try again later"
STORE_UNAVAILABLE = "Files cannot be reached right now, please try again shortly"

# How the key of a document that is stored as several pages ends.
_PAGES = re.compile(r"-p([2-9])$")
_OURS = re.compile(r"(public|private)/[^/]+$")
# The name a file has in the folder until all of it is there.
_UNFINISHED = re.compile(r"#\d+$")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that passed the checks: its key, type, and the objects (key to bytes) to put into the store."""

    group: str
    key: str
    content_type: str
    size: int
    objects: dict[str, bytes] = field(repr=False)
    # Of the objects of a file that is stored already.
    stored_size: int = 0

    @property
    def stored_bytes(self) -> int:
        """What its objects take up in the store."""
        return self.stored_size or sum(map(len, self.objects.values()))

    @property
    def public_path(self) -> str:
        """The path that a public picture loads from."""
        return f"/media/{self.key}"

    def of_group(self, group: str) -> "CheckedFile":
        """The same file in another group."""
        return replace(self, group=group)


@dataclass(frozen=True, slots=True)
class Stored:
    """An object of the store, streamed in pieces."""

    size: int
    pieces: AsyncIterator[bytes] = field(repr=False)


@cache
def store() -> ObjectStore:
    """The folder `files` in the data folder, or what RENTAL_FILES_URL names: a bucket, or a shared folder."""
    url = settings().files_url
    if url.startswith("file:"):
        return LocalStore(unquote(urlsplit(url).path), mkdir=True)
    if url:
        seconds = timedelta(seconds=settings().files_timeout)
        return from_url(
            url,
            # These override the environment; a URL with http is taken to be deliberate.
            client_options={"timeout": seconds, "connect_timeout": seconds / 2, "allow_http": True},
            retry_config={"max_retries": 2, "retry_timeout": seconds},
        )
    return LocalStore(settings().data_dir.absolute() / "files", mkdir=True)


def objects_of(key: str) -> list[str]:
    """Every object in the store that belongs to a file's key; none for a blank key."""
    if key.startswith("public/"):
        return [key, Picture(key).card, *Picture(key).wide]
    if pages := _PAGES.search(key):
        return [key, *(f"{key}-{number}" for number in range(2, int(pages[1]) + 1))]
    return [key] if key else []


def key_of_pages(name: str, pages: int) -> str:
    """The key of a private file that is stored as so many pictures, one a page."""
    return f"private/{name}" if pages == 1 else f"private/{name}-p{pages}"


@contextmanager
def storing(files: Sequence[CheckedFile]) -> Iterator[None]:
    """Store the files around a transaction; if it fails, none of them is left behind.

    All are left if it may have been committed: a file that no row names is better than a row whose file is missing.
    """
    put: list[str] = []
    try:
        for key, data in ((key, data) for file in files for key, data in file.objects.items()):
            put.append(key)
            _put(key, data)
        yield
    except OutcomeUnknownError:
        raise
    except BaseException:
        remove(put)
        raise


def require_reserve(coming: int = 0) -> None:
    """Raise UnavailableError (`disk_reserve`) where so many more bytes would leave less than the database needs free.

    Only the disks on this machine that the files or the database are on are looked at.
    """
    reserve = settings().disk_reserve_mb * MEGABYTE
    for folder in _own_folders():
        if shutil.disk_usage(folder).free - coming < reserve:
            raise UnavailableError(DISK_RESERVE, code="disk_reserve")


def _own_folders() -> Iterator[Path]:
    """The folders of files and database that are on this machine."""
    local = store()
    if isinstance(local, LocalStore) and local.prefix:
        yield Path(local.prefix)
    if settings().is_sqlite:
        yield settings().data_dir


def remove(keys: Sequence[str]) -> None:
    """Delete stored objects; what cannot be deleted is logged and left, as nothing refers to it any more."""
    for key in keys:
        try:
            obstore.delete(store(), key)
        except FileNotFoundError:
            continue
        except STORE_FAILURES as error:
            log.error("stored object %s could not be deleted: %s", key, type(error).__name__)


def put(key: str, data: bytes) -> None:
    """Store an object of which no row knows; raises UnavailableError."""
    _put(key, data)


def names(folder: str) -> Iterator[str]:
    """The keys of all objects in a folder; raises one of STORE_FAILURES."""
    for chunk in store().list(f"{folder}/"):
        yield from (item["path"] for item in chunk)


def ping() -> None:
    """Raise one of STORE_FAILURES unless the store answers."""
    next(iter(store().list(chunk_size=1)), None)


def stored_before(instant: datetime) -> Iterator[list[str]]:
    """The keys of all objects of ours that were stored before an instant, chunk by chunk."""
    for chunk in store().list():
        yield [item["path"] for item in chunk if item["last_modified"] < instant and _OURS.match(item["path"])]


def drop_unfinished(instant: datetime) -> int:
    """Delete the partial files in the folder whose writing began before an instant and never finished.

    A bucket has none: its objects are stored as a whole.
    """
    local = store()
    if not (isinstance(local, LocalStore) and local.prefix):
        return 0
    left = [path for path in Path(local.prefix).rglob("*#*") if _UNFINISHED.search(path.name)]
    old = [path for path in left if path.stat().st_mtime < instant.timestamp()]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def _put(key: str, data: bytes) -> None:
    try:
        # In one request: a crash leaves no part of it in a bucket.
        obstore.put(store(), key, data, use_multipart=False)
    except STORE_FAILURES as error:
        raise UnavailableError(STORE_UNAVAILABLE) from error


def stored(key: str) -> Stored:
    """A stored object; raises NotFoundError, and UnavailableError when the store cannot be reached."""
    try:
        result = obstore.get(store(), key)
        return Stored(result.meta["size"], _pieces(result))
    except (FileNotFoundError, ValueError):
        raise NotFoundError("There is no such file") from None
    except STORE_FAILURES as error:
        raise UnavailableError(STORE_UNAVAILABLE) from error


def content_of(key: str) -> bytes:
    """All of a stored object; raises NotFoundError, and UnavailableError when the store cannot be reached."""
    try:
        return bytes(obstore.get(store(), key).bytes())
    except (FileNotFoundError, ValueError):
        raise NotFoundError("There is no such file") from None
    except STORE_FAILURES as error:
        raise UnavailableError(STORE_UNAVAILABLE) from error


async def _pieces(result: "GetResult") -> AsyncIterator[bytes]:
    async for piece in result.stream(min_chunk_size=PIECE_BYTES):
        yield bytes(piece)
