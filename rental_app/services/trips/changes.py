"""Changes of a booking: other dates of a request, a later return of a trip, and what an extension costs."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from sqlalchemy import update
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.account import LedgerKind
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import TripStage, answer_by
from rental_app.domain.clock import Window
from rental_app.domain.counter import is_agreed
from rental_app.domain.errors import ConflictError, InvalidInputError, RentalError
from rental_app.domain.money import Paise, counted, format_rupees
from rental_app.domain.policies import Policies
from rental_app.domain.pricing import Discount, PriceLine, Quote, extra_lines, quote, sorted_extras
from rental_app.infrastructure import db
from rental_app.models import Booking, ExtensionTerms, Listing, ListingInFull, User, Vehicle, listing, listings
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.quotes import QuoteView
from rental_app.schemas.trips import ChangeRequest, ExtendRequest, Extension, ExtensionRequest, TripView
from rental_app.schemas.wire import read_window
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.availability import holds
from rental_app.services.bookings import events, free_dates, ledger, proposals, requests
from rental_app.services.bookings.access import Trip, already_decided, find, hold, is_waiting, require_stage
from rental_app.services.bookings.free_dates import DatesUnavailableError
from rental_app.services.identity import rules
from rental_app.services.pricing import promotions
from rental_app.services.pricing.promotions import Redemption
from rental_app.services.pricing.quotes import outside_hours, priced, rental_of, require_expected_price
from rental_app.services.pricing.tariffs import tariffs
from rental_app.services.trips import detail

TAKEN = "This vehicle is booked for some of these dates"
MOVED = "Your request has been moved: the vendor will answer it soon"
EXTENDED = "Booking extended"


class ExtensionPriceChangedError(ConflictError):
    """An extension no longer costs or includes what was shown; `extension` says what it does now."""

    code = "price_changed"

    def __init__(self, message: str, now: Extension) -> None:
        super().__init__(message, details={"extension": now})
        self.extension = now


@contextmanager
def _naming_dates() -> Iterator[None]:
    """Name the return where a refusal names the booking's offer or extras: the request has only dates."""
    try:
        yield
    except RentalError as error:
        fields = {"returnDate" if name in ("offer", "extras") else name: text for name, text in error.fields.items()}
        error.fields = fields
        raise


@_naming_dates()
def change(session: Session, actor: Actor, ref: str, request: ChangeRequest) -> TripView:
    """Move a pending request to other dates and reprice it; its vendor's time to answer starts again.

    Repeating the same dates at the same terms changes nothing.

    Raises NotFoundError, ForbiddenError (not the customer) and what a new booking raises; `already_decided` if it is no
    longer pending.
    """
    throttle.count("amend", actor)
    requests.lock_customer(session, actor)
    trip, instant = hold(session, actor, ref, "customer"), clock.now()
    booking, new_request = trip.booking, _on_new_dates(trip.booking, request, instant)
    rental = rental_of(session, new_request, instant, Policies.of(booking.policies))
    rules.require_licence(session, actor.id, rules.driven(rental.vehicle, rental.window.return_at))
    price = priced(session, rental, Redemption(instant, actor.id, booking, lock=True))
    require_expected_price(new_request, price)
    if all(getattr(booking, name) == value for name, value in price.terms._asdict().items()):
        return detail.trip_view(session, trip)
    requests.require_room_at_once(session, actor, rental.window, instant, trip.id)
    requests.require_free(session, rental, instant, TAKEN, besides=trip.id)
    deadline = answer_by(instant, rental.window.pickup, rental.policies)
    move_row(session, booking, answer_by=deadline, **price.terms._asdict())
    dates = clock.friendly_span(rental.window.pickup, rental.window.return_at)
    events.record(session, booking, EventKind.CHANGED, "customer", instant, actor.id, dates)
    return detail.trip_view(session, trip)


@_naming_dates()
def new_price(session: Session, actor: Actor, ref: str, request: ChangeRequest) -> QuoteView:
    """What a pending request would cost on other dates; raises as `change` does."""
    throttle.count("quote", actor)
    trip, instant = find(session, actor, ref), clock.now()
    new_request = _on_new_dates(trip.booking, request, instant)
    rental = rental_of(session, new_request, instant, Policies.of(trip.booking.policies))
    free_dates.require_free(session, rental.vehicle, rental.window, instant, TAKEN, besides=trip.id)
    return priced(session, rental, Redemption(instant, trip.booking.customer_id, trip.booking)).view


