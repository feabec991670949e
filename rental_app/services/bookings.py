"""Bookings: quoting, requesting, deciding, listing. The database has the last word on overlaps."""

from dataclasses import asdict
from datetime import datetime, time, timedelta

from sqlalchemy import ColumnElement, Update, and_, func, select, update
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.models import Booking, Listing, Vehicle, listing, snapshot
from rental_app.models.booking import BOOKED, CANCELLED, CONFIRMED, PENDING
from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.rules.expiry import answer_by
from rental_app.rules.hours import resolve
from rental_app.rules.pricing import Quote, quote
from rental_app.schemas.bookings import (
    Balance,
    BookingFilter,
    BookingRequest,
    BookingView,
    QuoteLine,
    QuoteRequest,
    QuoteView,
    StatusChange,
    VendorBookingView,
)
from rental_app.schemas.wire import Page
from rental_app.services import booking_limits, idempotency, throttle
from rental_app.services.accounts import Actor, require_vendor
from rental_app.services.booking_rows import (
    booking_columns,
    booking_rows,
    booking_view,
    is_waiting,
    status_at,
    vendor_view,
)
from rental_app.services.paging import Slice, paged
from rental_app.services.search import read_window
from rental_app.services.shop import bookable, vehicle_columns
from rental_app.services.shown_price import require_shown
from rental_app.services.tariffs import tariffs
from rental_app.services.throttle import Caller
from rental_app.services.trips import timeline
from rental_app.services.trips.account import open_account

GUARD = "ex_booking_no_overlap"


def quote_for(session: Session, caller: Caller, request: QuoteRequest) -> QuoteView:
    """The price of a vehicle over a window, under the very rules that apply to a booking.

    Raises NotFoundError, InvalidInputError and ConflictError as `create` does, except for overlaps.
    """
    throttle.count("quote", caller)
    vehicle, window = _rentable(session, request, clock.now())
    return _quote_view(_price(session, vehicle, window), window)


def _price(session: Session, vehicle: Listing, window: Window) -> Quote:
    return quote(window, tariffs(session, [vehicle])[vehicle.id], vehicle.deposit_paise)


def _quote_view(price: Quote, window: Window) -> QuoteView:
    return QuoteView(
        lines=[QuoteLine(**asdict(line)) for line in price.lines],
        total=price.total,
        deposit=price.deposit,
        days=price.days,
        kms_included=price.kms_included,
        saving=price.saving,
        kms_text="Unlimited" if price.kms_included is None else f"{price.kms_included} km",
        pickup=window.pickup,
        return_at=window.return_at,
    )


def _rentable(session: Session, request: QuoteRequest, instant: datetime) -> tuple[Listing, Window]:
    """The vehicle asked for and its window, checked against every rule except overlaps."""
    ends = read_window(request.pickup, request.return_at)
    today = clock.indian_today(instant)
    # A date that cannot be read as a window yet still has a last day; the window's own rules follow below.
    last_day = clock.indian_today(ends[1]) if isinstance(ends[1], datetime) else ends[1]
    statement = vehicle_columns().add_columns(
        and_(*bookable(today, today)).label("bookable_today"),
        and_(*bookable(today, last_day)).label("bookable_throughout"),
    )
    row = session.execute(statement.where(col(Vehicle.id) == request.car)).first()
    if row is None:
        raise NotFoundError("There is no such vehicle", code="unknown_vehicle")
    if not row.bookable_today:
        raise ConflictError("This vehicle is not available for booking", code="not_bookable")
    vehicle = listing(row, Listing)
    window = resolve(*ends, vehicle.hours)
    clock.check_window(window, instant)
    if refusal := vehicle.hours.refusal(window):
        raise InvalidInputError(refusal[1], code="outside_hours", fields=dict([refusal]))
    if not row.bookable_throughout:
        raise ConflictError("This vehicle's papers run out before your return", code="papers_expire")
    return vehicle, window


def create(session: Session, actor: Actor, request: BookingRequest, key: str = "") -> BookingView:
    """Request a vehicle over a window; the vendor confirms or cancels it.

    With an idempotency `key` a repetition gives the first answer again. Raises NotFoundError, InvalidInputError
    (window), ForbiddenError (own vehicle) and ConflictError (not bookable, dates taken, key used for another body,
    a different price than expected, one too many).
    """
    throttle.count("book", actor)
    booking_limits.take_turn(session, actor)
    # The vehicle's row is the queue its bookings stand in: without it PostgreSQL deadlocks under load.
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id) == request.car).with_for_update())
    if earlier := idempotency.made_earlier(session, actor, key, request):
        return _as_first_answered(session, earlier)
    instant = clock.now()
    vehicle, window = _rentable(session, request, instant)
    if vehicle.vendor_id == actor.id:
        raise ForbiddenError("This is your own vehicle", code="own_vehicle")
    price = _price(session, vehicle, window)
    require_shown(request, _quote_view(price, window))
    booking_limits.require_room(session, actor, window, instant)
    expire_stale(session, instant, vehicle.id)
    booking = _insert(session, actor, vehicle, window, price, instant)
    idempotency.remember(session, actor, key, request, booking.id or 0)
    timeline.record(session, booking, "requested", "customer", instant, actor.id)
    return booking_view(booking_rows(session, col(Booking.id) == booking.id, instant)[0], BookingView)


def _as_first_answered(session: Session, booking_id: int) -> BookingView:
    row = booking_rows(session, col(Booking.id) == booking_id, clock.now())[0]
    first = booking_view(row, BookingView)
    owed = Balance(rent=first.price, deposit=first.deposit)
    undecided = {"status": PENDING, "cancelled_by": None, "stage": BOOKED, "contact": None, "balance": owed}
    return first.model_copy(update=undecided | {"due_at_pickup": first.price + first.deposit})


