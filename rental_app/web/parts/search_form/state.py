"""The search form, on every page that has it, and the locality that is chosen in it or in the bar."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError
from rental_app.schemas.search import ANY, ANYWHERE, NEAR, PageSearch
from rental_app.web.parts.presenters.links import read_query, rental_of, search_url, wall_text
from rental_app.web.parts.search_form.presenter import FIELDS, NO_PROBLEMS, check, dates_line, duration, problems
from rental_app.web.parts.window_pickers.state import WindowForm
from rental_app.web.session.base import SessionState
from rental_app.web.session.events import end_refusals, focus, redirect, refusal_toast
from rental_app.web.session.handlers import action, events_of

RESULTS = "/vehicles"
# Shows the results again if they are the page; set by that page.
_show_again: list[Callable[[rx.State], Awaitable[None]]] = []
_shown_for_dates: list[Callable[[rx.State], Awaitable[None]]] = []


def show_again_with(show: Callable[[rx.State], Awaitable[None]]) -> None:
    """Say how the page of the results shows them again, when a search leads to the address that is already open."""
    _show_again[:] = [show]


def when_dates_change(show: Callable[[rx.State], Awaitable[None]]) -> None:
    """Say how a page that has the form beside vehicles shows them for its dates; `show` checks whether it is open."""
    _shown_for_dates.append(show)


class SearchState(WindowForm, rx.State):
    """The dates of a search, and what is wrong with it; its place is the session's locality."""

    # The address of the results shown last: a vehicle's page leads back to it.
    back_url: str = ""
    errors: dict[str, str] = NO_PROBLEMS
    # Survives the loss of the server's state, by a restart or in a tab left for hours.
    kept: str = rx.SessionStorage("", name="search-window")

    @rx.var
    def duration(self) -> str:
        """The badge: how long the rental is."""
        return duration(self.pickup, self.return_at)

    @rx.var
    def dates_line(self) -> str:
        """The dates in one line, for where the form is folded away."""
        return dates_line(self.pickup, self.return_at)

    @action
    async def start(self) -> None:
        """Fill in what a visit starts with: what was chosen in this tab, or else the next full hour.

        Errors of a search stay on the page where it was made.
        """
        self.errors = NO_PROBLEMS
        self._take_stored(self.kept)
        self._pickup_set = self._pickup_set and bool(self.pickup)
        self._renew()

    @action
    async def renew(self) -> None:
        """Move a pickup that nobody has set to the next full hour."""
        self._renew()

    @action
    async def take_over(self, form: dict[str, str]) -> None:
        """Take over what was entered before scripts ran, under the names of the URL parameters."""
        if "pickupLocation" in form:
            await self._choose_location(form["pickupLocation"])
        if form.keys() & {"pickupDate", "returnDate"}:
            self._fill(form)
            await self._changed()

    @action
    async def submit(self, pickup: str = "", return_at: str = "") -> AsyncIterator[Any]:
        """Go to the results, or show beside its field what is wrong with the search."""
        self._take_shown(pickup, return_at)
        self._renew()
        query = await self._query()
        try:
            check(query, (await self.get_state(SessionState))._chosen())
        except InvalidInputError as error:
            for event in self._refuse(error):
                yield event
        else:
            self.errors = NO_PROBLEMS
            yield end_refusals()
            yield redirect(search_url(query), asked_on=self.router.url.path)

    @action
    async def choose_place(self, name: str) -> AsyncIterator[Any]:
        """Choose a locality in the bar; on the vehicles page that starts a search, with the dates of the form."""
        await self._choose_location(name)
        if self._on_results():
            async for event in self._go(await self._query(dated=bool(self.return_at))):
                yield event

    @action
    async def look_anywhere(self) -> None:
        """Choose "Anywhere" for a search without a place, which is described as that."""
        if not (await self.get_state(SessionState))._chosen():
            await self._choose_location(ANYWHERE)

    @action
    async def choose_near(self, name: str) -> AsyncIterator[Any]:
        """Search around the locality that "Near me" has determined."""
        async for event in events_of(self.choose_place(f"{NEAR}{name}")):
            yield event

    async def _go(self, query: PageSearch) -> AsyncIterator[Any]:
        """Go to a search; an address that is already open would not be read again."""
        yield redirect(search_url(query), asked_on=self.router.url.path)
        if search_url(query) == self.back_url:
            for show in _show_again:
                await show(self)

    def _remembered(self) -> PageSearch:
        """The dates chosen in this tab, if both are and they could be booked."""
        self._take_stored(self.kept)
        query = ANY.on(self.pickup, self.return_at)
        return query if query.complete and rental_of(query) else ANY

    def _forget(self) -> None:
        """Start over with the next full hour and no return."""
        self._forget_window()
        self.kept = ""
        self._renew()

    def _on_results(self) -> bool:
        return self.router.url.path.rstrip("/") == RESULTS

    async def _query(self, *, dated: bool = True) -> PageSearch:
        """The search in the form, or its place alone; on the results page it keeps their filters, except for the text
        and for prices of other dates.
        """
        choice = (await self.get_state(SessionState))._chosen()
        # The browser's address is newer than the state: the results of the last choice may not have been read yet.
        current = read_query(parse_qsl(self.router.url.query)) if self._on_results() else ANY
        ends = (self.pickup, self.return_at) if dated else ("", "")
        return current.model_copy(update={"text": "", "faults": {}}).on(*ends).at(choice)

    def _renew(self) -> None:
        now = wall_text(clock.default_pickup(clock.now()))
        if not self._pickup_set and self.pickup != now:
            self.pickup = now
            if self.return_at:
                self._follow()

    async def _choose_location(self, name: str) -> None:
        (await self.get_state(SessionState))._choose(name)
        self.errors = self.errors | {"pickupLocation": ""}

    async def _changed(self) -> None:
        self.kept = self._stored_as()
        self.errors = self.errors | {"pickupDate": "", "returnDate": ""}
        for show in _shown_for_dates:
            await show(self)

    def _refuse(self, error: InvalidInputError) -> list[Any]:
        """Show each problem beside its field, and focus the first."""
        self.errors = problems(error)
        at_fault = [FIELDS[name] for name, problem in self.errors.items() if problem]
        return [refusal_toast(error), *[focus(element_id) for element_id in at_fault[:1]]]

    async def _take(self, query: PageSearch) -> None:
        """Show the search of an address."""
        self.errors = NO_PROBLEMS
        session = await self.get_state(SessionState)
        if query.choice:
            session._choose(query.choice)
        session.near = query.near if query.choice == session.choice else ""
        self._take_window(query)
