"""Multipart bodies, read within the limits of one request, and what is done with their files."""

import json
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Annotated, Any, ParamSpec, TypeVar

import anyio
from fastapi import Depends, Request
from pydantic import BaseModel
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartParser

from rental_app.api.dependencies import TokenOwner, refusals
from rental_app.api.idempotency import Key, Once, used
from rental_app.domain.errors import (
    InvalidInputError,
    RentalError,
    TooLargeError,
    UnavailableError,
    UnsupportedTypeError,
)
from rental_app.domain.uploads import MAX_REQUEST_BYTES, MEGABYTE
from rental_app.infrastructure.db import run
from rental_app.infrastructure.security import keyed_digest
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import storage
from rental_app.services.files.checks import Upload
from rental_app.services.files.storage import CheckedFile
from rental_app.services.queues import queued

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)
# How many requests of an account may wait while the body of one is read, and how many bodies may be in memory: those
# of the two that are being checked, and of others whose files are being stored.
MOST_WAITING, MOST_IN_MEMORY = 20, 4
# In bytes: a larger file goes to the disk while it is received. A hundred files of Starlette's megabyte would not.
MultiPartParser.spool_max_size = 64 * 1024
# Text fields. A browser sends a Blob as a file, even one of JSON; a text may be as long as in Starlette's own parsing.
TEXTS, MOST_TEXT_BYTES = frozenset({"vehicleData", "data", "group", "kind"}), MEGABYTE
# What is sent under the name of a group, or of an only file.
_OF_FILES = {
    "RC": "Scans or photos of the registration certificate",
    "Insurance": "Scans or photos of the insurance certificate",
    "Pollution": "Scans or photos of the pollution certificate",
    "Front": "Photos of the front",
    "Left": "Photos of the left side",
    "Right": "Photos of the right side",
    "Back": "Photos of the back",
    "Odometer Reading": "Photos of the odometer",
    "Tyre": "Photos of the tyres",
    "Engine": "Photos of the engine",
    "Damage": "One photo of each item of damage, in the order of `damages`",
    "image": "The picture",
    "file": "The file",
}
# The body limit and the responses of calls with many files.
UPLOAD: dict[str, Any] = {
    "max_body_size": MAX_REQUEST_BYTES,
    "responses": refusals(400, 401, 403, 404, 409, 429),
}


class Submission:
    """A multipart form: its text fields and its files."""

    def __init__(self, fields: dict[str, str], parts: list[Upload]) -> None:
        self.fields = fields
        self.parts = parts

    @property
    def uploads(self) -> list[Upload]:
        """The files; browsers send an empty one for an input that was left empty."""
        return [part for part in self.parts if part.data]

    def json_object(self, name: str) -> dict[str, Any]:
        """The object in a text field; raises RentalError when it is missing or not a JSON object."""
        try:
            data = json.loads(self.fields[name])
        except KeyError:
            message = f"{name} is missing"
            raise InvalidInputError(message, code="missing_part", fields={name: message}) from None
        except (ValueError, RecursionError):
            raise RentalError(f"{name} is not valid JSON", code="malformed_json") from None
        if not isinstance(data, dict):
            raise InvalidInputError(f"{name} must be an object", fields={name: "Send a JSON object"})
        return data

    def only(self, name: str) -> bytes:
        """The only file under a name; raises InvalidInputError for none and for several."""
        files = [part.data for part in self.parts if part.group == name]
        if len(files) != 1:
            message = f"Send one file under the name {name}"
            raise InvalidInputError(message, code="missing_part", fields={name: message})
        return files[0]


@cache
def _in_memory() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(MOST_IN_MEMORY)


async def read_submission(request: Request, actor: TokenOwner) -> AsyncIterator[Submission]:
    """Read a multipart body; its temporary files are closed when the request is over.

    An account's next body is not read before that. Bodies that have been read wait in temporary files until there is
    room for them in memory. Raises UnsupportedTypeError, TooManyRequestsError and UnavailableError (no disk space).
    """
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise UnsupportedTypeError("Send multipart/form-data")
    async with (
        queued(f"files {actor.account}", MOST_WAITING, "files"),
        _received(request, actor) as form,
        _in_memory(),
    ):
        fields: dict[str, str] = {}
        parts: list[Upload] = []
        for name, value in form.multi_items():
            if isinstance(value, str):
                fields[name] = value
            elif name in TEXTS:
                if (value.size or 0) > MOST_TEXT_BYTES:
                    message = f"{name} is too large"
                    raise TooLargeError(message, fields={name: message})
                fields[name] = (await value.read()).decode(errors="replace")
            else:
                parts.append(Upload(name, await value.read()))
        yield Submission(fields, parts)


