"""How the route of a call is found."""

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope


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
