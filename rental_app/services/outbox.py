"""The outbox: messages wait here until they are sent, at least once each, retried at growing intervals for a day."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

import aiosmtplib
from sqlalchemy import exists, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app import db
from rental_app.errors import RentalError
from rental_app.models import Outbox
from rental_app.rules import clock
from rental_app.services import mail, messages

log = logging.getLogger(__name__)
BATCH = 2
# Longer than sending one message may take, so that no other process takes it meanwhile.
FIRST_PAUSE = timedelta(minutes=5)
# An earlier message holds up the later ones about its booking: nobody waits much longer than the mail server was down.
LONGEST_PAUSE = timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=1)
# Failures from outside; all others are logged with a traceback.
FAILURES = (OSError, ValueError, aiosmtplib.SMTPException, RentalError)

_Earlier = aliased(Outbox)
_EARLIER_WAITS = exists().where(
    col(_Earlier.booking_id) == Outbox.booking_id,
    col(_Earlier.user_id) == Outbox.user_id,
    col(_Earlier.id) < Outbox.id,
    col(_Earlier.due_at).is_not(None),
)


async def send_due() -> int:
    """Send a batch of the messages that are due; returns how many there were."""
    letters = await db.run(db.write, claim, clock.now())
    for letter in letters:
        await _send(letter)
    return len(letters)


async def _send(letter: int) -> None:
    """Send a message if what it reports still holds; a failure, bugs of ours included, does not hold up others."""
    try:
        if message := await db.run(db.read, messages.compose, letter):
            await mail.deliver(message, letter)
    except Exception as error:
        name, is_ours = type(error).__name__, not isinstance(error, FAILURES)
        log.warning("message %s could not be sent: %s", letter, name, exc_info=is_ours)
        await db.run(db.write, failed, letter, f"{name}: {error}"[:200])
    else:
        await db.run(db.write, done, letter, clock.now() if message else None)


def claim(session: Session, instant: datetime) -> Sequence[int]:
    """Claim the messages that are due, so that no other process does; they become due again if this one dies.

    Those about a booking reach each recipient in order: none is claimed while an earlier one waits.
    """
    ready = select(Outbox).where(col(Outbox.due_at) <= instant, ~_EARLIER_WAITS)
    due = ready.order_by(col(Outbox.due_at), col(Outbox.id)).limit(BATCH)
    letters = session.scalars(due.with_for_update(skip_locked=True)).all()
    for letter in letters:
        letter.due_at = instant + min(FIRST_PAUSE * 2**letter.tries, LONGEST_PAUSE)
        letter.tries += 1
    session.flush()
    return [letter.id or 0 for letter in letters]


def waiting(session: Session, instant: datetime) -> tuple[int, float]:
    """How many messages wait to be sent, and for how many seconds the oldest has waited."""
    found = select(func.count(), func.min(Outbox.created_at)).where(col(Outbox.due_at).is_not(None))
    count, oldest = session.execute(found).one()
    return int(count), (instant - oldest).total_seconds() if oldest else 0.0


def done(session: Session, letter_id: int, sent_at: datetime | None) -> None:
    """Record that a message was sent, or dropped because it no longer holds; it is not tried again."""
    letter = session.get_one(Outbox, letter_id)
    letter.sent_at, letter.due_at, letter.error = sent_at, None, ""


def failed(session: Session, letter_id: int, error: str) -> None:
    """Record why a message was not sent; it is retried for a day."""
    letter = session.get_one(Outbox, letter_id)
    letter.error = error
    if letter.due_at is None or letter.due_at > letter.created_at + GIVEN_UP_AFTER:
        letter.due_at = None
        log.error("message %s to account %s is given up", letter.id, letter.user_id)
