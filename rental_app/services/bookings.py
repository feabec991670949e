"""Bookings: requesting, deciding, listing. The database has the last word on overlaps."""

from datetime import datetime
from typing import Any

from sqlalchemy import Update, bindparam, func, select, update
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app import db
from rental_app.errors import ForbiddenError
from rental_app.models import Booking, Vehicle
from rental_app.models.booking import BOOKED, CANCELLED, CONFIRMED, PENDING
from rental_app.rules import clock
from rental_app.rules.declining import REASONS
from rental_app.rules.expiry import answer_by
from rental_app.rules.extras import DELIVERY, require_address
from rental_app.rules.references import new_reference
from rental_app.schemas.bookings import (
    Balance,
    BookingFilter,
    BookingRequest,
    BookingView,
    StatusChange,
    VendorBookingView,
)
from rental_app.schemas.wire import Page
from rental_app.services import booking_limits, booking_list, busy, idempotency, throttle
from rental_app.services.accounts import Actor, require_staff
from rental_app.services.booking_rows import (
    BookingRow,
    booking_columns,
    booking_row,
    booking_view,
    vendor_view,
)
from rental_app.services.busy import DatesTakenError
from rental_app.services.holds import is_waiting
from rental_app.services.offers import Redeeming
from rental_app.services.own_vehicles import own_ids
from rental_app.services.paging import Slice, counted, paged
from rental_app.services.quotes import Priced, Wish, priced, wish_of
from rental_app.services.reviews import customers
from rental_app.services.shown_price import require_shown
from rental_app.services.shown_request import RequestChangedError, as_shown
from rental_app.services.trips import timeline
from rental_app.services.trips.access import already_decided, unknown_booking
from rental_app.services.trips.account import open_account
from rental_app.watch import counted_refusals

GUARD = "ex_booking_no_overlap"
REQUESTED = "Booking requested: the vendor will confirm it soon"
JUST_BOOKED = "This vehicle was just booked for these dates"
MOST_TRIES = 5
_QUEUE = select(col(Vehicle.id)).where(col(Vehicle.id) == bindparam("car")).with_for_update()


@counted_refusals
def create(session: Session, actor: Actor, request: BookingRequest, key: str = "") -> BookingView:
    """Request a vehicle over a window; the vendor confirms or cancels it.

    With an idempotency `key` a retry returns the first response again. Raises NotFoundError, InvalidInputError
    (window, extras, offer), ForbiddenError (own vehicle) and ConflictError (not bookable, dates taken, key used for
    another body, a different price than expected, offer used up, too many).
    """
    throttle.count("book", actor)
    booking_limits.take_turn(session, actor)
    # Bookings of a vehicle queue for the lock on its row: without that, PostgreSQL deadlocks under load.
    db.take_turn(session, _QUEUE, car=request.car)
    if earlier := idempotency.made_earlier(session, actor, key, request):
        return _as_first_answered(session, *earlier)
    instant = clock.now()
    wish = wish_of(session, request, instant)
    if wish.vehicle.vendor_id == actor.vendor:
        raise ForbiddenError("This is your own vehicle", code="own_vehicle")
    require_address(wish.extras, request.address)
    price = priced(session, wish, Redeeming(instant, actor.id, lock=True))
    require_shown(request, price)
    booking_limits.require_room(session, actor, wish.window, instant)
    booking = _insert(session, actor, price, request.address, instant)
    idempotency.remember(session, actor, key, request, booking.id or 0)
    timeline.record(session, booking, "requested", "customer", instant, actor.id, vendor_id=wish.vehicle.vendor_id)
    return booking_view(booking_row(session, booking.id, instant), BookingView)


def _as_first_answered(session: Session, booking_id: int, columns: dict[str, Any]) -> BookingView:
    row = booking_row(session, booking_id, clock.now())
    first = booking_view(row._replace(**columns), BookingView)
    owed = Balance(rent=first.price, deposit=first.deposit, held=0)
    undecided = {"status": PENDING, "cancelled_by": None, "stage": BOOKED, "contact": None, "balance": owed}
    return first.model_copy(update=undecided | {"due_at_pickup": first.price + first.deposit})


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
    raise DatesTakenError(JUST_BOOKED, [])


def _requested(actor: Actor, price: Priced, address: str, instant: datetime) -> Booking:
    wish = price.wish
    return Booking(
        reference=new_reference(),
        vehicle_id=wish.vehicle.id,
        customer_id=actor.id,
        **price.columns,
        extras=list(wish.extras),
        address=address if DELIVERY.intersection(wish.extras) else "",
        offer=wish.offer or None,
        booked=wish.kept,
        created_at=instant,
        answer_by=answer_by(instant, wish.window.pickup),
    )


_LAPSING = (
    update(Booking)
    .where(col(Booking.status) == PENDING, col(Booking.answer_by) <= bindparam("instant", type_=UTCDateTime()))
    .values(
        status=CANCELLED,
        cancelled_by="system",
        decided_at=bindparam("instant", type_=UTCDateTime()),
        cancel_reason="The vendor did not answer in time",
    )
    .returning(col(Booking.id))
)
_LAPSING_OF_ONE = _LAPSING.where(col(Booking.vehicle_id) == bindparam("vehicle"))


