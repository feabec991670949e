"""Uploaded files: checked, re-encoded where public, and kept in a folder or an S3 bucket."""

import hashlib
import logging
import secrets
import uuid
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import obstore
import obstore.exceptions
from obstore.store import LocalStore, ObjectStore, from_url

from rental_app.errors import (
    InvalidInputError,
    NotFoundError,
    RentalError,
    TooLargeError,
    UnavailableError,
    UnsupportedTypeError,
)
from rental_app.rules.pictures import WIDE, WIDTHS, Picture
from rental_app.rules.uploads import AVATAR, MAX_FILE_BYTES, MAX_FILES_A_GROUP, MEGABYTE, PUBLIC_GROUPS, TRIP_UPLOADS
from rental_app.schemas.labels import label_of
from rental_app.services import check_process
from rental_app.services.check_process import Answer, Job
from rental_app.settings import settings

if TYPE_CHECKING:
    from obstore import GetResult

PIECE_BYTES = 256 * 1024
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

    def of_group(self, group: str) -> "CheckedFile":
        """The same for another group."""
        return replace(self, group=group)


@dataclass(frozen=True, slots=True)
class Sent:
    """A form's files: those fit to be kept, what is wrong with others, and uploads sent ahead, by group."""

    checked: Sequence[CheckedFile] = ()
    refused: Sequence[RentalError] = ()
    ahead: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def groups(self) -> set[str]:
        """The groups there is something for, fit or not."""
        refused = {group for refusal in self.refused for group in refusal.fields}
        return {file.group for file in self.checked} | refused | {group for group, ids in self.ahead.items() if ids}


@dataclass(frozen=True, slots=True)
class Stored:
    """An object of the store, on its way in pieces."""

    size: int
    pieces: AsyncIterator[bytes] = field(repr=False)


@cache
def store() -> ObjectStore:
    """The folder `files` in the data folder, or what RENTAL_FILES_URL names."""
    if url := settings().files_url:
        seconds = timedelta(seconds=settings().files_timeout)
        return from_url(
            url,
            # These replace what the environment says; who writes an address with http means it.
            client_options={"timeout": seconds, "connect_timeout": seconds / 2, "allow_http": True},
            retry_config={"max_retries": 2, "retry_timeout": seconds},
        )
    return LocalStore(settings().data_dir.absolute() / "files", mkdir=True)


@cache
def _checking() -> anyio.CapacityLimiter:
    """Two requests' files are checked at a time; the others wait without a thread."""
    return anyio.CapacityLimiter(2)


async def check_uploads(uploads: Sequence[Upload], widths: tuple[int, ...] | None = None) -> Sent:
    """Check every upload and prepare what will be kept; what is wrong names its group.

    Pictures are redrawn at these `widths`, else at those of their groups. Raises UnavailableError when nothing can be
    checked.
    """
    problems = {upload.group: problem for upload in uploads if (problem := _problem(upload, uploads))}
    fit = [upload for upload in uploads if upload.group not in problems]
    checked, refused = [], [*problems.values()]
    jobs = [Job(upload.data, widths or _widths(upload.group)) for upload in fit]
    answers = await anyio.to_thread.run_sync(check_process.answers, jobs, limiter=_checking()) if jobs else []
    for upload, answer in zip(fit, answers, strict=False):
        if answer.reason:
            kind = TooLargeError if answer.code == TooLargeError.code else UnsupportedTypeError
            refused.append(_refusal(kind, upload.group, answer.reason))
        else:
            checked.append(_to_keep(upload, answer))
    return Sent(checked, refused)


async def check_upload(upload: Upload) -> CheckedFile:
    """Check one upload and prepare what will be kept.

    Raises InvalidInputError (empty), TooLargeError and UnsupportedTypeError, and as `check_uploads`.
    """
    if upload.group in TRIP_UPLOADS:
        return (await check_photos([upload], TRIP_UPLOADS))[0]
    sent = await check_uploads([upload])
    for refusal in sent.refused:
        raise refusal
    return sent.checked[0]


