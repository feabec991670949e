"""A booking as an entry in people's calendars: every version has the same UID, later ones a higher SEQUENCE.

A file that is downloaded is published; one that is sent to somebody is a request to them, as RFC 5546 has it: programs
that show messages take a cancellation only for what was requested of the same person by the same organizer.
"""

from datetime import datetime

from icalendar import Calendar, Event, vCalAddress
from icalendar.enums import STATUS
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.booking_events import meaning_of
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, Snapshot, User, Vehicle
from rental_app.models.booking import CANCELLED, CONFIRMED, NO_SHOW
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events
from rental_app.services.bookings.access import find
from rental_app.services.bookings.guests import page_for

_STATUS = {CONFIRMED: STATUS.CONFIRMED, CANCELLED: STATUS.CANCELLED}


def of(session: Session, actor: Actor, ref: str) -> bytes:
    """The booking as a calendar file; raises NotFoundError for anyone but its two sides and operators."""
    throttle.count("look", actor)
    trip = find(session, actor, ref)
    return calendar(session, trip.booking, trip.side, clock.now())


def calendar(session: Session, booking: Booking, side: str, instant: datetime, to: User | None = None) -> bytes:
    """The same for a side that is known to have access; `to` is whom it is sent to.

    A cancelled booking or a no-show removes its entry.
    """
    moved = [event for event in events.events(session, booking) if meaning_of(event.what).moves_calendars]
    lapsed = booking.status not in _STATUS and booking.answer_by <= instant
    is_off = lapsed or booking.stage == NO_SHOW
    status = STATUS.CANCELLED if is_off else _STATUS.get(booking.status, STATUS.TENTATIVE)
    url = f"{settings().public_url}/{page_for(session, booking, side)}"
    stamps = [booking.created_at, *(event.at for event in moved), *([booking.answer_by] if lapsed else [])]
    plate = f", {session.get_one(Vehicle, booking.vehicle_id).rc_number}" if side == "vendor" else ""
    entry = _entry(booking, url, status, len(stamps) - 1, stamps[-1], plate)
    entry.attendees = [_attendee(to, booking)] if to else []
    made = Calendar.new(
        prodid=f"-//{settings().product_name}//Bookings//EN",
        method="CANCEL" if status == STATUS.CANCELLED else "REQUEST" if to else "PUBLISH",
        subcomponents=[entry],
    )
    return bytes(made.to_ical())


def uid(name: str) -> str:
    """The UID of an entry; by its host, imported calendars' entries are recognised as our own."""
    return f"{name}@{settings().host}"


def _entry(booking: Booking, url: str, status: STATUS, sequence: int, stamp: datetime, plate: str) -> Event:
    booked = Snapshot(**booking.booked)
    return Event.new(
        uid=uid(booking.reference),
        sequence=sequence,
        stamp=stamp,
        last_modified=stamp,
        start=booking.pickup_at,
        end=booking.return_at,
        summary=f"{booked.title}{plate} ({settings().product_name})",
        description=f"Booking {booking.reference}",
        location=booking.address if "drop_off" in (booking.extras or []) else booked.pickup_address,
        status=status,
        url=url,
        organizer=vCalAddress.new(settings().support_email, cn=settings().product_name),
    )


def _attendee(user: User, booking: Booking) -> vCalAddress:
    """Somebody who need not answer: who books, or is booked, takes part."""
    address = booking.guest_email or "" if user.is_guest else user.email
    return vCalAddress.new(address, cn=user.name, role="REQ-PARTICIPANT", partstat="ACCEPTED", rsvp=False)
