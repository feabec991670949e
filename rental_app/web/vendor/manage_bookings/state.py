"""The vendor's bookings: which are shown, and answering the pending ones."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, VendorPart
from rental_app.domain.errors import ConflictError, InvalidInputError, RentalError
from rental_app.schemas.bookings import StatusChange
from rental_app.schemas.validation import validated
from rental_app.schemas.wire import Page
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import lists, requests
from rental_app.services.fleet import own_vehicles
from rental_app.web.frame.vendor_state import count_requests
from rental_app.web.parts.presenters.bookings import ExpectedRequest
from rental_app.web.parts.presenters.texts import Choice
from rental_app.web.session.base import PrivateState, read, take_news, write
from rental_app.web.session.events import (
    error_toast,
    focus,
    info_toast,
    keep_in_address,
    plain_toast,
    set_value,
    success_toast,
)
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.vendor_auth import staff_action, staff_change, staff_load, staff_refresh
from rental_app.web.vendor.manage_bookings.filters_state import OWN_ORDERS, SEARCH, BookingFilters
from rental_app.web.vendor.manage_bookings.presenter import BookingTableRow, PartTab, booking_rows, booking_tabs

PAGE = 10
# Gets the focus once a request is answered: its control is gone.
LIST = "bookings"


class ManageBookingsState(BookingFilters, PrivateState):
    """One page of the vendor's bookings."""

    tabs: list[PartTab] = []
    rows: list[BookingTableRow] = []
    total: int = 0
    first: int = 0
    waiting: int = 0
    more: bool = False
    loading: bool = True
    problem: str = ""
    # What is wrong with the filters, by their names on the wire.
    errors: dict[str, str] = {}
    vehicles: list[Choice] = []
    busy: bool = False
    _query: str | None = None
    _cursors: list[int] = []
    _next: int = 0

    @rx.var
    def last(self) -> int:
        """The number of the last booking shown, in the chosen order."""
        return self.first + len(self.rows) - 1

    @staff_load
    async def load(self, actor: Actor) -> AsyncIterator[Any]:
        """Show what the page's address asks for: a `part` of the bookings, those with a `status`, on the road `from`
        one day `to` another, picked up in a `month` or `due`, by the words `q` or `vehicle`, or one `booking`."""
        searched = self.text
        self._take_address()
        # A list that is shown, even an empty one, stays while it is loaded again.
        self.loading = self.loading or bool(self.problem and not self.rows)
        yield
        # The field's text belongs to the browser.
        if self.text != searched:
            yield set_value(SEARCH, self.text)
        self.vehicles = [Choice(value=str(each.id), label=each.name) for each in await read(own_vehicles.names, actor)]
        await self._show(actor)

    def _failed(self, message: str) -> None:
        self.problem, self.loading = message, False

    @staff_refresh
    async def refresh(self, actor: Actor) -> AsyncIterator[Any]:
        """Show what has changed elsewhere meanwhile, and say so."""
        before, waiting = self.rows, self.waiting
        await self._show(actor)
        for text in self._news(before):
            yield plain_toast(text)
        if self.waiting > waiting:
            yield info_toast("A new booking request is waiting for your answer")

    @staff_action
    async def next_page(self, actor: Actor) -> None:
        """Go to older bookings."""
        if self._next:
            self._cursors = [*self._cursors, self._next]
            await self._show(actor)

    @staff_action
    async def previous_page(self, actor: Actor) -> None:
        """Go back to newer bookings."""
        self._cursors = self._cursors[:-1]
        await self._show(actor)

    @staff_change
    @one_at_a_time
    async def decide(
        self, actor: Actor, booking: int, shown: ExpectedRequest | None, status: str, reason: str = ""
    ) -> AsyncIterator[Any]:
        """Answer a request as it was shown: it acts at once. One that was decided elsewhere or changed meanwhile stays
        as it is, and the page shows it so."""
        if status == BookingStatus.PENDING:
            return
        yield
        row = next((row for row in self.rows if row.id == booking), None)
        about = f": {row.title}, {row.plate} for {row.customer}" if row else ""
        change = {"booking_id": booking, "status": status, "reason": reason}
        # A tab may send anything.
        change |= validated(ExpectedRequest, shown).model_dump() if shown else {}
        try:
            answer = await write(requests.change_status, actor, validated(StatusChange, change))
            outcome = success_toast(f"{answer}{about}")
        except ConflictError as error:
            outcome = error_toast(f"{error.message}. The list now shows what became of it")
        yield outcome
        yield focus(LIST)
        await self._show(actor)

    def _take_address(self) -> None:
        # A reconnection runs this too and must not undo what was chosen since.
        if self._query == self.router.url.query:
            return
        self._query, self._cursors = self.router.url.query, []
        self._take_filters(self.router.url.query_parameters)
        self.rows, self.loading, self.problem, self.errors = [], True, "", {}
        self.times_cleared += 1

    async def _show_first(self, actor: Actor) -> Any:
        self._cursors = []
        await self._show(actor)
        if self.errors:
            return None
        address = self._address(self.part)
        # Reloading takes the same from the address, which is no other one then.
        self._query = address.partition("?")[2]
        return keep_in_address(address)

    async def _show(self, actor: Actor) -> None:
        try:
            await self._read(actor)
            if not self.rows and self._cursors:
                self._cursors = []
                await self._read(actor)
            self.problem, self.errors = "", {}
        except InvalidInputError as error:
            # Said at the fields; the bookings shown before stay.
            self.errors = error.fields
        except RentalError as error:
            self.problem = error.message
            raise
        finally:
            self.loading = False

    async def _read(self, actor: Actor) -> None:
        page = Page(limit=PAGE, cursor=self._cursors[-1] if self._cursors else 0)
        only = self._filter()
        part, counts = await read(lists.of_vendor, actor, page, only), await read(lists.counts, actor, only)
        addresses = {each: self._address(each) for each in OWN_ORDERS}
        rows = booking_rows(part.items, self.part, clock.now())
        take_news(self, rows=rows, tabs=booking_tabs(counts, addresses))
        self.total, self._next, self.more = part.total or 0, part.next_cursor or 0, bool(part.next_cursor)
        self.first = len(self._cursors) * PAGE + 1
        self.waiting = await count_requests(self, actor)

    def _news(self, before: list[BookingTableRow]) -> Iterator[str]:
        """What became of the pending requests that were shown."""
        now = {row.id: row for row in self.rows}
        for row in before:
            if row.status == BookingStatus.PENDING and (outcome := self._became(row, now)):
                yield f"{row.title}, {row.plate}, {row.customer}: {outcome}"

    def _became(self, row: BookingTableRow, now: dict[int, BookingTableRow]) -> str:
        """What has happened to a pending request; blank for nothing."""
        if (new := now.get(row.id)) is None:
            # New requests push the oldest off the page, and another order may push off any: that settles nothing.
            by_age = self.order == "created" and self.part != VendorPart.WAITING
            is_settled = not self.more or (by_age and row.id > min(now))
            return "no longer pending" if is_settled else ""
        if new.status != BookingStatus.PENDING:
            return new.stage if new.status == BookingStatus.CANCELLED else new.status
        return f"now {new.days}, {new.total}" if new.shown != row.shown else ""
