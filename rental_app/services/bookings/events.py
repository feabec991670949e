"""What happened to bookings, who is told, and how soon vendors answer."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import median
from uuid import uuid4

from sqlalchemy import bindparam, func, insert, select, update
from sqlmodel import Session, col

from rental_app.domain.booking_events import MEANINGS, EventKind, EventMeaning
from rental_app.domain.bookings import BookingSource
from rental_app.infrastructure import metrics
from rental_app.infrastructure.db import on_commit
from rental_app.models import Booking, BookingEvent, Member, Outbox, TripReading, User, Vehicle
from rental_app.models.vehicle import Columns
from rental_app.schemas.readings import ReadingKind
from rental_app.services.accounts.actor import takes_part
from rental_app.services.bookings.rows import BookingRow

TOGETHER_FOR = timedelta(minutes=2)
# Plain INSERTs: as objects of the session, these rows would cost as much as everything else that a booking does.
_EVENT, _MESSAGES = insert(BookingEvent), insert(Outbox)
_MEMBERS = (
    select(col(Member.user_id))
    .join(User, col(User.id) == Member.user_id)
    .where(col(Member.vendor_id) == bindparam("vendor"), *takes_part())
    .order_by(col(Member.user_id))
)
_VENDOR = select(col(Vehicle.vendor_id)).where(col(Vehicle.id) == bindparam("vehicle"))


def record(
    session: Session,
    booking: Booking | BookingRow,
    what: EventKind,
    side: str,
    instant: datetime,
    who_id: int | None = None,
    note: str = "",
    entry_id: int | None = None,
    vendor_id: int | None = None,
    message: str = "",
    about_id: int | None = None,
    happened_at: datetime | None = None,
) -> int:
    """Record an event, and put the messages about it into the outbox; returns the event's id.

    `vendor_id` spares a look-up where the caller has it. `message` is what the messages say instead of `note`,
    `about_id` the event that this one answers, `happened_at` when it happened if that was before `instant`.
    """
    booking_id = booking.id or 0
    # What the event is about is written before it.
    session.flush()
    event = {"booking_id": booking_id, "what": what.value, "at": instant, "side": side, "who_id": who_id}
    added = {"note": note, "entry_id": entry_id, "about_id": about_id, "happened_at": happened_at}
    row = session.connection().execute(_EVENT, event | added)
    on_commit(session, metrics.BOOKINGS.labels(what.value).inc)
    message, meaning = message or note, MEANINGS[what]
    recipients = _recipients(session, booking, meaning, vendor_id)
    if meaning.is_repeatable:
        recipients = [
            each for each in recipients if not _joins_waiting_letter(session, booking_id, what, each, message)
        ]
    if recipients:
        due_at = instant + TOGETHER_FOR if meaning.is_batched else instant
        letter = {
            "kind": what.value,
            "booking_id": booking_id,
            "note": message,
            "created_at": instant,
            "due_at": due_at,
        }
        # Keys in the order of bookings fill their index page by page.
        key = f"event {booking_id} {uuid4()}"
        letters = [letter | {"key": f"{key} {each}", "user_id": each} for each in recipients]
        session.connection().execute(_MESSAGES, letters)
    (event_id,) = row.inserted_primary_key or (0,)
    return int(event_id)


def _recipients(
    session: Session, booking: Booking | BookingRow, meaning: EventMeaning, vendor_id: int | None
) -> list[int]:
    ids = {"customer": booking.customer_id}
    if "vendor" in meaning.recipients:
        ids["vendor"] = vendor_id or session.connection().execute(_VENDOR, {"vehicle": booking.vehicle_id}).scalar_one()
    recipients = [ids[side] for side in meaning.recipients]
    if meaning.for_staff:
        members = session.connection().execute(_MEMBERS, {"vendor": ids["vendor"]}).scalars()
        # Somebody who booked and came to work there later has the customer's message.
        recipients += [member for member in members if member not in recipients]
    return recipients


def _joins_waiting_letter(session: Session, booking_id: int, kind: str, user_id: int, note: str) -> bool:
    """Whether such a message to somebody has not been claimed for sending yet; it gets the new note then."""
    same = (col(Outbox.kind) == kind, col(Outbox.booking_id) == booking_id, col(Outbox.user_id) == user_id)
    untaken = (col(Outbox.due_at).is_not(None), col(Outbox.tries) == 0)
    # An UPDATE also waits for a process that is claiming the message, and finds it claimed.
    waiting = update(Outbox).where(*same, *untaken).values(note=note).returning(col(Outbox.id))
    return session.connection().execute(waiting).first() is not None


def events(session: Session, booking: Booking) -> Sequence[BookingEvent]:
    """The events of a booking, the oldest first."""
    own = select(BookingEvent).where(col(BookingEvent.booking_id) == booking.id).order_by(col(BookingEvent.id))
    return session.scalars(own).all()


def read_at(session: Session, booking: Booking, kind: ReadingKind) -> datetime | None:
    """When the vehicle was handed over, or came back; None if it has not."""
    reading = _reading(session, booking, kind)
    return reading.at if reading else None


def noted_at(session: Session, booking: Booking, kind: ReadingKind) -> datetime | None:
    """When the handover or the return was noted, which may be later than it was; None if it has not been."""
    reading = _reading(session, booking, kind)
    return reading.written_at if reading else None


def _reading(session: Session, booking: Booking, kind: ReadingKind) -> TripReading | None:
    own = (col(TripReading.booking_id) == booking.id, col(TripReading.kind) == kind)
    return session.scalars(select(TripReading).where(*own)).first()


# How many of the latest answers are considered, and the fewest that say anything.
LATEST, FEWEST = 50, 3
_REQUESTS_AND_ANSWERS = [what for what, meaning in MEANINGS.items() if meaning.asks_vendor or meaning.is_answer]


def answers_in(session: Session, vendor_id: int) -> timedelta | None:
    """The median time that the latest requests waited, from when they were made or last changed.

    None if too few were answered to say anything.
    """
    return answers_of(session, [vendor_id]).get(vendor_id)


def answers_of(session: Session, vendor_ids: Sequence[int]) -> dict[int, timedelta]:
    """What `answers_in` says of several vendors, without those who have answered too few requests."""
    requested_at: dict[int, datetime] = {}
    waited: dict[int, list[float]] = {}
    for vendor_id, booking_id, what, at in session.execute(_happened(vendor_ids)):
        if MEANINGS[what].asks_vendor:
            requested_at[booking_id] = at
        elif booking_id in requested_at:
            waited.setdefault(vendor_id, []).append((at - requested_at[booking_id]).total_seconds())
    return {each: timedelta(seconds=median(times)) for each, times in waited.items() if len(times) >= FEWEST}


def _happened(vendor_ids: Sequence[int]) -> Columns:
    """SELECT of the requests and answers of each vendor's latest bookings, in their order."""
    vendor, booking = col(Vehicle.vendor_id), col(Booking.id)
    latest = func.row_number().over(partition_by=vendor, order_by=col(Booking.decided_at).desc()).label("place")
    decided = (
        select(booking.label("booking_id"), vendor.label("vendor_id"), latest)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(
            vendor.in_(vendor_ids),
            col(Booking.decided_at).is_not(None),
            col(Booking.source) == BookingSource.ONLINE,
            # Nobody answered these.
            col(Booking.confirmed_at_once).is_(False),
        )
        .subquery()
    )
    return (
        select(decided.c.vendor_id, col(BookingEvent.booking_id), col(BookingEvent.what), col(BookingEvent.at))
        .join(decided, decided.c.booking_id == BookingEvent.booking_id)
        .where(decided.c.place <= LATEST, col(BookingEvent.what).in_(_REQUESTS_AND_ANSWERS))
        .order_by(col(BookingEvent.id))
    )
