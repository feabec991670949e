"""A blocked vendor's tab shows the trips that are under way, and gives them nothing else."""

from rental_app.models import User
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.shop import DAILY_PAISE, Shop, token_of
from tests.support.state_tabs import journey, tab_of, told
from tests.support.trips import at_pickup, confirmed, hand_over, seen
from tests.support.vendor_booking_state import page_of

BLOCKED = "This account is blocked"


@journey
async def test_a_blocked_vendor_sees_and_settles_a_trip_that_is_out(shop: Shop, stopped_clock: Clock) -> None:
    token = token_of(shop.vendor)
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    alter(User, shop.vendor.id, status="blocked")
    page, _ = await page_of(token, trip.reference)
    assert page.trip
    paid = {"of": "rent", "direction": "in", "amount": str(DAILY_PAISE // 100), "method": "cash", "note": ""}
    await told(page.pay(paid))
    assert seen(shop.customer, trip.id).balance.rent < trip.balance.rent


@journey
async def test_their_other_pages_refuse_them(shop: Shop, stopped_clock: Clock) -> None:
    token = token_of(shop.vendor)
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    alter(User, shop.vendor.id, status="blocked")
    other = await tab_of(None, ManageBookingsState)
    (await other.get_state(SessionState)).token = token
    assert any(BLOCKED in each for each in await told(other.load()))
    assert not other.rows


@journey
async def test_they_can_log_out(shop: Shop, stopped_clock: Clock) -> None:
    token = token_of(shop.vendor)
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    alter(User, shop.vendor.id, status="blocked")
    session = await tab_of(None, SessionState)
    session.token = token
    await told(session.logout())
    assert any("You have been logged out" in each for each in await told(session.logged_out(token)))
    assert session.token == ""
