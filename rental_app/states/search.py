"""The search form, wherever it stands."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.errors import RentalError
from rental_app.rules import clock
from rental_app.schemas.cards import Card
from rental_app.states.base import SessionState, action, caller_of, read
from rental_app.states.events import error_toast, redirect
from rental_app.views import vehicles
from rental_app.views.links import Query, read_wall, search_url, wall_text
from rental_app.views.search import duration, earliest_return


class SearchState(rx.State):
    """Where and when a vehicle is wanted; times are Indian wall-clock text."""

    location: str = ""
    pickup: str = ""
    return_at: str = ""

    @rx.var
    def return_from(self) -> str:
        """The earliest return on offer."""
        return earliest_return(self.pickup)

    @rx.var
    def duration(self) -> str:
        """The badge: how long the rental is."""
        return duration(self.pickup, self.return_at)

    @action
    async def start(self) -> None:
        """Fill what a first visit starts with: the next full hour and the remembered locality."""
        self.pickup = self.pickup or wall_text(clock.default_pickup(clock.now()))
        if not self.location:
            self.location = (await self.get_state(SessionState))._place()

    @action
    async def choose_location(self, name: str) -> None:
        """Choose a locality; it is remembered in the browser."""
        await self._choose_location(name)

    async def _choose_location(self, name: str) -> None:
        session = await self.get_state(SessionState)
        if not name or name in session.locations:
            self.location = name
            session.selected_location = name or session.selected_location

    @action
    async def choose_pickup(self, pickup: str) -> None:
        """Choose the pickup; the return moves to at least 24 hours later."""
        self._choose_pickup(read_wall(pickup))

    def _choose_pickup(self, pickup: str) -> None:
        self.pickup = pickup
        earliest = earliest_return(self.pickup)
        if not self.return_at or self.return_at < earliest:
            self.return_at = earliest

    @action
    async def choose_return(self, return_at: str) -> None:
        """Choose the return."""
        self.return_at = read_wall(return_at)

    @action
    async def take_over(self, form: dict[str, str]) -> None:
        """Go on with what was entered before scripts ran, by the names of the address's parameters."""
        if "pickupLocation" in form:
            await self._choose_location(form["pickupLocation"])
        if pickup := read_wall(form.get("pickupDate", "")):
            self._choose_pickup(pickup)
        if return_at := read_wall(form.get("returnDate", "")):
            self.return_at = return_at

    @action
    async def submit(self) -> AsyncIterator[Any]:
        """Go to the results."""
        if not self.pickup or not self.return_at:
            yield error_toast("Please select Pickup and Return date/time")
        elif not self.location:
            yield error_toast("Please select a location")
        else:
            yield redirect(search_url(self._query()))

    def _query(self) -> Query:
        return Query(self.location, self.pickup, self.return_at)

    def _take(self, query: Query) -> None:
        self.location, self.pickup, self.return_at = query.location, query.pickup, query.return_at


class HomeState(rx.State):
    """The featured vehicles."""

    featured: list[Card] = []
    problem: str = ""

    @action
    async def load(self) -> None:
        """The shop's first three vehicles."""
        self.problem = ""
        try:
            self.featured = await read(vehicles.featured, caller_of(self))
        except RentalError as error:
            self.problem = error.message
            raise
