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
from rental_app.web.vendor.manage_bookings.state import PAGE, ManageBookingsState
from tests.conftest import Clock, use
from tests.support.booking_steps import alter
from tests.support.busy_day import busy_day
from tests.support.page_states import page_of
from tests.support.shop import DEPOSIT_PAISE, VISITOR, Shop, actor, add_user, add_vehicle, moment, open_shop, wanted
from tests.support.state_tabs import is_asked, journey, loaded, tab_of, told
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, pay, take_back
from tests.support.vendor_requests import answer, book, decide_elsewhere, move_elsewhere, stored_status

ALL = "/vendor/manage-bookings?part=all"


@journey
async def test_an_answer_acts_at_once_and_stays_in_sight_until_midnight(shop: Shop, stopped_clock: Clock) -> None:
    booking, other = book(shop), book(shop, 6)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    assert (page.rows[0].customer, page.rows[0].phone, page.waiting) == (shop.customer.name, "", 2)
    assert await answer(page, booking, "pending") == []
    assert stored_status(booking) == "pending"

    told_then = await answer(page, booking, "confirmed")
    assert ("Booking confirmed: " in told_then[0], shop.customer.name in told_then[0]) == (True, True)
    assert [(row.id, row.status, row.heading) for row in page.rows] == [
        (other, "pending", ""),
        (booking, "confirmed", "Answered today"),
    ]
    assert (page.rows[1].phone, page.rows[1].time_left, page.waiting) == (shop.customer.phone_number, "", 1)
    assert "Booking cancelled: " in (await answer(page, other, "cancelled", "repair"))[0]
    assert stored_status(other) == "cancelled"
    assert page.rows[0].stage.startswith("Declined by you at ")
    assert [tab.count for tab in page.tabs] == [0, 1, 0, 0, 1, 2]
    stopped_clock.move(days=1)
    await told(page.refresh())
    assert page.rows == []


@journey
async def test_an_answer_that_is_none_changes_nothing(shop: Shop) -> None:
    booking = book(shop)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    for status, reason in (("maybe", ""), ("", ""), ("cancelled", "bored")):
        assert "error" in (await answer(page, booking, status, reason))[0]
    assert (stored_status(booking), page.rows[0].status, page.busy) == ("pending", "pending", False)


@journey
async def test_a_decision_taken_elsewhere_is_told_and_stands(shop: Shop) -> None:
    booking = book(shop)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    decide_elsewhere(shop, booking, "cancelled")
    assert "already decided" in (await answer(page, booking, "confirmed"))[0]
    assert stored_status(booking) == page.rows[0].status == "cancelled"
    assert page.busy is False


@journey
async def test_a_request_that_moved_is_not_confirmed_as_it_was_shown(shop: Shop) -> None:
    booking = book(shop)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    move_elsewhere(shop, booking, 20, 45)
    assert "The customer has changed this request" in (await answer(page, booking, "confirmed"))[0]
    assert (stored_status(booking), page.rows[0].total, page.busy) == ("pending", "₹12,500", False)
    assert "Booking confirmed" in (await answer(page, booking, "confirmed"))[0]


@journey
async def test_a_request_that_moved_is_told(shop: Shop) -> None:
    booking = book(shop)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    move_elsewhere(shop, booking, 20, 45)
    [news] = await told(page.refresh())
    assert (f"{shop.customer.name}: now" in news, "₹12,500" in news) == (True, True)


@journey
async def test_the_address_has_part_and_filters(shop: Shop) -> None:
    booking = book(shop)
    for path, part, order in (
        ("", "waiting", "deadline"),
        ("?part=out", "out", "return"),
        ("?part=nonsense&due=nonsense&sort=nonsense", "waiting", "deadline"),
        ("?status=pending", "all", "created"),
        ("?due=nonsense", "waiting", "deadline"),
        ("?part=upcoming&sort=created&vehicle=x&status=y&from=z&month=13", "upcoming", "created"),
    ):
        page = await loaded(page_of(shop.vendor, ManageBookingsState, f"/vendor/manage-bookings{path}"))
        assert (path, page.part, page.order, page.problem, page.errors) == (path, part, order, "", {})
    events = await told(page.filter_text(shop.customer.name[:4]))
    assert "part=upcoming" in events[-1]
    assert f"q={shop.customer.name[:4]}" in events[-1]
    waiting, *_, whole = page.tabs
    assert [waiting.count, whole.count] == [1, 1]
    assert waiting.href == f"/vendor/manage-bookings?part=waiting&q={shop.customer.name[:4]}", "in its own order"
    # What the address says is what the page shows, in a new tab and after a reconnection.
    again = await loaded(page_of(shop.vendor, ManageBookingsState, waiting.href))
    assert ([row.id for row in again.rows], again.text) == ([booking], shop.customer.name[:4])
    await told(again.filter_text("nobody"))
    await told(again.load())
    assert again.text == shop.customer.name[:4], "the browser's address had not changed in this test"