async def check_photos(uploads: Sequence[Upload], groups: Collection[str]) -> list[CheckedFile]:
    """Check photos that only a few may see: redrawn without metadata, under private names.

    Raises InvalidInputError (unknown group, too many), TooLargeError and UnsupportedTypeError.
    """
    if unknown := sorted({upload.group for upload in uploads} - set(groups)):
        message = f"There is no upload group {unknown[0][:60]}"
        raise InvalidInputError(message, code="unknown_group", fields={unknown[0][:60]: message})
    sent = await check_uploads(uploads, (FULL_WIDTH, CARD_WIDTH))
    for refusal in sent.refused:
        raise refusal
    return [_made_private(photo) for photo in sent.checked]


def _made_private(photo: CheckedFile) -> CheckedFile:
    key = photo.key.replace("public/", "private/")
    return replace(photo, key=key, objects={key: photo.objects[photo.key]})


def _widths(group: str) -> tuple[int, ...]:
    if group == AVATAR:
        return AVATAR_WIDTH, AVATAR_WIDTH
    return (FULL_WIDTH, CARD_WIDTH, *WIDTHS) if group in PUBLIC_GROUPS else ()


def _problem(upload: Upload, uploads: Sequence[Upload]) -> RentalError | None:
    """What is wrong with an upload that needs no look into it."""
    group = upload.group
    if sum(other.group == group for other in uploads) > MAX_FILES_A_GROUP:
        return _refusal(InvalidInputError, group, f"at most {MAX_FILES_A_GROUP} files", code="too_many_files")
    if not upload.data:
        return _refusal(InvalidInputError, group, "this file is empty", code="empty_file")
    if len(upload.data) > MAX_FILE_BYTES:
        return _refusal(TooLargeError, group, f"a file can have at most {MAX_FILE_BYTES // MEGABYTE} MB")
    return None


def _refusal(kind: type[RentalError], group: str, reason: str, code: str | None = None) -> RentalError:
    return kind(f"{label_of(group)}: {reason}", code=code, fields={group: reason})


def _to_keep(upload: Upload, answer: Answer) -> CheckedFile:
    """What to keep of an upload: a picture as a JPEG with WebPs beside it, a paper as it came."""
    if not answer.pictures:
        key = f"private/{uuid.uuid4().hex}"
        return CheckedFile(upload.group, key, answer.content_type, len(upload.data), {key: upload.data})
    # Of its content, so that it never stands for another; of its own, so that of two like it one can be deleted.
    ending = WIDE if answer.pictures[2:] else ".jpg"
    key = f"public/{hashlib.sha256(answer.pictures[0]).hexdigest()[:24]}{secrets.token_hex(4)}{ending}"
    objects = dict(zip(objects_of(key), answer.pictures, strict=True))
    return CheckedFile(upload.group, key, answer.content_type, len(answer.pictures[0]), objects)


def objects_of(key: str) -> list[str]:
    """Every object in the store that belongs to a file's key; none for a blank key."""
    if key.startswith("public/"):
        return [key, Picture(key).card, *Picture(key).wide]
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


def download_headers(name: str) -> dict[str, str]:
    """The headers of a private file: it is saved under a name, not shown, and kept by nobody on the way."""
    return {
        "Content-Disposition": f'attachment; filename="{name.lower().replace(" ", "-")}"',
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }


def ping() -> None:
    """Raise one of STORE_FAILURES unless the store answers."""
    next(iter(store().list(chunk_size=1)), None)


def _put(key: str, data: bytes) -> None:
    try:
        obstore.put(store(), key, data)
    except STORE_FAILURES as error:
        raise UnavailableError(STORE_AWAY) from error


def stored(key: str) -> Stored:
    """A stored object; raises NotFoundError, and UnavailableError when the store cannot be reached."""
    try:
        found = obstore.get(store(), key)
        return Stored(found.meta["size"], _pieces(found))
    except (FileNotFoundError, ValueError):
        raise NotFoundError("There is no such file") from None
    except STORE_FAILURES as error:
        raise UnavailableError(STORE_AWAY) from error


async def _pieces(found: "GetResult") -> AsyncIterator[bytes]:
    async for piece in found.stream(min_chunk_size=PIECE_BYTES):
        yield bytes(piece)