def _on_new_dates(booking: Booking, request: ChangeRequest, instant: datetime) -> BookingRequest:
    """A booking's vehicle, extras and offer on other dates; raises ConflictError if it is no longer pending."""
    if not is_waiting(booking, instant):
        raise already_decided()
    return BookingRequest(
        car=booking.vehicle_id,
        pickup=request.pickup,
        return_at=request.return_at,
        extras=booking.extras or [],
        offer=booking.offer or "",
    ).model_copy(update=request.model_dump(include={"expected_total", "expected_deposit"}))


def move_row(session: Session, booking: Booking, **columns: object) -> None:
    """Give a booking other dates, or another vehicle, in one SQL statement: nobody sees a gap in between."""
    try:
        session.execute(update(Booking).where(col(Booking.id) == booking.id).values(**columns))
    except DatabaseError as error:
        if db.violated(error) != requests.GUARD:
            raise
        raise DatesUnavailableError(TAKEN, []) from None
    session.refresh(booking)


def preview(session: Session, actor: Actor, ref: str, request: ExtensionRequest) -> Extension:
    """What a later return costs; raises as `extend` does, but never for its cost."""
    throttle.count("quote", actor)
    trip, instant = find(session, actor, ref), clock.now()
    require_stage(trip.booking, TripStage.BOOKED, TripStage.OUT)
    return _extension(session, trip, request, instant)


def extend(session: Session, actor: Actor, ref: str, request: ExtendRequest) -> TripView:
    """Extend a booking to a later return, for the customer. Repeating the same return changes nothing.

    Raises NotFoundError, ForbiddenError (not the customer), InvalidInputError (outside hours, too long, not later) and
    ConflictError (not confirmed, already back, too little time left, dates taken, papers, another price
    or other kilometres).
    """
    throttle.count("amend", actor)
    return _extended(session, actor, hold(session, actor, ref, "customer"), request)


def grant(session: Session, actor: Actor, ref: str, request: ExtendRequest) -> TripView:
    """Grant a later return, for the vendor, at any time before the vehicle is back; one that costs more is proposed to
    the customer, and the booking stays as it is until they agree.

    Raises as `extend` does, and ConflictError while another proposal is open.
    """
    throttle.count("amend", actor)
    return _extended(session, actor, hold(session, actor, ref, "vendor"), request)


def granted(view: TripView) -> str:
    """What has come of a vendor's later return: the booking has it, or the customer is asked."""
    return proposals.AWAITS_CUSTOMER if view.proposal else EXTENDED


def _extended(session: Session, actor: Actor, trip: Trip, request: ExtendRequest) -> TripView:
    booking, instant = trip.booking, clock.now()
    require_stage(booking, TripStage.BOOKED, TripStage.OUT)
    if _wanted_return(request, booking) == booking.return_at:
        return detail.trip_view(session, trip)
    # What an earlier proposal holds is in nobody's way here; a refusal takes its end back.
    waiting = proposals.current(session, booking, instant)
    proposals.withdraw(session, booking, instant)
    extension = _extension(session, trip, request, instant)
    if (shown := request.expected_extra) not in (None, extension.extra):
        prices = f"from {format_rupees(shown or 0)} to {format_rupees(extension.extra)}"
        raise ExtensionPriceChangedError(f"The price has changed {prices}", extension)
    if "expected_kms" in request.model_fields_set and request.expected_kms != extension.kms_included:
        raise ExtensionPriceChangedError("The kilometres included have changed", extension)
    requests.expire_stale(session, instant, booking.vehicle_id)
    if trip.side == "customer" or not extension.extra:
        _extend(session, actor, trip, extension, instant)
    elif waiting:
        raise proposals.still_open()
    else:
        _propose(session, actor, booking, extension, instant)
    return detail.trip_view(session, trip)


