"""What somebody should know before they send a request, besides its price."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain.clock import Window
from rental_app.models import Booking, ListingInFull
from rental_app.models.booking import BOOKED, CANCELLED
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events
from rental_app.services.search import listings
from rental_app.services.throttle import Caller


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A vehicle about to be requested: how soon its vendor answers, if that is known, whether it is the caller's own,
    and the reference of the booking the caller already has of it at that time, or ''."""

    vehicle: ListingInFull
    answers_in: timedelta | None
    is_own: bool
    requested: str


def reviewed(session: Session, caller: Caller, vehicle_id: int, window: Window | None) -> Reviewed:
    """The vehicle of a request for a window, or before there is one; raises NotFoundError if it is not listed."""
    vehicle = listings.get_listing(session, caller, vehicle_id)
    customer = caller if isinstance(caller, Actor) else None
    return Reviewed(
        vehicle=vehicle,
        answers_in=events.answers_in(session, vehicle.vendor_id),
        is_own=customer is not None and customer.vendor == vehicle.vendor_id,
        requested=requested(session, customer, vehicle_id, window) if customer and window else "",
    )


def requested(session: Session, actor: Actor, vehicle_id: int, window: Window) -> str:
    """The reference of a customer's booking of a vehicle that overlaps a window and goes on; '' if there is none."""
    own = (
        col(Booking.customer_id) == actor.id,
        col(Booking.vehicle_id) == vehicle_id,
        col(Booking.status) != CANCELLED,
        col(Booking.stage) == BOOKED,
        col(Booking.pickup_at) < window.return_at,
        col(Booking.return_at) > window.pickup,
    )
    return session.scalars(select(col(Booking.reference)).where(*own).limit(1)).first() or ""
