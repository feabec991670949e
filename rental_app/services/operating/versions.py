"""The version of what an operator looks at: a decision names the one that was seen, and is refused for another."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from sqlalchemy import select
from sqlmodel import Session, SQLModel, col

from rental_app.domain.errors import ConflictError
from rental_app.models import (
    AccountChange,
    AssetModel,
    AssetType,
    Booking,
    BookingEvent,
    IdentityPaper,
    IdentityPaperFile,
    LedgerEntry,
    Location,
    Manufacturer,
    Offer,
    Outbox,
    Review,
    User,
    Vehicle,
    VehicleFile,
)
from rental_app.services.accounts import proofs
from rental_app.services.accounts.proofs import Purpose

CHANGED = "This has changed since you looked at it: look again before you decide"
DIGITS = 16
# What an operator does not decide about, and what moves by itself.
_LISTING = {"is_active", "is_featured", "stars_total", "reviews"}
_PERSON = {
    *("name", "email", "phone_number", "role", "status", "is_deleted", "bank_name", "bank_account_no", "bank_ifsc"),
    *("commission_bps", "approved_at"),
}


def version_of(session: Session, kind: str, row_id: int) -> str:
    """The version of a row of one of the console's lists (`listings`, `people`, `requests`, `objections`, `bookings`,
    `reviews`, `messages`, `models` and the rest of the catalogue); '' for a row that does not exist.

    The caller has checked who asks.
    """
    parts = _PARTS[kind](session, row_id)
    if parts is None:
        return ""
    return hashlib.sha256(orjson.dumps(parts, default=str)).hexdigest()[:DIGITS]


def require_seen(session: Session, kind: str, row_id: int, expected: str) -> None:
    """Raise ConflictError (`changed_meanwhile`) unless a locked row is as it was seen; '' expects nothing."""
    if expected and expected != version_of(session, kind, row_id):
        raise ConflictError(CHANGED, code="changed_meanwhile")


def _row(session: Session, table: type[SQLModel], row_id: int) -> SQLModel | None:
    return session.get(table, row_id, populate_existing=True)


def _listing(session: Session, row_id: int) -> object:
    vehicle = _row(session, Vehicle, row_id)
    files = select(col(VehicleFile.id)).where(col(VehicleFile.vehicle_id) == row_id).order_by(col(VehicleFile.id))
    return vehicle and [vehicle.model_dump(exclude=_LISTING), list(session.scalars(files))]


def _person(session: Session, row_id: int) -> object:
    """Of an account: what operators decide about, and which other addresses wait to take effect."""
    user = _row(session, User, row_id)
    recovery = proofs.current(session, Purpose.RECOVER, row_id)
    return user and [user.model_dump(include=_PERSON), recovery and recovery.id]


def _identity(session: Session, row_id: int) -> object:
    paper = _row(session, IdentityPaper, row_id)
    own = select(col(IdentityPaperFile.id)).where(col(IdentityPaperFile.paper_id) == row_id)
    return paper and [paper.model_dump(), list(session.scalars(own.order_by(col(IdentityPaperFile.id))))]


def _booking(session: Session, row_id: int) -> object:
    booking = _row(session, Booking, row_id)
    lines = select(col(LedgerEntry.id)).where(col(LedgerEntry.booking_id) == row_id).order_by(col(LedgerEntry.id))
    return booking and [booking.model_dump(), list(session.scalars(lines))]


def _objection(session: Session, row_id: int) -> object:
    """Of an objection: what was written about the same line, or handover, and whether the line was reversed."""
    event = session.get(BookingEvent, row_id)
    if event is None:
        return None
    later = (col(BookingEvent.booking_id) == event.booking_id, col(BookingEvent.id) >= row_id)
    about = select(col(BookingEvent.id)).where(*later, col(BookingEvent.entry_id).is_not_distinct_from(event.entry_id))
    reverses = select(col(LedgerEntry.id)).where(col(LedgerEntry.reverses) == event.entry_id)
    return [list(session.scalars(about.order_by(col(BookingEvent.id)))), list(session.scalars(reverses))]


def _whole(table: type[SQLModel]) -> Callable[[Session, int], object]:
    def row(session: Session, row_id: int) -> object:
        entry = _row(session, table, row_id)
        return entry and entry.model_dump()

    return row


_PARTS: Mapping[str, Callable[[Session, int], Any]] = {
    "listings": _listing,
    "people": _person,
    "requests": _whole(AccountChange),
    "objections": _objection,
    "bookings": _booking,
    "papers": _identity,
    "reviews": _whole(Review),
    "messages": _whole(Outbox),
    "locations": _whole(Location),
    "types": _whole(AssetType),
    "manufacturers": _whole(Manufacturer),
    "models": _whole(AssetModel),
    "offers": _whole(Offer),
}