@journey
async def test_a_row_says_what_is_to_be_done_next(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    page = await loaded(page_of(shop.vendor, ManageBookingsState, ALL))

    async def row() -> tuple[str, str, str, str]:
        await told(page.refresh())
        (only,) = page.rows
        return only.stage, only.money, only.step, only.step_href.removeprefix(only.href)

    assert await row() == ("Booked", "₹3,000 due", "", "")
    at_pickup(stopped_clock, trip, hours=-1)
    stage, *rest = await row()
    assert (stage.startswith("Goes out "), rest) == (True, ["₹3,000 due", "Hand over", "/handover"])
    at_pickup(stopped_clock, trip, hours=1)
    assert (await row())[0].startswith("Was to go out ")
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    hand_over(shop, trip.id)
    stage, *rest = await row()
    assert (stage.startswith("Out, back "), rest) == (True, ["₹2,000 held", "Receive", "/return"])
    at_return(stopped_clock, trip, hours=1)
    assert (await row())[0].startswith("Late, was due back ")
    at_return(stopped_clock, trip)
    take_back(shop, trip.id)
    assert await row() == ("Returned", "₹2,000 to give back", "Give back", "")


@journey
async def test_a_booking_that_nobody_picked_up_is_to_be_settled(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    at_return(stopped_clock, trip, hours=1)
    page = await loaded(page_of(shop.vendor, ManageBookingsState, "/vendor/manage-bookings?part=to_settle"))
    (row,) = page.rows
    assert (row.stage, row.step, row.step_href) == ("Never handed over", "Settle", row.href)


@pytest.mark.parametrize(
    ("hours", "length"), [(24, "1 day"), (12, "½ day"), (25, "1½ days"), (36, "1½ days"), (240, "10 days")]
)
@journey
async def test_a_row_says_how_long_a_rental_is(shop: Shop, hours: int, length: str) -> None:
    booking = book(shop)
    alter(
        Booking,
        booking,
        return_at=read(lambda session: session.get_one(Booking, booking)).pickup_at + timedelta(hours=hours),
    )
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    assert page.rows[0].times.endswith(f", {length}")


@journey
async def test_a_row_says_that_a_deposit_is_held(shop: Shop) -> None:
    trip = confirmed(shop)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    page = await loaded(page_of(shop.vendor, ManageBookingsState, ALL))
    assert (page.rows[0].stage, page.rows[0].money) == ("Booked", "₹1,000 due, ₹2,000 held")


@journey
async def test_a_beat_tells_what_happened_meanwhile(shop: Shop, stopped_clock: Clock) -> None:
    first, second = book(shop, 3), book(shop, 6)
    page = await loaded(page_of(shop.vendor, ManageBookingsState, ALL))
    assert await told(page.refresh()) == []

    third = book(shop, 9)
    [news] = await told(page.refresh())
    assert "new booking request" in news
    assert [row.id for row in page.rows] == [third, second, first]

    decide_elsewhere(shop, first, "confirmed")
    [news] = await told(page.refresh())
    assert f"{shop.customer.name}: confirmed" in news

    stopped_clock.move(hours=8)
    lapsed = await told(page.refresh())
    assert ["Not answered in time" in text for text in lapsed] == [True, True]
    assert page.waiting == 0


@journey
async def test_leaving_the_filter_is_announced_and_leaving_the_page_is_not(shop: Shop) -> None:
    made = [book(shop, days) for days in range(3, 3 + 2 * PAGE, 2)]
    page = await loaded(page_of(shop.vendor, ManageBookingsState, ALL))
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
    page = await loaded(page_of(shop.vendor, ManageBookingsState, ALL))
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
    page = await page_of(shop.vendor, ManageBookingsState, ALL)

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
    page = await loaded(page_of(shop.vendor, ManageBookingsState, ALL))
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
async def test_a_foreign_booking_is_not_decided(shop: Shop) -> None:
    other = open_shop("Elsewhere")
    foreign = book(other)
    page = await loaded(tab_of(shop.vendor, ManageBookingsState))
    assert "no such booking" in (await answer(page, foreign, "cancelled"))[0]
    assert stored_status(foreign) == "pending"


@journey
async def test_a_revoked_token_ends_the_updates_until_the_browser_shows_another(shop: Shop) -> None:
    book(shop)
    page = await loaded(page_of(shop.vendor, ManageBookingsState, ALL))
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
    page = await loaded(page_of(shop.vendor, ManageBookingsState, ALL))
    await told(page.filter_from(days[1]))
    assert [row.id for row in page.rows] == [late]
    for beat in (page.filter_to(days[0]), page.refresh()):
        assert await told(beat) == []
        assert (page.errors, page.problem, [row.id for row in page.rows]) == ({"to": BEFORE_FIRST}, "", [late])
    await told(page.filter_from(days[0]))
    assert (page.errors, page.rows) == ({}, [])
    await told(page.clear_filters())
    assert [row.id for row in page.rows] == [late, early]


@journey
async def test_a_count_of_today_leads_to_what_it_counts(shop: Shop) -> None:
    busy_day(shop)
    for due, count in {"answer": 12, "going_out": 20, "overdue": 5, "money": 20, "objections": 8}.items():
        address = f"/vendor/manage-bookings?part=all&due={due}&sort=return"
        tab = await loaded(page_of(shop.vendor, ManageBookingsState, address))
        assert (tab.due, tab.total, bool(tab.due_name)) == (due, count, True)
    odd = await loaded(page_of(shop.vendor, ManageBookingsState, "/vendor/manage-bookings?due=yesterday"))
    assert (odd.due, odd.filtered) == ("", False)
