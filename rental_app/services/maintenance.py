"""Periodic maintenance."""

from datetime import datetime

from sqlmodel import Session, col, delete

from rental_app.models import LoginSession
from rental_app.services import audit, remembered
from rental_app.services.accounts import proofs, recovery, second_step, sessions
from rental_app.services.bookings import counter, ledger, proposals
from rental_app.services.bookings.requests import expire_stale
from rental_app.services.earnings import statements
from rental_app.services.files import uploads
from rental_app.services.fleet import drafts
from rental_app.services.identity import retention
from rental_app.services.mail import reminders
from rental_app.services.reviews import writing


def sweep(session: Session, instant: datetime) -> list[str]:
    """Show reviews and cancel requests whose time is over, queue reminders that are due, give accounts the e-mail or
    mobile number that they have waited for, freeze papers, and delete what has expired: sessions, idempotency keys with
    their answers, links and codes, what recovery codes are shown by, drafts, unclaimed files, guests, documents.

    Returns the store keys no longer used.
    """
    # First, because it locks vehicles, which are always locked before bookings.
    writing.show_due(session, instant)
    expire_stale(session, instant)
    proposals.lapse(session, instant)
    reminders.put_due(session, instant)
    session.execute(delete(LoginSession).where(col(LoginSession.expires_at) <= instant))
    remembered.forget(session, instant)
    # Before what is over is forgotten.
    recovery.carry_out_due(session, instant)
    proofs.forget(session, instant)
    sessions.forget_old_devices(session)
    second_step.hide_old_codes(session, instant)
    sessions.write_uses(session)
    audit.forget(session, instant)
    drafts.drop_lapsed(session, instant)
    ledger.freeze_earlier(session, instant)
    statements.freeze_due(session, instant)
    counter.erase_guests(session, instant)
    return [*retention.sweep(session, instant), *uploads.take_lapsed(session, instant)]
