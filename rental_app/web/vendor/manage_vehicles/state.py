"""Manage Vehicles: the table."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import reflex as rx

from rental_app.domain import clock
from rental_app.schemas.calendars import BookingInTheWay
from rental_app.schemas.fleet import FleetQuery
from rental_app.schemas.validation import validated
from rental_app.schemas.vehicles import ToggleRequest
from rental_app.services import catalogue
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import table, vehicles
from rental_app.web.parts.presenters.bookings import booking_in_the_way
from rental_app.web.parts.presenters.texts import Choice, Link
from rental_app.web.session.base import PrivateState, read, take_news, write
from rental_app.web.session.events import focus, redirect, set_value, success_toast
from rental_app.web.session.handlers import change
from rental_app.web.session.vendor_auth import for_manager, manager_action, manager_load, manager_refresh
from rental_app.web.vendor.manage_vehicles.presenter import Chip, FleetLine, chips, count_line, fleet_line

SEARCH, AHEAD = "fleet-search", "bookings-ahead"


class FleetState(PrivateState):
    """The page of the fleet that is shown, and the query behind it."""

    lines: list[FleetLine] = []
    types: list[Choice] = []
    text: str = ""
    shown: str = "all"
    type_id: str = "0"
    order: str = "needs"
    page: int = 1
    pages: int = 1
    total: int = 0
    size: int = 0
    # Those that match, on all pages, and how many there are under each filter.
    ids: list[int] = []
    chips: list[Chip] = []
    problem: str = ""
    loading: bool = True
    # The vehicle of the latest press, and the number of presses answered.
    answered: list[int] = [0, 0]
    # The bookings of a vehicle that is off, each to be moved or cancelled, and the vehicle's name.
    ahead: list[Link] = []
    ahead_of: str = ""
    _owner: int = 0

    @rx.var
    def count_line(self) -> str:
        """Which vehicles are shown, of how many; blank if that is not known."""
        if not self.lines and (self.loading or self.problem):
            return ""
        return count_line(self.page, self.pages, len(self.lines), self.total)

    @manager_load
    async def load(self, actor: Actor) -> None:
        """Show the fleet with the latest choices."""
        if self._owner != actor.id:
            self.lines, self.loading, self._owner = [], True, actor.id
        self.types = [Choice(value=str(t.id), label=t.name) for t in await read(catalogue.asset_types, actor)]
        await self._show(actor)
        self.loading = False

    def _failed(self, message: str) -> None:
        self.problem, self.loading = message, False

    @manager_refresh
    async def refresh(self, actor: Actor) -> None:
        """Show what is true by now."""
        if not self.loading:
            await self._show(actor)

    @manager_action
    async def search(self, actor: Actor, text: str) -> None:
        """Show the vehicles that match a text."""
        await self._show(actor, page=1, text=text)

    @manager_action
    async def choose_shown(self, actor: Actor, shown: str) -> None:
        """Filter by availability, switch or papers."""
        await self._show(actor, page=1, shown=shown)

    @manager_action
    async def choose_type(self, actor: Actor, type_id: str) -> None:
        """Filter by vehicle type; '0' for all."""
        await self._show(actor, page=1, type_id=type_id)

    @manager_action
    async def choose_sorting(self, actor: Actor, order: str) -> None:
        """Sort."""
        await self._show(actor, page=1, order=order)

    @manager_action
    async def clear(self, actor: Actor) -> AsyncIterator[Any]:
        """Show all vehicles again."""
        yield set_value(SEARCH, "")
        await self._show(actor, page=1, text="", shown="all", type_id="0")

    @manager_action
    async def go_to(self, actor: Actor, page: int) -> None:
        """Show another page."""
        await self._show(actor, page=page)

    @change
    async def toggle(self, vehicle_id: int, wanted: bool) -> AsyncIterator[Any]:
        """Switch a vehicle on or off; another device may have done so already."""
        vehicle_id = known_id(vehicle_id)
        try:
            async for event in self._toggle(vehicle_id, wanted):
                yield event
        finally:
            self.answered = [vehicle_id, self.answered[1] + 1]

    @for_manager
    async def _toggle(self, actor: Actor, vehicle_id: int, wanted: bool) -> AsyncIterator[Any]:
        answer = await write(vehicles.switch, actor, vehicle_id, wanted)
        await self._show(actor)
        self._list_ahead(self._name(vehicle_id), answer.bookings)
        yield success_toast(answer.message)

    @manager_action
    async def show_ahead(self, actor: Actor, vehicle_id: int) -> AsyncIterator[Any]:
        """List the bookings ahead of a vehicle that is off."""
        vehicle_id = known_id(vehicle_id)
        self._list_ahead(self._name(vehicle_id), await read(vehicles.bookings_ahead, actor, vehicle_id))
        yield focus(AHEAD)

    @manager_action
    async def duplicate(self, _actor: Actor, vehicle_id: int) -> AsyncIterator[Any]:
        """Go to the form, which begins a draft like a vehicle."""
        yield redirect(f"/vendor/add-vehicle?like={known_id(vehicle_id)}", asked_on="/vendor/manage-vehicles")

    def _list_ahead(self, whose: str, bookings: Sequence[BookingInTheWay]) -> None:
        self.ahead, self.ahead_of = [booking_in_the_way(one) for one in bookings], whose

    def _name(self, vehicle_id: int) -> str:
        line = next((one for one in self.lines if one.id == vehicle_id), None)
        return f"{line.title}, {line.rc_number}" if line else ""

    async def _show(self, actor: Actor, **changes: Any) -> None:
        now = {name: getattr(self, name) for name in FleetQuery.model_fields}
        query = validated(FleetQuery, now | changes)
        fleet = await read(table.table, actor, query)
        instant = clock.now()
        lines = [fleet_line(car, fleet.standings[car.id], fleet.papers, instant) for car in fleet.vehicles]
        take_news(self, lines=lines, ids=fleet.ids, chips=chips(fleet.counts, query.shown))
        self.text, self.shown, self.order, self.type_id = query.text, query.shown, query.order, str(query.type_id)
        self.page, self.pages, self.total, self.size = fleet.page, fleet.pages, fleet.total, fleet.size
        self.problem = ""


def known_id(number: object) -> int:
    """An id a browser sent; raises InvalidInputError when it cannot be one."""
    return validated(ToggleRequest, {"vehicleId": number}).vehicle_id
