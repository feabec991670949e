"""What has to be done from time to time."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, delete

from rental_app.models import IdempotencyKey, LoginSession
from rental_app.services import reminders, uploads
from rental_app.services.bookings import expire_stale

KEYS_LIVE = timedelta(days=7)


def sweep(session: Session, instant: datetime) -> list[str]:
    """Cancel lapsed requests, remind of what is near, forget sessions, idempotency keys and unclaimed files past it.

    Returns the store keys no longer used.
    """
    expire_stale(session, instant)
    reminders.put_due(session, instant)
    session.execute(delete(LoginSession).where(col(LoginSession.expires_at) <= instant))
    session.execute(delete(IdempotencyKey).where(col(IdempotencyKey.created_at) <= instant - KEYS_LIVE))
    return uploads.take_lapsed(session, instant)
