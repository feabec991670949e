"""Changing a booking's dates behind its page: moving a request, extending a trip, and being too late."""

import json
from datetime import timedelta

from rental_app.models import Vehicle
from rental_app.services.trips import changes
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.screens.my_booking.dates_state import EXTENDING, MOST_TRIES, ChangeDatesState, ExtendState
from tests.conftest import Clock
from tests.support.booking_steps import alter, ask, book, decide
from tests.support.my_booking_state import opened_as, shown
from tests.support.page_states import page_of
from tests.support.shop import Shop, add_user, moment, wanted
from tests.support.state_tabs import answers, journey
from tests.support.trips import at_return, confirmed, seen


@journey
async def test_a_request_moves_at_the_price_on_show(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 3))
    book(add_user(), wanted(shop.vehicle, 8))
    page = await opened_as(ChangeDatesState, shop.customer, asked.reference)
    await answers(page.open_change())
    assert (page.pickup, page.return_at, page.price) == (wall_text(asked.pickup), wall_text(asked.return_at), None)
    assert [held["return"] for held in page.unavailable_pickups] == [wall_text(moment(9))], (
        "its own dates are not taken"
    )
    await answers(page.choose_pickup(wall_text(moment(7, 12))))
    assert changes.TAKEN in await answers(page.choose_return(wall_text(moment(9))))
    assert (page.price, page.refusal) == (None, changes.TAKEN)
    free = page.nearest[0]
    await answers(page.take_window(free.pickup, free.return_at))
    assert (page.refusal, page.nearest) == ("", [])
    assert page.price.total == "₹1,000"
    ask(shop.vehicle, 60_000)
    on_show = page.price.total_paise, page.price.deposit_paise, page.pickup, page.return_at
    assert "check and press again" in await answers(page.move(*on_show))
    assert page.refusal == "The price has changed from ₹1,000 to ₹1,200. Please check and press again"
    assert seen(shop.customer, asked.id).pickup == asked.pickup
    alter(Vehicle, shop.vehicle.id, deposit_paise=5_000_000)
    on_show = page.price.total_paise, *on_show[1:]
    assert "check and press again" in await answers(page.move(*on_show))
    assert page.refusal == "The deposit has changed from ₹2,000 to ₹50,000. Please check and press again"
    assert (page.price.deposit, shown(page).deposit) == ("₹50,000", "₹2,000")
    done = await answers(page.move(page.price.total_paise, page.price.deposit_paise, page.pickup, page.return_at))
    assert "Your request has been moved" in done
    assert (page.changes, shown(page).times.pickup, shown(page).total) == (False, free.pickup, "₹1,200")
    decide(shop.vendor, asked.id, "confirmed")
    assert "This booking was already decided" in await answers(page.move(*on_show))
    assert (page.refusal, shown(page).request) == ("This booking was already decided", None)


@journey
async def test_a_trip_is_extended_for_the_extra_on_show(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    later = trip.return_at + timedelta(days=1)
    book(add_user(), wanted(shop.vehicle, days=8))
    page = await opened_as(ExtendState, shop.customer, trip.reference)
    await answers(page.open_extension())
    # What the button promises is chosen already.
    assert (page.later, page.extension.extra) == (wall_text(later), "₹500")
    # Pressed again, it asks before it is done.
    assert EXTENDING in await answers(page.open_extension())
    assert page.unavailable_later[0]["pickup"] == wall_text(moment(8) + timedelta(hours=1))
    assert changes.TAKEN in await answers(page.choose_later(wall_text(moment(9))))
    assert (page.extension, page.extension_refusal) == (None, changes.TAKEN)
    await answers(page.choose_later(wall_text(later)))
    assert (page.extension.extra, page.extension.total, page.extension_refusal) == ("₹500", "₹1,500", "")
    assert page.extension.kms == "300 km"
    ask(shop.vehicle, 60_000)
    assert "check and press again" in await answers(page.extend(page.extension.paise, page.later, 300))
    assert page.extension_refusal == "The price has changed from ₹500 to ₹800. Please check and press again"
    ask(shop.vehicle, 60_000, kms_limit=80)
    assert "check and press again" in await answers(page.extend(page.extension.paise, page.later, 300))
    assert page.extension_refusal == "The kilometres included have changed. Please check and press again"
    assert page.extension.kms == "240 km"
    pressed = page.extension.paise, page.later, page.extension.kms_included
    assert "Booking extended" in await answers(page.extend(*pressed))
    await answers(page.extend(*pressed))
    assert (shown(page).times.return_at, page.extends) == (wall_text(later), False)
    assert [line.label for line in shown(page).facts.account].count("Extension") == 1


@journey
async def test_too_late_to_extend_says_what_it_costs_and_whom_to_ring(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    page = await opened_as(ExtendState, shop.customer, trip.reference)
    assert (shown(page).may_extend, shown(page).too_late) == (True, "")
    at_return(stopped_clock, trip, hours=-24, seconds=1)
    told = await answers(page.extend(0, wall_text(trip.return_at + timedelta(days=1))))
    assert page.extension_refusal in told
    assert "₹50 an hour" in page.extension_refusal
    assert shop.vendor.phone_number in page.extension_refusal
    assert (shown(page).may_extend, shown(page).too_late) == (False, page.extension_refusal)


@journey
async def test_chosen_dates_come_back_on_their_bookings_page_alone(shop: Shop) -> None:
    asked, other = book(shop.customer, wanted(shop.vehicle, 3)), book(shop.customer, wanted(shop.vehicle, 12))
    kept = {"ref": asked.reference, "pickupDate": wall_text(moment(7)), "returnDate": wall_text(moment(9))}
    page = await opened_as(ChangeDatesState, shop.customer, asked.reference)
    # A cleared date stays cleared.
    await answers(page.regain_change(True, json.dumps(kept | {"returnDate": ""})))
    assert (page.changes, page.pickup, page.return_at, page.price) == (True, kept["pickupDate"], "", None)
    await answers(page.regain_change(True, json.dumps(kept)))
    assert (page.pickup, page.return_at) == (kept["pickupDate"], kept["returnDate"])
    assert page.price.total == "₹1,000"
    page = await opened_as(ChangeDatesState, shop.customer, other.reference)
    await answers(page.regain_change(True, json.dumps(kept)))
    assert not page.changes


@journey
async def test_a_later_return_comes_back_with_its_price(shop: Shop) -> None:
    trip = confirmed(shop)
    later = wall_text(trip.return_at + timedelta(days=1))
    page = await opened_as(ExtendState, shop.customer, trip.reference)
    await answers(page.regain_extension(True, json.dumps({"ref": "another", "returnDate": later})))
    assert not page.extends
    await answers(page.regain_extension(True, json.dumps({"ref": trip.reference, "returnDate": later})))
    assert (page.extends, page.later) == (True, later)
    assert page.extension


@journey
async def test_dates_asked_for_before_their_booking_is_there_are_asked_for_again(shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 3))
    kept = {"ref": asked.reference, "pickupDate": wall_text(moment(7)), "returnDate": wall_text(moment(9))}
    page = await page_of(shop.customer, ChangeDatesState, f"/my-bookings/{asked.reference}")
    assert "regain_change" in await answers(page.regain_change(True, json.dumps(kept)))
    assert "regain_change" not in await answers(page.regain_change(MOST_TRIES, json.dumps(kept)))
    await answers(page.load())
    assert "regain_change" not in await answers(page.regain_change(2, json.dumps(kept)))
    assert (page.changes, page.pickup, page.return_at) == (True, kept["pickupDate"], kept["returnDate"])
