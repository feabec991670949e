"""Messages that no action of a user triggers: before pickup and return, after the return, before papers expire."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from sqlalchemy import and_, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingSource, BookingStatus, TripStage
from rental_app.domain.clock import friendly_day
from rental_app.domain.papers import expiry_effect, expiry_note
from rental_app.models import Booking, Outbox, Review, TripReading, Vehicle
from rental_app.services.fleet.papers import expiring
from rental_app.services.identity import retention
from rental_app.services.mail import digest

BEFORE_PICKUP = timedelta(hours=24)
# Early enough to extend, which is possible until 24 hours before.
BEFORE_RETURN = timedelta(hours=30)
# When the other side has been paid and the luggage is home, but the trip is not forgotten.
AFTER_RETURN = timedelta(hours=3)
TOO_LONG_AFTER = timedelta(days=3)
DAYS_BEFORE_PAPERS_EXPIRE = (30, 7, 1)


def put_due(session: Session, instant: datetime) -> None:
    """Put the reminders that are due into the outbox, each once."""
    letters = (
        *_trips(session, instant),
        *digest.due(session, instant),
        *_reviews(session, instant),
        *_papers(session, instant),
        *retention.reminders(session, instant),
    )
    wanted = {letter.key: letter for letter in letters}
    written = set(session.scalars(select(col(Outbox.key)).where(col(Outbox.key).in_(list(wanted)))))
    try:
        # Another process may be doing the same.
        with session.begin_nested():
            session.add_all(letter for key, letter in wanted.items() if key not in written)
    except IntegrityError:
        return


def _trips(session: Session, instant: datetime) -> Iterator[Outbox]:
    """Reminders of customers; those who rent out get one message for the whole day (`digest`)."""
    for booking in _ahead(session, TripStage.BOOKED, col(Booking.pickup_at), instant, BEFORE_PICKUP):
        yield _of(booking, booking.customer_id, "before_pickup", booking.pickup_at, instant)
    for booking in _ahead(session, TripStage.OUT, col(Booking.return_at), instant, BEFORE_RETURN):
        yield _of(booking, booking.customer_id, "before_return", booking.return_at, instant)


def _ahead(
    session: Session, stage: str, moment: Mapped[datetime], instant: datetime, lead: timedelta
) -> Sequence[Booking]:
    due = select(Booking).where(
        col(Booking.status) == BookingStatus.CONFIRMED,
        col(Booking.stage) == stage,
        moment > instant,
        moment <= instant + lead,
    )
    return session.scalars(due).all()


def _reviews(session: Session, instant: datetime) -> Iterator[Outbox]:
    """Invitations to the sides that have not reviewed a trip yet."""
    ended = (
        select(Booking, col(Vehicle.vendor_id), col(TripReading.at))
        .join(TripReading, col(TripReading.booking_id) == Booking.id)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(
            col(TripReading.kind) == "return",
            col(Booking.source) == BookingSource.ONLINE,
            col(TripReading.at) <= instant - AFTER_RETURN,
            col(TripReading.at) > instant - TOO_LONG_AFTER,
        )
    )
    back = session.execute(ended).all()
    those = col(Review.booking_id).in_([booking.id for booking, *_ in back])
    sides = select(col(Review.booking_id), col(Review.side)).where(those)
    written = {(booking_id, side) for booking_id, side in session.execute(sides)}
    for booking, vendor_id, at in back:
        for side, user_id in (("customer", booking.customer_id), ("vendor", vendor_id)):
            if (booking.id, side) not in written:
                yield _of(booking, user_id, "review_wanted", at, instant)


def _of(booking: Booking, user_id: int, kind: str, moment: datetime, instant: datetime) -> Outbox:
    key = f"{kind} {booking.id} {moment.isoformat()} {user_id}"
    return Outbox(key=key, kind=kind, user_id=user_id, booking_id=booking.id, created_at=instant, due_at=instant)


def _papers(session: Session, instant: datetime) -> Iterator[Outbox]:
    today = clock.indian_today(instant)
    ahead = or_(col(Vehicle.insurance_expiry_date) >= today, col(Vehicle.pollution_expiry_date) >= today)
    for paper in expiring(session, and_(col(Vehicle.is_active), ahead), instant):
        if paper.day >= today:
            # The latest step that is due: an earlier one may have been missed on a day on which nothing ran.
            step = min(days for days in DAYS_BEFORE_PAPERS_EXPIRE if days >= (paper.day - today).days)
            note = expiry_note(paper.paper, paper.day, today)
            yield Outbox(
                key=f"papers {paper.vehicle_id} {paper.paper} {paper.day} {step}",
                kind="papers_expiring",
                user_id=paper.vendor_id,
                vehicle_id=paper.vehicle_id,
                note=f"{note}, on {friendly_day(paper.day, today)}: {expiry_effect(paper.day, today, paper.bookings)}",
                created_at=instant,
                due_at=instant,
            )
