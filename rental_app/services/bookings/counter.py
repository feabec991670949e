"""Bookings made at the counter, and those that a customer later joins to an account."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from limits import parse
from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, delete, select, update
from sqlmodel import Session, col

from rental_app.domain import clock, counter, handover
from rental_app.domain.acts import Act
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingSource, BookingStatus, TripStage, read_reference
from rental_app.domain.clock import HORIZON, Window
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.hours import resolve
from rental_app.domain.money import format_rupees
from rental_app.domain.policies import Policies
from rental_app.domain.pricing import DELIVERY, FULL_DAY, Extra, quote, require_address
from rental_app.domain.retention import GUESTS_ERASED_AFTER
from rental_app.models import (
    Booking,
    Columns,
    Listing,
    Outbox,
    Snapshot,
    User,
    Vehicle,
    VehiclePrice,
    listing,
    listings,
)
from rental_app.models.issued_paper import AGREEMENT, RECEIPT
from rental_app.schemas.bookings import GuestBooking, VendorBookingView
from rental_app.schemas.counter import ChoicesRequest, CounterChoice, CounterRequest
from rental_app.schemas.quotes import QuoteRequest, QuoteView
from rental_app.schemas.wire import read_window
from rental_app.services import audit, issued_papers, policies, throttle
from rental_app.services.accounts import proofs
from rental_app.services.accounts.actor import Actor, require_own, require_staff
from rental_app.services.accounts.letters import TEXT
from rental_app.services.availability import holds
from rental_app.services.bookings import events, guests, requests
from rental_app.services.bookings.access import unknown_booking
from rental_app.services.bookings.rows import booking_row, vendor_view
from rental_app.services.pricing.promotions import Redemption
from rental_app.services.pricing.quotes import PAPERS_EXPIRE, PricedRental, Rental, extra_rates, priced, rentable
from rental_app.services.pricing.tariffs import priced as has_price
from rental_app.services.pricing.tariffs import tariffs
from rental_app.services.search.eligibility import in_fleet

BOOKED_AT_COUNTER = "Booked: it is confirmed"
_CARS: BindParameter[list[int]] = bindparam("cars", expanding=True)
_HELD = holds.held(lambda vehicle: vehicle.in_(_CARS))
# Bookings about which one address is written to, whoever makes them: nobody's inbox is flooded.
LETTERS = parse("5 per hour")
# No password has it, and nobody logs in as a guest anyway.
NO_HASH = "!"


JOINED = "Added to your bookings"
# A person's number is on few bookings; a vendor who types it often does not fill their page.
MOST = 20


def create(session: Session, actor: Actor, request: CounterRequest) -> VendorBookingView:
    """Book one of the vendor's vehicles for somebody at the counter; it is confirmed at once.

    Raises ForbiddenError (not staff), NotFoundError (no such vehicle of theirs), InvalidInputError (nobody named,
    window, no reason for one that is long past or over, extras, total), ConflictError (dates taken, papers, no price)
    and TooManyRequestsError, also for a guest's address that has been written to for many bookings.
    """
    # Nothing else limits the rows that it adds, and it writes to any address.
    throttle.count("amend", actor)
    require_staff(actor)
    # Locked first: it may be retired at the same moment.
    requests.lock_vehicle(session, request.vehicle)
    require_own(session, actor, request.vehicle)
    instant, customer = clock.now(), request.customer
    if customer is None:
        raise InvalidInputError("Say who rents", fields={"customer": "Say who rents"})
    price = price_of(session, request, instant, policies.current(session))
    if customer.email:
        throttle.hit(LETTERS, "guest", customer.email)
    guest = add_guest(session, customer.name, customer.phone, instant)
    note = "; ".join(text for text in (request.reason, request.note) if text)
    address = request.address if DELIVERY.intersection(price.rental.extras) else ""
    booking = confirm(session, actor, price, guest, instant, note, address=address, guest_email=customer.email or None)
    return vendor_view(booking_row(session, booking.id, instant))


def confirm(
    session: Session, actor: Actor, price: PricedRental, customer: User, instant: datetime, note: str, **more: Any
) -> Booking:
    """Store a booking made at the counter, confirmed; a guest is sent its link. `more` are its other columns.

    Raises DatesUnavailableError.
    """
    rental = price.rental
    columns = price.terms._asdict() | {"booked": rental.booked.model_dump(), "extras": list(rental.extras)} | more
    booking = Booking(
        vehicle_id=rental.vehicle.id,
        customer_id=customer.id or 0,
        status=BookingStatus.CONFIRMED,
        created_at=instant,
        answer_by=instant,
        decided_at=instant,
        source=BookingSource.COUNTER,
        commission_bps=counter.COMMISSION_BPS,
        policies=rental.policies.booked,
        **columns,
    )
    requests.insert_at_once(session, booking, rental, instant, lambda window: counter.is_possible(window, instant))
    if customer.is_guest:
        guests.begin_link(session, booking, customer, actor.vendor)
    begun = handover.happened_before(booking.pickup_at, instant)
    events.record(session, booking, EventKind.CONFIRMED, "vendor", instant, actor.id, note, happened_at=begun)
    if counter.asks_reason(rental.window, instant):
        late = {"pickup": clock.indian(booking.pickup_at), "return": clock.indian(booking.return_at), "reason": note}
        about = ("booking", booking.id or 0)
        audit.record(session, actor, Act.BOOKING_NOTED_LATE, about, booking.reference, after=late)
    return booking


def preview(session: Session, actor: Actor, request: QuoteRequest) -> QuoteView:
    """What one of the vendor's vehicles costs at the counter, as computed; raises as `create` does."""
    throttle.count("quote", actor)
    require_staff(actor)
    require_own(session, actor, request.car)
    instant = clock.now()
    rental = _rental(session, request, instant, policies.current(session))
    return priced(session, rental, Redemption(instant)).view


