"""Uploads as they arrive: checked, and turned into what will be stored."""

import hashlib
import json
import secrets
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import anyio
import anyio.to_thread

from rental_app.domain.errors import InvalidInputError, RentalError, TooLargeError, UnsupportedTypeError
from rental_app.domain.fleet_sheet import SheetRow
from rental_app.domain.pictures import WIDE, WIDTHS
from rental_app.domain.uploads import (
    AVATAR,
    IDENTITY,
    MAX_FILE_BYTES,
    MAX_FILES_A_GROUP,
    MAX_SHEET_BYTES,
    MEGABYTE,
    PRIVATE_PHOTOS,
    PUBLIC_GROUPS,
    TOO_LARGE,
    TOO_MANY,
    require_group,
)
from rental_app.schemas.validation import label_of
from rental_app.services.files import check_client
from rental_app.services.files.check_client import CheckResult, Job
from rental_app.services.files.storage import CheckedFile, key_of_pages, objects_of

# The refusals of a file by their codes.
_KINDS: Mapping[str, type[RentalError]] = {
    TooLargeError.code: TooLargeError,
    UnsupportedTypeError.code: UnsupportedTypeError,
    "unmasked": RentalError,
}
FULL_WIDTH, CARD_WIDTH, AVATAR_WIDTH = 1600, 640, 320


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it arrived; its name is never used."""

    group: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class CheckedUploads:
    """A form's files: those that passed the checks, the errors of others, and the ids uploaded ahead, by group."""

    checked: Sequence[CheckedFile] = ()
    refused: Sequence[RentalError] = ()
    ahead: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def groups(self) -> set[str]:
        """The groups that have any file, accepted or not."""
        refused = {group for refusal in self.refused for group in refusal.fields}
        return {file.group for file in self.checked} | refused | {group for group, ids in self.ahead.items() if ids}


@dataclass(frozen=True, slots=True)
class SheetCells:
    """What a spreadsheet says: the rows of one sheet as text, with their numbers; `others` were not read.

    `unstored` are formulas without a value (row, and column from 0); `cut` says that there are more rows.
    """

    name: str
    others: Sequence[str]
    rows: Sequence[SheetRow]
    unstored: Sequence[tuple[int, int]]
    cut: bool


@cache
def _checking() -> anyio.CapacityLimiter:
    """Two requests' files are checked at a time; the others wait without occupying a thread."""
    return anyio.CapacityLimiter(2)


async def check_uploads(uploads: Sequence[Upload], widths: tuple[int, ...] | None = None) -> CheckedUploads:
    """Check every upload and prepare what will be stored; errors name the group they are about.

    Pictures are re-encoded at these `widths`, else at those of their groups. Raises UnavailableError when nothing can
    be checked.
    """
    return await _checked(uploads, lambda upload: Job(upload.data, widths or _widths(upload.group)))


async def _checked(uploads: Sequence[Upload], job_of: Callable[[Upload], Job]) -> CheckedUploads:
    problems = {upload.group: problem for upload in uploads if (problem := _problem(upload, uploads))}
    fit = [upload for upload in uploads if upload.group not in problems]
    checked, refused = [], [*problems.values()]
    jobs = [job_of(upload) for upload in fit]
    answers = await anyio.to_thread.run_sync(check_client.answers, jobs, limiter=_checking()) if jobs else []
    for upload, job, answer in zip(fit, jobs, answers, strict=False):
        if answer.reason:
            refused.append(_refusal(_KINDS[answer.code], upload.group, answer.reason, answer.code))
        else:
            checked.append(_as_pages(upload, answer) if job.job == "identity" else _to_keep(upload, answer))
    return CheckedUploads(checked, refused)


async def check_upload(upload: Upload) -> CheckedFile:
    """Check one upload and prepare what will be stored.

    Raises InvalidInputError (empty), TooLargeError and UnsupportedTypeError, and as `check_uploads` does.
    """
    if upload.group == IDENTITY:
        return (await check_identity([upload]))[0]
    if upload.group in PRIVATE_PHOTOS:
        return (await check_photos([upload], PRIVATE_PHOTOS))[0]
    sent = await check_uploads([upload])
    for refusal in sent.refused:
        raise refusal
    return sent.checked[0]


async def check_photos(uploads: Sequence[Upload], groups: Collection[str]) -> list[CheckedFile]:
    """Check photos that only a few people may see: re-encoded without metadata, under private keys.

    Raises InvalidInputError (unknown group, too many), TooLargeError and UnsupportedTypeError.
    """
    require_group({upload.group for upload in uploads}, groups)
    sent = await check_uploads(uploads, (FULL_WIDTH, CARD_WIDTH))
    for refusal in sent.refused:
        raise refusal
    return [_made_private(photo) for photo in sent.checked]


