"""The vendor's calendar: which days are shown, blocking and unblocking, and the buffer between trips."""

from collections.abc import AsyncIterator, Mapping
from datetime import date, timedelta
from typing import Any

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.domain.ids import read_id
from rental_app.schemas.calendars import BlockRequest, BufferRequest, CalendarSpan
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.calendar import blocks, vendor_calendar
from rental_app.web.parts.presenters.bookings import in_the_way
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.session.base import PrivateState, read, removed, take_news, write
from rental_app.web.session.events import close_dialog, focus, open_dialog, success_toast
from rental_app.web.session.vendor_auth import manager_change, staff_action, staff_change, staff_load, staff_refresh
from rental_app.web.vendor.calendar.presenter import ALL, ROWS, SPANS, CalendarPage, calendar_page

BLOCK, UNBLOCK = "block-dates", "unblock-dates"
# The fields of a block that somebody types into, in their order.
FIELDS = ("from", "to", "note")


def field_id(name: str) -> str:
    """The id of a field of the block's form."""
    return f"block-{name}"


class CalendarState(PrivateState):
    """The days shown, and what is being asked about."""

    page: CalendarPage | None = None
    span: str = "31"
    chosen: str = ""
    problem: str = ""
    # Why a block was refused, at its fields or as a whole, and the initial values of its form.
    errors: dict[str, str] = {}
    refusal: str = ""
    in_the_way: list[Link] = []
    asked_vehicle: int = 0
    asked_first: str = ""
    asked_last: str = ""
    asked_block: int = 0
    asked_about: str = ""
    _first: date | None = None
    _rows: int = ROWS

    @staff_load
    async def load(self, actor: Actor) -> None:
        """Show the calendar, from today on unless other days have been chosen."""
        await self._show(actor)

    @staff_refresh
    async def refresh(self, actor: Actor) -> None:
        """Show what has been booked or blocked meanwhile; after midnight, from the new day on."""
        if self.page:
            await self._show(actor)

    @staff_action
    async def choose_span(self, actor: Actor, days: str) -> None:
        """Show this many days."""
        self.span = days if days in SPANS else self.span
        await self._show(actor)

    @staff_action
    async def go_on(self, actor: Actor) -> None:
        """Show the days after the current ones."""
        await self._move(actor, int(self.span))

    @staff_action
    async def go_back(self, actor: Actor) -> None:
        """Show the days before the current ones."""
        await self._move(actor, -int(self.span))

    @staff_action
    async def go_to_today(self, actor: Actor) -> None:
        """Show the days from today on."""
        self._first = None
        await self._show(actor)

    @staff_action
    async def choose_vehicle(self, actor: Actor, vehicle_id: str) -> None:
        """Show another vehicle's month on a phone."""
        self.chosen = str(read_id(vehicle_id))
        await self._show(actor)

    @staff_action
    async def show_more(self, actor: Actor) -> None:
        """Show more vehicles."""
        self._rows += ROWS
        await self._show(actor)

    @staff_action
    async def ask_block(self, _actor: Actor, vehicle_id: str, first: str, last: str) -> AsyncIterator[Any]:
        """Ask for which days to block a vehicle; those pressed or dragged over are filled in."""
        self.asked_vehicle, self.refusal, self.errors, self.in_the_way = read_id(vehicle_id), "", {}, []
        self.asked_first, self.asked_last = first[:10], last[:10]
        yield open_dialog(BLOCK)

    @staff_action
    async def ask_again(self, _actor: Actor, asked: int | str) -> None:
        """Show the open dialog's form again after the server has lost it; the browser has what was in it."""
        vehicle_id, first, last = f"{asked}  ".split(" ")[:3]
        self.asked_vehicle, self.asked_first, self.asked_last = read_id(vehicle_id), first[:10], last[:10]

    @staff_change
    async def block(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Block a vehicle; a refusal is shown in the form."""
        self.refusal, self.errors, self.in_the_way = "", {}, []
        vehicle = str(form.get("vehicle") or "")
        fields = {name: form.get(name) or "" for name in ("reason", "note")}
        fields |= {name: _with_hour(form, name) for name in ("from", "to")}
        try:
            request = validated(BlockRequest, fields | {"vehicle": None if vehicle == ALL else read_id(vehicle) or ""})
            await write(blocks.add_to_all if request.vehicle is None else blocks.add, actor, request)
        except RentalError as error:
            self.errors = {name: error.fields[name] for name in FIELDS if name in error.fields}
            self.refusal = "" if self.errors else error.message
            self.in_the_way = in_the_way(error)
            if self.errors:
                yield focus(field_id(next(iter(self.errors))))
            raise
        yield close_dialog(BLOCK)
        yield success_toast(blocks.ALL_BLOCKED if request.vehicle is None else blocks.BLOCKED)
        await self._show(actor)

    @staff_action
    async def ask_unblock(self, _actor: Actor, block_id: int) -> AsyncIterator[Any]:
        """Ask before a block is removed."""
        bars = [bar for row in self.page.rows for bar in row.bars] if self.page else []
        bars += self.page.chosen.bars if self.page and self.page.chosen else []
        if bar := next((bar for bar in bars if block_id and bar.block == block_id), None):
            self.asked_block, self.asked_about = block_id, bar.label
            yield open_dialog(UNBLOCK)

    @staff_change
    async def unblock(self, actor: Actor) -> AsyncIterator[Any]:
        """Remove the block asked about."""
        toast = await removed(blocks.remove, actor, self.asked_block)
        yield close_dialog(UNBLOCK)
        yield toast
        await self._show(actor)

    @manager_change
    async def set_buffer(self, actor: Actor, hours: str) -> AsyncIterator[Any]:
        """Set the hours that stay free between two trips."""
        answer = await write(blocks.set_buffer, actor, validated(BufferRequest, {"hours": hours}))
        yield success_toast(answer.message)
        await self._show(actor)

    async def _move(self, actor: Actor, days: int) -> None:
        first = self._first or clock.indian_today(clock.now())
        # Closer to the limits of Python's calendar, the days could not be shifted any more.
        if 2000 < (first + timedelta(days=days)).year < 2100:
            self._first = first + timedelta(days=days)
        await self._show(actor)

    async def _show(self, actor: Actor) -> None:
        first, days = self._first or clock.indian_today(clock.now()), int(self.span)
        fields = {"from": first.isoformat(), "to": (first + timedelta(days=days - 1)).isoformat()}
        calendar = await read(vendor_calendar.of_vendor, actor, validated(CalendarSpan, fields))
        page = calendar_page(calendar, first, days, read_id(self.chosen), self._rows)
        take_news(self, page=page)
        self.chosen = str(page.chosen.id) if page.chosen else ""
        self.problem = ""


def _with_hour(form: Mapping[str, Any], name: str) -> str:
    """One end of a block as it was asked for: a whole day, or a time on it."""
    day, hour = str(form.get(name) or ""), str(form.get(f"{name}Hour") or "")
    return f"{day}T{hour}" if day and hour else day