@asynccontextmanager
async def _received(request: Request, actor: Actor) -> AsyncIterator[FormData]:
    """The form in a body. One sent without its length, which browsers announce, is counted after it was received."""
    length = request.headers.get("content-length", "")
    announced = int(length) if length.isdecimal() else 0
    await run(_let_in, actor, announced)
    try:
        form = await request.form(max_files=100, max_fields=20)
    except OSError as error:
        log.error("the temporary folder takes no more: %s", type(error).__name__)
        raise UnavailableError(storage.DISK_RESERVE, code="disk_full") from error
    try:
        if not announced:
            sizes = (value.size or 0 for _, value in form.multi_items() if isinstance(value, UploadFile))
            await run(_let_in, actor, sum(sizes))
        yield form
    finally:
        await form.close()


def _let_in(actor: Actor, size: int) -> None:
    storage.require_reserve(size)
    throttle.count_bytes(actor, size)


Submitted = Annotated[Submission, Depends(read_submission)]


async def once_of_form(request: Request, form: Submitted, idempotency_key: Key = "") -> Once:
    """The `Once` of a call with files: the same fields and files are the same call, whatever the multipart boundary."""
    if not idempotency_key:
        return Once()
    return await run(used, request, idempotency_key, *_parts_of(form))


async def once_of_secret_form(request: Request, form: Submitted, idempotency_key: Key = "") -> Once:
    """The same for a form whose fields hold a number that is not stored: a plain digest of it could be guessed."""
    if not idempotency_key:
        return Once()
    fields, *files = _parts_of(form)
    return await run(used, request, idempotency_key, keyed_digest("call", fields), *files)


def _parts_of(form: Submission) -> list[bytes]:
    """What a form consists of, its text fields first."""
    fields = json.dumps(form.fields, sort_keys=True).encode()
    return [fields, *(text for part in form.parts for text in (part.group.encode(), part.data))]


FormOnlyOnce = Annotated[Once, Depends(once_of_form)]
SecretFormOnlyOnce = Annotated[Once, Depends(once_of_secret_form)]


def json_part(meaning: str, *shapes: type[BaseModel]) -> dict[str, Any]:
    """OpenAPI's description of a form's field that holds an object of one of these shapes as JSON."""
    named: list[dict[str, Any]] = [{"$ref": f"#/components/schemas/{shape.__name__}"} for shape in shapes]
    return {"description": meaning} | (named[0] if len(named) == 1 else {"anyOf": named})


def multipart(
    *files_of: str,
    texts: dict[str, str | dict[str, Any]] | None = None,
    several: bool = True,
    all_of_them: bool = False,
) -> dict[str, Any]:
    """OpenAPI's description of a multipart body, which is read by hand because the groups' names have spaces.

    `texts` are its text fields with their meanings, or with what `json_part` says of them; the files are required
    without any, if there is only one, and if `all_of_them` are.
    """
    file: dict[str, Any] = {"type": "string", "format": "binary"}
    properties: dict[str, Any] = {
        name: ({"type": "array", "items": file} if several else file) | {"description": _OF_FILES[name]}
        for name in files_of
    }
    written = {name: text for name, text in (texts or {}).items() if isinstance(text, dict)}
    properties |= {name: {"type": "string", "description": text} for name, text in (texts or {}).items()} | written
    required = [*(texts or {}), *(() if several and texts and not all_of_them else files_of)]
    schema = {"type": "object", "properties": properties, "required": required}
    form = {"schema": schema, "encoding": {name: {"contentType": "application/json"} for name in written}}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": form}}}


async def keep(checked: Sequence[CheckedFile], write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call what writes a call's work; keep the files if it succeeds and delete them if it does not."""

    def write_with_files() -> T:
        with storage.storing(checked):
            return write(*args, **kwargs)

    return await run(write_with_files)
