"""Another vehicle: for a booking that its vendor has given up, and for a trip whose own has broken down."""

from datetime import timedelta

from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.cancellation import TIME_FOR_MISTAKES
from rental_app.domain.due import DueToday
from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.models import Block, Booking, Vehicle
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.trips import EqualVehicle, ReplacementRequest, TripView
from rental_app.schemas.wire import Page
from rental_app.services import vendors
from rental_app.services.bookings import guests
from rental_app.services.earnings import dashboard
from rental_app.services.trips import guest_page, moves
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.guests import GUEST, at_counter, guest_of
from tests.support.shop import (
    DAILY_PAISE,
    DEPOSIT_PAISE,
    VISITOR,
    Shop,
    a_model,
    actor,
    add_user,
    add_vehicle,
    count,
    wanted,
)
from tests.support.trips import (
    at_pickup,
    confirmed,
    give_up,
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
    walk_in_broken_down,
)

PRICE = 2 * DAILY_PAISE


def equals(shop: Shop, ref: object) -> list[EqualVehicle]:
    """What the customer may have instead."""
    return read(moves.equals, actor(shop.customer), str(ref))


def take(shop: Shop, ref: object, vehicle: Vehicle) -> TripView:
    """Take a vehicle instead, as the customer."""
    request = ReplacementRequest(vehicle=vehicle.id)
    return write(moves.replace, actor(shop.customer), str(ref), request)


def test_everything_paid_is_owed_back_and_nothing_is_charged(shop: Shop, trip: TripView) -> None:
    pay(shop, trip.id, PRICE)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    done = give_up(shop.vendor, trip.id, "breakdown", note="The gearbox")
    assert (done.status, done.cancelled_by, owed(done)) == ("cancelled", "vendor", (-PRICE, -DEPOSIT_PAISE))
    assert sum(paise for kind, paise in lines(done) if kind == "rental") == 0
    assert done.timeline[-1].note == "The vehicle has broken down: The gearbox"
    assert kinds_to(shop.customer)[-1] == "vendor_cancelled"
    assert "vendor_cancelled" not in kinds_to(shop.vendor)
    pay(shop, trip.id, PRICE, "rent", "out")
    assert owed(pay(shop, trip.id, DEPOSIT_PAISE, "deposit", "out")) == (0, 0)


def test_the_vehicle_is_blocked_after_a_breakdown_unless_the_vendor_says_otherwise(shop: Shop, trip: TripView) -> None:
    give_up(shop.vendor, trip.id, "breakdown")
    own = select(Block).where(col(Block.vehicle_id) == shop.vehicle.id)
    block = read(lambda session: session.scalars(own).one())
    assert (block.begins_at, block.ends_at) == (trip.pickup, trip.return_at)
    blocks = count("vehicle_block")
    refusal("dates_taken", book, shop.customer, wanted(shop.vehicle, days=3, length=2))
    give_up(shop.vendor, confirmed(shop, days=10).id, "accident", block=False)
    give_up(shop.vendor, confirmed(shop, days=10).id, "sold")
    assert count("vehicle_block") == blocks
    give_up(shop.vendor, confirmed(shop, days=10).id, "sold", block=True)
    assert count("vehicle_block") == blocks + 1


def test_only_a_confirmed_booking_before_its_handover_can_be_given_up(shop: Shop, stopped_clock: Clock) -> None:
    request = book(shop.customer, wanted(shop.vehicle, days=3, length=2))
    assert isinstance(refusal("not_confirmed", give_up, shop.vendor, request.id), ConflictError)
    decide(shop.vendor, request.id, "confirmed")
    assert isinstance(refusal("vendors_only", give_up, shop.customer, request.id), ForbiddenError)
    assert isinstance(refusal("unknown_booking", give_up, add_user("Vendor"), request.id), NotFoundError)
    refused = refusal("invalid_input", give_up, shop.vendor, request.id, "other")
    assert (isinstance(refused, InvalidInputError), list(refused.fields)) == (True, ["note"])
    at_pickup(stopped_clock, seen(shop.customer, request.id))
    hand_over(shop, request.id)
    refusal("wrong_stage", give_up, shop.vendor, request.id)


def test_the_vendors_page_counts_what_was_no_mistake(shop: Shop, stopped_clock: Clock) -> None:
    def counted() -> int:
        page = Page.first(1)
        return read(vendors.vendor, VISITOR, shop.vendor.id or 0, page, page).cancelled

    trip = confirmed(shop)
    stopped_clock.instant += TIME_FOR_MISTAKES
    give_up(shop.vendor, trip.id)
    assert counted() == 0
    trip = confirmed(shop)
    stopped_clock.instant += TIME_FOR_MISTAKES + timedelta(seconds=1)
    give_up(shop.vendor, trip.id)
    declined = book(shop.customer, wanted(shop.vehicle, days=3))
    stopped_clock.move(hours=1)
    decide(shop.vendor, declined.id, "cancelled")
    assert counted() == 1
    stopped_clock.move(days=366)
    assert counted() == 0


