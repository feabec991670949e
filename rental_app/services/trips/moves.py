"""Moves to another vehicle: before or during a trip, after a breakdown, or in place of a cancelled booking."""

from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as changed
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.account import LedgerKind
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.cancellation import NEAR_KM
from rental_app.domain.clock import Window
from rental_app.domain.counter import CONTINUES, REPLACES
from rental_app.domain.errors import ConflictError, InvalidInputError, RentalError
from rental_app.domain.policies import Policies
from rental_app.domain.pricing import PriceLine, at_most, sorted_extras
from rental_app.domain.settlement import BREAKDOWN
from rental_app.infrastructure import db
from rental_app.models import Booking, BookingEvent, Listing, MoveTerms, Snapshot, TripReading, User, Vehicle
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.counter import CounterChoice, CounterRequest
from rental_app.schemas.quotes import QuoteRequest
from rental_app.schemas.search import AvailabilityRequest, PageRequest
from rental_app.schemas.trips import EqualVehicle, MoveRequest, ReplacementRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_own, require_staff
from rental_app.services.availability import holds
from rental_app.services.bookings import counter, events, ledger, proposals, requests
from rental_app.services.bookings.access import Trip, find, hold, require_side, require_stage
from rental_app.services.bookings.counter import add_guest, confirm, price_of
from rental_app.services.bookings.free_dates import DatesUnavailableError
from rental_app.services.bookings.rows import booking_row, vendor_view
from rental_app.services.identity import rules
from rental_app.services.pricing.promotions import Redemption
from rental_app.services.pricing.quotes import PAPERS_EXPIRE, PricedRental, Rental, priced, rentable, rental_of
from rental_app.services.search.listings import listings_by_id
from rental_app.services.search.search import available
from rental_app.services.trips import changes, detail

DONE = "The customer is told: another model waits for their yes"
NOT_AS_IT_WAS = "What was proposed has changed: look at it again"


REPLACED = "Booked: it is confirmed"
# Of the nearest ones; more than anybody reads.
LOOKED_AT, SHOWN = 40, 6


# What the earlier booking says already, or what nobody pays for.
_LEFT_OUT = ("customer", "total", "extras")


@dataclass(frozen=True, slots=True)
class ContinuableTrip:
    """A trip that can go on with another vehicle; `return_at` is when it was to end."""

    reference: str
    title: str
    customer: str
    return_at: datetime


def move(session: Session, actor: Actor, ref: str, request: MoveRequest) -> TripView:
    """Give a booking another vehicle of the vendor's: one of the same model at once, another model once the customer
    agrees.

    Price, deposit and penalties are the lower ones of both vehicles, kilometres the more generous. Raises
    NotFoundError, ForbiddenError (not the vendor) and ConflictError (not confirmed, handed over, same vehicle, taken,
    papers, another proposal open).
    """
    throttle.count("amend", actor)
    require_staff(actor)
    trip, instant = hold_with(session, actor, ref, request.vehicle), clock.now()
    booking = trip.booking
    require_stage(booking, TripStage.BOOKED)
    if booking.vehicle_id == request.vehicle:
        raise ConflictError("The booking is for this vehicle already", code="same_vehicle")
    if booking.pickup_at <= instant and booking.return_at <= instant:
        raise ConflictError("The time of this booking is over", code="window_over")
    price = _price_moved(session, trip, request.vehicle, instant)
    _require_free(session, booking, request.vehicle, instant)
    models = {vehicle: session.get_one(Vehicle, vehicle).model_id for vehicle in (booking.vehicle_id, request.vehicle)}
    if len(set(models.values())) == 1:
        proposals.withdraw(session, booking, instant)
        take(session, actor, trip, price, instant, "vendor", request.note)
    else:
        _propose(session, actor, booking, price, instant, request.note)
    return detail.trip_view(session, trip)