def price_of(session: Session, request: CounterRequest, instant: datetime, numbers: Policies) -> PricedRental:
    """What a booking at the counter costs by these numbers: as computed, or as agreed; raises as `create` does."""
    require_address(request.extras, request.address)
    quote_request = QuoteRequest(
        car=request.vehicle, pickup=request.pickup, return_at=request.return_at, extras=request.extras
    )
    rental = _rental(session, quote_request, instant, numbers)
    counter.check_reason(rental.window, instant, request.reason)
    price = priced(session, rental, Redemption(instant))
    if request.total is None:
        return price
    most = counter.MOST_TIMES * price.quote.total
    if not 0 < request.total <= most:
        message = f"Enter a total above zero, up to {format_rupees(most)}"
        raise InvalidInputError(message, code="bad_total", fields={"total": message})
    if request.total != price.quote.total and not request.reason:
        message = f"Say why it is not {format_rupees(price.quote.total)}"
        raise InvalidInputError(message, fields={"reason": message})
    return replace(price, quote=counter.agreed(price.quote, request.total))


def _rental(session: Session, request: QuoteRequest, instant: datetime, numbers: Policies) -> Rental:
    """The vehicle and the window, under the rules that a vendor cannot decide about."""
    candidate = rentable(session, request.car)
    window = resolve(*read_window(request.pickup, request.return_at), candidate.vehicle.hours)
    counter.check_window(window, instant)
    if candidate.papers < clock.indian_today(window.return_at):
        raise ConflictError(PAPERS_EXPIRE, code="papers_expire")
    full_day = (col(VehiclePrice.vehicle_id) == request.car, col(VehiclePrice.price_name) == FULL_DAY, *has_price())
    if session.execute(select(col(VehiclePrice.id)).where(*full_day)).first() is None:
        raise ConflictError("This vehicle has no Full Day price: set one first", code="no_price")
    return Rental(candidate.vehicle, candidate.tariff, candidate.booked, window, numbers, request.extras)


