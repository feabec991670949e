"""Manage Bookings behind the page: decisions, notifications, filters, and nothing of anybody else."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from rental_app.domain import clock
from rental_app.domain.bookings import time_left
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking
from rental_app.services.accounts import sessions
from rental_app.services.bookings import requests
from rental_app.web.screens.my_bookings.state import MyBookingsState
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.manage_bookings.state import PAGE, DecisionQuestion, LastQuestionState, ManageBookingsState
from tests.conftest import Clock, use
from tests.support.booking_steps import alter
from tests.support.page_states import page_of
from tests.support.shop import DEPOSIT_PAISE, VISITOR, Shop, actor, add_user, add_vehicle, moment, open_shop, wanted
from tests.support.state_tabs import is_asked, journey, loaded, tab_of, told
from tests.support.trips import confirmed, pay
from tests.support.vendor_requests import ask_and_decide, book, decide_elsewhere, move_elsewhere, stored_status


@journey
async def test_a_decision_needs_a_last_word(shop: Shop) -> None:
    booking = book(shop)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    assert (page.rows[0].customer, page.rows[0].phone, page.waiting) == (shop.customer.name, "", 1)

    assert await told(page.decide()) == []
    assert "decision" in (await told(page.ask(booking, "confirmed")))[-1]
    assert page.asked_id == booking
    assert shop.customer.name in page.asked_about
    assert stored_status(booking) == "pending"

    assert "Booking confirmed" in (await ask_and_decide(page, booking, "confirmed"))[-1]
    assert stored_status(booking) == page.rows[0].status == "confirmed"
    assert (page.rows[0].phone, page.rows[0].time_left, page.waiting) == (shop.customer.phone_number, "", 0)


@journey
async def test_a_decision_taken_elsewhere_is_told_and_stands(shop: Shop) -> None:
    booking = book(shop)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    decide_elsewhere(shop, booking, "cancelled")
    assert "already decided" in (await ask_and_decide(page, booking, "confirmed"))[-1]
    assert stored_status(booking) == page.rows[0].status == "cancelled"
    assert (page.asked_id, page.busy) == (0, False)


async def asking(shop: Shop, booking: int) -> ManageBookingsState:
    """Open a tab of the vendor's that asks whether to confirm a request."""
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    await told(page.ask(booking, "confirmed"))
    return page


@journey
async def test_a_request_that_moved_is_not_confirmed_by_the_question_about_its_old_dates(shop: Shop) -> None:
    booking = book(shop)
    page = await asking(shop, booking)
    move_elsewhere(shop, booking, 20, 45)
    assert "The customer has changed this request" in (await told(page.decide()))[-1]
    assert (stored_status(booking), page.rows[0].total, page.asked_id, page.busy) == ("pending", "₹12,500", 0, False)
    assert "Booking confirmed" in (await ask_and_decide(page, booking, "confirmed"))[-1]


@journey
async def test_a_question_is_closed_when_its_request_moves_and_only_then(shop: Shop) -> None:
    booking, other = book(shop), book(shop, 6)
    page = await asking(shop, booking)
    move_elsewhere(shop, other, 8, 9)
    [news] = await told(page.refresh())
    assert (f"{shop.customer.name}: now" in news, page.asked_id) == (True, booking)

    move_elsewhere(shop, booking, 20, 45)
    news, closing = await told(page.refresh())
    assert ("₹12,500" in news, "closes" in closing, page.asked_id) == (True, True, 0)
    await told(page.decide())
    assert stored_status(booking) == "pending"


@journey
async def test_a_question_is_not_asked_again_after_a_restart_about_other_dates(shop: Shop) -> None:
    booking = book(shop)
    page = await asking(shop, booking)
    asked = (await page.get_state(LastQuestionState)).asked

    async def started_again(asked: str) -> tuple[int, list[str]]:
        tab = await tab_of(shop.vendor, ManageBookingsState)
        (await tab.get_state(LastQuestionState)).asked = asked
        events = await told(tab.load())
        return tab.asked_id, events

    assert await started_again(asked) == (booking, [])
    assert DecisionQuestion.model_validate_json(asked).shown == page.rows[0].shown
    move_elsewhere(shop, booking, 20, 45)
    asked_id, events = await started_again(asked)
    assert (asked_id, "closes" in events[-1]) == (0, True)
    # What another version has stored, or anybody.
    for strange in (f"{booking} confirmed", '{"booking": "x"}', "[" * 100):
        asked_id, events = await started_again(strange)
        assert (asked_id, "closes" in events[-1]) == (0, True)


