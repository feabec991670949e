"""The window of a search or a booking, chosen with its form's two pickers."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.clock import HORIZON, MIN_LENGTH, Window
from rental_app.domain.hours import USUAL_HOURS, OpeningHours
from rental_app.schemas.search import PageSearch
from rental_app.web.parts.presenters.links import read_wall, wall_text, walls, window_of
from rental_app.web.parts.search_form.presenter import automatic_return, earliest_return, moved_line
from rental_app.web.session.handlers import action

Taken = list[dict[str, str]]
# Pickers offer full hours, and leave out a window's first moment but not its last.
STEP = timedelta(hours=1)


def pickups(busy: Sequence[Window]) -> Taken:
    """The times from which no rental fits in before the vehicle is taken, and those at which it is taken."""
    return [_taken(held.pickup - MIN_LENGTH + STEP, held.return_at) for held in busy]


def returns(busy: Sequence[Window], pickup: datetime | None) -> Taken:
    """The times at which the vehicle is taken; after a pickup, all from the next time it is taken."""
    following = [held for held in busy if pickup and held.pickup >= pickup]
    if following and pickup:
        return [_taken(following[0].pickup + STEP, pickup + HORIZON)]
    return [_taken(held.pickup + STEP, held.return_at + STEP) for held in busy]


def _taken(first: datetime, end: datetime) -> dict[str, str]:
    return {"pickup": wall_text(first), "return": wall_text(end)}


class WindowForm(rx.State, mixin=True):
    """Pickup and return as Indian wall-clock text; the return moves along with the pickup until somebody sets it.

    A return that somebody has set moves only as far as it must, which `moved` says, and comes back when it fits again.
    """

    pickup: str = ""
    return_at: str = ""
    moved: str = ""
    # The return that somebody has set last.
    _wished: str = ""
    _pickup_set: bool = False
    _return_set: bool = False
    _chosen: bool = False

    @rx.var
    def return_from(self) -> str:
        """The earliest return on offer."""
        return earliest_return(self.pickup)

    @rx.var
    def chosen_pickup(self) -> str:
        """The pickup that somebody has set; '' while it is the default, which belongs to its hour."""
        return self.pickup if self._pickup_set else ""

    @action
    async def choose_pickup(self, pickup: str) -> Any:
        """Choose the pickup; a return that nobody has set, or that is now too early, moves along."""
        self._set_pickup(read_wall(pickup))
        self._chosen = True
        return await self._changed()

    @action
    async def choose_return(self, return_at: str) -> Any:
        """Choose the return."""
        self._set_return(read_wall(return_at))
        self._chosen = True
        return await self._changed()

    def _set_pickup(self, pickup: str) -> None:
        self.pickup, self._pickup_set = pickup, True
        self._follow()

    def _set_return(self, return_at: str) -> None:
        self.return_at, self._return_set = return_at, bool(return_at)
        self._wished, self.moved = return_at, ""

    def _follow(self) -> None:
        earliest = automatic_return(self.pickup, self._closing_days())
        if not earliest:
            return
        fits = self._wished >= earliest_return(self.pickup)
        self.return_at, self._return_set = (self._wished, True) if fits else (earliest, False)
        self.moved = "" if fits or not self._wished else moved_line(self._wished, earliest)

    def _fill(self, form: Mapping[str, str]) -> None:
        """Take over a form's fields, which have the names of the URL parameters."""
        if pickup := read_wall(form.get("pickupDate", "")):
            self._set_pickup(pickup)
        # A return that follows from the pickup anyway was not set by anybody.
        if (return_at := read_wall(form.get("returnDate", ""))) and return_at != self.return_at:
            self._set_return(return_at)
            # A default pickup may have moved on since the return was chosen.
            if not self._pickup_set:
                self._follow()
        self._chosen = self._chosen or bool(pickup or return_at)

    def _take_shown(self, pickup: str, return_at: str) -> None:
        """Take the window a page showed when its button was pressed, if the server has lost it since.

        A window chosen here is newer: the page may not have received it yet.
        """
        if return_at and not self._chosen:
            self._fill({"pickupDate": pickup, "returnDate": return_at})

    def _forget_window(self) -> None:
        """Start over: nothing is set, and what the tab has stored may be taken."""
        self.pickup, self.return_at, self.moved, self._wished = "", "", "", ""
        self._pickup_set, self._return_set, self._chosen = False, False, False

    def _stored_as(self, where: str = "") -> str:
        """The window as the browser's tab stores it, with the address it was chosen at if it is valid only there."""
        return json.dumps([where, self.chosen_pickup, self.return_at])

    def _take_stored(self, stored: str, where: str = "") -> None:
        """Take the window that the tab has stored, if the server has lost it since and it can still be booked."""
        with contextlib.suppress(ValueError, TypeError):
            chosen_at, pickup, return_at = json.loads(stored)
            if chosen_at == where and not self._chosen and (pickup or return_at) > wall_text(clock.now()):
                self._fill({"pickupDate": pickup or "", "returnDate": return_at})

    def _take_window(self, query: PageSearch, hours: OpeningHours = USUAL_HOURS) -> None:
        """Take the window of an address; times that are already the same stay as they are, set or not."""
        pickup, return_at = walls(query, hours)
        if pickup and pickup != self.pickup:
            self.pickup, self._pickup_set = pickup, True
        if return_at and return_at != self.return_at:
            self._set_return(return_at)

    def _closing_days(self) -> list[str]:
        """The weekdays on which nothing can be returned, as far as they are known."""
        return []

    async def _changed(self) -> Any:
        """React to a choice; returns an event for the browser, if there is one to send."""


class FreeWindowForm(WindowForm, mixin=True):
    """A window's pickers without the times at which the vehicle is taken, and the proposals of other windows."""

    _busy: list[Window] = []

    @rx.var
    def unavailable_pickups(self) -> list[dict[str, str]]:
        """The times when the vehicle cannot be picked up."""
        return pickups(self._busy)

    @rx.var
    def unavailable_returns(self) -> list[dict[str, str]]:
        """The times when the vehicle cannot be returned, given the pickup."""
        window = window_of(self.pickup, self.pickup)
        return returns(self._busy, window.pickup if window else None)

    @action
    async def take_window(self, pickup: str, return_at: str) -> Any:
        """Take the window of a proposal: free dates, or a return that costs less."""
        return await self._take_both(pickup, return_at)

    async def _take_both(self, pickup: str, return_at: str) -> Any:
        self._set_pickup(read_wall(pickup))
        self._set_return(read_wall(return_at))
        self._chosen = True
        return await self._changed()
