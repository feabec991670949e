"""Requests whose vendor did not answer in time are cancelled."""

from datetime import datetime

from sqlalchemy import bindparam, select, update
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.domain.booking_events import EventKind
from rental_app.models import Booking
from rental_app.models.booking import CANCELLED, PENDING
from rental_app.services.bookings import events

_LAPSING = (
    update(Booking)
    .where(col(Booking.status) == PENDING, col(Booking.answer_by) <= bindparam("instant", type_=UTCDateTime()))
    .values(
        status=CANCELLED,
        cancelled_by="system",
        decided_at=bindparam("instant", type_=UTCDateTime()),
        cancel_reason="The vendor did not answer in time",
    )
    .returning(col(Booking.id))
)
_LAPSING_OF_ONE = _LAPSING.where(col(Booking.vehicle_id) == bindparam("vehicle"))


def expire_stale(session: Session, instant: datetime, vehicle_id: int | None = None) -> int:
    """Cancel, on the system's behalf, pending requests past their answer time; returns how many."""
    bound: dict[str, object] = {"instant": instant}
    stale = _LAPSING if vehicle_id is None else _LAPSING_OF_ONE
    bound |= {} if vehicle_id is None else {"vehicle": vehicle_id}
    session.flush()
    ids = session.connection().execute(stale, bound).scalars().all()
    for booking in session.scalars(select(Booking).where(col(Booking.id).in_(ids))).all() if ids else ():
        events.record(session, booking, EventKind.LAPSED, "system", instant)
    return len(ids)
