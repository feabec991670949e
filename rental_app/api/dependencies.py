"""What endpoints share: who calls and from where, which page of a list, and how answers are described and written."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel
from starlette.routing import Match
from starlette.types import Scope

from rental_app.domain.errors import NotAuthenticatedError
from rental_app.infrastructure import logs
from rental_app.infrastructure.db import reading, run
from rental_app.infrastructure.security import read_token
from rental_app.schemas.validation import refusal, validated
from rental_app.schemas.wire import Id, Page, PageCursor, PageLimit, Refusal
from rental_app.services import throttle
from rental_app.services.accounts import actor as accounts_actor
from rental_app.services.accounts import sessions
from rental_app.services.accounts.actor import Actor
from rental_app.services.search.listings import ListJson
from rental_app.services.throttle import Caller, Kind


class NamedRoute(APIRoute):
    """A route whose address is its own for every method, where a route with a variable part would take it as well."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the request is for this address; one by another method is refused here."""
        match, child_scope = super().matches(scope)
        return (Match.FULL if match == Match.PARTIAL else match), child_scope


class CallRouter(APIRouter):
    """A router that is skipped for requests outside of its prefix: FastAPI would try all of its routes, twice."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether one of the calls is at the request's address."""
        fixed = self.prefix.partition("{")[0]
        return super().matches(scope) if scope["path"].startswith(fixed) else (Match.NONE, {})


Shape = TypeVar("Shape", bound=BaseModel)
_whose = reading(sessions.authenticate)
_bearer = HTTPBearer(auto_error=False, description="The token given by login and register")


async def anyone(request: Request) -> Caller:
    """The sender of a request, known by address alone."""
    host = request.client.host if request.client else "unknown"
    return Caller(host, user_agent=request.headers.get("user-agent", "")[:300])


async def never_cached() -> None:
    """Mark an endpoint whose responses, including refusals, must not be cached."""


NEVER_CACHED = Depends(never_cached)


async def token_owner(
    caller: Annotated[Caller, Depends(anyone)],
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    _: Annotated[None, NEVER_CACHED],
) -> Actor:
    """The owner of the bearer token, a blocked vendor too; a forged token is counted here, a genuine one when its owner
    is looked up.

    Raises NotAuthenticatedError and TooManyRequestsError.
    """
    if credentials is None:
        raise NotAuthenticatedError("Please log in", code="token_missing")
    try:
        read_token(credentials.credentials)
    except NotAuthenticatedError:
        await run(throttle.count, "call", caller)
        raise
    actor = await _whose((caller, credentials.credentials))
    logs.note_user(actor.id)
    return actor


