"""How refusals look on the wire: always the same envelope, always the true status."""

import logging
import uuid
from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from rental_app.errors import RentalError
from rental_app.schemas.validation import from_errors
from rental_app.schemas.wire import FieldError, Refusal

log = logging.getLogger(__name__)
HTTP_CODES = {
    404: ("not_found", "There is nothing at this address"),
    405: ("method_not_allowed", "This address does not take that method"),
    413: ("too_large", "The request is too large"),
    415: ("unsupported_type", "This content type is not accepted"),
}


def envelope(
    status: int,
    message: str,
    code: str,
    fields: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """A refusal as JSON; `fields` maps field names to what is wrong with them."""
    errors = [FieldError(field=name, message=text) for name, text in (fields or {}).items()]
    body = Refusal(message=message, code=code, errors=errors).model_dump()
    return JSONResponse(body, status, headers=dict(headers or {}))


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RentalError):
        raise error
    headers = {"Retry-After": str(error.retry_after)} if error.retry_after else {}
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return envelope(error.status, error.message, error.code, error.fields, headers)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    errors = error.errors() if isinstance(error, RequestValidationError) else []
    if any(item["type"] == "json_invalid" for item in errors):
        return envelope(400, "The body is not valid JSON", "malformed_json")
    if any(item["type"] == "model_attributes_type" for item in errors) and not _says_json(request):
        return envelope(415, "Send the body as application/json", "unsupported_type")
    return await _refused(request, from_errors(errors, skip=1))


def _says_json(request: Request) -> bool:
    return "json" in request.headers.get("content-type", "")


async def _http(_request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    code, message = HTTP_CODES.get(error.status_code, ("refused", str(error.detail)))
    return envelope(error.status_code, message, code, headers=error.headers)


async def _failed(request: Request, error: Exception) -> JSONResponse:
    request_id = uuid.uuid4().hex
    # The exception's own text may quote what was sent: the log gets its type and place only.
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "unknown"
    log.error("request %s to %s failed: %s at %s", request_id, request.url.path, type(error).__name__, place)
    message = f"Something went wrong on our side (reference {request_id})"
    return envelope(500, message, "internal_error", headers={"X-Request-Id": request_id})


def install(app: FastAPI) -> None:
    """Make every failure of `app` answer with the envelope."""
    app.add_exception_handler(RentalError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _failed)
