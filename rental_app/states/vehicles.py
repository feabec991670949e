"""The list of vehicles and search results."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.errors import InvalidInputError, RentalError
from rental_app.schemas.cards import Card
from rental_app.states.base import SessionState, action, caller_of, read
from rental_app.states.events import error_toast, redirect
from rental_app.states.search import SearchState
from rental_app.views import vehicles
from rental_app.views.links import Query, read_query
from rental_app.views.vehicles import RESULTS


class VehiclesState(rx.State):
    """The vehicles on show. Only what is shown is kept: a new filter asks the database again."""

    cards: list[Card] = []
    total: int = 0
    text: str = ""
    place: str = ""
    searched: bool = False
    loading: bool = True
    problem: str = ""
    failed: bool = False
    nearest_text: str = ""
    nearest_url: str = ""
    _query: Query = Query()
    _shown: int = RESULTS

    @rx.var
    def count_line(self) -> str:
        """How many vehicles are shown, of how many; blank where they cannot be told."""
        return "" if self.problem else vehicles.count_line(len(self.cards), self.total)

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Read the search from the page's address and show what it gives."""
        self._query = read_query(self.router.url.query_parameters)
        self._shown = RESULTS
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
        self.text, self._shown = text[:80], RESULTS
        return await self._show()

    @action
    async def show_more(self) -> Any:
        """Show another page of vehicles."""
        self._shown += RESULTS
        return await self._show()

    @action
    async def show_all_places(self) -> AsyncIterator[Any]:
        """Leave the search and the remembered locality behind."""
        (await self.get_state(SessionState)).selected_location = ""
        self.text = ""
        yield redirect("/vehicles")
        if self._query == Query():
            yield await self._show()

    async def _show(self) -> Any:
        remembered = (await self.get_state(SessionState))._place()
        self.searched, self.place = self._query.complete, self._query.location or remembered
        try:
            found = await read(vehicles.results, caller_of(self), self._query, self.place, self.text, self._shown)
        except RentalError as error:
            self.cards, self.total, self.problem = [], 0, error.message
            self.failed = not isinstance(error, InvalidInputError)
            return error_toast(error.message)
        finally:
            self.loading = False
        self.problem = ""
        self.cards, self.total = found.cards, found.total
        self.nearest_text, self.nearest_url = found.nearest_text, found.nearest_url
        return None