def choices(session: Session, actor: Actor, ref: str) -> list[CounterChoice]:
    """The vendor's vehicles that are free for a booking's dates. Raises NotFoundError, ForbiddenError and ConflictError
    (not confirmed, handed over)."""
    throttle.count("list", actor)
    trip, instant = find(session, actor, ref), clock.now()
    require_side(trip, "vendor")
    require_stage(trip.booking, TripStage.BOOKED)
    window = Window(max(trip.booking.pickup_at, instant), trip.booking.return_at)
    if window.return_at <= window.pickup:
        return []
    vehicles = counter.choices_for(session, actor, window, instant)
    return [one for one in vehicles if one.taken_until is None and one.id != trip.booking.vehicle_id]


def hold_with(session: Session, actor: Actor, ref: str, vehicle_id: int) -> Trip:
    """A booking of the vendor's with another of their vehicles, both vehicles locked in the order of their ids: two
    moves at once never wait for each other.

    Raises NotFoundError and ForbiddenError (not the vendor).
    """
    before = find(session, actor, ref)
    ids = sorted({before.booking.vehicle_id, vehicle_id})
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id).in_(ids)).order_by(col(Vehicle.id)).with_for_update())
    # Locked first: it may be retired at the same moment.
    require_own(session, actor, vehicle_id)
    return hold(session, actor, ref, "vendor")


def _price_moved(session: Session, trip: Trip, vehicle_id: int, instant: datetime) -> PricedRental:
    booking, candidate = trip.booking, rentable(session, vehicle_id)
    if candidate.papers < clock.indian_today(booking.return_at):
        raise ConflictError(PAPERS_EXPIRE, code="papers_expire")
    vehicle = rules.driven(candidate.vehicle, booking.return_at)
    rules.require_licence(session, booking.customer_id, vehicle, by_vendor=trip.side == "vendor")
    window = Window(booking.pickup_at, booking.return_at)
    extras, numbers = sorted_extras(booking.extras or []), Policies.of(booking.policies)
    rental = Rental(candidate.vehicle, candidate.tariff, candidate.booked, window, numbers, extras)
    return priced(session, rental, Redemption(instant))


def _require_free(session: Session, booking: Booking, vehicle_id: int, instant: datetime) -> None:
    requests.expire_stale(session, instant, vehicle_id)
    proposals.lapse(session, instant, vehicle_id=vehicle_id)
    if holds.windows(session, vehicle_id, Window(booking.pickup_at, booking.return_at), instant, besides=booking.id):
        raise DatesUnavailableError(changes.TAKEN, [])


def take(
    session: Session, actor: Actor, trip: Trip, price: PricedRental, instant: datetime, side: str, note: str = ""
) -> None:
    """Move a locked booking to a vehicle; if it costs less, the difference is a discount in the account.

    The discount is at most what is charged: if it also covered charges that were waived, the vendor would owe money
    that nobody paid.
    """
    booking, rental = trip.booking, price.rental
    total, deposit, kms = terms_of(booking, price)
    less = total - booking.price_paise
    line = PriceLine("Another vehicle", 1, less, less, "discount")._asdict()
    before = Snapshot(**booking.booked).title
    charged = max(0, ledger.standing(session, booking).charged)
    changes.move_row(
        session,
        booking,
        vehicle_id=rental.vehicle.id,
        price_paise=total,
        deposit_paise=deposit,
        kms_included=kms,
        full_day_paise=min(booking.daily_paise, rental.vehicle.daily_paise),
        booked=snapshot(booking, price),
        lines=[*booking.lines, line] if less else booking.lines,
    )
    message = f"{rental.vehicle.title} in place of {before}" + (f": {note}" if note else "")
    if discount := max(less, -charged):
        ledger.post(session, booking, LedgerKind.DISCOUNT, discount, instant, actor, note=message)
    events.record(session, booking, EventKind.MOVED, side, instant, actor.id, message)


