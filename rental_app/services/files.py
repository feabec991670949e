"""Uploaded files: checked, re-encoded where public, and kept in a folder or an S3 bucket."""

import logging
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache

import anyio
import anyio.to_thread
import obstore
import obstore.exceptions
from obstore.store import LocalStore, ObjectStore, from_url

from rental_app.errors import InvalidInputError, NotFoundError, TooLargeError, UnavailableError, UnsupportedTypeError
from rental_app.rules.pictures import Picture
from rental_app.rules.uploads import MAX_FILE_BYTES, MAX_FILES_A_GROUP, MEGABYTE, PUBLIC_GROUPS
from rental_app.services import check_process
from rental_app.services.check_process import Answer, Job
from rental_app.settings import settings

FULL_WIDTH, CARD_WIDTH, AVATAR_WIDTH = 1600, 640, 320
STORE_FAILURES = (OSError, obstore.exceptions.BaseError)
STORE_AWAY = "Files cannot be reached right now, please try again shortly"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it arrived; its name is never used."""

    group: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file fit to be kept: its key, type, and the objects (key to bytes) to put into the store."""

    group: str
    key: str
    content_type: str
    size: int
    objects: dict[str, bytes] = field(repr=False)

    @property
    def public_path(self) -> str:
        """Where a public picture loads from."""
        return f"/media/{self.key}"


@cache
def store() -> ObjectStore:
    """The folder `files` in the data folder, or what RENTAL_FILES_URL names."""
    if url := settings().files_url:
        return from_url(url)
    return LocalStore(settings().data_dir.absolute() / "files", mkdir=True)


@cache
def _checking() -> anyio.CapacityLimiter:
    """Two requests' files are checked at a time; the others wait without a thread."""
    return anyio.CapacityLimiter(2)


async def check_uploads(uploads: Sequence[Upload]) -> list[CheckedFile]:
    """Check every upload and prepare what will be kept.

    Raises InvalidInputError (too many), TooLargeError, UnsupportedTypeError, each naming the group, and
    UnavailableError when nothing can be checked.
    """
    for group in {upload.group for upload in uploads}:
        if sum(upload.group == group for upload in uploads) > MAX_FILES_A_GROUP:
            message = f"{group}: at most {MAX_FILES_A_GROUP} files"
            raise InvalidInputError(message, code="too_many_files", fields={group: message})
    return await _checked([(upload, _widths(upload.group)) for upload in uploads])


def _widths(group: str) -> tuple[int, ...]:
    return (FULL_WIDTH, CARD_WIDTH) if group in PUBLIC_GROUPS else ()


async def avatar(upload: Upload) -> CheckedFile:
    """An account's picture, small and without metadata; raises as `check_uploads`."""
    return (await _checked([(upload, (AVATAR_WIDTH, AVATAR_WIDTH))]))[0]


async def _checked(wanted: Sequence[tuple[Upload, tuple[int, ...]]]) -> list[CheckedFile]:
    for upload, _ in wanted:
        _check_size(upload)
    jobs = [Job(upload.data, widths) for upload, widths in wanted]
    if not jobs:
        return []
    answers = await anyio.to_thread.run_sync(check_process.answers, jobs, limiter=_checking())
    return [_to_keep(upload, answer) for (upload, _), answer in zip(wanted, answers, strict=False)]


def _check_size(upload: Upload) -> None:
    if len(upload.data) > MAX_FILE_BYTES:
        message = f"{upload.group}: a file can have at most {MAX_FILE_BYTES // MEGABYTE} MB"
        raise TooLargeError(message, fields={upload.group: message})


def _to_keep(upload: Upload, answer: Answer) -> CheckedFile:
    """What to keep of an upload: a picture as a JPEG with a WebP beside it, a paper as it came."""
    if answer.reason:
        message = f"{upload.group}: {answer.reason}"
        refusal = TooLargeError if answer.code == TooLargeError.code else UnsupportedTypeError
        raise refusal(message, fields={upload.group: message})
    if not answer.pictures:
        key = f"private/{uuid.uuid4().hex}"
        return CheckedFile(upload.group, key, answer.content_type, len(upload.data), {key: upload.data})
    key = f"public/{uuid.uuid4().hex}.jpg"
    objects = dict(zip(objects_of(key), answer.pictures, strict=True))
    return CheckedFile(upload.group, key, answer.content_type, len(answer.pictures[0]), objects)


def objects_of(key: str) -> list[str]:
    """Every object in the store that belongs to a file's key; none for a blank key."""
    if key.startswith("public/"):
        return [key, Picture(key).card]
    return [key] if key else []


@contextmanager
def kept(files: Sequence[CheckedFile]) -> Iterator[None]:
    """Store the files around a transaction; if it fails, nothing of them is left behind."""
    put: list[str] = []
    try:
        for key, data in ((key, data) for file in files for key, data in file.objects.items()):
            put.append(key)
            _put(key, data)
        yield
    except BaseException:
        remove(put)
        raise


def remove(keys: Sequence[str]) -> None:
    """Delete stored objects; what cannot be deleted is logged and left, as nothing refers to it any more."""
    for key in keys:
        try:
            obstore.delete(store(), key)
        except FileNotFoundError:
            continue
        except STORE_FAILURES as error:
            log.error("stored object %s could not be deleted: %s", key, type(error).__name__)


def _put(key: str, data: bytes) -> None:
    try:
        obstore.put(store(), key, data)
    except STORE_FAILURES as error:
        raise UnavailableError(STORE_AWAY) from error


def load(key: str) -> bytes:
    """The bytes of a stored object; raises NotFoundError, and UnavailableError when the store cannot be reached."""
    try:
        return bytes(obstore.get(store(), key).bytes())
    except (FileNotFoundError, ValueError):
        raise NotFoundError("There is no such file") from None
    except STORE_FAILURES as error:
        raise UnavailableError(STORE_AWAY) from error
