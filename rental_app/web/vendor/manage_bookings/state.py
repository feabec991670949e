"""The vendor's bookings: which are shown, and deciding the pending ones."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import reflex as rx
from pydantic import BaseModel, ValidationError

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus
from rental_app.domain.errors import ConflictError, InvalidInputError, RentalError
from rental_app.domain.ids import read_id
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
from rental_app.web.session.events import close_dialog, error_toast, info_toast, open_dialog, plain_toast, success_toast
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.vendor_auth import staff_action, staff_change, staff_load, staff_refresh
from rental_app.web.vendor.manage_bookings.filters_state import BookingFilters
from rental_app.web.vendor.manage_bookings.presenter import BookingTableRow, booking_table_row

PAGE = 10
DECISION = "decision"


def status_id(booking_id: object) -> str:
    """The id of the control in which the status of a booking is chosen, known by its id or by a var of that."""
    return f"status-{booking_id}"


class DecisionQuestion(BaseModel):
    """A decision that a vendor is asked to confirm, about a request as it was shown."""

    booking: int
    status: str
    shown: ExpectedRequest


class LastQuestionState(rx.State):
    """The last question a tab was asked, across a restart of the server."""

    # A `Question` as JSON.
    asked: str = rx.SessionStorage("", name="asked-booking")

    def _question(self) -> DecisionQuestion | None:
        """The question; None for anything that no tab of ours stores."""
        try:
            return DecisionQuestion.model_validate_json(self.asked)
        except ValidationError:
            return None


class ManageBookingsState(BookingFilters, PrivateState):
    """One page of the vendor's bookings, and the decision being asked about."""

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
    asked_id: int = 0
    asked_status: str = ""
    asked_about: str = ""
    busy: bool = False
    _asked_shown: ExpectedRequest | None = None
    _query: str = ""
    _cursors: list[int] = []
    _next: int = 0

    @rx.var
    def last(self) -> int:
        """The number of the last booking shown, in the chosen order."""
        return self.first + len(self.rows) - 1

    @staff_load
    async def load(self, actor: Actor) -> AsyncIterator[Any]:
        """Show what the page's address asks for: all bookings, those with a `status`, on the road `from` one day
        `to` another or picked up in a `month`, or one `booking`."""
        self._take_address()
        # A list that is shown, even an empty one, stays while it is loaded again.
        self.loading = self.loading or bool(self.problem and not self.rows)
        yield
        self.vehicles = [Choice(value=str(each.id), label=each.name) for each in await read(own_vehicles.names, actor)]
        await self._show(actor)
        last = await self.get_state(LastQuestionState)
        question = last._question()
        if last.asked and not (question and self._asks(question.booking, question.status, question.shown)):
            last.asked, self.asked_id = "", 0
            yield close_dialog(DECISION)

    def _failed(self, message: str) -> None:
        self.problem, self.loading = message, False

    @staff_refresh
    async def refresh(self, actor: Actor) -> AsyncIterator[Any]:
        """Show what has changed elsewhere meanwhile, and say so."""
        before, waiting, asked_id = self.rows, self.waiting, self.asked_id
        await self._show(actor)
        for text in self._news(before):
            yield plain_toast(text)
        if asked_id and not self.asked_id:
            yield close_dialog(DECISION)
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

    # Without a connection, choosing a status is refused like a change: its question would appear minutes later.
    @staff_change
    async def ask(self, _actor: Actor, booking_id: int, status: str) -> AsyncIterator[Any]:
        """Ask for confirmation before a final decision."""
        if not self.busy and self._asks(booking_id, status) and self._asked_shown:
            question = DecisionQuestion(booking=self.asked_id, status=status, shown=self._asked_shown)
            (await self.get_state(LastQuestionState)).asked = question.model_dump_json()
            yield open_dialog(DECISION, opener=status_id(booking_id))

    @staff_change
    @one_at_a_time
    async def decide(self, actor: Actor) -> AsyncIterator[Any]:
        """Make the decision asked about, unless the request was decided elsewhere or changed meanwhile: then the page
        shows it as it is."""
        if not self.asked_id:
            return
        yield
        shown = self._asked_shown.model_dump() if self._asked_shown else {}
        change = {"booking_id": self.asked_id, "status": self.asked_status, **shown}
        try:
            outcome = success_toast(await write(requests.change_status, actor, validated(StatusChange, change)))
        except ConflictError as error:
            outcome = error_toast(f"{error.message}. The list now shows what became of it")
        finally:
            self.asked_id = 0
            yield close_dialog(DECISION)
        yield outcome
        await self._show(actor)

    def _asks(self, booking: object, status: str, shown: ExpectedRequest | None = None) -> bool:
        """Ask the question if its booking is pending and on the page, and unchanged if it was `shown` before."""
        row = next(
            (row for row in self.rows if row.id == read_id(str(booking)) and row.status == BookingStatus.PENDING), None
        )
        if (
            row is None
            or status not in (BookingStatus.CONFIRMED, BookingStatus.CANCELLED)
            or shown not in (None, row.shown)
        ):
            return False
        self.asked_id, self.asked_status, self._asked_shown = row.id, status, row.shown
        self.asked_about = (
            f"{row.title}, {row.plate} for {row.customer}, {row.first_day} to {row.last_day}, {row.total}"
        )
        return True

    def _take_address(self) -> None:
        # A reconnection runs this too and must not undo what was chosen since.
        if self._query == self.router.url.query:
            return
        self.reset()
        self._query = self.router.url.query
        self._take_filters(self.router.url.query_parameters)

    async def _show_first(self, actor: Actor) -> None:
        self._cursors = []
        await self._show(actor)

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
        part = await read(lists.of_vendor, actor, page, self._filter())
        instant = clock.now()
        take_news(self, rows=[booking_table_row(view, instant) for view in part.items])
        self.total, self._next, self.more = part.total or 0, part.next_cursor or 0, bool(part.next_cursor)
        self.first = len(self._cursors) * PAGE + 1
        self.waiting = await count_requests(self, actor)

    def _news(self, before: list[BookingTableRow]) -> Iterator[str]:
        """What became of the pending requests that were shown; a question about one of them is closed."""
        now = {row.id: row for row in self.rows}
        for row in before:
            if row.status != BookingStatus.PENDING or not (outcome := self._became(row, now)):
                continue
            if row.id == self.asked_id:
                self.asked_id = 0
            yield f"{row.title}, {row.plate}, {row.customer}: {outcome}"

    def _became(self, row: BookingTableRow, now: dict[int, BookingTableRow]) -> str:
        """What has happened to a pending request; blank for nothing."""
        if (new := now.get(row.id)) is None:
            # New requests push the oldest off the page, and another order may push off any: that settles nothing.
            is_settled = not self.more or (self.order == "created" and row.id > min(now))
            return "no longer pending" if is_settled else ""
        if new.status != BookingStatus.PENDING:
            return new.note or new.status
        return f"now {new.first_day} to {new.last_day}, {new.total}" if new.shown != row.shown else ""
