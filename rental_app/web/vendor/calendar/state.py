"""The vendor's calendar: which days are shown, blocking and unblocking, and the buffer between trips."""

from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
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
from rental_app.web.vendor.calendar.presenter import (
    ALL,
    BOARD_DAYS,
    ROWS,
    SPANS,
    Board,
    CalendarPage,
    board,
    calendar_page,
)

BLOCK, UNBLOCK = "block-dates", "unblock-dates"
# How far from today a day of the address may be.
FARTHEST = timedelta(days=730)
# The fields of a block that somebody types into, in their order.
FIELDS = ("from", "to", "note")


def field_id(name: str) -> str:
    """The id of a field of the block's form."""
    return f"block-{name}"


class CalendarState(PrivateState):
    """The days shown, and what is being asked about."""

    page: CalendarPage | None = None
    board: Board | None = None
    # The day that the address asks for, and so a phone shows first.
    day: str = ""
    span: str = "14"
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
    _query: str | None = None

    @staff_load
    async def load(self, actor: Actor) -> None:
        """Show the calendar, from today on unless other days have been chosen, or the address names a `day` outside
        them; it may name a `vehicle`, too."""
        self._take_address()
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
    async def shift(self, actor: Actor, to: int) -> None:
        """Show the days before the current ones (-1), those after them (1), or those from today on (0)."""
        if to:
            await self._move(actor, int(self.span) * (1 if to > 0 else -1))
        else:
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

    def _take_address(self) -> None:
        # A reconnection runs this too and must not undo what was chosen since.
        if self._query == self.router.url.query:
            return
        parameters = self.router.url.query_parameters
        self._query, self._first = self.router.url.query, None
        self.chosen = str(read_id(parameters.get("vehicle", "")))
        today, self.day = clock.indian_today(clock.now()), ""
        with suppress(ValueError):
            day = date.fromisoformat(parameters.get("day", ""))
            if abs(day - today) <= FARTHEST:
                self.day = day.isoformat()
                self._first = None if today <= day < today + timedelta(days=BOARD_DAYS) else day

    async def _move(self, actor: Actor, days: int) -> None:
        first = self._first or clock.indian_today(clock.now())
        # Closer to the limits of Python's calendar, the days could not be shifted any more.
        if 2000 < (first + timedelta(days=days)).year < 2100:
            self._first = first + timedelta(days=days)
        await self._show(actor)

    async def _show(self, actor: Actor) -> None:
        first, days = self._first or clock.indian_today(clock.now()), int(self.span)
        last = first + timedelta(days=max(days, BOARD_DAYS) - 1)
        fields = {"from": first.isoformat(), "to": last.isoformat()}
        calendar = await read(vendor_calendar.of_vendor, actor, validated(CalendarSpan, fields))
        page = calendar_page(calendar, first, days, read_id(self.chosen), self._rows)
        take_news(self, page=page, board=board(calendar, first))
        self.chosen = str(page.chosen.id) if page.chosen else ""
        self.problem = ""


def _with_hour(form: Mapping[str, Any], name: str) -> str:
    """One end of a block as it was asked for: a whole day, or a time on it."""
    day, hour = str(form.get(name) or ""), str(form.get(f"{name}Hour") or "")
    return f"{day}T{hour}" if day and hour else day
