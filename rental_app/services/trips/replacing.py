"""What a customer may have instead of a booking that its vendor has cancelled."""

from contextlib import suppress
from dataclasses import replace as changed
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.counter import REPLACES
from rental_app.domain.errors import ConflictError, InvalidInputError, RentalError
from rental_app.domain.pricing import at_most
from rental_app.domain.vendor_cancelling import NEAR_KM
from rental_app.infrastructure import db
from rental_app.models import Booking, BookingEvent, Listing
from rental_app.models.booking import CONFIRMED
from rental_app.schemas.quotes import QuoteRequest
from rental_app.schemas.search import AvailabilityRequest, PageRequest
from rental_app.schemas.trips import EqualVehicle, ReplacementRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, requests
from rental_app.services.bookings.access import Trip, find, require_side
from rental_app.services.pricing.promotions import Redemption
from rental_app.services.pricing.quotes import Priced, priced, rental_of
from rental_app.services.search.listings import listings_by_id
from rental_app.services.search.search import available
from rental_app.services.trips import showing

REPLACED = "Booked: it is confirmed"
# Of the nearest ones; more than anybody reads.
LOOKED_AT, SHOWN = 40, 6


def equals(session: Session, actor: Actor, ref: str) -> list[EqualVehicle]:
    """Vehicles like the one of a booking that its vendor has cancelled, free for its dates: the vendor's own first.

    Raises NotFoundError, ForbiddenError (not the customer) and ConflictError (not cancelled by its vendor, over,
    replaced already).
    """
    throttle.count("look", actor)
    trip, instant = find(session, actor, ref), clock.now()
    require_side(trip, "customer")
    _require_open(session, trip, instant)
    found = []
    for car, total in _free(session, actor, trip):
        # One that cannot be had with the booking's extras, or for so short a time, is no equal.
        with suppress(RentalError):
            found.append(_equal(session, trip, car, total, instant))
    return sorted(found, key=lambda one: (not one.at_once, one.total))[:SHOWN]


def replace(session: Session, actor: Actor, ref: str, request: ReplacementRequest) -> TripView:
    """Take another vehicle of the same vendor instead, confirmed at once and at no higher price.

    Raises as `equals` does, and ConflictError for a vehicle that is no equal of this vendor's, or no longer free.
    """
    throttle.count("book", actor)
    requests.lock_customer(session, actor)
    trip, instant = find(session, actor, ref), clock.now()
    require_side(trip, "customer")
    requests.lock_vehicle(session, request.vehicle)
    _require_open(session, trip, instant)
    own = {car.id for car, _ in _free(session, actor, trip) if car.vendor_id == trip.vendor_id}
    if request.vehicle not in own:
        raise ConflictError("This vehicle is not offered in its place any more", code="no_equal")
    price = _priced(session, trip, request.vehicle, instant)
    made = _insert(session, _booking(trip, price, instant), price, instant)
    note = f"In place of {trip.booking.reference}"
    events.record(session, made, EventKind.CONFIRMED, "customer", instant, actor.id, note)
    events.record(session, made, EventKind.REBOOKED, "customer", instant, actor.id, note)
    return showing.trip_view(session, Trip(made, trip.vendor_id, "customer", actor.id))


def _insert(session: Session, booking: Booking, price: Priced, instant: datetime) -> Booking:
    try:
        return requests.insert_at_once(session, booking, price.wish, instant, lambda window: False)
    except DatabaseError as error:
        if db.violated(error) != "ix_booking_follows_id":
            raise
        raise _replaced() from None


def _require_open(session: Session, trip: Trip, instant: datetime) -> None:
    """Require a booking that its vendor gave up and whose pickup is ahead, and nothing taken in its place yet."""
    booking = trip.booking
    given_up = select(col(BookingEvent.id)).where(
        col(BookingEvent.booking_id) == trip.id, col(BookingEvent.what) == EventKind.VENDOR_CANCELLED
    )
    if session.execute(given_up).first() is None:
        raise ConflictError("This booking was not cancelled by its vendor", code="not_cancelled")
    if booking.pickup_at <= instant:
        raise ConflictError("The pickup of this booking is over", code="pickup_over")
    if session.execute(select(col(Booking.id)).where(col(Booking.follows_id) == trip.id)).first():
        raise _replaced()


def _replaced() -> ConflictError:
    return ConflictError("You have taken another vehicle instead already", code="already_replaced")


def _booking(trip: Trip, price: Priced, instant: datetime) -> Booking:
    before = trip.booking
    return Booking(
        vehicle_id=price.wish.vehicle.id,
        customer_id=before.customer_id,
        **price.terms._asdict(),
        extras=before.extras,
        address=before.address,
        booked=price.wish.booked.model_dump(),
        status=CONFIRMED,
        created_at=instant,
        answer_by=instant,
        decided_at=instant,
        terms_version=before.terms_version,
        terms_accepted_at=before.terms_accepted_at,
        source=before.source,
        follows_id=trip.id,
        commission_bps=before.commission_bps,
    )


def _free(session: Session, actor: Actor, trip: Trip) -> list[tuple[Listing, int]]:
    """The free vehicles of the same type within reach that are no less, with their totals (paise) for the dates."""
    booking = trip.booking
    car = listings_by_id(session, [booking.vehicle_id])[0]
    wanted = AvailabilityRequest(
        **_ends(booking),
        types=(car.asset_type,),
        seats=car.seating_capacity,
        near=car.service_location,
        within_km=NEAR_KM,
    )
    try:
        found = available(session, actor, wanted, PageRequest(limit=LOOKED_AT))
    except InvalidInputError:
        # Made at the counter for a time that nobody can ask for online.
        return []
    like = [other for other in found.vehicles if other.id != car.id and _is_as_big(other, car)]
    return [(other, found.totals[other.id]) for other in like]


def _is_as_big(other: Listing, car: Listing) -> bool:
    return (other.vehicle_cc or 0) >= (car.vehicle_cc or 0)


def _equal(session: Session, trip: Trip, car: Listing, total: int, instant: datetime) -> EqualVehicle:
    is_own = car.vendor_id == trip.vendor_id
    if is_own:
        total = _priced(session, trip, car.id, instant).quote.total
    return EqualVehicle(
        id=car.id,
        title=car.title,
        image=car.picture.card,
        year=car.year,
        location=car.service_location,
        vendor_name=car.vendor_name,
        total=total,
        deposit=car.deposit_paise,
        at_once=is_own,
    )


def _priced(session: Session, trip: Trip, vehicle_id: int, instant: datetime) -> Priced:
    """The price of a vehicle with the booking's extras, at most the booking's own."""
    booking = trip.booking
    request = QuoteRequest(car=vehicle_id, extras=booking.extras or [], **_ends(booking))
    price = priced(session, rental_of(session, request, instant), Redemption(instant))
    agreed = at_most(price.quote, booking.price_paise, f"{REPLACES} {booking.reference}")
    return changed(price, quote=agreed)


def _ends(booking: Booking) -> dict[str, str]:
    ends = {"pickup": booking.pickup_at, "return_at": booking.return_at}
    return {name: clock.indian(end).isoformat() for name, end in ends.items()}
