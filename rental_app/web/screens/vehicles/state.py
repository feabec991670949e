"""The list of vehicles and search results."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl

import reflex as rx

from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.schemas.shop import ANY, LONGEST_QUERY, NEAR, SORTS, ShopQuery
from rental_app.web.parts.city_map.presenter import MapView
from rental_app.web.parts.presenters.links import read_query, search_url
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.parts.vehicle_card import presenter
from rental_app.web.parts.vehicle_card.presenter import NO_FAULTS, Card, Results
from rental_app.web.screens.vehicles.presenter import FilterPanel, bare, narrowed
from rental_app.web.session.address import here
from rental_app.web.session.base import SessionState, caller_of, read
from rental_app.web.session.events import close_dialog, error_toast, focus, redirect, replace_address, set_value
from rental_app.web.session.handlers import action, events_of

# The free-text box, and the dialog with the other filters.
FILTER, SHEET = "vehicle-filter", "filters"


class VehiclesState(rx.State):
    """The vehicles shown. Nothing else is kept: a new filter queries the database again."""

    cards: list[Card] = []
    total: int = 0
    text: str = ""
    place: str = ""
    near: str = ""
    around_text: str = ""
    around_url: str = ""
    elsewhere: list[Link] = []
    list_url: str = ""
    map_url: str = ""
    city_map: MapView | None = None
    searched: bool = False
    loading: bool = True
    problem: str = ""
    # Why nothing was found, if no field of the search form says so.
    note: str = ""
    failed: bool = False
    nothing_title: str = ""
    nothing_text: str = ""
    any_listed: bool = True
    nearest_text: str = ""
    nearest_url: str = ""
    filters: FilterPanel = FilterPanel()
    faults: dict[str, str] = NO_FAULTS
    # The address as it was last read, and the address of what is shown, to which a vehicle's page leads back.
    asked_url: str = ""
    back_url: str = ""
    _query: ShopQuery = ANY

    @rx.var
    def count_line(self) -> str:
        """How many vehicles are shown, of how many; blank if that is not known."""
        return (
            "" if self.problem else presenter.count_line(self.total if self.city_map else len(self.cards), self.total)
        )

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Read the search from the page's address and show its results."""
        # A visitor who has gone on meanwhile comes back to the search that was shown.
        if not self._is_here():
            return
        query = read_query(parse_qsl(self.router.url.query))
        # The address says what is shown, to whomever it is sent.
        session = await self.get_state(SessionState)
        if query == ANY and not session._sent_home and (remembered := session._place()):
            yield redirect(search_url(query.at(remembered)), replace=True, asked_on=self.router.url.path)
            return
        form = await self.get_state(SearchState)
        await form._take(query)
        if query.text != self.text:
            yield set_value(FILTER, query.text)
        # Results of the same search stay, and with them the scroll position.
        if not self.cards or _first_page(query) != _first_page(self._query):
            self._take(Results(self.place, [], 0, filters=self.filters, list_url=self.list_url, map_url=self.map_url))
            self.loading = True
        self._query, self.text, self.asked_url = query, query.text, here(self)
        yield
        try:
            await self._show()
        except InvalidInputError as error:
            for event in form._refuse(error):
                yield event
        if self.searched and not self.cards and not self.problem and not self.text:
            yield error_toast("No cars available")

    @action
    async def filter(self, text: str) -> AsyncIterator[Any]:
        """Show the vehicles that match a text, tolerating typing errors."""
        self._narrow(text[:LONGEST_QUERY].strip())
        # The address comes first: a retry after a failure uses what it says.
        yield self._tell_address()
        await self._show()

    @action
    async def clear_filter(self) -> AsyncIterator[Any]:
        """Show what the filter's text had hidden."""
        yield self._unfilter()
        yield self._tell_address()
        await self._show()

    @action
    async def open_sheet(self) -> None:
        """Show what is chosen in the sheet again: its errors are those of the address."""
        self.faults = _faults(self._query)

    @action
    async def narrow(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Show what matches the sheet's filters, or show beside its field what is wrong with one."""
        query = narrowed(self._query, form)
        self.faults = _faults(query)
        if query.faults:
            yield focus(f"filter-{next(iter(query.faults))}")
        else:
            yield close_dialog(SHEET, search_url(query))

    @action
    async def clear_filters(self) -> AsyncIterator[Any]:
        """Show what all filters had hidden."""
        self.faults = NO_FAULTS
        yield close_dialog(SHEET, search_url(bare(self._query)))

    @action
    async def sort_by(self, sort: str) -> AsyncIterator[Any]:
        """Show the vehicles in another order."""
        query = self._query.model_copy(update={"sort": sort if sort in SORTS else "", "page": 1})
        yield redirect(search_url(query), asked_on=self.router.url.path)

    @action
    async def show_more(self) -> AsyncIterator[Any]:
        """Show another page of vehicles, if there can be one."""
        if not self.filters.more_url:
            return
        self._query = read_query(parse_qsl(self.filters.more_url.partition("?")[2]))
        yield self._tell_address()
        await self._show()

    @action
    async def choose_place(self, name: str) -> AsyncIterator[Any]:
        """Choose a locality in the bar; on the vehicles page that starts a search, with the dates of the form."""
        form = await self.get_state(SearchState)
        await form._choose_location(name)
        if self._is_here():
            # The blank choice is not "anywhere": without a place there is the list, but no search.
            dated = bool(form.return_at and (await self.get_state(SessionState))._chosen())
            async for event in self._go(await form._query(dated=dated)):
                yield event

    @action
    async def choose_near(self, name: str) -> AsyncIterator[Any]:
        """Look around the locality in which "Near me" has found somebody."""
        async for event in events_of(self.choose_place(f"{NEAR}{name}")):
            yield event

    @action
    async def show_all_places(self) -> AsyncIterator[Any]:
        """Drop the search and the remembered locality."""
        (await self.get_state(SessionState))._choose("")
        yield self._unfilter()
        async for event in self._go(ANY):
            yield event

    async def _go(self, query: ShopQuery) -> AsyncIterator[Any]:
        """Go to a search; an address that is already open would not be read again."""
        yield redirect(search_url(query), asked_on=self.router.url.path)
        if search_url(query) == search_url(self._query):
            await self._show()

    def _tell_address(self) -> Any:
        # The address may still be the one opened, or one set here before.
        return replace_address(search_url(self._query), self.asked_url, self.back_url)

    def _is_here(self) -> bool:
        return self.router.url.path.rstrip("/") == "/vehicles"

    def _unfilter(self) -> Any:
        self._narrow("")
        return set_value(FILTER, "")

    def _narrow(self, text: str) -> None:
        self.text, self._query = text, self._query.model_copy(update={"text": text, "page": 1})

    def _take(self, found: Results) -> None:
        self.cards, self.total, self.filters = found.cards, found.total, found.filters
        self.problem, self.note, self.failed, self.faults = found.problem, found.note, found.failed, found.faults
        self.nothing_title, self.nothing_text, self.any_listed = (
            found.nothing_title,
            found.nothing_text,
            found.any_listed,
        )
        self.nearest_text, self.nearest_url = found.nearest_text, found.nearest_url
        self.around_text, self.around_url = found.around_text, found.around_url
        self.elsewhere = found.elsewhere
        self.list_url, self.map_url = found.list_url, found.map_url
        self.city_map = found.city_map

    async def _show(self) -> None:
        self.searched, self.near, self.place = self._query.complete, self._query.near, self._query.location
        self.back_url = search_url(self._query)
        try:
            self._take(await read(presenter.results, caller_of(self), self._query))
        except RentalError as error:
            self._take(presenter.refused(self._query, error))
            raise
        finally:
            self.loading = False


def _faults(query: ShopQuery) -> dict[str, str]:
    return NO_FAULTS | {name: said for name, said in query.faults.items() if name in NO_FAULTS}


def _first_page(query: ShopQuery) -> str:
    return search_url(query.model_copy(update={"page": 1}))
