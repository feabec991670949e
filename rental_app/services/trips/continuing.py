"""A trip whose vehicle broke down goes on with another one: a booking at the counter that costs nothing."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import account as kinds
from rental_app.domain import clock, counter
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.pricing import at_most
from rental_app.domain.settlement import BREAKDOWN
from rental_app.models import Booking, Snapshot, TripReading, User
from rental_app.models.booking import RETURNED, SETTLED
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.counter import CounterRequest
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_staff
from rental_app.services.bookings import events, ledger
from rental_app.services.bookings.access import find, require_side, require_stage
from rental_app.services.bookings.counter import add_guest, confirm, price_of
from rental_app.services.bookings.rows import booking_row, vendor_view
from rental_app.services.pricing.quotes import Priced
from rental_app.services.trips import moves

# What the earlier booking says already, or what nobody pays for.
_LEFT_OUT = ("customer", "total", "extras")


@dataclass(frozen=True, slots=True)
class Continued:
    """A trip that can go on with another vehicle; `return_at` is when it was to end."""

    reference: str
    title: str
    customer: str
    return_at: datetime


def before(session: Session, actor: Actor, ref: str) -> Continued:
    """The trip that a booking would continue. Raises as `create` does for it."""
    throttle.count("look", actor)
    trip = find(session, actor, ref)
    require_side(trip, "vendor")
    _require_open(session, trip.booking)
    customer = session.get_one(User, trip.booking.customer_id)
    title = Snapshot(**trip.booking.booked).title
    return Continued(trip.booking.reference, title, customer.name, trip.booking.return_at)


def create(session: Session, actor: Actor, request: CounterRequest) -> VendorBookingView:
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
    trip, instant = moves.hold_with(session, actor, request.continues, request.vehicle), clock.now()
    earlier = trip.booking
    _require_open(session, earlier)
    price = _free_of_charge(price_of(session, request, instant), earlier)
    note = f"{counter.CONTINUES} {earlier.reference}"
    made = confirm(
        session,
        actor,
        price,
        _customer(session, earlier, instant),
        instant,
        "; ".join(text for text in (note, request.reason, request.note) if text),
        booked=moves.snapshot(earlier, price),
        full_day_paise=min(earlier.daily_paise, price.wish.vehicle.daily_paise),
        guest_email=earlier.guest_email,
        follows_id=earlier.id,
    )
    events.record(session, earlier, EventKind.CONTINUED, "vendor", instant, actor.id, made.reference)
    _move_deposit(session, actor, earlier, made, instant)
    ledger.settle_if_even(session, earlier, trip.vendor_id, instant)
    return vendor_view(booking_row(session, made.id, instant))


def _require_open(session: Session, booking: Booking) -> None:
    """Require a trip whose vehicle came back because it broke down, and that nothing continues yet."""
    require_stage(booking, RETURNED, SETTLED)
    returns = (col(TripReading.booking_id) == booking.id, col(TripReading.kind) == "return")
    if session.scalars(select(col(TripReading.reason)).where(*returns)).first() != BREAKDOWN:
        raise ConflictError("This vehicle did not come back for a breakdown", code="no_breakdown")
    if session.execute(select(col(Booking.id)).where(col(Booking.follows_id) == booking.id)).first():
        raise ConflictError("Another booking continues this one already", code="already_continued")


def _free_of_charge(price: Priced, earlier: Booking) -> Priced:
    quote = at_most(price.quote, 0, f"{counter.CONTINUES} {earlier.reference}")
    return replace(price, quote=replace(quote, deposit=min(quote.deposit, earlier.deposit_paise)))


def _customer(session: Session, earlier: Booking, instant: datetime) -> User:
    """The customer of the trip; a guest has a row of its own, and so a link of its own, for each booking."""
    customer = session.get_one(User, earlier.customer_id)
    return add_guest(session, customer.name, customer.phone_number, instant) if customer.is_guest else customer


def _move_deposit(session: Session, actor: Actor, earlier: Booking, made: Booking, instant: datetime) -> None:
    """Move what is held of the deposit, as much as the new booking needs: given back here, taken there."""
    held = ledger.standing(session, earlier).held
    if moved := min(held, made.deposit_paise):
        for booking, kind, event, note in (
            (earlier, kinds.GIVEN_BACK, EventKind.DEPOSIT_RETURNED, f"Moved to {made.reference}"),
            (made, kinds.TAKEN, EventKind.DEPOSIT_TAKEN, f"Moved from {earlier.reference}"),
        ):
            line = ledger.post(session, booking, kind, moved, instant, actor, note=note)
            events.record(session, booking, event, "vendor", instant, actor.id, note, line.id)
