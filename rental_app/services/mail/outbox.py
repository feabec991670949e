"""The outbox: messages wait here until they are sent, at least once each, retried at growing intervals for a day."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

import aiosmtplib
import httpx2
from sqlalchemy import ColumnElement, and_, distinct, exists, func, or_, select, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.content.messages import ACCOUNT_WORDS, WORDS
from rental_app.content.texts import TEXTS
from rental_app.domain import clock
from rental_app.domain.booking_events import MEANINGS
from rental_app.domain.errors import RentalError
from rental_app.infrastructure import db, metrics
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import Outbox
from rental_app.services.accounts import letters
from rental_app.services.accounts.letters import TEXT
from rental_app.services.mail import delivery, messages
from rental_app.services.mail.messages import TextMessage

log = logging.getLogger(__name__)
BATCH = 2
# Longer than sending one message may take, so that no other process takes it meanwhile.
FIRST_PAUSE = timedelta(minutes=5)
# An earlier message holds up the later ones about its booking: nobody waits much longer than the mail server was down.
LONGEST_PAUSE = timedelta(hours=1)
RETRIED_FOR = timedelta(days=1)
# Failures from outside; all others are logged with a traceback.
FAILURES = (OSError, ValueError, aiosmtplib.SMTPException, httpx2.HTTPError, RentalError)

# After this many e-mails to somebody about a booking within an hour, further messages wait and go out as one.
MOST_AN_HOUR = 6
HOUR = timedelta(hours=1)
_URGENT = [what for what, meaning in MEANINGS.items() if meaning.is_urgent]

_LETTERS = sorted({kind.partition(".")[0] for kind, _ in WORDS} | set(ACCOUNT_WORDS))

_Other = aliased(Outbox)
# Texts neither wait for e-mails nor are joined with them: each says one thing, at once.
_SAME = (
    col(_Other.booking_id) == Outbox.booking_id,
    col(_Other.user_id) == Outbox.user_id,
    col(_Other.channel) != TEXT,
    col(Outbox.channel) != TEXT,
)
_EARLIER_WAITS = exists().where(*_SAME, col(_Other.id) < Outbox.id, col(_Other.due_at).is_not(None))
_URGENT_WAITS = exists().where(*_SAME, col(_Other.kind).in_(_URGENT), col(_Other.due_at).is_not(None))


async def send_due() -> int:
    """Send a batch of the messages that are due; returns how many there were."""
    claimed = await db.run(db.write, claim, clock.now())
    for letter in claimed:
        await _send(letter)
    return len(claimed)


async def _send(letter: int) -> None:
    """Send a message if what it reports still holds; a failure, bugs of ours included, does not hold up others."""
    try:
        if made := await db.run(db.read, messages.compose, letter):
            if isinstance(made.message, TextMessage):
                await db.run(db.read, letters.require_texts_left)
            await delivery.deliver(made.message, letter)
    except Exception as error:
        name, is_ours = type(error).__name__, not isinstance(error, FAILURES)
        log.warning("message %s could not be sent: %s", letter, name, exc_info=is_ours)
        is_over = await db.run(db.write, failed, letter, f"{name}: {error}"[:200], apart=is_ours)
        metrics.MAIL.labels("given_up" if is_over else "failed").inc()
    else:
        metrics.MAIL.labels("sent" if made else "dropped").inc()
        await db.run(db.write, done, letter, made.letters if made else [], clock.now())


@even_if_read_only
def claim(session: Session, instant: datetime) -> Sequence[int]:
    """Claim the messages that are due, so that no other process does; they become due again if this one dies.

    E-mails about a booking reach each recipient in order: none is claimed while an earlier one waits. Further messages
    to the same recipient are joined to it, once: a second try has the same contents. Kinds that only another version
    has words for are left to that version, for as long as a message is tried.
    """
    is_ours = or_(_is_known(), col(Outbox.created_at) <= instant - RETRIED_FOR)
    ready = select(Outbox).where(col(Outbox.due_at).is_not(None), ~_EARLIER_WAITS, _is_due(instant), is_ours)
    oldest = ready.order_by(col(Outbox.due_at), col(Outbox.id)).limit(BATCH).with_for_update(skip_locked=True)
    # Links and codes go first: people wait for them, and they expire. Selected by themselves, because in one order
    # with the others, all that wait would have to be sorted each time.
    secret = session.scalars(oldest.where(col(Outbox.proof_id).is_not(None))).all()
    claimed = secret or session.scalars(oldest.where(col(Outbox.proof_id).is_(None))).all()
    for letter in claimed:
        if letter.booking_id and not letter.tries and letter.channel != TEXT:
            # What else waits for the same recipient about the same booking, and has never been tried, joins it.
            same = (col(Outbox.booking_id) == letter.booking_id, col(Outbox.user_id) == letter.user_id)
            untried = (col(Outbox.id) > letter.id, col(Outbox.due_at).is_not(None), col(Outbox.tries) == 0)
            others = update(Outbox).where(*same, *untried, col(Outbox.channel) != TEXT, _is_known())
            session.execute(others.values(joined_to=letter.id, tries=1))
        letter.due_at = instant + min(FIRST_PAUSE * 2**letter.tries, LONGEST_PAUSE)
        letter.tries += 1
    session.flush()
    return [letter.id or 0 for letter in claimed]


def _is_known() -> ColumnElement[bool]:
    """SQL: whether this version has words for a message: during an upgrade, only the new version has those of new
    kinds."""
    return col(Outbox.kind).in_([*_LETTERS, *TEXTS])


def _is_due(instant: datetime) -> ColumnElement[bool]:
    """SQL: whether a message is due and its recipient has not had too many, or something urgent waits behind it."""
    # Messages that were sent in one e-mail were sent at one instant.
    recent = select(func.count(distinct(col(_Other.sent_at)))).where(*_SAME, col(_Other.sent_at) > instant - HOUR)
    is_due = and_(col(Outbox.due_at) <= instant, recent.scalar_subquery() < MOST_AN_HOUR)
    return or_(is_due, and_(col(Outbox.tries) == 0, _URGENT_WAITS))


def waiting(session: Session, instant: datetime) -> tuple[int, float]:
    """How many messages wait to be sent, and for how many seconds the oldest has waited."""
    statement = select(func.count(), func.min(Outbox.created_at)).where(col(Outbox.due_at).is_not(None))
    count, oldest = session.execute(statement).one()
    return int(count), (instant - oldest).total_seconds() if oldest else 0.0


@even_if_read_only
def done(session: Session, letter_id: int, sent: list[int], sent_at: datetime) -> None:
    """Record which of a message and those joined to it were sent; the others no longer held and are dropped."""
    for letter in (session.get_one(Outbox, letter_id), *messages.joined(session, letter_id)):
        letter.sent_at = sent_at if letter.id in sent else None
        letter.due_at, letter.error = None, ""


@even_if_read_only
def failed(session: Session, letter_id: int, error: str, *, apart: bool = False) -> bool:
    """Record why a message was not sent; it is retried for a day. Returns whether it is given up.

    If its e-mail could not even be composed, those joined to it are sent `apart`: any of them may be the cause.
    """
    letter = session.get_one(Outbox, letter_id)
    letter.error = error
    is_over = letter.due_at is None or letter.due_at > letter.created_at + RETRIED_FOR
    for other in messages.joined(session, letter_id) if apart or is_over else ():
        other.joined_to, other.tries = None, 0
    if is_over:
        letter.due_at = None
        log.error("message %s to account %s is given up", letter.id, letter.user_id)
    return is_over
