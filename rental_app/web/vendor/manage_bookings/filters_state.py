"""Which of the vendor's bookings are shown, and in what order; the page's address has all of it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, VendorPart
from rental_app.domain.due import DUE_WORDS
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.ids import read_id
from rental_app.schemas.bookings import BookingFilter, BookingQuery
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.web.session.events import set_value
from rental_app.web.session.vendor_auth import staff_action

HERE = "/vendor/manage-bookings"
STATUSES: tuple[str, ...] = tuple(BookingStatus)
ORDERS = {
    "created": "Newest request",
    "deadline": "First to expire",
    "pickup": "Next pickup",
    "return": "Earliest return",
}
# What comes first in each part unless another order is chosen.
OWN_ORDERS: dict[str, str] = {
    VendorPart.WAITING: "deadline",
    VendorPart.UPCOMING: "pickup",
    VendorPart.OUT: "return",
    VendorPart.TO_SETTLE: "return",
    VendorPart.PAST: "created",
    VendorPart.ALL: "created",
}
SEARCH = "booking-search"
_LONGEST_TEXT = 80


class BookingFilters(rx.State, mixin=True):
    """The chosen filters; `only_id` is the single booking that the address asks for, which needs none of them."""

    part: str = VendorPart.WAITING.value
    due: str = ""
    status: str = ""
    first_day: str = ""
    last_day: str = ""
    # The month of the pickup, such as 2026-11: the dashboard's revenue links to it.
    month: str = ""
    text: str = ""
    vehicle: str = ""
    order: str = OWN_ORDERS[VendorPart.WAITING]
    only_id: int = 0
    times_cleared: int = 0

    @rx.var
    def filtered(self) -> bool:
        """Whether anything narrows the list, besides its part."""
        return self._is_narrowed()

    @rx.var
    def month_name(self) -> str:
        """The month of the pickup in words."""
        first = clock.month_of(self.month)
        return f"{first:%B %Y}" if first else ""

    @rx.var
    def due_name(self) -> str:
        """What is due, in words."""
        return DUE_WORDS.get(self.due, "")

    @rx.var
    def days_name(self) -> str:
        """The days on which a listed vehicle is on the road, in words; '' for any."""
        first, last = (day and clock.friendly_day(day) for day in (_day(self.first_day), _day(self.last_day)))
        if first and last:
            return first if first == last else f"{first} to {last}"
        return f"From {first}" if first else f"To {last}" if last else ""

    @rx.var
    def csv(self) -> str:
        """The address of the filtered bookings as CSV, for a spreadsheet."""
        return f"/api/vendor/bookings.csv?{urlencode(self._parameters())}"

    @staff_action
    async def filter_status(self, actor: Actor, status: str) -> Any:
        """Show one status only; '' for all."""
        self.status = status if status in STATUSES else ""
        return await self._show_first(actor)

    @staff_action
    async def filter_from(self, actor: Actor, day: str) -> Any:
        """Show bookings that end on a day or later."""
        self.first_day = day[:10]
        return await self._show_first(actor)

    @staff_action
    async def filter_to(self, actor: Actor, day: str) -> Any:
        """Show bookings that start on a day or before."""
        self.last_day = day[:10]
        return await self._show_first(actor)

    @staff_action
    async def drop_days(self, actor: Actor) -> Any:
        """Show bookings of all days."""
        self.first_day = self.last_day = ""
        self.times_cleared += 1
        return await self._show_first(actor)

    @staff_action
    async def drop_month(self, actor: Actor) -> Any:
        """Show pickups of all months."""
        self.month = ""
        return await self._show_first(actor)

    @staff_action
    async def drop_due(self, actor: Actor) -> Any:
        """Show what is due and what is not."""
        self.due = ""
        return await self._show_first(actor)

    @staff_action
    async def filter_text(self, actor: Actor, text: str) -> Any:
        """Show bookings whose customer, phone, RC number or reference matches the words."""
        self.text = text[:_LONGEST_TEXT]
        return await self._show_first(actor)

    @staff_action
    async def filter_vehicle(self, actor: Actor, vehicle_id: str) -> Any:
        """Show the bookings of one vehicle; '' for all."""
        self.vehicle = str(read_id(vehicle_id) or "")
        return await self._show_first(actor)

    @staff_action
    async def choose_sorting(self, actor: Actor, order: str) -> Any:
        """Choose what comes first."""
        self.order = order if order in ORDERS else OWN_ORDERS[self.part]
        return await self._show_first(actor)

    @staff_action
    async def clear_filters(self, actor: Actor) -> AsyncIterator[Any]:
        """Show everything of this part again."""
        self.status = self.first_day = self.last_day = self.month = self.text = self.vehicle = self.due = ""
        self.times_cleared += 1
        yield set_value(SEARCH, "")
        yield await self._show_first(actor)

    async def _show_first(self, actor: Actor) -> Any:
        """Show the first page of what is chosen, and keep that in the address."""
        raise NotImplementedError

    def _take_filters(self, parameters: Mapping[str, str]) -> None:
        """Take the filters of the page's address; what they do not know is as if it were not there.

        An address that names no part asks for what waits or, with a filter, for all that it fits.
        """
        status, due = parameters.get("status", ""), parameters.get("due", "")
        self.status, self.due = status if status in STATUSES else "", due if due in DUE_WORDS else ""
        self.first_day, self.last_day = parameters.get("from", "")[:10], parameters.get("to", "")[:10]
        month = parameters.get("month", "")
        self.month = month if clock.month_of(month) else ""
        self.text = parameters.get("q", "")[:_LONGEST_TEXT]
        self.vehicle = str(read_id(parameters.get("vehicle", "")) or "")
        self.only_id = read_id(parameters.get("booking", ""))
        usual = VendorPart.ALL if self._is_narrowed() else VendorPart.WAITING
        part, order = parameters.get("part", ""), parameters.get("sort", "")
        self.part = part if part in OWN_ORDERS else usual.value
        self.order = order if order in ORDERS else OWN_ORDERS[self.part]

    def _is_narrowed(self) -> bool:
        return any((self.status, self.first_day, self.last_day, self.month, self.text, self.vehicle, self.due))

    def _filter(self) -> BookingFilter:
        return validated(BookingQuery, {"booking": self.only_id} if self.only_id else self._parameters())

    def _parameters(self) -> dict[str, object]:
        """The filters as REST takes them."""
        days = {"from": _day(self.first_day), "to": _day(self.last_day), "month": self.month}
        part = "" if self.part == VendorPart.ALL else self.part
        fields = {"part": part, "due": self.due, "status": self.status, "vehicle": self.vehicle, "q": self.text}
        return {name: value for name, value in (fields | {"sort": self.order} | days).items() if value}

    def _address(self, part: str) -> str:
        """The address of a part of the list with the same filters; another part has its own order."""
        fields = self._parameters() | {"part": part}
        if part != self.part or self.order == OWN_ORDERS[part]:
            fields.pop("sort")
        return f"{HERE}?{urlencode(fields)}"


def _day(text: str) -> date | None:
    """The day typed so far; None until it is a valid one."""
    with suppress(InvalidInputError):
        day = clock.parse_moment(text, "day")
        return None if isinstance(day, datetime) else day
    return None
