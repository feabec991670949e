"""The page on which a vendor says which bookings need no answer, and what the customer then reads and sends."""

from sqlmodel import col, select

from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, User
from rental_app.schemas.bookings import ConfirmAtOnceSettings
from rental_app.services.bookings import confirm_at_once
from rental_app.web.screens.booking_review.presenter import CONFIRM_MOBILE
from rental_app.web.vendor.confirm_at_once.state import EXCEPT, ConfirmAtOnceState
from tests.support.booking_steps import alter
from tests.support.page_states import review, send, vehicle_page
from tests.support.shop import Shop, actor, add_vehicle
from tests.support.state_tabs import answers, journey, loaded, tab_of

FORM = {"on": "yes", "verifiedMobile": "true", "hoursAhead": "3", "mostOpen": "1"}


@journey
async def test_a_vendor_sets_it_with_exceptions(shop: Shop) -> None:
    other = add_vehicle(shop.vendor)
    tab = await loaded(tab_of(shop.vendor, ConfirmAtOnceState))
    assert (tab.is_on, tab.hours_ahead, tab.most_open, tab.exceptions) == (False, "2", "2", 0)
    assert "Saved" in await answers(tab.save(FORM | {f"{EXCEPT}{other.id}": "true"}))
    stored = read(confirm_at_once.of_vendor, actor(shop.vendor))
    assert (stored.is_on, stored.hours_ahead, stored.most_open, stored.exceptions) == (True, 3, 1, [other.id])
    assert [box.ticked for box in tab.vehicles] == [True, False]


@journey
async def test_a_form_stays_over_a_reload_and_follows_what_was_saved(shop: Shop) -> None:
    tab = await loaded(tab_of(shop.vendor, ConfirmAtOnceState))
    await answers(tab.load())
    assert tab.shown == 1
    await answers(tab.save(FORM))
    assert tab.shown == 2
    write(confirm_at_once.save, actor(shop.vendor), ConfirmAtOnceSettings.model_validate({"on": False}))
    await answers(tab.load())
    assert tab.shown == 3


@journey
async def test_what_is_wrong_is_said_at_its_field_and_nothing_is_saved(shop: Shop) -> None:
    tab = await loaded(tab_of(shop.vendor, ConfirmAtOnceState))
    told = await answers(tab.save(FORM | {"hoursAhead": "169", "mostOpen": "0"}))
    assert tab.errors.keys() == {"hoursAhead", "mostOpen"}
    assert "Please check 2 fields" in told
    assert "Please check" not in await answers(tab.save(FORM | {f"{EXCEPT}999999": "true"}))
    assert not read(confirm_at_once.of_vendor, actor(shop.vendor)).is_on


@journey
async def test_the_customers_button_says_book_and_what_it_said_is_what_happens(shop: Shop) -> None:
    vendor = await loaded(tab_of(shop.vendor, ConfirmAtOnceState))
    await answers(vendor.save(FORM))
    page = await review(await vehicle_page(shop, shop.customer))
    assert (page.meaning.at_once, page.meaning.answer) == (False, CONFIRM_MOBILE)
    alter(User, shop.customer.id, verified_phone=shop.customer.phone_number)
    assert "now confirmed at once" in await answers(send(page))
    assert (page.meaning.at_once, page.busy) == (True, False)
    assert "Booked: the vendor has confirmed it" in await answers(send(page))
    newest = select(Booking.status).order_by(col(Booking.id).desc()).limit(1)
    assert read(lambda session: session.exec(newest).one()) == "confirmed"
