"""A vehicle breaks down on its trip, and the trip goes on with another one."""

from datetime import timedelta

from rental_app.infrastructure.db import read
from rental_app.models import Booking
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.trips import TripView
from rental_app.services.bookings import guest_links
from rental_app.services.trips import continuing, guest_page
from tests.conftest import Clock
from tests.support.guests import GUEST, at_counter, guest_of
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, VISITOR, Shop, actor, add_user, add_vehicle, moment
from tests.support.trips import (
    at_pickup,
    confirmed,
    going_on,
    hand_over,
    kinds_to,
    lines,
    owed,
    pay,
    preview,
    refusal,
    seen,
    take_back,
)

PRICE = 2 * DAILY_PAISE


def broken_down(shop: Shop, clock: Clock, *, late: int = 0, held: int = DEPOSIT_PAISE, odometer: int = 1300) -> str:
    """The reference of a paid trip whose vehicle came back broken down, a day after the pickup or some days late."""
    trip = confirmed(shop)
    pay(shop, trip.id, PRICE)
    pay(shop, trip.id, held, "deposit")
    at_pickup(clock, trip)
    hand_over(shop, trip.id, odometer)
    clock.move(days=1 + late)
    take_back(shop, trip.id, odometer + 100, reason="breakdown")
    return trip.reference


def test_a_trip_goes_on_with_another_vehicle_at_no_price(stopped_clock: Clock, shop: Shop) -> None:
    ref, spare = broken_down(shop, stopped_clock), add_vehicle(shop.vendor, late_penalty_paise=9_000)
    before = read(continuing.before, actor(shop.vendor), ref)
    assert (before.reference, before.customer) == (ref, shop.customer.name)
    now, ends = stopped_clock.instant, before.return_at
    made = going_on(shop.vendor, ref, spare, now, ends, note="The gearbox")
    first, second = seen(shop.customer, ref), seen(shop.customer, made.reference)
    assert (second.status, second.price, owed(second), second.balance.held) == ("confirmed", 0, (0, 0), DEPOSIT_PAISE)
    assert (second.late_penalty, second.car.id) == (first.late_penalty, spare.id)
    assert (first.stage, lines(first)[-1]) == ("settled", ("deposit returned", DEPOSIT_PAISE))
    assert lines(second) == [("rental", DAILY_PAISE), ("discount", -DAILY_PAISE), ("deposit taken", DEPOSIT_PAISE)]
    assert first.followed_by
    assert second.follows
    assert (first.followed_by.page, second.follows.page) == (f"/my-bookings/{made.reference}", f"/my-bookings/{ref}")
    theirs = seen(shop.vendor, ref)
    assert theirs.followed_by
    assert theirs.followed_by.page == f"/vendor/bookings/{made.reference}"
    assert (first.follows, second.followed_by) == (None, None)
    assert "confirmed" in kinds_to(shop.customer)
    # A day more costs that day, and not those which the first booking paid for.
    assert preview(shop.vendor, made.reference, ends + timedelta(days=1)).extra == DAILY_PAISE
    refusal("already_continued", going_on, shop.vendor, ref, add_vehicle(shop.vendor), now, ends)


def test_a_breakdown_is_never_late(stopped_clock: Clock, shop: Shop) -> None:
    ref = broken_down(shop, stopped_clock, late=3)
    trip = seen(shop.customer, ref)
    assert owed(trip) == (0, -DEPOSIT_PAISE)
    assert trip.returned
    assert trip.returned.reason == "breakdown"
    assert "broke down" in next(event.note for event in trip.timeline if event.what == "returned")


def test_only_as_much_of_the_deposit_moves_as_is_held_and_needed(stopped_clock: Clock, shop: Shop) -> None:
    ref = broken_down(shop, stopped_clock, held=DEPOSIT_PAISE // 2)
    now = stopped_clock.instant
    made = going_on(shop.vendor, ref, add_vehicle(shop.vendor), now, now + timedelta(days=1))
    assert owed(seen(shop.customer, made.reference)) == (0, DEPOSIT_PAISE // 2)
    again = broken_down(shop, stopped_clock, odometer=1400)
    now = stopped_clock.instant
    smaller = add_vehicle(shop.vendor, deposit_paise=DEPOSIT_PAISE // 4)
    made = going_on(shop.vendor, again, smaller, now, now + timedelta(days=1))
    assert owed(seen(shop.customer, made.reference)) == (0, 0)
    assert owed(seen(shop.customer, again)) == (0, -DEPOSIT_PAISE * 3 // 4)


def test_what_cannot_go_on(stopped_clock: Clock, shop: Shop, trip: TripView) -> None:
    spare = add_vehicle(shop.vendor)
    at_pickup(stopped_clock, trip)
    now, ends = stopped_clock.instant, trip.return_at
    refusal("wrong_stage", going_on, shop.vendor, trip.reference, spare, now, ends)
    hand_over(shop, trip.id)
    refusal("wrong_stage", going_on, shop.vendor, trip.reference, spare, now, ends)
    take_back(shop, trip.id)
    refusal("no_breakdown", going_on, shop.vendor, trip.reference, spare, now, ends)
    refusal("unknown_booking", going_on, shop.vendor, "PH-000000", spare, now, ends)
    other = add_user("Vendor", location_id=shop.place.id)
    refusal("unknown_booking", going_on, other, trip.reference, add_vehicle(other), now, ends)
    ref = broken_down(shop, stopped_clock, odometer=1400)
    now = stopped_clock.instant
    refusal("unknown_vehicle", going_on, shop.vendor, ref, add_vehicle(other), now, now + timedelta(days=1))
    taken = add_vehicle(shop.vendor)
    at_counter(shop.vendor, taken, now, now + timedelta(days=1))
    refusal("dates_taken", going_on, shop.vendor, ref, taken, now, now + timedelta(days=1))
    for more in ({"customer": GUEST}, {"total": 100}, {"extras": ["helmet"]}):
        error = refusal("invalid_input", going_on, shop.vendor, ref, spare, now, now + timedelta(days=1), **more)
        assert set(error.fields) == set(more)
    assert seen(shop.vendor, ref).followed_by is None


def test_a_guests_pages_link_to_each_other(stopped_clock: Clock, shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(0), moment(2))
    hand_over(shop, made.id)
    stopped_clock.move(hours=5)
    take_back(shop, made.id, reason="breakdown")
    again = going_on(shop.vendor, made.reference, add_vehicle(shop.vendor), stopped_clock.instant, made.return_at)
    assert (guest_of(again).id, guest_of(again).name) != (guest_of(made).id, "")
    assert guest_of(again).phone_number == guest_of(made).phone_number

    def secret(booking: VendorBookingView) -> str:
        """The last part of the address of a guest's page."""
        page = read(lambda session: guest_links.page_for(session, session.get_one(Booking, booking.id), "customer"))
        return page.removeprefix("trip/")

    first, second = read(guest_page.of, VISITOR, secret(made)), read(guest_page.of, VISITOR, secret(again))
    assert first.followed_by
    assert second.follows
    assert (first.followed_by.page, second.follows.page) == (f"/trip/{secret(again)}", f"/trip/{secret(made)}")
