"""A guest's booking, read by whoever has its link; what they change takes a code sent to its mobile (guest_acts)."""

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.models import Booking, EventPhoto, TripPhoto, Vehicle
from rental_app.schemas.trips import TripView
from rental_app.services import throttle
from rental_app.services.accounts import proofs
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.bookings import guests
from rental_app.services.bookings.access import Trip, unknown_booking
from rental_app.services.bookings.guests import link_is_over
from rental_app.services.throttle import Caller
from rental_app.services.trips import papers, showing


def of(session: Session, caller: Caller, secret: str) -> TripView:
    """The booking of a link; raises NotFoundError for a link that is wrong or has ended."""
    throttle.count("lookup", caller)
    return view(session, trip_of(session, secret))


def receipt(session: Session, caller: Caller, secret: str) -> bytes:
    """Its receipt as a PDF; raises NotFoundError, ConflictError if there is none, and as `receipt_pdf.receipt` does."""
    throttle.count("lookup", caller)
    return papers.receipt(session, trip_of(session, secret))


def calendar(session: Session, caller: Caller, secret: str) -> bytes:
    """It as a calendar file; raises NotFoundError."""
    throttle.count("lookup", caller)
    return papers.calendar(session, trip_of(session, secret).booking, "customer", clock.now())


def photo(session: Session, caller: Caller, secret: str, photo_id: int) -> TripPhoto:
    """A photo of its handover, its return or a charge; raises NotFoundError."""
    # A page has many of them.
    throttle.count("look", caller)
    return showing.photo_of(session, trip_of(session, secret), photo_id)


def event_photo(session: Session, caller: Caller, secret: str, photo_id: int) -> EventPhoto:
    """A photo of an objection or of its answer; raises NotFoundError."""
    throttle.count("look", caller)
    return showing.event_photo_of(session, trip_of(session, secret), photo_id)


def view(session: Session, trip: Trip) -> TripView:
    """A guest's booking with the number that its codes go to, of which only the ends are told."""
    number = guests.shown_number(guests.number_of(session, trip.booking))
    return showing.trip_view(session, trip).model_copy(update={"code_to": number})


def trip_of(session: Session, secret: str) -> Trip:
    """The booking of a link; raises NotFoundError for a link that is wrong or has ended."""
    try:
        proven = proofs.find(session, Purpose.GUEST_TRIP, secret)
    except RentalError:
        raise unknown_booking() from None
    # A booking that an account has taken over has another customer.
    own = (col(Booking.id) == proven.payload["booking"], col(Booking.customer_id) == proven.user_id)
    bookings = select(Booking, col(Vehicle.vendor_id)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    row = session.execute(bookings.where(*own)).first()
    if row is None or link_is_over(session, row[0], clock.now()):
        raise unknown_booking()
    return Trip(row[0], row[1], "customer", proven.user_id)
