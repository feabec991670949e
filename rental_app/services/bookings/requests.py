"""A request for a vehicle: reviewed, made, confirmed or declined, lapsed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from sqlalchemy import ColumnElement, and_, bindparam, func, insert, select, update
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.content.words import DOCUMENTS
from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import (
    DECLINE_REASONS,
    BookingStatus,
    TripStage,
    WhyCancelled,
    answer_by,
    most_at_once,
    new_reference,
)
from rental_app.domain.clock import HORIZON, Window
from rental_app.domain.errors import ConflictError, ForbiddenError, NotAuthenticatedError
from rental_app.domain.free_windows import is_free, nearest
from rental_app.domain.money import counted, format_rupees
from rental_app.domain.pricing import DELIVERY, require_address
from rental_app.infrastructure import db
from rental_app.infrastructure.metrics import BOOKINGS, counted_refusals
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, ListingInFull, User, Vehicle
from rental_app.schemas.bookings import BookingRequest, BookingView, StatusChange
from rental_app.services import policies, throttle, words
from rental_app.services.accounts.actor import (
    Actor,
    own_ids,
    require_confirmed_email,
    require_no_operator,
    require_staff,
)
from rental_app.services.availability import holds
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings import events, free_dates, ledger
from rental_app.services.bookings.access import already_decided, unknown_booking
from rental_app.services.bookings.free_dates import DatesUnavailableError
from rental_app.services.bookings.rows import BookingRow, booking_row, booking_view, is_open
from rental_app.services.identity import rules
from rental_app.services.pricing.promotions import Redemption
from rental_app.services.pricing.quotes import PricedRental, Rental, priced, rental_of, require_expected_price
from rental_app.services.search import listings
from rental_app.services.throttle import Caller


@dataclass(frozen=True, slots=True)
class RequestedVehicle:
    """A vehicle about to be requested: how soon its vendor answers, if that is known, whether it is the caller's own,
    the reference of the booking the caller already has of it at that time, or '', and the documents to bring."""

    vehicle: ListingInFull
    answers_in: timedelta | None
    is_own: bool
    requested: str
    documents: list[str]


GUARD = "ex_booking_no_overlap"
# What the customer is told of a booking just made.
MADE = {
    BookingStatus.PENDING: "Booking requested: the vendor will confirm it soon",
    BookingStatus.CONFIRMED: "Booked: the vendor has confirmed it",
}
JUST_BOOKED = "This vehicle was just booked for these dates"
MOST_TRIES = 5
# The vendor's rate at this moment: a later one is for later bookings.
_COMMISSION = select(col(User.commission_bps)).where(col(User.id) == bindparam("of_vendor")).scalar_subquery()
# A plain INSERT: as an object of the session, a booking would cost as much again as its checks.
_REQUEST = insert(Booking).values(commission_bps=_COMMISSION).returning(col(Booking.id))
_VEHICLE_ROW = select(col(Vehicle.id)).where(col(Vehicle.id) == bindparam("car")).with_for_update()
_INSTANT = bindparam("instant", type_=UTCDateTime())
# Without `key_share`, logins of the same account, whose rows refer to it, would wait as well.
_CUSTOMER_ROW = (
    select(col(User.erase_asked_at)).where(col(User.id) == bindparam("customer")).with_for_update(key_share=True)
)
_OF_CUSTOMER = col(Booking.customer_id) == bindparam("customer")
_UNANSWERED = select(func.count()).where(_OF_CUSTOMER, is_waiting(_INSTANT))
_AT_ONCE = select(col(Booking.pickup_at), col(Booking.return_at)).where(
    _OF_CUSTOMER,
    col(Booking.id) != bindparam("besides"),
    is_open(_INSTANT),
    col(Booking.return_at) > bindparam("pickup", type_=UTCDateTime()),
    col(Booking.pickup_at) < bindparam("return_at", type_=UTCDateTime()),
)
Fits = Callable[[Window], bool]
_LAPSING = (
    update(Booking)
    .where(
        col(Booking.status) == BookingStatus.PENDING,
        col(Booking.answer_by) <= bindparam("instant", type_=UTCDateTime()),
    )
    .values(
        status=BookingStatus.CANCELLED,
        cancelled_by="system",
        decided_at=bindparam("instant", type_=UTCDateTime()),
        cancel_reason=WhyCancelled.LAPSED,
    )
    .returning(col(Booking.id))
)
_LAPSING_OF_ONE = _LAPSING.where(col(Booking.vehicle_id) == bindparam("vehicle"))


class RequestChangedError(ConflictError):
    """The request is for other dates, or at another price, than the one shown."""

    code = "request_changed"

    def __init__(self, now: BookingRow) -> None:
        dates = clock.friendly_span(now.pickup_at, now.return_at)
        super().__init__(f"The customer has changed this request: it is now {dates}, {format_rupees(now.price_paise)}")


def reviewed(session: Session, caller: Caller, vehicle_id: int, window: Window | None) -> RequestedVehicle:
    """The vehicle of a request for a window, or before there is one; raises NotFoundError if it is not listed."""
    vehicle = listings.get_listing(session, caller, vehicle_id)
    customer = caller if isinstance(caller, Actor) else None
    return RequestedVehicle(
        vehicle=vehicle,
        answers_in=events.answers_in(session, vehicle.vendor_id),
        is_own=customer is not None and customer.vendor == vehicle.vendor_id,
        requested=requested(session, customer, vehicle_id, window) if customer and window else "",
        documents=words.newest(session, DOCUMENTS).value,
    )


def requested(session: Session, actor: Actor, vehicle_id: int, window: Window) -> str:
    """The reference of a customer's booking of a vehicle that overlaps a window and goes on; '' if there is none."""
    own = (
        col(Booking.customer_id) == actor.id,
        col(Booking.vehicle_id) == vehicle_id,
        col(Booking.status) != BookingStatus.CANCELLED,
        col(Booking.stage) == TripStage.BOOKED,
        col(Booking.pickup_at) < window.return_at,
        col(Booking.return_at) > window.pickup,
    )
    return session.scalars(select(col(Booking.reference)).where(*own).limit(1)).first() or ""


