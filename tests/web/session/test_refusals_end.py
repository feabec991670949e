"""A success ends the refusals before it: none is left beside what a form has just done."""

from datetime import timedelta
from typing import Any

import reflex as rx

from rental_app.domain import clock
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.screens.my_booking.dates_state import ChangeDatesState, ExtendState
from rental_app.web.session.base import SessionState
from rental_app.web.session.login import LoginState
from rental_app.web.vendor.calendar.state import CalendarState
from rental_app.web.vendor.manage_vehicles.day_price import DayPriceState
from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.profile.members_state import MembersState
from rental_app.web.vendor.profile.state import ProfileState
from tests.support.booking_steps import book
from tests.support.my_booking_state import opened_as
from tests.support.page_states import page_of, vehicle_page
from tests.support.shop import PASSWORD, Shop, add_user, moment, wanted
from tests.support.state_tabs import answers, content, journey, loaded, tab_of
from tests.support.trips import confirmed

# The event that takes down the toasts of refusals; the toast of a success does so too (test_toasts.py).
ENDS = "righted"
_SIGNS = ("problem", "refusal", "error", "fault")


def refusals(state: rx.State) -> dict[str, Any]:
    """Return what a state says is wrong."""
    told = {name: value for name, value in content(state).items() if any(sign in name for sign in _SIGNS)}
    return {name: value for name, value in told.items() if (any(value.values()) if isinstance(value, dict) else value)}


async def ended(state: rx.State, refused: Any, done: Any) -> str:
    """Have a form refused and then accepted; returns what the latter sends to the browser."""
    await answers(refused)
    assert refusals(state)
    told = await answers(done)
    assert refusals(state) == {}
    return told


@journey
async def test_of_a_vendors_forms(shop: Shop) -> None:
    profile = await tab_of(shop.vendor, ProfileState)
    await answers(profile.edit())
    form = {"address": "2 New Road", "zipCode": "500081", "city": "Hyderabad"}
    await ended(profile, profile.save(form | {"zipCode": "12"}), profile.save(form))
    members = await loaded(tab_of(shop.vendor, MembersState))
    wish = {"email": add_user().email, "role": "counter"}
    await ended(members, members.invite(form=wish | {"email": "x"}), members.invite(form=wish))
    price = await tab_of(shop.vendor, DayPriceState)
    await answers((await price.get_state(FleetState)).load())
    await answers(price.begin(shop.vehicle.id))
    await ended(price, price.save({"day-price": "much"}), price.save({"day-price": "777"}))
    days = {"from": f"{clock.indian_today(moment(8))}", "to": f"{clock.indian_today(moment(9))}", "reason": "own use"}
    desk = await loaded(tab_of(shop.vendor, CalendarState))
    await ended(desk, desk.block(days), desk.block(days | {"vehicle": str(shop.vehicle.id)}))


@journey
async def test_of_the_login(shop: Shop) -> None:
    login = await tab_of(None, LoginState)
    right = {"email": shop.customer.email, "password": PASSWORD}
    await ended(login, login.log_in({"email": "x", "password": ""}), login.log_in(right))


@journey
async def test_of_other_dates_for_a_booking(shop: Shop) -> None:
    asked, taken = book(shop.customer, wanted(shop.vehicle, 3)), book(add_user(), wanted(shop.vehicle, 8))
    page = await opened_as(ChangeDatesState, shop.customer, asked.reference)
    await answers(page.open_change())
    await answers(page.choose_pickup(wall_text(taken.pickup)))
    free = wall_text(moment(11)), wall_text(moment(12))
    assert ENDS in await ended(page, page.choose_return(wall_text(moment(9))), page.take_window(*free))
    # Nothing was refused before.
    assert ENDS not in await answers(page.choose_return(wall_text(moment(13))))
    trip = confirmed(shop, days=20)
    later = await opened_as(ExtendState, shop.customer, trip.reference)
    await answers(later.open_extension())
    earlier, day = wall_text(trip.return_at - timedelta(days=1)), wall_text(trip.return_at + timedelta(days=1))
    assert ENDS in await ended(later, later.choose_later(earlier), later.choose_later(day))


@journey
async def test_of_a_booking_and_a_search(shop: Shop) -> None:
    book(add_user(), wanted(shop.vehicle, 8))
    page = await vehicle_page(shop, shop.customer)
    free = wall_text(moment(4)), wall_text(moment(6))
    taken = wall_text(moment(8)), wall_text(moment(9))
    assert ENDS in await ended(page, page.take_window(*taken), page.take_window(*free))
    assert ENDS in await ended(page, page.use_offer({"offer": "NONSENSE"}), page.use_offer({"offer": ""}))
    form = await page_of(None, SearchState, "/")
    session = await form.get_state(SessionState)
    await answers(session.start())
    await answers(form.submit())
    assert refusals(form)
    session._choose(shop.place.name)
    await answers(form.choose_pickup(wall_text(moment(4))))
    assert ENDS in await answers(form.submit())
    assert refusals(form) == {}
