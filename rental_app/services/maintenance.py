"""Periodic maintenance."""

from datetime import datetime

from sqlmodel import Session

from rental_app.services import retention
from rental_app.services.accounts import recovery, second_step, sessions
from rental_app.services.bookings import ledger, proposals
from rental_app.services.bookings.requests import expire_stale
from rental_app.services.earnings import statements
from rental_app.services.identity import retention as identity_papers
from rental_app.services.mail import reminders
from rental_app.services.reviews import writing


def sweep(session: Session, instant: datetime) -> list[str]:
    """Show reviews and cancel requests whose time is over, queue reminders that are due, give accounts the e-mail or
    mobile number that they have waited for, freeze papers, and delete what is not kept any longer.

    Returns the store keys no longer used.
    """
    # First, because it locks vehicles, which are always locked before bookings.
    writing.show_due(session, instant)
    expire_stale(session, instant)
    proposals.lapse(session, instant)
    reminders.put_due(session, instant)
    # Before what is over is forgotten.
    recovery.carry_out_due(session, instant)
    second_step.hide_old_codes(session, instant)
    sessions.write_uses(session)
    ledger.freeze_earlier(session, instant)
    statements.freeze_due(session, instant)
    identity_papers.expire(session, instant)
    return retention.run(session, instant)