@counted_refusals(BOOKINGS)
def create(session: Session, actor: Actor, request: BookingRequest, terms: str = "") -> BookingView:
    """Request a vehicle over a window; the vendor confirms or cancels it, or has let it be confirmed at once.

    `terms` is the version of the terms that the customer accepts by this, '' if none were shown. Raises NotFoundError,
    InvalidInputError (window, extras, offer), ForbiddenError (own vehicle, an operator) and ConflictError (not
    bookable, dates taken, not at the price or in the way expected, offer used up, too many, documents needed, a licence
    for other vehicles).
    """
    throttle.count("book", actor)
    require_no_operator(actor)
    require_confirmed_email(session, actor)
    lock_customer(session, actor)
    # Bookings of a vehicle queue for the lock on its row: without that, PostgreSQL deadlocks under load.
    lock_vehicle(session, request.car)
    instant = clock.now()
    rental = rental_of(session, request, instant, policies.current(session))
    if rental.vehicle.vendor_id == actor.vendor:
        raise ForbiddenError("This is your own vehicle", code="own_vehicle")
    require_address(rental.extras, request.address)
    rules.require_for_request(session, actor, rules.driven(rental.vehicle, rental.window.return_at))
    price = priced(session, rental, Redemption(instant, actor.id, lock=True))
    require_expected_price(request, price)
    require_room(session, actor, rental.window, instant)
    booking_id = _insert(session, actor, price, request.address, terms, instant)
    if price.at_once == "yes":
        _confirm_at_once(session, actor, booking_id, instant)
    booking = booking_row(session, booking_id, instant)
    if price.at_once != "yes":
        vendor_id = rental.vehicle.vendor_id
        events.record(session, booking, EventKind.REQUESTED, "customer", instant, actor.id, vendor_id=vendor_id)
    return booking_view(booking, BookingView)


def _confirm_at_once(session: Session, actor: Actor, booking_id: int, instant: datetime) -> None:
    """Charge for a booking that its vendor's rule has confirmed, and tell both sides; nobody has answered it."""
    booking = session.get_one(Booking, booking_id)
    ledger.open_account(session, booking, instant)
    events.record(session, booking, EventKind.CONFIRMED, "customer", instant, actor.id)
    events.record(session, booking, EventKind.BOOKED, "customer", instant, actor.id)


