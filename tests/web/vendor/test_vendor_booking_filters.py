"""Which bookings Manage Bookings shows: the month that the dashboard counts, and days that make no sense."""

from datetime import datetime, timedelta

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.models import Booking
from rental_app.services.bookings import create
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from tests.support.booking_steps import alter
from tests.support.page_states import page_of
from tests.support.shop import Shop, actor, add_vehicle, moment, wanted
from tests.support.state_tabs import journey, tab_of, told
from tests.support.vendor_requests import book, decide_elsewhere

MINUTE = timedelta(minutes=1)
BEFORE_FIRST = "Choose a last day that is not before the first"


def booked_at(shop: Shop, pickup: datetime, paise: int) -> int:
    """Confirm a booking of another vehicle and move it, as if it had been made long ago."""
    booking = write(create.create, actor(shop.customer), wanted(add_vehicle(shop.vendor))).id
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
    list_ = await page_of(
        shop.vendor,
        ManageBookingsState,
        url,
    )
    await told(list_.load())
    assert [row.id for row in list_.rows] == counted[::-1]
    today = clock.indian_today(clock.now())
    assert (list_.month_name, list_.filtered) == (f"{today:%B %Y}", True)
    assert list_.csv.endswith(f"?status=confirmed&sort=created&month={today:%Y-%m}")
    await told(list_.drop_month())
    assert (list_.total, list_.month_name, "month" in list_.csv) == (4, "", False)
    odd = await page_of(shop.vendor, ManageBookingsState, "/vendor/manage-bookings?month=2026-13")
    await told(odd.load())
    assert (odd.total, odd.filtered, odd.problem) == (4, False, "")


@journey
async def test_reversed_days_are_refused_at_the_field(shop: Shop) -> None:
    early, late = book(shop, 3), book(shop, 10)
    days = [f"{clock.indian_today(moment(ahead)):%Y-%m-%d}" for ahead in (2, 5)]
    page = await tab_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    await told(page.filter_from(days[1]))
    assert [row.id for row in page.rows] == [late]
    for beat in (page.filter_to(days[0]), page.refresh()):
        assert await told(beat) == []
        assert (page.errors, page.problem, [row.id for row in page.rows]) == ({"to": BEFORE_FIRST}, "", [late])
    await told(page.filter_from(days[0]))
    assert (page.errors, page.rows) == ({}, [])
    await told(page.clear_filters())
    assert [row.id for row in page.rows] == [late, early]
