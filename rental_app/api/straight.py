"""The most frequent calls: FastAPI documents them, but their parameters are read by hand."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from rental_app.api.gate import MAX_JSON_BYTES
from rental_app.errors import RentalError, UnsupportedTypeError
from rental_app.schemas.validation import from_errors, refusal, refuse_together

Shape = TypeVar("Shape", bound=BaseModel)
Endpoint = TypeVar("Endpoint", bound=Callable[..., Awaitable[Response]])
Reader = Callable[[Request], Awaitable[tuple[Any, ...]]]
# No body, and a body that is not JSON: a caller without access must be told about that first.
EMPTY, NOT_JSON = object(), object()

_readers: dict[Callable[..., Any], Reader] = {}


def read_by(reader: Reader) -> Callable[[Endpoint], Endpoint]:
    """Name the reader of an endpoint's arguments, in their order; it refuses what FastAPI would, in the same words."""

    def noted(endpoint: Endpoint) -> Endpoint:
        _readers[endpoint] = reader
        return endpoint

    return noted


class Named(APIRoute):
    """A route whose address is its own for every method, where a route with a variable part would take it as well."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the request is for this address; one by another method is refused here."""
        match, found = super().matches(scope)
        return (Match.FULL if match == Match.PARTIAL else match), found


class Straight(Named):
    """A route straight to its endpoint: finding it and resolving its dependencies took half the time of such a call."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options | {"max_body_size": MAX_JSON_BYTES})
        self._limited = RequestBodyLimitMiddleware(self._answered, max_body_size=MAX_JSON_BYTES)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; FastAPI answers it if the method is wrong."""
        right = scope["method"] in (self.methods or ())
        await (self._limited(scope, receive, send) if right else super().handle(scope, receive, send))

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        response = await self.endpoint(*await _readers[self.endpoint](request))
        await response(scope, receive, send)


async def json_of(request: Request) -> Any:
    """The parsed JSON of a body, or EMPTY or NOT_JSON if there is none; raises RentalError and HTTPException."""
    if not (body := await request.body()):
        return EMPTY
    main, _, sub = request.headers.get("content-type", "").partition(";")[0].strip().lower().partition("/")
    if main != "application" or not (sub == "json" or sub.endswith("+json")):
        return NOT_JSON
    try:
        return json.loads(body)
    except json.JSONDecodeError:
        raise RentalError("The body is not valid JSON", code="malformed_json") from None
    # Not text at all, or lists nested too deeply.
    except (ValueError, RecursionError):
        raise HTTPException(400) from None


def body_of(shape: type[Shape], data: Any) -> Shape:
    """A body's JSON as a model; raises InvalidInputError."""
    if data is EMPTY:
        raise refusal({"body": "Please fill this in"})
    try:
        return shape.model_validate(data, from_attributes=True)
    except ValidationError as error:
        raise from_errors(error.errors()) from None


def all_of(data: Any, *reads: Callable[[], Any]) -> list[Any]:
    """The results of `reads` for a request with a body's JSON; raises UnsupportedTypeError, and their refusals, all at
    once."""
    if data is NOT_JSON:
        raise UnsupportedTypeError("Send the body as application/json")
    given: list[Any] = []
    refuse_together(*(lambda read=read: given.append(read()) for read in reads))
    return given
