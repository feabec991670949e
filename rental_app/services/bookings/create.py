"""Booking requests: made once, at the price that was shown, within how many a customer may hold."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, select
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.clock import Window
from rental_app.domain.errors import ConflictError, ForbiddenError
from rental_app.domain.money import counted
from rental_app.domain.pricing import DELIVERY, require_address
from rental_app.domain.requests import answer_by, most_at_once, new_reference
from rental_app.infrastructure import db
from rental_app.infrastructure.metrics import booking, counted_refusals
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, User, Vehicle
from rental_app.schemas.bookings import BookingRequest, BookingView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_confirmed_email, require_no_operator
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings import events, free
from rental_app.services.bookings.expiry import expire_stale
from rental_app.services.bookings.free import DatesUnavailableError
from rental_app.services.bookings.rows import booking_row, booking_view, is_open
from rental_app.services.pricing.promotions import Redeeming
from rental_app.services.pricing.quotes import Priced, Rental, priced, rental_of, require_expected_price

GUARD = "ex_booking_no_overlap"
REQUESTED = "Booking requested: the vendor will confirm it soon"
JUST_BOOKED = "This vehicle was just booked for these dates"
MOST_TRIES = 5


@dataclass(frozen=True, slots=True)
class Sending:
    """What a request says besides its price: the address, the version of the terms accepted, and the instant."""

    address: str
    terms: str
    at: datetime


# The vendor's rate at this moment: a later one is for later bookings.
_COMMISSION = select(col(User.commission_bps)).where(col(User.id) == bindparam("of_vendor")).scalar_subquery()
# A plain INSERT: as an object of the session, a booking would cost as much again as its checks.
_REQUEST = insert(Booking).values(commission_bps=_COMMISSION).returning(col(Booking.id))
_QUEUE = select(col(Vehicle.id)).where(col(Vehicle.id) == bindparam("car")).with_for_update()
_INSTANT = bindparam("instant", type_=UTCDateTime())
# Without `key_share`, logins of the same account, whose rows refer to it, would wait as well.
_TURN = select(col(User.id)).where(col(User.id) == bindparam("customer")).with_for_update(key_share=True)
_MINE = col(Booking.customer_id) == bindparam("customer")
_UNANSWERED = select(func.count()).where(_MINE, is_waiting(_INSTANT))
_AT_ONCE = select(col(Booking.pickup_at), col(Booking.return_at)).where(
    _MINE,
    col(Booking.id) != bindparam("besides"),
    is_open(_INSTANT),
    col(Booking.return_at) > bindparam("pickup", type_=UTCDateTime()),
    col(Booking.pickup_at) < bindparam("return_at", type_=UTCDateTime()),
)


@counted_refusals(booking)
def create(session: Session, actor: Actor, request: BookingRequest, terms: str = "") -> BookingView:
    """Request a vehicle over a window; the vendor confirms or cancels it.

    `terms` is the version of the terms that the customer accepts by this, '' if none were shown. Raises NotFoundError,
    InvalidInputError (window, extras, offer), ForbiddenError (own vehicle, an operator) and ConflictError (not
    bookable, dates taken, a different price than expected, offer used up, too many).
    """
    throttle.count("book", actor)
    require_no_operator(actor)
    require_confirmed_email(session, actor)
    lock_customer(session, actor)
    # Bookings of a vehicle queue for the lock on its row: without that, PostgreSQL deadlocks under load.
    db.lock_row(session, _QUEUE, car=request.car)
    instant = clock.now()
    wish = rental_of(session, request, instant)
    if wish.vehicle.vendor_id == actor.vendor:
        raise ForbiddenError("This is your own vehicle", code="own_vehicle")
    require_address(wish.extras, request.address)
    price = priced(session, wish, Redeeming(instant, actor.id, lock=True))
    require_expected_price(request, price)
    require_room(session, actor, wish.window, instant)
    booking = booking_row(session, _insert(session, actor, price, Sending(request.address, terms, instant)), instant)
    vendor_id = wish.vehicle.vendor_id
    events.record(session, booking, EventKind.REQUESTED, "customer", instant, actor.id, vendor_id=vendor_id)
    return booking_view(booking, BookingView)


def _insert(session: Session, actor: Actor, price: Priced, sending: Sending) -> int:
    """Store a request and return its id. The database refuses one that overlaps; raises DatesUnavailableError then."""
    connection = session.connection()
    for _ in range(MOST_TRIES):
        try:
            with db.savepoint(session):
                return connection.execute(_REQUEST, _requested(actor, price, sending)).scalar_one() or 0
        except DatabaseError as error:
            refusal = db.violated(error)
            if refusal == GUARD:
                require_free(session, price.wish, sending.at, JUST_BOOKED)
            # Once there are a million bookings, one in a thousand new references is already taken.
            elif refusal != "ix_booking_reference":
                raise
    raise DatesUnavailableError(JUST_BOOKED, [])


def _requested(actor: Actor, price: Priced, sending: Sending) -> dict[str, Any]:
    """The columns of a request."""
    wish = price.wish
    return price.terms._asdict() | {
        "reference": new_reference(),
        "vehicle_id": wish.vehicle.id,
        "customer_id": actor.id,
        "extras": list(wish.extras),
        "address": sending.address if DELIVERY.intersection(wish.extras) else "",
        "offer": wish.offer or None,
        "booked": wish.booked.model_dump(),
        "created_at": sending.at,
        "answer_by": answer_by(sending.at, wish.window.pickup),
        "terms_version": sending.terms or None,
        "terms_accepted_at": sending.at if sending.terms else None,
        "of_vendor": wish.vehicle.vendor_id,
    }


def require_free(session: Session, wish: Rental, instant: datetime, message: str, besides: int | None = None) -> None:
    """Cancel lapsed requests for a wish's vehicle, then raise DatesUnavailableError if the vehicle is held over its
    window by anything but the booking `besides`."""
    expire_stale(session, instant, wish.vehicle.id)
    free.require_free(session, wish.vehicle, wish.window, instant, message, besides)


def lock_customer(session: Session, actor: Actor) -> None:
    """Queue the actor's bookings, so that each is checked against those before it.

    Call it before a vehicle's row is locked: the customer is always locked first, or two bookings can deadlock.
    """
    if settings().rate_limits == "on":
        db.lock_row(session, _TURN, customer=actor.id)


def require_room(session: Session, actor: Actor, window: Window, instant: datetime) -> None:
    """Raise ConflictError if another request over a window would be one too many."""
    if settings().rate_limits == "on":
        _require_few_unanswered(session, actor, instant)
        _require_few_at_once(session, actor, window, instant)


def require_room_at_once(session: Session, actor: Actor, window: Window, instant: datetime, besides: int) -> None:
    """Raise ConflictError if moving the booking `besides` to a window would make one too many at once."""
    if settings().rate_limits == "on":
        _require_few_at_once(session, actor, window, instant, besides)


def _require_few_unanswered(session: Session, actor: Actor, instant: datetime) -> None:
    most = settings().max_unanswered
    bound = {"customer": actor.id, "instant": instant}
    if session.connection().execute(_UNANSWERED, bound).scalar_one() >= most:
        raise ConflictError(
            f"You have {counted(most, 'request')} without an answer, which is the limit: wait until a vendor answers",
            code="too_many_unanswered",
        )


def _require_few_at_once(session: Session, actor: Actor, window: Window, instant: datetime, besides: int = 0) -> None:
    bound = {"customer": actor.id, "besides": besides, "instant": instant}
    bound |= {"pickup": window.pickup, "return_at": window.return_at}
    held = [Window(*ends) for ends in session.connection().execute(_AT_ONCE, bound)]
    most = settings().max_overlapping
    if most_at_once(window, held) >= most:
        raise ConflictError(
            f"You have {counted(most, 'booking')} at once on these dates, which is the limit: choose other dates",
            code="too_many_overlapping",
        )