def terms_of(booking: Booking, price: PricedRental) -> tuple[int, int, int | None]:
    """Price and deposit (paise), the lower ones, and kilometres, the more generous, None for unlimited."""
    kms = (booking.kms_included, price.quote.kms_included)
    return (
        min(booking.price_paise, price.quote.total),
        min(booking.deposit_paise, price.quote.deposit),
        None if None in kms else max(each for each in kms if each is not None),
    )


def snapshot(booking: Booking, price: PricedRental) -> dict[str, object]:
    """Another vehicle for a booking as it is now, at penalties no higher than those agreed."""
    before, now = Snapshot(**booking.booked), price.rental.booked
    lower = {
        name: min(getattr(before, name), getattr(now, name))
        for name in ("late_penalty_paise", "distance_penalty_paise")
    }
    return now.model_copy(update=lower).model_dump()


def _propose(
    session: Session, actor: Actor, booking: Booking, price: PricedRental, instant: datetime, note: str
) -> None:
    vehicle, (total, deposit, _) = price.rental.vehicle, terms_of(booking, price)
    terms = MoveTerms(vehicle=vehicle.id, title=vehicle.title, total=total, deposit=deposit, note=note)
    # Its pickup may have passed while the vendor looked for a vehicle.
    answer_by = min(instant + proposals.TIME_TO_ANSWER, max(booking.pickup_at, instant + clock.HOUR))
    window = Window(booking.pickup_at, booking.return_at)
    message = f"{vehicle.title} in place of {Snapshot(**booking.booked).title}" + (f": {note}" if note else "")
    held = (vehicle.id, window)
    proposals.propose(session, actor, booking, terms, answer_by, instant, message, held)


def agreed(session: Session, actor: Actor, trip: Trip, terms: MoveTerms, instant: datetime) -> None:
    """Move as the customer has agreed; raises ConflictError if that is no longer what was proposed."""
    price = _price_moved(session, trip, terms.vehicle, instant)
    total, deposit, _ = terms_of(trip.booking, price)
    if (total, deposit) != (terms.total, terms.deposit):
        raise ConflictError(NOT_AS_IT_WAS, code="terms_changed")
    _require_free(session, trip.booking, price.rental.vehicle.id, instant)
    take(session, actor, trip, price, instant, "customer")


def equals(session: Session, actor: Actor, ref: str) -> list[EqualVehicle]:
    """Vehicles like the one of a booking that its vendor has cancelled, free for its dates: the vendor's own first.

    Raises NotFoundError, ForbiddenError (not the customer) and ConflictError (not cancelled by its vendor, over,
    replaced already).
    """
    throttle.count("look", actor)
    trip, instant = find(session, actor, ref), clock.now()
    require_side(trip, "customer")
    _require_replaceable(session, trip, instant)
    equal_vehicles = []
    for car, total in _free(session, actor, trip):
        # One that cannot be had with the booking's extras, or for so short a time, is no equal.
        with suppress(RentalError):
            equal_vehicles.append(_equal(session, trip, car, total, instant))
    return sorted(equal_vehicles, key=lambda one: (not one.at_once, one.total))[:SHOWN]


def replace(session: Session, actor: Actor, ref: str, request: ReplacementRequest) -> TripView:
    """Take another vehicle of the same vendor instead, confirmed at once and at no higher price.

    Raises as `equals` does, and ConflictError for a vehicle that is no equal of this vendor's, or no longer free.
    """
    throttle.count("book", actor)
    requests.lock_customer(session, actor)
    trip, instant = find(session, actor, ref), clock.now()
    require_side(trip, "customer")
    requests.lock_vehicle(session, request.vehicle)
    _require_replaceable(session, trip, instant)
    own = {car.id for car, _ in _free(session, actor, trip) if car.vendor_id == trip.vendor_id}
    if request.vehicle not in own:
        raise ConflictError("This vehicle is not offered in its place any more", code="no_equal")
    price = _priced_replacement(session, trip, request.vehicle, instant)
    made = _insert(session, _replacement(trip, price, instant), price, instant)
    note = f"In place of {trip.booking.reference}"
    events.record(session, made, EventKind.CONFIRMED, "customer", instant, actor.id, note)
    events.record(session, made, EventKind.REBOOKED, "customer", instant, actor.id, note)
    return detail.trip_view(session, Trip(made, trip.vendor_id, "customer", actor.id))


