"""What both sides say to an objection, and show: the photos of either, of the handover, and of the return."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, or_, select
from sqlmodel import Session, col

from rental_app.domain.booking_events import EventKind
from rental_app.models import Booking, BookingEvent, EventPhoto, TripPhoto, TripReading, User
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor

SIDES = {EventKind.OBJECTED.value: "Customer", EventKind.OBJECTION_ANSWERED.value: "Vendor"}
READINGS = {"handover": "Handover", "return": "Return"}


class EvidencePhoto(NamedTuple):
    """A photo: whose or of what it is, what it shows, the path that it is loaded from, and its media type."""

    of: str
    name: str
    path: str
    content_type: str


def sides(session: Session, objection_id: int) -> list[Mapping[str, Any]]:
    """The objection and the vendor's answer to it, if there is one."""
    said = select(BookingEvent, col(User.name)).outerjoin(User, col(BookingEvent.who_id) == col(User.id))
    rows = session.execute(said.where(_belongs(objection_id)).order_by(col(BookingEvent.id))).all()
    return [{"side": SIDES[event.what], "note": event.note, "who": name, "at": event.at} for event, name in rows]


def photos(session: Session, actor: Actor, objection_id: int) -> list[EvidencePhoto]:
    """The photos that speak for either side of an objection. Raises ForbiddenError."""
    operators.enter(actor)
    objection = session.get(BookingEvent, objection_id)
    if objection is None:
        return []
    trip = f"/api/bookings/{session.get_one(Booking, objection.booking_id).reference}"
    sent = select(EventPhoto, col(BookingEvent.what)).join(BookingEvent, col(EventPhoto.event_id) == BookingEvent.id)
    of_sides = session.execute(sent.where(_belongs(objection_id)).order_by(col(EventPhoto.id))).all()
    taken = select(TripPhoto, col(TripReading.kind)).join(TripReading, col(TripPhoto.reading_id) == TripReading.id)
    of_booking = taken.where(col(TripReading.booking_id) == objection.booking_id).order_by(col(TripPhoto.id))
    return [
        *(
            EvidencePhoto(SIDES[what], "", f"{trip}/objection-photos/{photo.id}", photo.content_type)
            for photo, what in of_sides
        ),
        *(
            EvidencePhoto(READINGS[kind], photo.group_name, f"{trip}/photos/{photo.id}", photo.content_type)
            for photo, kind in session.execute(of_booking).all()
        ),
    ]


def _belongs(objection_id: int) -> ColumnElement[bool]:
    """SQL: whether an event is an objection, or its answer."""
    is_of_it = or_(col(BookingEvent.id) == objection_id, col(BookingEvent.about_id) == objection_id)
    return and_(is_of_it, col(BookingEvent.what).in_(SIDES))
