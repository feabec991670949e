"""The list of vehicles and search results."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx
from sqlmodel import Session

from rental_app import db
from rental_app.errors import RentalError
from rental_app.rules import clock
from rental_app.rules.matching import matching
from rental_app.schemas.bookings import AvailabilityRequest, NearestOpen
from rental_app.schemas.cards import Card
from rental_app.services import search, shop, throttle
from rental_app.services.search import Found
from rental_app.states.base import SessionState, action, error_toast, read
from rental_app.states.links import Query, read_query, search_url, wall_text
from rental_app.states.search import SearchState, window_of
from rental_app.states.views import card, search_label

PAGE = 24


class VehiclesState(rx.State):
    """The vehicles on show. Only what is shown is kept: a new filter asks the database again."""

    cards: list[Card] = []
    total: int = 0
    text: str = ""
    place: str = ""
    searched: bool = False
    loading: bool = True
    problem: str = ""
    nearest_text: str = ""
    nearest_url: str = ""
    _query: Query = Query()
    _shown: int = PAGE

    @rx.var
    def count_line(self) -> str:
        """How many vehicles are shown, of how many."""
        noun = "car" if self.total == 1 else "cars"
        shown = len(self.cards)
        return f"Showing {shown} of {self.total} {noun}" if shown < self.total else f"Showing {shown} {noun}"

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Read the search from the page's address and show what it gives."""
        self._query = read_query(self.router.url.query_parameters)
        self._shown = PAGE
        self.loading, self.cards, self.problem = True, [], ""
        form = await self.get_state(SearchState)
        if self._query != Query():
            form._take(self._query)
        yield
        yield await self._show()
        if self.searched and not self.cards and not self.problem and not self.text:
            yield error_toast("No cars available")

    @action
    async def filter(self, text: str) -> Any:
        """Keep the vehicles that fit a text, typing errors forgiven."""
        self.text, self._shown = text[:80], PAGE
        return await self._show()

    @action
    async def show_more(self) -> Any:
        """Show another page of vehicles."""
        self._shown += PAGE
        return await self._show()

    @action
    async def show_all_places(self) -> AsyncIterator[Any]:
        """Leave the search and the remembered locality behind."""
        (await self.get_state(SessionState)).selected_location = ""
        self.text = ""
        yield rx.redirect("/vehicles")
        if self._query == Query():
            yield await self._show()

    async def _show(self) -> Any:
        remembered = (await self.get_state(SessionState))._place()
        self.searched, self.place = self._query.complete, self._query.location or remembered
        try:
            if self.searched:
                await db.run(throttle.count, "search", self.router.session.client_ip)
            self.cards, self.total, nearest = await read(_find, self._query, self.place, self.text, self._shown)
        except RentalError as error:
            self.cards, self.total, self.problem = [], 0, error.message
            return error_toast(error.message)
        finally:
            self.loading = False
        self._say_nearest(nearest)
        return None

    def _say_nearest(self, nearest: NearestOpen | None) -> None:
        self.nearest_text = self.nearest_url = ""
        if nearest:
            noun = "vehicle is" if nearest.count == 1 else "vehicles are"
            window = f"{clock.friendly(nearest.pickup)} to {clock.friendly(nearest.return_at)}"
            self.nearest_text = f"{nearest.count} {noun} free at the nearest opening hours, {window}"
            nearest_query = Query(self._query.location, wall_text(nearest.pickup), wall_text(nearest.return_at))
            self.nearest_url = search_url(nearest_query)


def _find(
    session: Session, query: Query, place: str, text: str, count: int
) -> tuple[list[Card], int, NearestOpen | None]:
    """The first cards of what a search and a filter give, how many there are in all, and the nearest open hours."""
    if query.complete:
        wanted = AvailabilityRequest(location=query.location, pickup=query.pickup, return_at=query.return_at)
        found = search.available(session, wanted, hint=True)
    else:
        found = Found(shop.listed(session, place).items)
    labels = matching({search_label(row) for row in found.rows}, text)
    fitting = [row for row in found.rows if search_label(row) in labels]
    window = window_of(query.pickup, query.return_at)
    return [card(row, query, window) for row in fitting[:count]], len(fitting), found.nearest