def _insert(
    session: Session, actor: Actor, vehicle: Listing, window: Window, price: Quote, instant: datetime
) -> Booking:
    booking = Booking(
        vehicle_id=vehicle.id,
        customer_id=actor.id,
        pickup_at=window.pickup,
        return_at=window.return_at,
        price_paise=price.total,
        deposit_paise=price.deposit,
        full_day_paise=vehicle.daily_paise,
        kms_included=price.kms_included,
        lines=[asdict(line) for line in price.lines],
        booked=snapshot(vehicle),
        created_at=instant,
        # The tolerance for clocks lets a pickup lie five minutes back; its answer time must not.
        answer_by=max(answer_by(instant, window.pickup), instant + clock.PAST_TOLERANCE),
    )
    session.add(booking)
    try:
        session.flush()
    except DatabaseError as error:
        if GUARD not in str(error.orig):
            raise
        raise ConflictError("This vehicle was just booked for these dates", code="dates_taken") from None
    return booking


def expire_stale(session: Session, instant: datetime, vehicle_id: int | None = None) -> int:
    """Cancel, on the system's behalf, pending requests past their answer time; returns how many."""
    stale = update(Booking).where(col(Booking.status) == PENDING, col(Booking.answer_by) <= instant)
    if vehicle_id is not None:
        stale = stale.where(col(Booking.vehicle_id) == vehicle_id)
    lapsed = stale.values(
        status=CANCELLED,
        cancelled_by="system",
        decided_at=instant,
        cancel_reason="The vendor did not answer in time",
    )
    ids = session.scalars(lapsed.returning(col(Booking.id)).execution_options(synchronize_session=False)).all()
    for booking in session.scalars(select(Booking).where(col(Booking.id).in_(ids))).all() if ids else ():
        timeline.record(session, booking, "lapsed", "system", instant)
    return len(ids)


def _changed(session: Session, statement: Update) -> int:
    """Run an UPDATE; returns how many rows it changed."""
    done = session.execute(statement.execution_options(synchronize_session=False))
    return int(done.rowcount)  # type: ignore[attr-defined]  # an UPDATE's result has it, the annotation is wider


def change_status(session: Session, actor: Actor, change: StatusChange) -> str:
    """Confirm or cancel a pending request for one of the actor's vehicles; returns what to tell the vendor.

    Raises ForbiddenError (not a vendor), NotFoundError (no such booking of theirs), ConflictError (already decided).
    """
    throttle.count("change", actor)
    require_vendor(actor)
    own = select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == actor.id)
    mine = (col(Booking.id) == change.booking_id, col(Booking.vehicle_id).in_(own))
    instant = clock.now()
    undecided = (col(Booking.status) == PENDING, col(Booking.answer_by) > instant)
    decision: dict[str, object] = {"status": change.status}
    if change.status != PENDING:
        decision["decided_at"] = instant
    if change.status == CANCELLED:
        decision |= {"cancelled_by": "vendor", "cancel_reason": "Declined by the vendor"}
    if _changed(session, update(Booking).where(*mine, *undecided).values(**decision)):
        _decided(session, actor, change, instant)
        return f"Booking {'left pending' if change.status == PENDING else change.status}"
    if session.execute(select(col(Booking.id)).where(*mine)).first() is None:
        raise NotFoundError("There is no such booking", code="unknown_booking")
    raise ConflictError("This booking was already decided", code="already_decided")


def _decided(session: Session, actor: Actor, change: StatusChange, instant: datetime) -> None:
    """Record what a vendor decided, and charge what was confirmed."""
    if change.status == PENDING:
        return
    booking = session.get_one(Booking, change.booking_id)
    if change.status == CONFIRMED:
        open_account(session, booking, instant)
    what = "declined" if change.status == CANCELLED else "confirmed"
    timeline.record(session, booking, what, "vendor", instant, actor.id)


def of_customer(session: Session, actor: Actor, page: Page | None = None) -> Slice[BookingView]:
    """The actor's own bookings, newest first."""
    throttle.count("list", actor)
    statement = booking_columns(clock.now()).where(col(Booking.customer_id) == actor.id)
    part = paged(session, actor, statement, col(Booking.id), page, newest_first=True)
    return part.of([booking_view(row, BookingView) for row in part.items])


def of_vendor(
    session: Session, actor: Actor, page: Page | None = None, only: BookingFilter | None = None
) -> Slice[VendorBookingView]:
    """Bookings of the actor's vehicles, newest first, all of them or those that fit. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    instant = clock.now()
    fitting = _fitting(only or BookingFilter(), instant)
    statement = booking_columns(instant).where(col(Vehicle.vendor_id) == actor.id, *fitting)
    part = paged(session, actor, statement, col(Booking.id), page, newest_first=True)
    return part.of([vendor_view(row) for row in part.items])


def _fitting(only: BookingFilter, instant: datetime) -> list[ColumnElement[bool]]:
    conditions = []
    if only.booking:
        conditions.append(col(Booking.id) == only.booking)
    if only.status:
        conditions.append(status_at(instant) == only.status)
    if only.first_day:
        conditions.append(col(Booking.return_at) >= clock.at(only.first_day, time()))
    if only.last_day:
        conditions.append(col(Booking.pickup_at) < clock.at(only.last_day + timedelta(days=1), time()))
    return conditions


def unanswered(session: Session, actor: Actor) -> int:
    """How many requests wait for the actor's answer. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    own = select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == actor.id)
    counted = select(func.count()).select_from(Booking).where(col(Booking.vehicle_id).in_(own), is_waiting(clock.now()))
    return int(session.execute(counted).scalar_one())
