"""Which of the vendor's bookings are shown, and in what order."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.ids import read_id
from rental_app.schemas.bookings import BookingFilter, BookingQuery
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.web.session.events import set_value
from rental_app.web.session.vendor_auth import staff_action

STATUSES: tuple[str, ...] = tuple(BookingStatus)
ORDERS = {"created": "Newest request", "deadline": "Next answer due", "pickup": "Next pickup"}
SEARCH = "booking-search"
_LONGEST_TEXT = 80


class BookingFilters(rx.State, mixin=True):
    """The chosen filters; `only_id` is the single booking that the address asks for, which needs none of them."""

    status: str = ""
    first_day: str = ""
    last_day: str = ""
    # The month of the pickup, such as 2026-11: the dashboard's revenue links to it.
    month: str = ""
    text: str = ""
    vehicle: str = ""
    order: str = "created"
    only_id: int = 0
    times_cleared: int = 0

    @rx.var
    def filtered(self) -> bool:
        """Whether anything narrows the list."""
        return bool(self.status or self.first_day or self.last_day or self.month or self.text or self.vehicle)

    @rx.var
    def month_name(self) -> str:
        """The month of the pickup in words."""
        first = clock.month_of(self.month)
        return f"{first:%B %Y}" if first else ""

    @rx.var
    def csv(self) -> str:
        """The address of the filtered bookings as CSV, for a spreadsheet."""
        return f"/api/vendor/bookings.csv?{urlencode(self._parameters())}"

    @staff_action
    async def filter_status(self, actor: Actor, status: str) -> None:
        """Show one status only; '' for all."""
        self.status = status if status in STATUSES else ""
        await self._show_first(actor)

    @staff_action
    async def filter_from(self, actor: Actor, day: str) -> None:
        """Show bookings that end on a day or later."""
        self.first_day = day[:10]
        await self._show_first(actor)

    @staff_action
    async def filter_to(self, actor: Actor, day: str) -> None:
        """Show bookings that start on a day or before."""
        self.last_day = day[:10]
        await self._show_first(actor)

    @staff_action
    async def drop_month(self, actor: Actor) -> None:
        """Show pickups of all months."""
        self.month = ""
        await self._show_first(actor)

    @staff_action
    async def filter_text(self, actor: Actor, text: str) -> None:
        """Show bookings whose customer, phone, RC number or reference matches the words."""
        self.text = text[:_LONGEST_TEXT]
        await self._show_first(actor)

    @staff_action
    async def filter_vehicle(self, actor: Actor, vehicle_id: str) -> None:
        """Show the bookings of one vehicle; '' for all."""
        self.vehicle = str(read_id(vehicle_id) or "")
        await self._show_first(actor)

    @staff_action
    async def choose_sorting(self, actor: Actor, order: str) -> None:
        """Choose what comes first."""
        self.order = order if order in ORDERS else "created"
        await self._show_first(actor)

    @staff_action
    async def clear_filters(self, actor: Actor) -> Any:
        """Show everything again."""
        self.status = self.first_day = self.last_day = self.month = self.text = self.vehicle = ""
        self.times_cleared += 1
        await self._show_first(actor)
        return set_value(SEARCH, "")

    async def _show_first(self, actor: Actor) -> None:
        raise NotImplementedError

    def _take_filters(self, parameters: Mapping[str, str]) -> None:
        """Take the filters of the page's address."""
        status = parameters.get("status", "")
        self.status = status if status in STATUSES else ""
        self.first_day, self.last_day = parameters.get("from", "")[:10], parameters.get("to", "")[:10]
        month = parameters.get("month", "")
        self.month = month if clock.month_of(month) else ""
        self.only_id = read_id(parameters.get("booking", ""))

    def _filter(self) -> BookingFilter:
        return validated(BookingQuery, {"booking": self.only_id} if self.only_id else self._parameters())

    def _parameters(self) -> dict[str, object]:
        """The filters as REST takes them."""
        days = {"from": _day(self.first_day), "to": _day(self.last_day), "month": self.month}
        fields = {"status": self.status, "vehicle": self.vehicle, "q": self.text, "sort": self.order} | days
        return {name: value for name, value in fields.items() if value}


def _day(text: str) -> date | None:
    """The day typed so far; None until it is a valid one."""
    with suppress(InvalidInputError):
        day = clock.parse_moment(text, "day")
        return None if isinstance(day, datetime) else day
    return None
