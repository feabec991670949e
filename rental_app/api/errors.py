"""How refusals look on the wire: always the same envelope, always the true status."""

import errno
import logging
from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic_core import to_jsonable_python
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Message

from rental_app.domain.errors import RentalError
from rental_app.infrastructure import logs
from rental_app.schemas.prices import price_titles
from rental_app.schemas.validation import from_errors, refusal
from rental_app.schemas.wire import FieldError, Refusal

log = logging.getLogger(__name__)
# What the system reports where a disk, or a share of it, is full.
FULL = (errno.ENOSPC, errno.EDQUOT)
DISK_FULL = "This cannot be done right now, please try again later"
# What FastAPI hands on unread to a model or a list, because the body does not say that it is JSON.
UNREAD_BODY = ("model_attributes_type", "list_type")
HTTP_CODES = {
    400: ("malformed_body", "The body of the request cannot be read"),
    404: ("not_found", "There is nothing at this address"),
    405: ("method_not_allowed", "This address does not take that method"),
    408: ("too_slow", "The body of the request came too slowly"),
    413: ("too_large", "The request is too large"),
    415: ("unsupported_type", "This content type is not accepted"),
}


def envelope(
    status: int,
    message: str,
    code: str,
    fields: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    details: Mapping[str, object] | None = None,
) -> JSONResponse:
    """A refusal as JSON; `fields` maps field names to what is wrong with them, `details` are added at the top level."""
    logs.note_refusal(code)
    errors = [FieldError(field=name, message=text) for name, text in (fields or {}).items()]
    refusal = Refusal(message=message, code=code, errors=errors, request_id=logs.request_id())
    body = refusal.model_dump(by_alias=True) | to_jsonable_python(details or {})
    return JSONResponse(body, status, headers=dict(headers or {}))


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RentalError):
        raise error
    headers = {"Retry-After": str(error.retry_after)} if error.retry_after else {}
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return envelope(error.status, error.message, error.code, error.fields, headers, error.details)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    errors = error.errors() if isinstance(error, RequestValidationError) else []
    if any(item["type"] == "json_invalid" for item in errors):
        return envelope(400, "The body is not valid JSON", "malformed_json")
    if any(item["type"] in UNREAD_BODY and item["loc"] == ("body",) for item in errors) and not _says_json(request):
        return envelope(415, "Send the body as application/json", "unsupported_type")
    invalid = from_errors(errors, skip=1)
    titles = price_titles(getattr(error, "body", None), [item["loc"][1:] for item in errors])
    return await _refused(request, refusal(invalid.fields, titles=titles) if titles else invalid)


def _says_json(request: Request) -> bool:
    """Whether FastAPI takes the body for JSON: application/json, or a type of its own such as application/geo+json."""
    kind, _, subtype = request.headers.get("content-type", "").partition(";")[0].strip().lower().partition("/")
    return kind == "application" and (subtype == "json" or subtype.endswith("+json"))


async def _http(_request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    code, message = HTTP_CODES.get(error.status_code, ("refused", str(error.detail)))
    return envelope(error.status_code, message, code, headers=error.headers)


def failed(route: str, error: Exception) -> JSONResponse:
    """Log an unexpected exception and return its envelope.

    This is not a handler for Exception, because after such a handler the server also logs the exception's message.
    `route` is the name of the route: the address itself may be a secret.
    """
    request_id = logs.request_id()
    log.error("request %s to %s failed", request_id, route, exc_info=error)
    if isinstance(error, OSError) and error.errno in FULL:
        return envelope(503, DISK_FULL, "disk_full")
    message = f"Something went wrong on our side (reference {request_id})"
    return envelope(500, message, "internal_error")


def too_large() -> JSONResponse:
    """The envelope in place of the framework's own refusal of large bodies."""
    code, text = HTTP_CODES[413]
    return envelope(413, text, code)


def is_plain_413(message: Message) -> bool:
    """Whether a response starts as the framework's refusal does."""
    return message.get("status") == 413 and Headers(raw=message["headers"])["content-type"] != "application/json"


def install(app: FastAPI) -> None:
    """Have everything that endpoints refuse, or that is refused before them, answered with the envelope."""
    app.add_exception_handler(RentalError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