def _insert(session: Session, actor: Actor, price: PricedRental, address: str, terms: str, instant: datetime) -> int:
    """Store a booking, confirmed or not, and return its id.

    The database refuses one that overlaps; raises DatesUnavailableError then.
    """
    connection, rental, at_once = session.connection(), price.rental, price.at_once == "yes"
    columns = price.terms._asdict() | {
        "status": BookingStatus.CONFIRMED if at_once else BookingStatus.PENDING,
        "decided_at": instant if at_once else None,
        "confirmed_at_once": at_once,
        "vehicle_id": rental.vehicle.id,
        "customer_id": actor.id,
        "extras": list(rental.extras),
        "address": address if DELIVERY.intersection(rental.extras) else "",
        "offer": rental.offer or None,
        "booked": rental.booked.model_dump(),
        "created_at": instant,
        "answer_by": answer_by(instant, rental.window.pickup, rental.policies),
        "policies": rental.policies.booked,
        "terms_version": terms or None,
        "terms_accepted_at": instant if terms else None,
        "of_vendor": rental.vehicle.vendor_id,
    }
    for _ in range(MOST_TRIES):
        try:
            with db.savepoint(session):
                return connection.execute(_REQUEST, columns | {"reference": new_reference()}).scalar_one() or 0
        except DatabaseError as error:
            refusal = db.violated(error)
            if refusal == GUARD:
                require_free(session, rental, instant, JUST_BOOKED)
            # Once there are a million bookings, one in a thousand new references is already taken.
            elif refusal != "ix_booking_reference":
                raise
    raise DatesUnavailableError(JUST_BOOKED, [])


def require_free(session: Session, rental: Rental, instant: datetime, message: str, besides: int | None = None) -> None:
    """Cancel lapsed requests for a rental's vehicle, then raise DatesUnavailableError if the vehicle is held over the
    rental's window by anything but the booking `besides`."""
    expire_stale(session, instant, rental.vehicle.id)
    free_dates.require_free(session, rental.vehicle, rental.window, instant, message, besides)


def lock_customer(session: Session, actor: Actor) -> None:
    """Queue the actor's bookings, so that each is checked against those before it.

    Call it before a vehicle's row is locked: the customer is always locked first, or two bookings can deadlock. Raises
    NotAuthenticatedError (`session_ended`) if they have asked meanwhile for their account to be erased.
    """
    if session.connection().execute(_CUSTOMER_ROW, {"customer": actor.id}).scalar_one():
        raise NotAuthenticatedError("Please log in again", code="session_ended")


def require_room(session: Session, actor: Actor, window: Window, instant: datetime) -> None:
    """Raise ConflictError if another request over a window would be one too many."""
    if settings().rate_limits == "on":
        most = policies.current(session).max_unanswered
        bound = {"customer": actor.id, "instant": instant}
        if session.connection().execute(_UNANSWERED, bound).scalar_one() >= most:
            message = f"You have {counted(most, 'request')} without an answer, which is the limit"
            raise ConflictError(f"{message}: wait until a vendor answers", code="too_many_unanswered")
        _require_few_at_once(session, actor, window, instant)


def require_room_at_once(session: Session, actor: Actor, window: Window, instant: datetime, besides: int) -> None:
    """Raise ConflictError if moving the booking `besides` to a window would make one too many at once."""
    if settings().rate_limits == "on":
        _require_few_at_once(session, actor, window, instant, besides)


def _require_few_at_once(session: Session, actor: Actor, window: Window, instant: datetime, besides: int = 0) -> None:
    bound = {"customer": actor.id, "besides": besides, "instant": instant}
    bound |= {"pickup": window.pickup, "return_at": window.return_at}
    held = [Window(*ends) for ends in session.connection().execute(_AT_ONCE, bound)]
    most = policies.current(session).max_overlapping
    if most_at_once(window, held) >= most:
        raise ConflictError(
            f"You have {counted(most, 'booking')} at once on these dates, which is the limit: choose other dates",
            code="too_many_overlapping",
        )


def lock_vehicle(session: Session, vehicle_id: int) -> None:
    """Queue for a vehicle as its other bookings do, before anything about it is looked at."""
    db.lock_row(session, _VEHICLE_ROW, car=vehicle_id)


def insert_at_once(session: Session, booking: Booking, rental: Rental, instant: datetime, fits: Fits) -> Booking:
    """Store a confirmed booking of a locked vehicle, and charge its price.

    The database refuses one that overlaps; raises DatesUnavailableError then, with the nearest free windows that fit.
    """
    vehicle, window = rental.vehicle.id, rental.window
    expire_stale(session, instant, vehicle)
    span = Window(min(window.pickup, instant), max(window.return_at, instant + HORIZON))
    held = holds.windows(session, vehicle, span, instant)
    if window.pickup < instant:
        been_out = holds.been_out(session, [vehicle], span).get(vehicle, [])
        held = sorted([*held, *been_out], key=lambda each: each.pickup)
    if not is_free(window, held):
        near = nearest(window, held, free_dates.papers_end(session, vehicle), fits)
        raise free_dates.unavailable(JUST_BOOKED, near)
    try:
        with session.begin_nested():
            session.add(booking)
    except DatabaseError as error:
        if db.violated(error) != GUARD:
            raise
        raise DatesUnavailableError(JUST_BOOKED, []) from None
    ledger.open_account(session, booking, instant)
    return booking