async def check_identity(uploads: Sequence[Upload]) -> list[CheckedFile]:
    """Check files of a person's document and draw them: pictures are all that is stored, under private keys.

    Raises InvalidInputError (empty, too many), TooLargeError, UnsupportedTypeError and RentalError (`unmasked`).
    """
    sent = await _checked(uploads, lambda upload: Job(upload.data, job="identity"))
    for refusal in sent.refused:
        raise refusal
    return list(sent.checked)


async def watermark(picture: bytes, text: str) -> bytes:
    """A stored picture of a person's document with a text all over it. Raises UnsupportedTypeError."""
    job = Job(picture, job="watermark", text=text)
    (answer,) = await anyio.to_thread.run_sync(check_client.answers, [job], limiter=_checking())
    if answer.reason:
        raise UnsupportedTypeError(answer.reason)
    return answer.instead[0]


async def check_sheet(data: bytes) -> SheetCells:
    """The cells of a spreadsheet (XLSX or CSV). Raises InvalidInputError (empty), TooLargeError and
    UnsupportedTypeError.
    """
    if not data:
        raise InvalidInputError("This file is empty", code="empty_file", fields={"file": "This file is empty"})
    if len(data) > MAX_SHEET_BYTES:
        raise _refusal(TooLargeError, "file", f"a sheet can have at most {MAX_SHEET_BYTES // MEGABYTE} MB")
    job = Job(data, job="sheet")
    (answer,) = await anyio.to_thread.run_sync(check_client.answers, [job], limiter=_checking())
    if answer.reason:
        kinds = {kind.code: kind for kind in (TooLargeError, UnsupportedTypeError)}
        raise _refusal(kinds.get(answer.code, InvalidInputError), "file", answer.reason, answer.code)
    return SheetCells(**json.loads(answer.instead[0]))


def _made_private(photo: CheckedFile) -> CheckedFile:
    key = photo.key.replace("public/", "private/")
    return replace(photo, key=key, objects={key: photo.objects[photo.key]})


def _widths(group: str) -> tuple[int, ...]:
    if group == AVATAR:
        return AVATAR_WIDTH, AVATAR_WIDTH
    return (FULL_WIDTH, CARD_WIDTH, *WIDTHS) if group in PUBLIC_GROUPS else ()


def _problem(upload: Upload, uploads: Sequence[Upload]) -> RentalError | None:
    """What is wrong with an upload, without examining its content."""
    group = upload.group
    if sum(other.group == group for other in uploads) > MAX_FILES_A_GROUP:
        return _refusal(InvalidInputError, group, TOO_MANY, code="too_many_files")
    if not upload.data:
        return _refusal(InvalidInputError, group, "this file is empty", code="empty_file")
    if len(upload.data) > MAX_FILE_BYTES:
        return _refusal(TooLargeError, group, TOO_LARGE)
    return None


def _refusal(kind: type[RentalError], group: str, reason: str, code: str | None = None) -> RentalError:
    return kind(f"{label_of(group)}: {reason}", code=code, fields={group: reason})


def _as_pages(upload: Upload, answer: CheckResult) -> CheckedFile:
    """What to store of a person's document: a picture of each page, and nothing of the file itself."""
    key = key_of_pages(uuid.uuid4().hex, len(answer.instead))
    objects = dict(zip(objects_of(key), answer.instead, strict=True))
    return CheckedFile(upload.group, key, answer.content_type, sum(map(len, answer.instead)), objects)


def _to_keep(upload: Upload, answer: CheckResult) -> CheckedFile:
    """What to store of an upload: a photo as a JPEG with WebPs beside it, a paper unchanged or its clean copy."""
    full, *smaller = answer.instead or (upload.data,)
    if not smaller:
        key = f"private/{uuid.uuid4().hex}"
        return CheckedFile(upload.group, key, answer.content_type, len(full), {key: full})
    # A hash of the content, so that a key never means another file; a random part, so that duplicates can be deleted.
    ending = WIDE if smaller[1:] else ".jpg"
    key = f"public/{hashlib.sha256(full).hexdigest()[:24]}{secrets.token_hex(4)}{ending}"
    objects = dict(zip(objects_of(key), answer.instead, strict=True))
    return CheckedFile(upload.group, key, answer.content_type, len(full), objects)