@journey
async def test_a_row_says_who_holds_a_deposit_until_when(shop: Shop) -> None:
    trip = confirmed(shop)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    assert page.rows[0].note.startswith(f"₹2,000 held by {shop.vendor.name}, back ")


@journey
async def test_a_beat_tells_what_happened_meanwhile(shop: Shop, stopped_clock: Clock) -> None:
    first, second = book(shop, 3), book(shop, 6)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    await told(page.ask(first, "cancelled"))
    assert await told(page.refresh()) == []

    third = book(shop, 9)
    [news] = await told(page.refresh())
    assert "new booking request" in news
    assert [row.id for row in page.rows] == [third, second, first]

    decide_elsewhere(shop, first, "confirmed")
    news, closing = await told(page.refresh())
    assert f"{shop.customer.name}: confirmed" in news
    assert ("closes" in closing, page.asked_id) == (True, 0)

    stopped_clock.move(hours=8)
    lapsed = await told(page.refresh())
    assert ["Not answered in time" in text for text in lapsed] == [True, True]
    assert page.waiting == 0


@journey
async def test_leaving_the_filter_is_announced_and_leaving_the_page_is_not(shop: Shop) -> None:
    made = [book(shop, days) for days in range(3, 3 + 2 * PAGE, 2)]
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
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
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
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
    page = await tab_of(shop.vendor, ManageBookingsState)

    async def ids(handler: Any) -> list[int]:
        await told(handler)
        return [row.id for row in page.rows]

    assert await ids(page.load()) == [late, early]
    assert await ids(page.filter_status("confirmed")) == [early]
    assert await ids(page.filter_status("nonsense")) == [late, early]
    return_day, day_after, day_before = (f"{clock.indian_today(moment(ahead)):%Y-%m-%d}" for ahead in (4, 5, 9))
    assert await ids(page.filter_to(day_before)) == [early]
    assert await ids(page.filter_from(return_day)) == [early]
    assert await ids(page.filter_from(day_after)) == []
    assert page.filtered
    assert await ids(page.clear_filters()) == [late, early]
    for typed in ("0002-01-01", "9999-12-31", "2026-13-45", "x" * 5000):
        assert await ids(page.filter_from(typed)) == [late, early]


@journey
async def test_the_customer_sees_the_answer(shop: Shop) -> None:
    booking = book(shop)
    page = await loaded(tab_of(shop.customer, MyBookingsState))
    assert await told(page.refresh()) == []
    decide_elsewhere(shop, booking, "confirmed")
    [news] = await told(page.refresh())
    assert "confirmed" in news
    assert page.bookings[0].status == "confirmed"
    stranger = await tab_of(add_user(), MyBookingsState)
    assert await told(stranger.refresh()) == []
    assert stranger.bookings == []


@pytest.mark.parametrize(
    ("minutes", "text"),
    [(465, "7 h 45 min"), (60, "1 h 0 min"), (59.9, "59 min"), (1, "1 min"), (0.5, "less than a minute")],
)
def test_time_left_is_said_in_whole_minutes(minutes: float, text: str) -> None:
    instant = clock.now()
    assert time_left(instant + timedelta(minutes=minutes), instant) == text


@journey
async def test_bookings_are_found_by_words_and_vehicle_and_put_in_order(shop: Shop) -> None:
    other = add_vehicle(shop.vendor)
    later, sooner = (
        write(requests.create, actor(shop.customer), wanted(car, days=days))
        for car, days in ((shop.vehicle, 6), (other, 3))
    )
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    assert [row.id for row in page.rows] == [sooner.id, later.id]
    assert {choice.value for choice in page.vehicles} == {str(shop.vehicle.id), str(other.id)}
    await told(page.filter_text(f"{later.reference} {shop.customer.name[:4]}"))
    assert [row.id for row in page.rows] == [later.id]
    assert f"q={later.reference}" in page.csv
    await told(page.clear_filters())
    await told(page.filter_vehicle(str(other.id)))
    assert ([row.id for row in page.rows], page.filtered) == ([sooner.id], True)
    await told(page.clear_filters())
    await told(page.choose_sorting("pickup"))
    assert [row.id for row in page.rows] == [sooner.id, later.id]
    await told(page.choose_sorting("nonsense"))
    assert page.order == "created"


