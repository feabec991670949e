"""Calls that may be retried: the first use of a key makes a booking, later ones find it."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError
from rental_app.models import Booking, IdempotencyKey
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.quotes import QuoteLine
from rental_app.services.accounts.actor import Actor

_EARLIER = select(col(IdempotencyKey.body_digest), col(IdempotencyKey.booking_id), col(IdempotencyKey.first)).where(
    col(IdempotencyKey.user_id) == bindparam("user"), col(IdempotencyKey.key) == bindparam("key")
)
_REMEMBERED = insert(IdempotencyKey)


class OriginalTerms(NamedTuple):
    """The columns of a booking that a change of dates overwrites, as they were before the first one."""

    pickup_at: datetime
    return_at: datetime
    answer_by: datetime
    price_paise: int
    deposit_paise: int
    kms_included: int | None
    lines: list[QuoteLine]

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "OriginalTerms":
        """The terms that `save_original` stored as JSON."""
        moments = {name: datetime.fromisoformat(stored[name]) for name in ("pickup_at", "return_at", "answer_by")}
        lines = [QuoteLine(**line) for line in stored["lines"]]
        return cls._make({**stored, **moments, "lines": lines}[name] for name in cls._fields)


class Earlier(NamedTuple):
    """The booking a call made, and its original terms if they have changed since."""

    booking_id: int
    original: OriginalTerms | None


def made_earlier(session: Session, actor: Actor, key: str, request: BookingRequest) -> Earlier | None:
    """What the same request with this key made earlier; raises ConflictError if the key was used for another one."""
    found = session.connection().execute(_EARLIER, {"user": actor.id, "key": key}) if key else None
    earlier = found.first() if found else None
    if earlier and earlier.body_digest != _digest(request):
        raise _key_reused()
    if earlier is None:
        return None
    return Earlier(earlier.booking_id, OriginalTerms.of(earlier.first) if earlier.first else None)


def remember(session: Session, actor: Actor, key: str, request: BookingRequest, booking_id: int) -> None:
    """Record what a request with a key has made; without a key there is nothing to record. Raises ConflictError."""
    if not key:
        return
    use = {"user_id": actor.id, "key": key, "booking_id": booking_id, "created_at": clock.now()}
    try:
        session.connection().execute(_REMEMBERED, use | {"body_digest": _digest(request)})
    except IntegrityError:
        raise _key_reused() from None


def save_original(session: Session, booking: Booking) -> None:
    """Save with a booking's key what its first change will overwrite; so creating a booking writes nothing extra."""
    own = (col(IdempotencyKey.user_id) == booking.customer_id, col(IdempotencyKey.booking_id) == booking.id)
    first = {name: getattr(booking, name) for name in OriginalTerms._fields}
    session.execute(update(IdempotencyKey).where(*own, col(IdempotencyKey.first).is_(None)).values(first=first))


def _digest(request: BookingRequest) -> str:
    # Fields not given do not affect the digest, so that keys stay valid when an optional field is added.
    return hashlib.sha256(request.model_dump_json(exclude_defaults=True).encode()).hexdigest()


def _key_reused() -> ConflictError:
    return ConflictError("This Idempotency-Key was used for another booking", code="idempotency_key_reused")