def change_status(session: Session, actor: Actor, change: StatusChange) -> str:
    """Confirm or cancel a pending request for one of the vendor's vehicles; returns a message for them.

    Raises ForbiddenError (not staff), NotFoundError (no such booking of theirs), ConflictError (already decided,
    changed since it was shown) and InvalidInputError (an expected date that is not a date).
    """
    throttle.count("change", actor)
    require_staff(actor)
    # The customer of a request cannot answer it, not even as a member of its vendor.
    by_others = col(Booking.customer_id) != actor.id
    conditions = (col(Booking.id) == change.booking_id, col(Booking.vehicle_id).in_(own_ids(actor)), by_others)
    instant = clock.now()
    decision: dict[str, object] = {"status": change.status}
    if change.status != BookingStatus.PENDING:
        decision["decided_at"] = instant
    if change.status == BookingStatus.CANCELLED:
        decision |= {"cancelled_by": "vendor", "cancel_reason": WhyCancelled.DECLINED}
    answer = update(Booking).where(*conditions, is_waiting(instant), *unchanged_since(change)).values(**decision)
    answer = answer.execution_options(synchronize_session=False).returning(col(Booking.id))
    if session.execute(answer).first():
        _decided(session, actor, change, instant)
        return f"Booking {'left pending' if change.status == BookingStatus.PENDING else change.status}"
    if session.execute(select(col(Booking.id)).where(*conditions)).first() is None:
        raise unknown_booking()
    now = booking_row(session, change.booking_id, instant)
    if now.status == BookingStatus.PENDING:
        raise RequestChangedError(now)
    raise already_decided()


def _decided(session: Session, actor: Actor, change: StatusChange, instant: datetime) -> None:
    """Record a vendor's decision, and charge for a confirmed booking."""
    if change.status == BookingStatus.PENDING:
        return
    booking = session.get_one(Booking, change.booking_id)
    if change.status == BookingStatus.CONFIRMED:
        ledger.open_account(session, booking, instant)
    what = EventKind.DECLINED if change.status == BookingStatus.CANCELLED else EventKind.CONFIRMED
    note = DECLINE_REASONS.get(change.reason, "") if change.status == BookingStatus.CANCELLED else ""
    events.record(session, booking, what, "vendor", instant, actor.id, note)


def unchanged_since(change: StatusChange) -> Iterator[ColumnElement[bool]]:
    """SQL conditions that hold while a booking is as it was shown; raises InvalidInputError for an invalid date."""
    ends = (
        (col(Booking.pickup_at), change.expected_pickup, "expectedPickupDate"),
        (col(Booking.return_at), change.expected_return, "expectedReturnDate"),
    )
    for column, shown, name in ends:
        if shown:
            first, after = _stretch(shown, name)
            yield and_(column >= first, column < after)
    if change.expected_total is not None:
        yield col(Booking.price_paise) == change.expected_total


def _stretch(shown: str, name: str) -> tuple[datetime, datetime]:
    """The range of instants that look like the one shown, which has whole seconds or is an Indian day alone."""
    moment = clock.parse_moment(shown, name)
    if isinstance(moment, datetime):
        return moment, moment + timedelta(seconds=1)
    return clock.at(moment, time()), clock.at(moment + timedelta(days=1), time())


def expire_stale(session: Session, instant: datetime, vehicle_id: int | None = None) -> int:
    """Cancel, on the system's behalf, pending requests past their answer time; returns how many."""
    bound: dict[str, object] = {"instant": instant}
    stale = _LAPSING
    if vehicle_id is not None:
        stale = _LAPSING_OF_ONE
        bound["vehicle"] = vehicle_id
    session.flush()
    ids = session.connection().execute(stale, bound).scalars().all()
    for lapsed in session.scalars(select(Booking).where(col(Booking.id).in_(ids))).all() if ids else ():
        events.record(session, lapsed, EventKind.LAPSED, "system", instant)
    return len(ids)
