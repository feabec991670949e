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
async def test_a_blocked_vendor_settles_a_trip_that_is_out_sees_nothing_else_and_logs_out(
    shop: Shop, stopped_clock: Clock
) -> None:
    token, trip = token_of(shop.vendor), confirmed(shop)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    alter(User, shop.vendor.id, status="blocked")
    page, _ = await page_of(token, trip.reference)
    assert page.trip
    paid = {"of": "rent", "direction": "in", "amount": str(DAILY_PAISE // 100), "method": "cash", "note": ""}
    await told(page.pay(paid))
    assert seen(shop.customer, trip.id).balance.rent < trip.balance.rent

    other = await tab_of(None, ManageBookingsState)
    session = await other.get_state(SessionState)
    session.token = token
    assert any(BLOCKED in each for each in await told(other.load()))
    assert not other.rows

    await told(session.logout())
    assert any("You have been logged out" in each for each in await told(session.logged_out(token)))
    assert session.token == ""
