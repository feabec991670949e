"""The list of vehicles and search results."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl

import reflex as rx

from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.schemas.search import ANY, LONGEST_QUERY, SORTS, PageSearch
from rental_app.web.parts.presenters.links import read_query, search_url
from rental_app.web.parts.search_form.state import SearchState, show_again_with
from rental_app.web.screens.vehicles import presenter
from rental_app.web.screens.vehicles.filters_presenter import NO_FAULTS, bare, narrowed, sheet_errors
from rental_app.web.screens.vehicles.presenter import Results
from rental_app.web.session.address import here
from rental_app.web.session.base import SessionState, caller_of, read
from rental_app.web.session.events import (
    ask_again,
    close_dialog,
    error_toast,
    focus,
    redirect,
    replace_address,
    set_value,
)
from rental_app.web.session.handlers import action

# The free-text box, and the dialog with the other filters.
FILTER, DIALOG = "vehicle-filter", "filters"


class VehiclesState(rx.State):
    """The results shown. Nothing else is kept: a new filter queries the database again."""

    results: Results = Results()
    # What is typed and wrong changes without the results.
    text: str = ""
    faults: dict[str, str] = NO_FAULTS
    loading: bool = True
    # The address as it was last read.
    asked_url: str = ""
    _query: PageSearch = ANY

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Read the search from the page's address and show its results."""
        if self.text and read_query(parse_qsl(self.router.url.query)).text != self.text:
            # Loading waits for the browser's answer: by then what was typed meanwhile is in its address.
            yield ask_again(VehiclesState.load_as_told)
            return
        async for event in self._load():
            yield event

    @action
    async def load_as_told(self, _: bool) -> AsyncIterator[Any]:
        """The same, once the browser's address shows every change sent to it before."""
        async for event in self._load():
            yield event

    async def _load(self) -> AsyncIterator[Any]:
        # For a visitor who has gone on to another page, the search stays as it was shown.
        form = await self.get_state(SearchState)
        if not form._on_results():
            return
        query = read_query(parse_qsl(self.router.url.query))
        # The address contains the whole search, so that it can be sent to others.
        session = await self.get_state(SessionState)
        remembered = self._remembered(query, session._place(), form._remembered())
        if remembered != query and not session._sent_home:
            yield redirect(search_url(remembered), replace=True, asked_on=self.router.url.path)
            return
        await form._take(query)
        if query.text != self.text:
            yield set_value(FILTER, query.text)
        # Results of the same search stay, and with them the scroll position.
        if not self.results.cards or _first_page(query) != _first_page(self._query):
            self.results, self.faults, self.loading = self.results.awaited(), NO_FAULTS, True
        self._query, self.text, self.asked_url = query, query.text, here(self)
        yield
        try:
            await self._show()
        except InvalidInputError as error:
            for event in form._refuse(error):
                yield event
        results = self.results
        if results.searched and not results.cards and not results.problem and not self.text:
            yield error_toast("No cars available")

    @action
    async def filter(self, text: str) -> AsyncIterator[Any]:
        """Show the vehicles that match a text, tolerating typing errors."""
        self._narrow(text[:LONGEST_QUERY].strip())
        # The address comes first: a retry after a failure uses what it says.
        yield await self._tell_address()
        await self._show()

    @action
    async def clear_filter(self) -> AsyncIterator[Any]:
        """Show what the filter's text had hidden."""
        yield self._unfilter()
        yield await self._tell_address()
        await self._show()

    @action
    async def open_sheet(self) -> None:
        """Show what is chosen in the sheet again: its errors are those of the address."""
        self.faults = sheet_errors(self._query.faults)

    @action
    async def narrow(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Show what matches the sheet's filters, or show beside its field what is wrong with one."""
        query = narrowed(self._query, form)
        self.faults = sheet_errors(query.faults)
        if query.faults:
            yield focus(f"filter-{next(iter(query.faults))}")
        else:
            yield close_dialog(DIALOG, search_url(query))

    @action
    async def clear_filters(self) -> AsyncIterator[Any]:
        """Show what all filters had hidden."""
        self.faults = NO_FAULTS
        yield close_dialog(DIALOG, search_url(bare(self._query)))

    @action
    async def sort_by(self, sort: str) -> AsyncIterator[Any]:
        """Show the vehicles in another order."""
        query = self._query.model_copy(update={"sort": sort if sort in SORTS else "", "page": 1})
        yield redirect(search_url(query), asked_on=self.router.url.path)

    @action
    async def show_more(self) -> AsyncIterator[Any]:
        """Show another page of vehicles, if there can be one."""
        if not self.results.filters.more_url:
            return
        self._query = read_query(parse_qsl(self.results.filters.more_url.partition("?")[2]))
        yield await self._tell_address()
        await self._show()

    @action
    async def show_all_places(self) -> AsyncIterator[Any]:
        """Drop the search, its dates and the remembered locality."""
        (await self.get_state(SessionState))._choose("")
        form = await self.get_state(SearchState)
        form._forget()
        yield self._unfilter()
        async for event in form._go(ANY):
            yield event

    def _remembered(self, query: PageSearch, place: str, dates: PageSearch) -> PageSearch:
        """The search with what this tab remembers where the address says nothing: the dates, and of none the place."""
        placed = query.at(place) if query == ANY and place else query
        has_dates = query.pickup or query.return_at or query.faults.keys() & {"pickupDate", "returnDate"}
        return placed if has_dates or not dates.complete else placed.on(dates.pickup, dates.return_at)

    async def _tell_address(self) -> Any:
        # The address may still be the one opened, or one set here before.
        form = await self.get_state(SearchState)
        return replace_address(search_url(self._query), self.asked_url, form.back_url)

    def _unfilter(self) -> Any:
        self._narrow("")
        return set_value(FILTER, "")

    def _narrow(self, text: str) -> None:
        self.text, self._query = text, self._query.model_copy(update={"text": text, "page": 1})

    async def _show(self) -> None:
        (await self.get_state(SearchState)).back_url = search_url(self._query)
        try:
            self.results, self.faults = await read(presenter.results, caller_of(self), self._query), NO_FAULTS
        except RentalError as error:
            self.results, self.faults = presenter.refused(self._query, error), sheet_errors(error.fields)
            raise
        finally:
            self.loading = False


async def _show_again(state: rx.State) -> None:
    await (await state.get_state(VehiclesState))._show()


show_again_with(_show_again)


def _first_page(query: PageSearch) -> str:
    return search_url(query.model_copy(update={"page": 1}))