async def perhaps_actor(
    caller: Annotated[Caller, Depends(anyone)],
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Caller:
    """The owner of the bearer token, or the sender known by address alone if there is none that is valid."""
    if credentials is None:
        return caller
    try:
        return await _whose((caller, credentials.credentials))
    except NotAuthenticatedError:
        return caller


async def current_actor(actor: Annotated[Actor, Depends(token_owner)]) -> Actor:
    """The owner of the bearer token; raises ForbiddenError for a blocked vendor, who may only finish trips."""
    accounts_actor.require_unblocked(actor)
    return actor


async def trip_staff(actor: Annotated[Actor, Depends(token_owner)]) -> Actor:
    """The same as `current_staff`, or a blocked vendor: for what finishes trips that are under way."""
    accounts_actor.require_staff(actor)
    return actor


async def current_vendor(actor: Annotated[Actor, Depends(current_actor)]) -> Actor:
    """The vendor the token belongs to; others are refused before their uploads are read."""
    accounts_actor.require_vendor(actor)
    return actor


async def current_manager(actor: Annotated[Actor, Depends(current_actor)]) -> Actor:
    """The vendor the token belongs to, or a member who manages for them: for all but what is the vendor's alone."""
    accounts_actor.require_manager(actor)
    return actor


async def current_staff(actor: Annotated[Actor, Depends(current_actor)]) -> Actor:
    """The vendor the token belongs to, or one of their members: for calls that members may make too."""
    accounts_actor.require_staff(actor)
    return actor


async def current_operator(actor: Annotated[Actor, Depends(current_actor)]) -> Actor:
    """The operator the token belongs to; what they call looks at their second step."""
    accounts_actor.require_operator(actor)
    return actor


def counted(kind: Kind, who: Callable[..., Awaitable[Actor]]) -> Any:
    """A dependency: the caller, counted for a rate limit before files are read; services count everything else."""

    def caller(actor: Annotated[Actor, Depends(who)]) -> Actor:
        throttle.count(kind, actor)
        return actor

    return Depends(caller)


def id_of(what: str, examples: list[Any] | None = None) -> Any:
    """The parameter of a path that is the id of something."""
    return Path(description=f"Id of the {what}", examples=examples)


FileId = Annotated[Id, id_of("file")]


async def paging(limit: Annotated[PageLimit, Query()] = None, cursor: Annotated[PageCursor, Query()] = 0) -> Page:
    """The requested part of a list; FastAPI would take ten times as long to read it as a model of its own."""
    return Page.model_construct(limit=limit, cursor=cursor)


def query_of(shape: type[Shape], pairs: Iterable[tuple[str, str]]) -> Shape:
    """Query parameters as a model; raises InvalidInputError, also if one that takes a single value is repeated."""
    several = {info.alias or name for name, info in shape.model_fields.items() if isinstance(info.default, tuple)}
    texts_by_name: dict[str, list[str]] = {}
    for name, text in pairs:
        texts_by_name.setdefault(name, []).append(text)
    names = {info.alias or name for name, info in shape.model_fields.items()}
    if repeated := {name: "Give this only once" for name in names - several if len(texts_by_name.get(name, ())) > 1}:
        raise refusal(repeated)
    return validated(shape, {name: texts if name in several else texts[0] for name, texts in texts_by_name.items()})


def parameters_of(shape: type[BaseModel]) -> list[dict[str, object]]:
    """OpenAPI's description of a model's fields as query parameters."""
    fields = shape.model_json_schema()["properties"]
    common = {"in": "query", "required": False}
    return [
        common | {"name": name, "description": field.get("description", ""), "schema": field}
        for name, field in fields.items()
    ]


Anyone = Annotated[Caller, Depends(anyone)]
PerhapsActor = Annotated[Caller, Depends(perhaps_actor)]
CurrentActor = Annotated[Actor, Depends(current_actor)]
CurrentOperator = Annotated[Actor, Depends(current_operator)]
CurrentStaff = Annotated[Actor, Depends(current_staff)]
TripStaff = Annotated[Actor, Depends(trip_staff)]
CurrentManager = Annotated[Actor, Depends(current_manager)]
CurrentVendor = Annotated[Actor, Depends(current_vendor)]
TokenOwner = Annotated[Actor, Depends(token_owner)]
Paging = Annotated[Page, Depends(paging)]

_MEANINGS = {
    400: "Malformed request",
    401: "No token, or one that is not or no longer valid",
    403: "Not allowed",
    404: "Not found",
    409: "Conflict",
    413: "Too large",
    415: "Unsupported type of content",
    422: "Invalid input",
    429: "Too many requests",
    500: "Failure on our side",
    503: "Unavailable for the moment",
}


def refusals(*statuses: int, conflict: type[Refusal] = Refusal) -> dict[int | str, dict[str, object]]:
    """OpenAPI's description of the refusals an operation may answer with; `conflict` is the shape of its 409.

    A body that may be malformed (400) may also be too large or of the wrong type.
    """
    bodies = (413, 415) if 400 in statuses else ()
    return {
        status: {"model": conflict if status == 409 else Refusal, "description": _MEANINGS[status]}
        for status in (*statuses, *bodies, 422, 500, 503)
    }


_TEXT, _BINARY = {"type": "string"}, {"type": "string", "format": "binary"}
# What a paper may be; photos are stored as JPEG, unless they are papers.
PAPERS = ("application/pdf", "image/jpeg", "image/png")


def a_file(*kinds: str) -> dict[int | str, dict[str, object]]:
    """OpenAPI's description of an answer that is a file of one of these media types."""
    content = {kind: {"schema": _TEXT if kind.startswith("text/") else _BINARY} for kind in kinds}
    return {200: {"description": "The file", "content": content}}


def download(name: str) -> dict[str, str]:
    """The header by which a file is saved under a name, not displayed."""
    return {"Content-Disposition": f'attachment; filename="{name.lower().replace(" ", "-")}"'}


def written(body: bytes) -> Response:
    """A response with a JSON body."""
    return Response(body, media_type="application/json")


def unless_unchanged(request: Request, answer: ListJson) -> Response:
    """A response with its ETag, or 304 if the client already has it."""
    # Without `no-cache`, a cache may choose a lifetime by itself and not ask again.
    headers = {"ETag": answer.tag, "Cache-Control": "no-cache"}
    if answer.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(answer.body, headers=headers, media_type="application/json")
