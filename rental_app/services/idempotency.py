"""Calls that may be repeated: the first use of a key made a booking, later ones find it."""

import hashlib

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from rental_app.errors import ConflictError
from rental_app.models import IdempotencyKey
from rental_app.schemas.bookings import BookingRequest
from rental_app.services.accounts import Actor


def made_earlier(session: Session, actor: Actor, key: str, request: BookingRequest) -> int | None:
    """The id of the booking that the same request with this key made; raises ConflictError for another request."""
    earlier = session.get(IdempotencyKey, (actor.id, key)) if key else None
    if earlier and earlier.body_digest != _digest(request):
        raise _key_reused()
    return earlier.booking_id if earlier else None


def remember(session: Session, actor: Actor, key: str, request: BookingRequest, booking_id: int) -> None:
    """Note what a request with a key has made; without a key there is nothing to note. Raises ConflictError."""
    if not key:
        return
    session.add(IdempotencyKey(user_id=actor.id, key=key, body_digest=_digest(request), booking_id=booking_id))
    try:
        session.flush()
    except IntegrityError:
        raise _key_reused() from None


def _digest(request: BookingRequest) -> str:
    # What was not given leaves the digest alone, so that keys outlive a new optional field.
    return hashlib.sha256(request.model_dump_json(exclude_defaults=True).encode()).hexdigest()


def _key_reused() -> ConflictError:
    return ConflictError("This Idempotency-Key was used for another booking", code="idempotency_key_reused")