def _propose(session: Session, actor: Actor, booking: Booking, extension: Extension, instant: datetime) -> None:
    """Ask the customer for a later return that costs more; the added time is held until they answer."""
    terms = ExtensionTerms(
        return_from=booking.return_at,
        return_at=extension.return_at,
        extra=extension.extra,
        total=extension.total,
        kms=extension.kms_included,
    )
    message = f"return {clock.friendly(extension.return_at)}, for {format_rupees(extension.extra)} more"
    answer_by = instant + proposals.TIME_TO_ANSWER
    if booking.return_at > instant:
        answer_by = min(answer_by, booking.return_at)
    held = (booking.vehicle_id, Window(booking.return_at, extension.return_at))
    proposals.propose(session, actor, booking, terms, answer_by, instant, message, held)


def agreed(session: Session, actor: Actor, trip: Trip, terms: ExtensionTerms, instant: datetime) -> None:
    """Extend as the customer has agreed; raises ConflictError if the booking has changed since."""
    require_stage(trip.booking, TripStage.BOOKED, TripStage.OUT)
    if trip.booking.return_at != terms.return_from:
        raise ConflictError("The booking has changed since this was proposed", code="terms_changed")
    extension = Extension(extra=terms.extra, total=terms.total, return_at=terms.return_at, kms_included=terms.kms)
    _require_free(session, trip.booking, extension.return_at, instant)
    _require_licence(session, trip, extension.return_at)
    _extend(session, actor, trip, extension, instant)


def _extend(session: Session, actor: Actor, trip: Trip, extension: Extension, instant: datetime) -> None:
    booking = trip.booking
    text = f"Until {clock.friendly(extension.return_at)}"
    line = PriceLine("Extension", 1, extension.extra, extension.extra)._asdict()
    move_row(
        session,
        booking,
        return_at=extension.return_at,
        price_paise=booking.price_paise + extension.extra,
        kms_included=extension.kms_included,
        lines=[*booking.lines, line] if extension.extra else booking.lines,
    )
    if extension.extra:
        ledger.post(session, booking, LedgerKind.EXTENSION, extension.extra, instant, actor, note=text)
    events.record(session, booking, EventKind.EXTENDED, trip.side, instant, actor.id, text)


def _wanted_return(request: ExtensionRequest, booking: Booking) -> datetime:
    wanted = read_window(booking.pickup_at.isoformat(), request.return_at)[1]
    return wanted if isinstance(wanted, datetime) else clock.at(wanted, clock.indian(booking.return_at).time())


def _extension(session: Session, trip: Trip, request: ExtensionRequest, instant: datetime) -> Extension:
    """What the longer window of a confirmed booking costs and includes, checked against every rule."""
    booking = trip.booking
    window = Window(booking.pickup_at, _wanted_return(request, booking))
    _require_later(booking, window)
    # After 24 hours before the return, late hours are charged unless the vendor grants a later one.
    policies = Policies.of(booking.policies)
    if trip.side != "vendor" and instant > clock.extendable_until(booking.return_at, policies):
        vendor = session.get_one(User, trip.vendor_id)
        phone = vendor.booking_contact_no or vendor.phone_number
        raise ConflictError(too_late(booking.booked["late_penalty_paise"], phone, policies), code="too_late_to_extend")
    if refusal := session.get_one(User, trip.vendor_id).hours.return_refusal(window.return_at):
        raise outside_hours(refusal)
    if free_dates.last_day_of_papers(session, trip.booking.vehicle_id) < clock.indian_today(window.return_at):
        raise ConflictError("This vehicle's documents expire before that return", code="papers_expire")
    _require_licence(session, trip, window.return_at)
    _require_free(session, booking, window.return_at, instant)
    quote = requoted(session, booking, window, instant)
    extra = max(0, quote.total - booking.price_paise)
    return Extension(
        extra=extra,
        total=booking.price_paise + extra,
        return_at=window.return_at,
        kms_included=quote.kms_included,
    )


def _require_licence(session: Session, trip: Trip, return_at: datetime) -> None:
    """Raise ConflictError (`licence_expires`) if the customer's licence, as we have it, ends before a later return."""
    vehicle = rules.driven_with(session, trip.booking, return_at)
    rules.require_licence(session, trip.booking.customer_id, vehicle, by_vendor=trip.side == "vendor")


