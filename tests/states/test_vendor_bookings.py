"""Manage Bookings behind the page: deciding, being told, filtering, and turning strangers away."""

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
import reflex as rx
from reflex.state import State

from rental_app.db import read, write
from rental_app.models import Booking, User
from rental_app.rules import clock
from rental_app.rules.expiry import time_left
from rental_app.schemas.bookings import StatusChange
from rental_app.services import accounts, bookings
from rental_app.states.base import SessionState
from rental_app.states.my_bookings import MyBookingsState
from rental_app.states.vendor.manage_bookings import PAGE, ManageBookingsState
from tests.conftest import Clock, use
from tests.helpers import Shop, actor, add_user, moment, open_shop, token_of, wanted

S = TypeVar("S", bound=rx.State)
Told = list[str]


async def page_of(user: User | None, kind: type[S]) -> S:
    """A tab's state with a user's token."""
    root = State(_reflex_internal_init=True)
    (await root.get_state(SessionState)).token = token_of(user) if user else ""
    page: S = await root.get_state(kind)
    return page


async def told(events: Any) -> Told:
    """Run a handler; the toasts and addresses it sends to the browser."""
    return [str(event.args) for event in [event async for event in events] if event is not None]


def journey(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an async test."""

    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    run.__signature__ = inspect.signature(test)  # type: ignore[attr-defined]
    return run


def book(shop: Shop, days: int = 3) -> int:
    return write(bookings.create, actor(shop.customer), wanted(shop.vehicle, days=days)).id


def decide_elsewhere(shop: Shop, booking_id: int, status: str) -> None:
    write(bookings.change_status, actor(shop.vendor), StatusChange(booking_id=booking_id, status=status))


def stored_status(booking_id: int) -> str:
    found = read(lambda session: session.get(Booking, booking_id))
    assert found
    return found.status


async def ask_and_decide(page: ManageBookingsState, booking_id: int, status: str) -> Told:
    await told(page.ask(booking_id, status))
    return await told(page.decide())


@journey
async def test_a_decision_needs_a_last_word(shop: Shop) -> None:
    booking = book(shop)
    page = await page_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    assert (page.rows[0].customer, page.rows[0].phone, page.waiting) == (shop.customer.name, "", 1)

    await told(page.ask(booking, "confirmed"))
    assert (page.asking, page.asked_id) == (True, booking)
    assert shop.customer.name in page.asked_about
    assert stored_status(booking) == "pending"
    await told(page.leave_pending())
    assert await told(page.decide()) == []
    assert (page.asking, stored_status(booking)) == (False, "pending")

    assert "Booking confirmed" in (await ask_and_decide(page, booking, "confirmed"))[-1]
    assert stored_status(booking) == page.rows[0].status == "confirmed"
    assert (page.rows[0].phone, page.rows[0].time_left, page.waiting) == (shop.customer.phone_number, "", 0)


@journey
async def test_a_decision_taken_elsewhere_is_told_and_stands(shop: Shop) -> None:
    booking = book(shop)
    page = await page_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    decide_elsewhere(shop, booking, "cancelled")
    assert "already decided" in (await ask_and_decide(page, booking, "confirmed"))[-1]
    assert stored_status(booking) == page.rows[0].status == "cancelled"
    assert (page.asking, page.busy) == (False, False)


@journey
async def test_a_request_that_lapsed_is_told_and_stands(shop: Shop, stopped_clock: Clock) -> None:
    booking = book(shop)
    page = await page_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    assert page.rows[0].time_left == "8 h 0 min"
    stopped_clock.move(hours=8)
    assert "already decided" in (await ask_and_decide(page, booking, "confirmed"))[-1]
    assert (page.rows[0].status, page.rows[0].note) == ("cancelled", "Not answered in time")
    assert stored_status(booking) == "pending"


@journey
async def test_a_beat_tells_what_happened_meanwhile(shop: Shop, stopped_clock: Clock) -> None:
    first, second = book(shop, 3), book(shop, 6)
    page = await page_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    await told(page.ask(first, "cancelled"))
    assert await told(page.refresh()) == []

    third = book(shop, 9)
    [news] = await told(page.refresh())
    assert "new booking request" in news
    assert [row.id for row in page.rows] == [third, second, first]

    decide_elsewhere(shop, first, "confirmed")
    [news] = await told(page.refresh())
    assert f"{shop.customer.name}: confirmed" in news
    assert page.asking is False

    stopped_clock.move(hours=8)
    assert all("Not answered in time" in text for text in await told(page.refresh()))
    assert page.waiting == 0


@journey
async def test_what_leaves_a_filtered_list_is_told_but_what_leaves_the_page_is_not(shop: Shop) -> None:
    made = [book(shop, days) for days in range(3, 3 + 2 * PAGE, 2)]
    page = await page_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    assert len(page.rows) == PAGE
    book(shop, 40)
    assert len(await told(page.refresh())) == 1
    assert made[0] not in [row.id for row in page.rows]

    await told(page.filter_status("pending"))
    decide_elsewhere(shop, made[5], "confirmed")
    [news] = await told(page.refresh())
    assert "no longer pending" in news


@journey
async def test_pages_hold_still_while_requests_come_in(shop: Shop) -> None:
    made = [book(shop, days) for days in range(3, 3 + 2 * (PAGE + 2), 2)]
    page = await page_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    await told(page.next_page())
    assert ([row.id for row in page.rows], page.first, page.last, page.total) == (made[1::-1], 11, 12, 12)
    book(shop, 60)
    await told(page.refresh())
    assert [row.id for row in page.rows] == made[1::-1]
    assert page.more is False
    await told(page.previous_page())
    assert len(page.rows) == PAGE
    assert page.first == 1


@journey
async def test_filters_by_status_and_date(shop: Shop) -> None:
    early, late = book(shop, 3), book(shop, 10)
    decide_elsewhere(shop, early, "confirmed")
    page = await page_of(shop.vendor, ManageBookingsState)

    async def ids(handler: Any) -> list[int]:
        await told(handler)
        return [row.id for row in page.rows]

    assert await ids(page.load()) == [late, early]
    assert await ids(page.filter_status("confirmed")) == [early]
    assert await ids(page.filter_status("nonsense")) == [late, early]
    last_day = f"{clock.indian_today(moment(4)):%Y-%m-%d}"
    assert await ids(page.filter_to(last_day)) == [early]
    assert await ids(page.filter_from(last_day)) == [early]
    assert await ids(page.filter_from(f"{clock.indian_today(moment(5)):%Y-%m-%d}")) == []
    assert page.filtered
    assert await ids(page.clear_filters()) == [late, early]
    for typed in ("0002-01-01", "9999-12-31", "2026-13-45", "x" * 5000):
        assert await ids(page.filter_from(typed)) == [late, early]


@journey
async def test_a_foreign_booking_is_neither_asked_about_nor_decided(shop: Shop) -> None:
    other = open_shop("Elsewhere")
    foreign = book(other)
    page = await page_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    await told(page.ask(foreign, "cancelled"))
    assert page.asking is False
    page.asking, page.asked_id, page.asked_status = True, foreign, "cancelled"
    assert "no such booking" in (await told(page.decide()))[-1]
    assert stored_status(foreign) == "pending"


FORGED = {
    "load": (),
    "refresh": (),
    "filter_status": ("pending",),
    "filter_from": ("2020-01-01",),
    "filter_to": ("2030-01-01",),
    "clear_filters": (),
    "next_page": (),
    "previous_page": (),
    "ask": (1, "confirmed"),
    "leave_pending": (),
    "decide": (),
}


def test_every_handler_is_among_those_tried() -> None:
    own = {name for name in ManageBookingsState.event_handlers if name in vars(ManageBookingsState)}
    assert own - {"setvar"} == set(FORGED)


@pytest.mark.parametrize("handler", sorted(FORGED))
@pytest.mark.parametrize("who", ["customer", "visitor"])
def test_others_than_vendors_get_nothing_and_change_nothing(shop: Shop, handler: str, who: str) -> None:
    booking = book(shop)

    async def attack() -> None:
        page = await page_of(shop.customer if who == "customer" else None, ManageBookingsState)
        page.asking, page.asked_id, page.asked_status = True, booking, "confirmed"
        await told(getattr(page, handler)(*FORGED[handler]))
        assert (page.rows, page.total, page.waiting, page.asked_about) == ([], 0, 0, "")

    asyncio.run(attack())
    assert stored_status(booking) == "pending"


@journey
async def test_a_revoked_token_ends_the_updates(shop: Shop) -> None:
    book(shop)
    page = await page_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    token = (await page.get_state(SessionState)).token
    write(accounts.sign_out, read(accounts.authenticate, token))
    book(shop, 6)
    assert len(await told(page.refresh())) == 1
    assert page.rows == []


@journey
async def test_without_the_database_the_list_stays_and_says_so(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    book(shop)
    page = await page_of(shop.vendor, ManageBookingsState)
    late = await page_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    use(monkeypatch, "postgresql://nobody@127.0.0.1:1/nothing", tmp_path)
    assert await told(page.refresh()) == []
    assert (len(page.rows), bool(page.problem)) == (1, True)
    await told(late.load())
    assert (late.rows, late.loading, late.problem) == ([], False, page.problem)


@journey
async def test_the_customer_sees_the_answer(shop: Shop) -> None:
    booking = book(shop)
    page = await page_of(shop.customer, MyBookingsState)
    await told(page.load())
    assert await told(page.refresh()) == []
    decide_elsewhere(shop, booking, "confirmed")
    [news] = await told(page.refresh())
    assert "confirmed" in news
    assert page.bookings[0].status == "confirmed"
    stranger = await page_of(add_user(), MyBookingsState)
    assert await told(stranger.refresh()) == []
    assert stranger.bookings == []


@pytest.mark.parametrize(
    ("minutes", "text"),
    [(465, "7 h 45 min"), (60, "1 h 0 min"), (59.9, "59 min"), (1, "1 min"), (0.5, "less than a minute")],
)
def test_time_left_is_said_in_whole_minutes(minutes: float, text: str) -> None:
    instant = clock.now()
    assert time_left(instant + timedelta(minutes=minutes), instant) == text