@journey
async def test_a_foreign_booking_is_neither_asked_about_nor_decided(shop: Shop) -> None:
    other = open_shop("Elsewhere")
    foreign = book(other)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    await told(page.ask(foreign, "cancelled"))
    assert page.asked_id == 0
    page.asked_id, page.asked_status = foreign, "cancelled"
    assert "no such booking" in (await told(page.decide()))[-1]
    assert stored_status(foreign) == "pending"


@journey
async def test_a_revoked_token_ends_the_updates_until_the_browser_shows_another(shop: Shop) -> None:
    book(shop)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    token = (await page.get_state(SessionState)).token
    write(sessions.sign_out, read(sessions.authenticate, VISITOR, token))
    book(shop, 6)
    assert is_asked(await told(page.refresh()))
    assert len(page.rows) == 1


@journey
async def test_without_the_database_the_list_stays_and_says_so(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    book(shop)
    page = await tab_of(shop.vendor, ManageBookingsState)
    late = await tab_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    use(monkeypatch, "postgresql://nobody@127.0.0.1:1/nothing", tmp_path)
    assert await told(page.refresh()) == []
    assert (len(page.rows), bool(page.problem)) == (1, True)
    await told(late.load())
    assert (late.rows, late.loading, late.problem) == ([], False, page.problem)


MINUTE = timedelta(minutes=1)
BEFORE_FIRST = "Choose a last day that is not before the first"


def booked_at(shop: Shop, pickup: datetime, paise: int) -> int:
    """Confirm a booking of another vehicle and move it, as if it had been made long ago."""
    booking = write(requests.create, actor(shop.customer), wanted(add_vehicle(shop.vendor))).id
    decide_elsewhere(shop, booking, "confirmed")
    alter(Booking, booking, pickup_at=pickup, return_at=pickup + MINUTE, price_paise=paise)
    return booking


@journey
async def test_the_bookings_picked_up_in_a_month_can_be_listed(shop: Shop) -> None:
    first, following = clock.month_bounds(clock.now())
    booked_at(shop, first - MINUTE, 3_000)
    counted = [booked_at(shop, first, 100), booked_at(shop, following - MINUTE, 200)]
    booked_at(shop, following, 5_000)
    url = f"/vendor/manage-bookings?status=confirmed&month={clock.indian_today(clock.now()):%Y-%m}"
    list_ = await loaded(page_of(shop.vendor, ManageBookingsState, url))
    assert [row.id for row in list_.rows] == counted[::-1]
    today = clock.indian_today(clock.now())
    assert (list_.month_name, list_.filtered) == (f"{today:%B %Y}", True)
    assert list_.csv.endswith(f"?status=confirmed&sort=created&month={today:%Y-%m}")
    await told(list_.drop_month())
    assert (list_.total, list_.month_name, "month" in list_.csv) == (4, "", False)
    odd = await loaded(page_of(shop.vendor, ManageBookingsState, "/vendor/manage-bookings?month=2026-13"))
    assert (odd.total, odd.filtered, odd.problem) == (4, False, "")


@journey
async def test_reversed_days_are_refused_at_the_field(shop: Shop) -> None:
    early, late = book(shop, 3), book(shop, 10)
    days = [f"{clock.indian_today(moment(ahead)):%Y-%m-%d}" for ahead in (2, 5)]
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    await told(page.filter_from(days[1]))
    assert [row.id for row in page.rows] == [late]
    for beat in (page.filter_to(days[0]), page.refresh()):
        assert await told(beat) == []
        assert (page.errors, page.problem, [row.id for row in page.rows]) == ({"to": BEFORE_FIRST}, "", [late])
    await told(page.filter_from(days[0]))
    assert (page.errors, page.rows) == ({}, [])
    await told(page.clear_filters())
    assert [row.id for row in page.rows] == [late, early]
