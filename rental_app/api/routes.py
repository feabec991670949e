"""Routes that differ from FastAPI's own."""

from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope


class NamedRoute(APIRoute):
    """A route whose address is its own for every method, where a route with a variable part would take it as well."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the request is for this address; one by another method is refused here."""
        match, found = super().matches(scope)
        return (Match.FULL if match == Match.PARTIAL else match), found