def add_guest(session: Session, name: str, phone: str, instant: datetime) -> User:
    """A row of its own for the customer of one booking; whether their number has an account is not looked up."""
    guest = User(
        name=name,
        email=f"{uuid4().hex}@{counter.GUESTS_HOST}",
        password_hash=NO_HASH,
        phone_number=phone,
        address="",
        zip_code="000000",
        city="",
        is_guest=True,
        created_at=instant,
    )
    session.add(guest)
    session.flush()
    return guest


def choices(session: Session, actor: Actor, request: ChoicesRequest) -> list[CounterChoice]:
    """The vendor's vehicles that have a price and valid papers, the free ones first.

    Raises ForbiddenError and InvalidInputError (window).
    """
    throttle.count("list", actor)
    require_staff(actor)
    instant, hours = clock.now(), session.get_one(User, actor.vendor).hours
    window = resolve(*read_window(request.pickup, request.return_at), hours)
    counter.check_window(window, instant)
    return choices_for(session, actor, window, instant)


def choices_for(session: Session, actor: Actor, window: Window, instant: datetime) -> list[CounterChoice]:
    """`choices` for a window that has been checked, and a call that has been counted."""
    last = clock.indian_today(window.return_at)
    own = listings(Listing, col(Vehicle.rc_number).label("plate")).where(
        col(Vehicle.vendor_id) == actor.vendor,
        in_fleet(),
        col(Vehicle.insurance_expiry_date) >= last,
        col(Vehicle.pollution_expiry_date) >= last,
        *has_price(),
    )
    rows = session.execute(own.order_by(col(Vehicle.id))).all()
    cars = [listing(row, Listing) for row in rows]
    held, prices = _held(session, cars, window, instant), tariffs(session, cars)
    numbers = policies.current(session)
    views = [
        _choice(
            car,
            row.plate,
            quote(window, prices[car.id], car.deposit_paise).total,
            held.get(car.id, []),
            window,
            list(extra_rates(car, numbers)),
        )
        for car, row in zip(cars, rows, strict=True)
    ]
    return sorted(views, key=lambda one: one.taken_until is not None)


def _held(session: Session, cars: list[Listing], window: Window, instant: datetime) -> dict[int, list[Window]]:
    """What holds each vehicle from the window's pickup on, in order."""
    bound = {"cars": [car.id for car in cars], "first": window.pickup, "last": window.pickup + HORIZON}
    by_vehicle: dict[int, list[Window]] = {}
    for row in session.execute(_HELD, bound | {"instant": instant}):
        by_vehicle.setdefault(row.vehicle_id, []).append(Window(row.begin, row.end))
    if window.pickup < instant:
        for vehicle, been_out in holds.been_out(session, [car.id for car in cars], window).items():
            by_vehicle.setdefault(vehicle, []).extend(been_out)
    return by_vehicle


def _choice(
    car: Listing, plate: str, total: int, held: list[Window], window: Window, extras: list[Extra]
) -> CounterChoice:
    over = [each.return_at for each in held if each.pickup < window.return_at]
    later = [each.pickup for each in held if each.pickup >= window.return_at]
    return CounterChoice(
        id=car.id,
        title=car.title,
        rc_number=plate,
        image=car.picture.card,
        total=total,
        deposit=car.deposit_paise,
        free_until=min(later, default=None),
        taken_until=max(over, default=None),
        extras=extras,
    )


def is_to_erase(instant: datetime) -> ColumnElement[bool]:
    """SQL: whether a user is a guest whose trip ended long ago, and who is known still."""
    over = (
        select(col(Booking.customer_id))
        .where(col(Booking.source) == BookingSource.COUNTER, col(Booking.return_at) <= instant - GUESTS_ERASED_AFTER)
        .where(col(Booking.stage) != TripStage.OUT)
    )
    return and_(col(User.is_guest), col(User.phone_number) != counter.NOBODYS_NUMBER, col(User.id).in_(over))


