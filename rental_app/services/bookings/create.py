"""Requesting a vehicle. The database has the last word on overlaps."""

from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import ForbiddenError
from rental_app.domain.expiry import answer_by
from rental_app.domain.extras import DELIVERY, require_address
from rental_app.domain.references import new_reference
from rental_app.infrastructure import db
from rental_app.infrastructure.metrics import booking, counted_refusals
from rental_app.models import Booking, Vehicle
from rental_app.schemas.bookings import BookingRequest, BookingView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, free, limits
from rental_app.services.bookings.expiry import expire_stale
from rental_app.services.bookings.free import DatesUnavailableError
from rental_app.services.bookings.rows import booking_row, booking_view
from rental_app.services.pricing.expected_price import require_expected_price
from rental_app.services.pricing.promotions import Redeeming
from rental_app.services.pricing.quotes import Priced, Rental, priced, rental_of

GUARD = "ex_booking_no_overlap"
REQUESTED = "Booking requested: the vendor will confirm it soon"
JUST_BOOKED = "This vehicle was just booked for these dates"
MOST_TRIES = 5
_QUEUE = select(col(Vehicle.id)).where(col(Vehicle.id) == bindparam("car")).with_for_update()


@counted_refusals(booking)
def create(session: Session, actor: Actor, request: BookingRequest) -> BookingView:
    """Request a vehicle over a window; the vendor confirms or cancels it.

    Raises NotFoundError, InvalidInputError (window, extras, offer), ForbiddenError (own vehicle) and ConflictError (not
    bookable, dates taken, a different price than expected, offer used up, too many).
    """
    throttle.count("book", actor)
    limits.lock_customer(session, actor)
    # Bookings of a vehicle queue for the lock on its row: without that, PostgreSQL deadlocks under load.
    db.lock_row(session, _QUEUE, car=request.car)
    instant = clock.now()
    wish = rental_of(session, request, instant)
    if wish.vehicle.vendor_id == actor.vendor:
        raise ForbiddenError("This is your own vehicle", code="own_vehicle")
    require_address(wish.extras, request.address)
    price = priced(session, wish, Redeeming(instant, actor.id, lock=True))
    require_expected_price(request, price)
    limits.require_room(session, actor, wish.window, instant)
    booking = _insert(session, actor, price, request.address, instant)
    vendor_id = wish.vehicle.vendor_id
    events.record(session, booking, EventKind.REQUESTED, "customer", instant, actor.id, vendor_id=vendor_id)
    return booking_view(booking_row(session, booking.id, instant), BookingView)


def _insert(session: Session, actor: Actor, price: Priced, address: str, instant: datetime) -> Booking:
    """Store a request. The database refuses one that overlaps; raises DatesTakenError then."""
    for _ in range(MOST_TRIES):
        booking = _requested(actor, price, address, instant)
        try:
            with session.begin_nested():
                session.add(booking)
            return booking
        except DatabaseError as error:
            if GUARD in str(error.orig):
                require_free(session, price.wish, instant, JUST_BOOKED)
            # Once there are a million bookings, one in a thousand new references is already taken.
            elif "reference" not in str(error.orig):
                raise
    raise DatesUnavailableError(JUST_BOOKED, [])


def _requested(actor: Actor, price: Priced, address: str, instant: datetime) -> Booking:
    wish = price.wish
    return Booking(
        reference=new_reference(),
        vehicle_id=wish.vehicle.id,
        customer_id=actor.id,
        **price.terms._asdict(),
        extras=list(wish.extras),
        address=address if DELIVERY.intersection(wish.extras) else "",
        offer=wish.offer or None,
        booked=wish.booked.model_dump(),
        created_at=instant,
        answer_by=answer_by(instant, wish.window.pickup),
    )


def require_free(session: Session, wish: Rental, instant: datetime, message: str, besides: int | None = None) -> None:
    """Cancel lapsed requests for a wish's vehicle, then raise DatesTakenError if the vehicle is held over its window by
    anything but the booking `besides`."""
    expire_stale(session, instant, wish.vehicle.id)
    free.require_free(session, wish.vehicle, wish.window, instant, message, besides)
