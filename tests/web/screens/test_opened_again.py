"""A form that is opened again starts afresh: earlier refusals are not shown beside its empty fields."""

from rental_app.domain.uploads import AVATAR
from rental_app.web.frame.vendor_state import ShellState
from rental_app.web.parts.reviews.presenter import NO_STARS
from rental_app.web.screens.my_booking.state import MyReviewState
from rental_app.web.screens.vehicles.filters_presenter import NO_FAULTS
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.vendor.booking.review_state import TripReviewState
from rental_app.web.vendor.booking.state import VendorTripState
from rental_app.web.vendor.calendar.other_calendars_state import OtherCalendarsState
from rental_app.web.vendor.manage_vehicles.day_price import DayPriceState
from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.prices.state import PricesState
from rental_app.web.vendor.profile.members_state import MembersState
from rental_app.web.vendor.reviews.state import ReceivedState
from tests.support.my_booking_state import opened_as
from tests.support.page_states import page_of
from tests.support.shop import Shop
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.vendor_requests import book


@journey
async def test_the_sheet_of_filters(shop: Shop) -> None:
    page = await loaded(page_of(None, VehiclesState, "/vehicles"))
    await answers(page.narrow({"min_price": "500", "max_price": "100"}))
    assert page.faults["max_price"] == "The highest price must not be below the lowest"
    await answers(page.open_sheet())
    assert page.faults == NO_FAULTS
    # Errors in the address itself are still shown there.
    wrong = await loaded(page_of(None, VehiclesState, "/vehicles?max_price=x"))
    await answers(wrong.open_sheet())
    assert wrong.faults["max_price"]


@journey
async def test_prices_and_their_copying(shop: Shop) -> None:
    page = await loaded(tab_of(shop.vendor, PricesState))
    await answers(page.copy_prices({"from": str(shop.vehicle.id)}))
    assert page.refusal
    await answers(page.begin_copy())
    assert page.refusal == ""
    await answers(page.save({f"{shop.vehicle.id}.1.price": "much"}))
    assert page.errors
    await answers(page.load())
    assert page.errors == {}


@journey
async def test_a_days_price(shop: Shop) -> None:
    page = await tab_of(shop.vendor, DayPriceState)
    await answers((await page.get_state(FleetState)).load())
    await answers(page.begin(shop.vehicle.id))
    await answers(page.save({"day-price": "much"}))
    assert (page.vehicle, page.error) == (shop.vehicle.id, "Enter an amount in rupees")
    await answers(page.forget())
    assert (page.vehicle, page.error) == (0, "")


@journey
async def test_members_and_calendars(shop: Shop) -> None:
    members = await loaded(tab_of(shop.vendor, MembersState))
    await answers(members.invite({"email": "nobody", "role": "counter"}))
    assert members.refusal
    await answers(members.load())
    assert members.refusal == ""
    calendars = await loaded(tab_of(shop.vendor, OtherCalendarsState))
    await answers(calendars.add({"url": "http://here/"}))
    assert calendars.errors
    await answers(calendars.load())
    assert calendars.errors == {}


@journey
async def test_the_vendors_picture(shop: Shop) -> None:
    page = await tab_of(shop.vendor, ShellState)
    await answers(page.submit({}))
    assert page.errors == {AVATAR: "Choose a picture first"}
    await answers(page.begin())
    assert page.errors == {}


@journey
async def test_answers_reviews_and_money(shop: Shop) -> None:
    received = await tab_of(shop.vendor, ReceivedState)
    await answers(received.answer({"review": "7", "text": "Hello"}))
    assert received.refused == 7
    await answers(received.load())
    assert received.refused == 0
    booking = book(shop)
    own = await opened_as(MyReviewState, shop.customer, str(booking))
    await answers(own.write_review({}))
    assert own.review_problem == NO_STARS
    await answers(own.load())
    assert own.review_problem == ""
    trip = await loaded(page_of(shop.vendor, VendorTripState, f"/vendor/bookings/{booking}"))
    await answers((await trip.get_state(TripReviewState)).write_review({}))
    assert trip.errors
    await answers(trip.load())
    assert trip.errors == {}
