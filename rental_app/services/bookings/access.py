"""Who a booking belongs to, and the order in which its rows are locked.

First the customer who asks for one (`requests.lock_customer`), then vehicles by their ids, the booking, and what
belongs to it: proposals, lines, reviews. What a vendor has one of, such as the number of the next receipt, comes last.
Whoever locked them in another order could wait for somebody who waits for them.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, false, select
from sqlmodel import Session, col

from rental_app.domain.bookings import BookingStatus, TripStage, read_reference
from rental_app.domain.errors import ConflictError, ForbiddenError, NotFoundError
from rental_app.domain.ids import read_id
from rental_app.models import Booking, Columns, Vehicle
from rental_app.services.accounts.actor import Actor, require_unblocked

Side = Literal["customer", "vendor", "operator"]


@dataclass(frozen=True, slots=True)
class Trip:
    """A booking as one of its sides sees it; `viewer` is the user who looks, `secret` that of a guest's link."""

    booking: Booking
    vendor_id: int
    side: Side
    viewer: int
    secret: str = ""

    @property
    def id(self) -> int:
        """The booking's id."""
        return self.booking.id or 0

    @property
    def files(self) -> str:
        """The address below which its files are loaded: whoever has a link needs no account."""
        return f"/trip/{self.secret}" if self.secret else f"/api/bookings/{self.booking.reference}"


def page_of(booking: Booking, side: str) -> str:
    """The path, without a leading slash, of a side's page for a booking."""
    return f"{'vendor/bookings' if side == 'vendor' else 'my-bookings'}/{booking.reference}"


def find(session: Session, actor: Actor, ref: str) -> Trip:
    """The booking with an id or a reference; raises NotFoundError for anyone but its two sides and operators."""
    return _trip_of(session, actor, ref, lock=False)


def hold(session: Session, actor: Actor, ref: str, *sides: Side, finishes: bool = False) -> Trip:
    """The same, locked for a change until the end of the transaction; raises ForbiddenError for other sides.

    A blocked vendor may only do what `finishes` a trip that is under way (the vehicle was handed over), or gives money
    back for one that does not take place.
    The vehicle's row is always locked before the booking's, as for a new booking, which avoids deadlocks.
    """
    trip = _trip_of(session, actor, ref, lock=True)
    require_side(trip, *sides)
    if not (finishes and (trip.booking.stage != TripStage.BOOKED or trip.booking.status == BookingStatus.CANCELLED)):
        require_unblocked(actor)
    return trip


def require_side(trip: Trip, *sides: Side) -> None:
    """Raise ForbiddenError for other sides of a booking."""
    if trip.side not in sides:
        raise ForbiddenError(f"Only the {sides[0]} can do this", code=f"{sides[0]}s_only")


def _trip_of(session: Session, actor: Actor, ref: str, *, lock: bool) -> Trip:
    parties: Columns = select(
        col(Booking.id), col(Booking.customer_id), col(Vehicle.id).label("vehicle_id"), col(Vehicle.vendor_id)
    )
    row = session.execute(parties.join(Vehicle, col(Vehicle.id) == Booking.vehicle_id).where(_named(ref))).first()
    side = _side(actor, row.customer_id, row.vendor_id) if row else None
    if row is None or side is None:
        raise unknown_booking()
    own = select(Booking).where(col(Booking.id) == row.id)
    if lock:
        session.execute(select(col(Vehicle.id)).where(col(Vehicle.id) == row.vehicle_id).with_for_update())
        own = own.with_for_update().execution_options(populate_existing=True)
    booking = session.scalars(own).one()
    # Meanwhile an account may have taken a guest's booking over.
    if lock and _side(actor, booking.customer_id, row.vendor_id) != side:
        raise unknown_booking()
    return Trip(booking, row.vendor_id, side, actor.id)


def unknown_booking() -> NotFoundError:
    """The error for a booking that does not exist, or is none of the actor's."""
    return NotFoundError("There is no such booking", code="unknown_booking")


def already_decided() -> ConflictError:
    """The error for a request that its vendor, its customer or time has decided."""
    return ConflictError("This booking was already decided", code="already_decided")


def not_confirmed() -> ConflictError:
    """The error for a booking that no vendor has confirmed."""
    return ConflictError("This booking is not confirmed", code="not_confirmed")


def _named(ref: str) -> ColumnElement[bool]:
    if number := read_id(ref):
        return col(Booking.id) == number
    reference = read_reference(ref)
    return col(Booking.reference) == reference if reference else false()


def _side(actor: Actor, customer_id: int, vendor_id: int) -> Side | None:
    if actor.id == customer_id:
        return "customer"
    if actor.vendor == vendor_id:
        return "vendor"
    return "operator" if actor.role == "Operator" else None


def is_waiting(booking: Booking, instant: datetime) -> bool:
    """Whether a booking is a request its vendor may still answer."""
    return booking.status == BookingStatus.PENDING and booking.answer_by > instant


def require_stage(booking: Booking, *stages: str) -> None:
    """Raise ConflictError unless a booking is confirmed and at one of these stages."""
    if booking.status != BookingStatus.CONFIRMED:
        raise not_confirmed()
    if booking.stage not in stages:
        raise ConflictError(_STAGE_TEXTS.get(booking.stage, "This booking is at another stage"), code="wrong_stage")


def out_with(session: Session, booking: Booking) -> str | None:
    """The reference of the trip that a waiting booking's vehicle is still out on, if any."""
    out = select(col(Booking.reference)).where(
        col(Booking.vehicle_id) == booking.vehicle_id, col(Booking.stage) == TripStage.OUT
    )
    return session.scalars(out).first()


def require_back(session: Session, booking: Booking) -> None:
    """Raise ConflictError unless the vehicle came back from its other trips; the vehicle's row is locked."""
    if reference := out_with(session, booking):
        raise ConflictError(f"This vehicle is still out with {reference}: note its return first", code="still_out")


_STAGE_TEXTS = {
    "booked": "The vehicle has not been handed over",
    "out": "The vehicle was handed over already",
    "returned": "The vehicle was returned already",
    "settled": "This trip is settled already",
    "no_show": "The customer did not come for this vehicle",
}