def _insert(session: Session, booking: Booking, price: PricedRental, instant: datetime) -> Booking:
    try:
        return requests.insert_at_once(session, booking, price.rental, instant, lambda window: False)
    except DatabaseError as error:
        if db.violated(error) != "ix_booking_follows_id":
            raise
        raise _replaced() from None


def _require_replaceable(session: Session, trip: Trip, instant: datetime) -> None:
    """Require a booking that its vendor gave up and whose pickup is ahead, and nothing taken in its place yet."""
    booking = trip.booking
    cancelled = select(col(BookingEvent.id)).where(
        col(BookingEvent.booking_id) == trip.id, col(BookingEvent.what) == EventKind.VENDOR_CANCELLED
    )
    if session.execute(cancelled).first() is None:
        raise ConflictError("This booking was not cancelled by its vendor", code="not_cancelled")
    if booking.pickup_at <= instant:
        raise ConflictError("The pickup of this booking is over", code="pickup_over")
    if session.execute(select(col(Booking.id)).where(col(Booking.follows_id) == trip.id)).first():
        raise _replaced()


def _replaced() -> ConflictError:
    return ConflictError("You have taken another vehicle instead already", code="already_replaced")


def _replacement(trip: Trip, price: PricedRental, instant: datetime) -> Booking:
    before = trip.booking
    return Booking(
        vehicle_id=price.rental.vehicle.id,
        customer_id=before.customer_id,
        **price.terms._asdict(),
        extras=before.extras,
        address=before.address,
        booked=price.rental.booked.model_dump(),
        status=BookingStatus.CONFIRMED,
        created_at=instant,
        answer_by=instant,
        decided_at=instant,
        terms_version=before.terms_version,
        terms_accepted_at=before.terms_accepted_at,
        source=before.source,
        follows_id=trip.id,
        commission_bps=before.commission_bps,
        policies=before.policies,
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
        result = available(session, actor, wanted, PageRequest(limit=LOOKED_AT))
    except InvalidInputError:
        # Made at the counter for a time that nobody can ask for online.
        return []
    least_cc = car.vehicle_cc or 0
    like = [other for other in result.vehicles if other.id != car.id and (other.vehicle_cc or 0) >= least_cc]
    return [(other, result.totals[other.id]) for other in like]


def _equal(session: Session, trip: Trip, car: Listing, total: int, instant: datetime) -> EqualVehicle:
    is_own = car.vendor_id == trip.vendor_id
    if is_own:
        total = _priced_replacement(session, trip, car.id, instant).quote.total
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


def _priced_replacement(session: Session, trip: Trip, vehicle_id: int, instant: datetime) -> PricedRental:
    """The price of a vehicle with the booking's extras, at most the booking's own."""
    booking = trip.booking
    request = QuoteRequest(car=vehicle_id, extras=booking.extras or [], **_ends(booking))
    rental = rental_of(session, request, instant, Policies.of(booking.policies))
    rules.require_licence(session, booking.customer_id, rules.driven(rental.vehicle, booking.return_at))
    price = priced(session, rental, Redemption(instant))
    agreed = at_most(price.quote, booking.price_paise, f"{REPLACES} {booking.reference}")
    return changed(price, quote=agreed)


def _ends(booking: Booking) -> dict[str, str]:
    ends = {"pickup": booking.pickup_at, "return_at": booking.return_at}
    return {name: clock.indian(end).isoformat() for name, end in ends.items()}


def trip_to_continue(session: Session, actor: Actor, ref: str) -> ContinuableTrip:
    """The trip that a booking would continue. Raises as `create` does for it."""
    throttle.count("look", actor)
    trip = find(session, actor, ref)
    require_side(trip, "vendor")
    _require_continuable(session, trip.booking)
    customer = session.get_one(User, trip.booking.customer_id)
    title = Snapshot(**trip.booking.booked).title
    return ContinuableTrip(trip.booking.reference, title, customer.name, trip.booking.return_at)


def continue_trip(session: Session, actor: Actor, request: CounterRequest) -> VendorBookingView:
    """Book another of the vendor's vehicles for the customer of a trip whose vehicle broke down.

    It costs nothing, and as much of the deposit as it needs moves along, from what is held. Raises NotFoundError (no
    such trip or vehicle of theirs), ForbiddenError, InvalidInputError (window; a customer, a total or extras) and
    ConflictError (not back, not for a breakdown, continued already, dates taken, papers, no price).
    """
    throttle.count("amend", actor)
    require_staff(actor)
    if named := [name for name in _LEFT_OUT if getattr(request, name)]:
        message = "Leave it out: it is the same trip, and costs nothing more"
        raise InvalidInputError(message, fields=dict.fromkeys(named, message))
    trip, instant = hold_with(session, actor, request.continues, request.vehicle), clock.now()
    earlier = trip.booking
    _require_continuable(session, earlier)
    note = f"{CONTINUES} {earlier.reference}"
    price = price_of(session, request, instant, Policies.of(earlier.policies))
    quote = at_most(price.quote, 0, note)
    price = changed(price, quote=changed(quote, deposit=min(quote.deposit, earlier.deposit_paise)))
    # A guest has a row of its own, and so a link of its own, for each booking.
    customer = session.get_one(User, earlier.customer_id)
    made = confirm(
        session,
        actor,
        price,
        add_guest(session, customer.name, customer.phone_number, instant) if customer.is_guest else customer,
        instant,
        "; ".join(text for text in (note, request.reason, request.note) if text),
        booked=snapshot(earlier, price),
        full_day_paise=min(earlier.daily_paise, price.rental.vehicle.daily_paise),
        guest_email=earlier.guest_email,
        follows_id=earlier.id,
    )
    events.record(session, earlier, EventKind.CONTINUED, "vendor", instant, actor.id, made.reference)
    _move_deposit(session, actor, earlier, made, instant)
    ledger.settle_if_even(session, earlier, trip.vendor_id, instant)
    return vendor_view(booking_row(session, made.id, instant))


def _require_continuable(session: Session, booking: Booking) -> None:
    """Require a trip whose vehicle came back because it broke down, and that nothing continues yet."""
    require_stage(booking, TripStage.RETURNED, TripStage.SETTLED)
    returns = (col(TripReading.booking_id) == booking.id, col(TripReading.kind) == "return")
    if session.scalars(select(col(TripReading.reason)).where(*returns)).first() != BREAKDOWN:
        raise ConflictError("This vehicle did not come back for a breakdown", code="no_breakdown")
    if session.execute(select(col(Booking.id)).where(col(Booking.follows_id) == booking.id)).first():
        raise ConflictError("Another booking continues this one already", code="already_continued")


def _move_deposit(session: Session, actor: Actor, earlier: Booking, made: Booking, instant: datetime) -> None:
    """Move what is held of the deposit, as much as the new booking needs: given back here, taken there."""
    held = ledger.standing(session, earlier).held
    if moved := min(held, made.deposit_paise):
        for booking, kind, event, note in (
            (earlier, LedgerKind.DEPOSIT_RETURNED, EventKind.DEPOSIT_RETURNED, f"Moved to {made.reference}"),
            (made, LedgerKind.DEPOSIT_TAKEN, EventKind.DEPOSIT_TAKEN, f"Moved from {earlier.reference}"),
        ):
            line = ledger.post(session, booking, kind, moved, instant, actor, note=note)
            events.record(session, booking, event, "vendor", instant, actor.id, note, line.id)