def expire_stale(session: Session, instant: datetime, vehicle_id: int | None = None) -> int:
    """Cancel, on the system's behalf, pending requests past their answer time; returns how many."""
    bound: dict[str, object] = {"instant": instant}
    stale = _LAPSING if vehicle_id is None else _LAPSING_OF_ONE
    bound |= {} if vehicle_id is None else {"vehicle": vehicle_id}
    session.flush()
    ids = session.connection().execute(stale, bound).scalars().all()
    for booking in session.scalars(select(Booking).where(col(Booking.id).in_(ids))).all() if ids else ():
        timeline.record(session, booking, "lapsed", "system", instant)
    return len(ids)


def require_free(session: Session, wish: Wish, instant: datetime, message: str, besides: int | None = None) -> None:
    """Cancel lapsed requests for a wish's vehicle, then raise DatesTakenError if the vehicle is held over its window by
    anything but the booking `besides`."""
    expire_stale(session, instant, wish.vehicle.id)
    busy.require_free(session, wish.vehicle, wish.window, instant, message, besides)


def _changed(session: Session, statement: Update) -> int:
    """Run an UPDATE; returns how many rows it changed."""
    done = session.execute(statement.execution_options(synchronize_session=False))
    return int(done.rowcount)  # type: ignore[attr-defined]  # an UPDATE's result has it, the annotation is wider


def change_status(session: Session, actor: Actor, change: StatusChange) -> str:
    """Confirm or cancel a pending request for one of the vendor's vehicles; returns a message for them.

    Raises ForbiddenError (not staff), NotFoundError (no such booking of theirs), ConflictError (already decided,
    changed since it was shown) and InvalidInputError (an expected date that is not a date).
    """
    throttle.count("change", actor)
    require_staff(actor)
    # The customer of a request cannot answer it, not even as a member of its vendor.
    asked_by_others = col(Booking.customer_id) != actor.id
    mine = (col(Booking.id) == change.booking_id, col(Booking.vehicle_id).in_(own_ids(actor)), asked_by_others)
    instant = clock.now()
    undecided = is_waiting(instant)
    decision: dict[str, object] = {"status": change.status}
    if change.status != PENDING:
        decision["decided_at"] = instant
    if change.status == CANCELLED:
        decision |= {"cancelled_by": "vendor", "cancel_reason": "Declined by the vendor"}
    if _changed(session, update(Booking).where(*mine, undecided, *as_shown(change)).values(**decision)):
        _decided(session, actor, change, instant)
        return f"Booking {'left pending' if change.status == PENDING else change.status}"
    if session.execute(select(col(Booking.id)).where(*mine)).first() is None:
        raise unknown_booking()
    now = booking_row(session, change.booking_id, instant)
    if now.status == PENDING:
        raise RequestChangedError(now)
    raise already_decided()


def _decided(session: Session, actor: Actor, change: StatusChange, instant: datetime) -> None:
    """Record a vendor's decision, and charge for a confirmed booking."""
    if change.status == PENDING:
        return
    booking = session.get_one(Booking, change.booking_id)
    if change.status == CONFIRMED:
        open_account(session, booking, instant)
    what = "declined" if change.status == CANCELLED else "confirmed"
    note = REASONS.get(change.reason, "") if change.status == CANCELLED else ""
    timeline.record(session, booking, what, "vendor", instant, actor.id, note)


def of_customer(session: Session, actor: Actor, page: Page | None = None) -> Slice[BookingView]:
    """The actor's own bookings, newest first."""
    throttle.count("list", actor)
    statement = booking_columns(clock.now()).where(col(Booking.customer_id) == actor.id)
    part = paged(session, actor, statement, col(Booking.id), page, newest_first=True)
    return part.of([booking_view(BookingRow.of(row), BookingView) for row in part.items])


def of_vendor(
    session: Session, actor: Actor, page: Page | None = None, only: BookingFilter | None = None
) -> Slice[VendorBookingView]:
    """All bookings of the vendor's vehicles, or those that match a filter, newest first by default. Raises
    ForbiddenError."""
    throttle.count("list", actor)
    require_staff(actor)
    instant = clock.now()
    asked = only or BookingFilter()
    statement = booking_list.of_vendor(actor, asked, instant)
    if asked.sort == "created":
        part = paged(session, actor, statement, col(Booking.id), page, newest_first=True)
    else:
        part = counted(session, actor, booking_list.ordered(statement, asked, instant), page)
    stars = customers.of_waiting(session, actor.vendor, instant)
    return part.of([vendor_view(BookingRow.of(row), stars) for row in part.items])


def unanswered(session: Session, actor: Actor) -> int:
    """How many requests wait for the actor's answer. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_staff(actor)
    mine = (col(Booking.vehicle_id).in_(own_ids(actor)), is_waiting(clock.now()))
    return int(session.execute(select(func.count()).select_from(Booking).where(*mine)).scalar_one())