def _require_later(booking: Booking, window: Window) -> None:
    message = ""
    if window.return_at <= booking.return_at:
        message, code = f"Choose a return after {clock.friendly(booking.return_at)}", "not_later"
    elif window.return_at - window.pickup > clock.MAX_LENGTH:
        message, code = clock.TOO_LONG, "too_long"
    if message:
        raise InvalidInputError(message, code=code, fields={"returnDate": message})


def too_late(late_penalty: int, phone: str, policies: Policies) -> str:
    """The message for a customer who requests a later return too late; the penalty is in paise per hour."""
    return (
        f"Extensions are possible until {counted(policies.extend_hours, 'hour')} before the return. Returning late"
        f" costs {format_rupees(late_penalty)} an hour; ring the vendor at {phone}"
    )


def _require_free(session: Session, booking: Booking, return_at: datetime, instant: datetime) -> None:
    """Require the added time to be free: the next booking of the vehicle is never moved."""
    longer = Window(booking.return_at, return_at)
    if holds.windows(session, booking.vehicle_id, longer, instant, besides=booking.id):
        raise DatesUnavailableError(TAKEN, [])


def requoted(session: Session, booking: Booking, window: Window, instant: datetime) -> Quote:
    """What the whole of a booking's longer window costs at an instant (paise), with no fewer kilometres than agreed.

    What was agreed to be more or less than computed stays so by the same amount.
    """
    price = _computed(session, booking, window, instant)
    agreed, quoted = booking.kms_included, price.kms_included
    kms = None if agreed is None or quoted is None else max(agreed, quoted)
    return replace(price, total=price.total + _agreed_apart(session, booking, instant), kms_included=kms)


def _computed(session: Session, booking: Booking, window: Window, instant: datetime) -> Quote:
    vehicle = _priced_vehicle(session, booking)
    # Extras cost what they were booked at, even if they are no longer available with the vehicle.
    booked = [line["rate"] for line in booking.lines if line.get("kind") == "extra"]
    # `extra_lines` made them in this order; bookings from before there were extras have neither.
    rates = dict(zip(sorted_extras(booking.extras or []), booked, strict=False))
    tariff = tariffs(session, [vehicle])[vehicle.id]
    extras = extra_lines(rates, rates, window, Policies.of(booking.policies))
    return quote(window, tariff, booking.deposit_paise, extras, _discount(session, booking, window, instant))


def _agreed_apart(session: Session, booking: Booking, instant: datetime) -> int:
    """How far the price of a booking is from what it would cost now (paise), if it was agreed otherwise than computed.

    At the counter, in place of another booking, or for another vehicle, whose own price is not what was promised.
    """
    agreed_otherwise = is_agreed(line["label"] for line in booking.lines)
    if not agreed_otherwise and all(event.what != EventKind.MOVED for event in events.events(session, booking)):
        return 0
    present = Window(booking.pickup_at, booking.return_at)
    return booking.price_paise - _computed(session, booking, present, instant).total


def _priced_vehicle(session: Session, booking: Booking) -> Listing:
    """The vehicle; if it no longer has a daily price, with the booking's price and kilometres per day."""
    row = session.execute(listings(ListingInFull).where(col(Vehicle.id) == booking.vehicle_id)).one()
    vehicle = listing(row, ListingInFull)
    if vehicle.daily_paise:
        return vehicle
    kms_a_day = math.ceil((booking.kms_included or 0) / Window(booking.pickup_at, booking.return_at).days)
    return replace(vehicle, daily_paise=Paise(booking.daily_paise), kms_limit=kms_a_day)


def _discount(session: Session, booking: Booking, window: Window, instant: datetime) -> Discount | None:
    """What the offer takes off; one that is no longer available keeps taking off the same amount."""
    if not booking.offer:
        return None
    by = Redemption(instant, booking.customer_id, booking)
    try:
        return promotions.discount(session, booking.offer, window.days, by)
    except RentalError:
        taken_off = sum(line["amount"] for line in booking.lines if line.get("kind") == "discount")
        return Discount(booking.offer, off=-taken_off)