def test_money_to_give_back_stands_in_today_until_it_is_paid(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=20)
    pay(shop, trip.id, PRICE)
    give_up(shop.vendor, trip.id)

    def refunds() -> list[str]:
        return [view.reference for view in read(dashboard.day_of_vendor, actor(shop.vendor)).due[DueToday.MONEY].items]

    assert refunds() == [trip.reference]
    stopped_clock.move(days=3)
    assert refunds() == [trip.reference]
    pay(shop, trip.id, PRICE, "rent", "out")
    assert refunds() == []


def test_equals_are_of_the_type_as_large_free_and_near(shop: Shop, trip: TripView) -> None:
    dearer = add_vehicle(shop.vendor, daily=2 * DAILY_PAISE)
    cheaper = add_vehicle(shop.vendor, daily=DAILY_PAISE // 2)
    other = add_vehicle(add_user("Vendor", location_id=shop.place.id), daily=3 * DAILY_PAISE)
    busy = add_vehicle(shop.vendor)
    book(add_user(), wanted(busy, days=3, length=2))
    # A car.
    add_vehicle(shop.vendor, model_id=a_model("Car")[2])
    refusal("not_cancelled", equals, shop, trip.id)
    give_up(shop.vendor, trip.id)
    found = [(one.id, one.total, one.at_once) for one in equals(shop, trip.id) if one.id != shop.vehicle.id]
    assert found == [(cheaper.id, PRICE // 2, True), (dearer.id, PRICE, True), (other.id, 3 * PRICE, False)]


def test_the_vendors_own_equal_is_confirmed_at_once_at_no_higher_price(shop: Shop, trip: TripView) -> None:
    dearer = add_vehicle(shop.vendor, daily=2 * DAILY_PAISE)
    theirs = add_vehicle(add_user("Vendor", location_id=shop.place.id))
    give_up(shop.vendor, trip.id)
    refusal("no_equal", take, shop, trip.id, theirs)
    made = take(shop, trip.id, dearer)
    assert (made.status, made.price, made.pickup, made.return_at) == ("confirmed", PRICE, trip.pickup, trip.return_at)
    assert made.lines[-1].label == f"In place of {trip.reference}"
    assert (owed(made), lines(made)) == ((PRICE, DEPOSIT_PAISE), [("rental", 2 * PRICE), ("discount", -PRICE)])
    assert kinds_to(shop.vendor)[-1] == "rebooked"
    assert kinds_to(shop.customer)[-1] == "confirmed"
    refusal("already_replaced", take, shop, trip.id, dearer)
    refusal("already_replaced", equals, shop, trip.id)


def test_an_equal_that_is_gone_or_too_late_is_refused(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    equal = add_vehicle(shop.vendor)
    give_up(shop.vendor, trip.id)
    taken = book(add_user(), wanted(equal, days=3, length=2))
    refusal("no_equal", take, shop, trip.id, equal)
    alter(Booking, taken.id, status="cancelled", cancelled_by="customer")
    at_pickup(stopped_clock, trip)
    refusal("pickup_over", take, shop, trip.id, equal)


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
    before = read(moves.trip_to_continue, actor(shop.vendor), ref)
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


def test_the_other_vehicle_is_charged_late_as_the_cheaper_of_the_two(stopped_clock: Clock, shop: Shop) -> None:
    ref, spare = broken_down(shop, stopped_clock), add_vehicle(shop.vendor, daily=3 * DAILY_PAISE)
    now = stopped_clock.instant
    made = going_on(shop.vendor, ref, spare, now, now + timedelta(days=1))
    assert read(lambda session: session.get_one(Booking, made.id)).full_day_paise == DAILY_PAISE


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
    made = seen(shop.vendor, walk_in_broken_down(shop))
    again = going_on(shop.vendor, made.reference, add_vehicle(shop.vendor), stopped_clock.instant, made.return_at)
    assert (guest_of(again).id, guest_of(again).name) != (guest_of(made).id, "")
    assert guest_of(again).phone_number == guest_of(made).phone_number

    def secret(booking: VendorBookingView | TripView) -> str:
        """The last part of the address of a guest's page."""
        page = read(lambda session: guests.page_for(session, session.get_one(Booking, booking.id), "customer"))
        return page.removeprefix("trip/")

    first, second = read(guest_page.trip_for, VISITOR, secret(made)), read(guest_page.trip_for, VISITOR, secret(again))
    assert first.followed_by
    assert second.follows
    assert (first.followed_by.page, second.follows.page) == (f"/trip/{secret(again)}", f"/trip/{secret(made)}")
