"""A vendor gives up a confirmed booking, and what its customer may have instead."""

from datetime import timedelta

from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.domain.vendor_cancelling import TIME_FOR_MISTAKES
from rental_app.infrastructure.db import read, write
from rental_app.models import Block, Booking, Vehicle
from rental_app.schemas.trips import EqualVehicle, ReplacementRequest, TripView
from rental_app.schemas.wire import Page
from rental_app.services import vendors
from rental_app.services.earnings import today
from rental_app.services.trips import replacing
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
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
from tests.support.trips import at_pickup, confirmed, give_up, hand_over, kinds_to, lines, owed, pay, refusal, seen

PRICE = 2 * DAILY_PAISE


def equals(shop: Shop, ref: object) -> list[EqualVehicle]:
    """What the customer may have instead."""
    return read(replacing.equals, actor(shop.customer), str(ref))


def take(shop: Shop, ref: object, vehicle: Vehicle) -> TripView:
    """Take a vehicle instead, as the customer."""
    request = ReplacementRequest(vehicle=vehicle.id)
    return write(replacing.replace, actor(shop.customer), str(ref), request)


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


def test_money_that_waits_for_three_days_stands_in_today(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=20)
    pay(shop, trip.id, PRICE)
    give_up(shop.vendor, trip.id)

    def refunds() -> list[str]:
        return [view.reference for view in read(today.of_vendor, actor(shop.vendor)).refunds]

    assert refunds() == []
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