def erase_guests(session: Session, which: ColumnElement[bool]) -> Sequence[str]:
    """Erase what is known of guests; their bookings and accounts stay."""
    gone = session.scalars(select(col(User.id)).where(which)).all()
    # Their name on receipts and agreements as well: a guest has one booking.
    own = select(col(Booking.reference)).where(col(Booking.customer_id).in_(gone))
    theirs = session.scalars(own).all()
    for kind in (RECEIPT, AGREEMENT):
        issued_papers.forget(session, kind, theirs, customer=counter.ERASED_NAME)
    erased = {"name": counter.ERASED_NAME, "phone_number": counter.NOBODYS_NUMBER}
    session.execute(update(User).where(col(User.id).in_(gone)).values(**erased))
    session.execute(update(Booking).where(col(Booking.customer_id).in_(gone)).values(guest_email=None))
    session.execute(delete(Outbox).where(col(Outbox.user_id).in_(gone)))
    return ()


def bookings_of_number(session: Session, actor: Actor) -> list[GuestBooking]:
    """The guests' bookings for the actor's confirmed mobile number, the latest first."""
    throttle.count("list", actor)
    vendor = select(col(User.name)).where(col(User.id) == Vehicle.vendor_id).scalar_subquery()
    latest = _of_number(session, actor, vendor).order_by(col(Booking.pickup_at).desc()).limit(MOST)
    return [
        GuestBooking(
            reference=booking.reference,
            vehicle=Snapshot(**booking.booked).title,
            vendor_name=name,
            pickup=booking.pickup_at,
            return_at=booking.return_at,
        )
        for booking, _, name in session.execute(latest)
    ]


def join(session: Session, actor: Actor, ref: str) -> str:
    """Add a guest's booking for the actor's confirmed mobile number to their own; the guest's link ends. Returns what
    to say.

    Raises NotFoundError for every other booking.
    """
    throttle.count("change", actor)
    named = col(Booking.reference) == (read_reference(ref) or "")
    row = session.execute(_of_number(session, actor).where(named)).first()
    if row is None:
        raise unknown_booking()
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id) == row[0].vehicle_id).with_for_update())
    # Once it is locked, it may be somebody else's.
    own = (col(Booking.id) == row[0].id, col(Booking.customer_id) == row[1])
    values = {"customer_id": actor.id, "guest_email": None}
    taken = session.execute(update(Booking).where(*own).values(**values).returning(col(Booking.id))).first()
    if taken is None:
        raise unknown_booking()
    # Nothing belongs to the guest's row any more.
    guest_id = row[1]
    proofs.end_all(session, guest_id)
    erased = {"name": counter.ERASED_NAME, "phone_number": counter.NOBODYS_NUMBER}
    session.execute(update(User).where(col(User.id) == guest_id, col(User.is_guest)).values(**erased))
    texts = (col(Outbox.channel) == TEXT, col(Outbox.user_id) == guest_id)
    session.execute(update(Outbox).where(*texts).values(to=""))
    audit.record(session, actor, Act.GUEST_BOOKING_JOINED, ("booking", taken[0]))
    return JOINED


def _of_number(session: Session, actor: Actor, *more: Any) -> Columns:
    """SELECT of guests' bookings for a number that the actor has confirmed, with the guests' ids."""
    phone = session.execute(select(col(User.verified_phone)).where(col(User.id) == actor.id)).scalar_one()
    guest = (col(User.id) == Booking.customer_id, col(User.is_guest), col(User.phone_number) == phone)
    return (
        select(Booking, col(Booking.customer_id), *more)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(
            col(Booking.source) == BookingSource.COUNTER,
            select(col(User.id)).where(*guest).exists(),
            # Nobody is the customer of their own shop.
            col(Vehicle.vendor_id) != actor.vendor,
        )
    )
