"""Pages opened one after another in a tab, and searches by their addresses."""

from urllib.parse import urlencode

from reflex.istate.data import RouterData
from reflex.state import State

from rental_app.schemas.search import PageSearch
from rental_app.web.parts.presenters.links import search_url, wall_text
from rental_app.web.session.base import SessionState
from tests.support.shop import moment
from tests.support.state_tabs import S, answers


def wall(days: int, hour: int = 10) -> str:
    """Return a date and time some days from today in the pickers' format."""
    return wall_text(moment(days, hour))


def results_url(place: str, pickup: str, return_at: str) -> str:
    """The address of a search."""
    return search_url(PageSearch(location=place, pickup=pickup, return_at=return_at))


def go(root: State, path: str) -> None:
    """Put a tab on a page."""
    root.router = RouterData.from_router_data({"pathname": path, "asPath": path})


async def visit(kind: type[S], path: str, root: State | None = None) -> S:
    """Open a page in a tab and return a state of it."""
    root = root or State(_reflex_internal_init=True)
    go(root, path)
    await answers((await root.get_state(SessionState)).start())
    state: S = await root.get_state(kind)
    return state


def results_path(place: str, pickup: str, return_at: str) -> str:
    """The address of a search."""
    return "/vehicles?" + urlencode({"pickupLocation": place, "pickupDate": pickup, "returnDate": return_at})
