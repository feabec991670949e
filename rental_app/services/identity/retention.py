"""How long customers' documents are kept: the nightly job erases them, and says when a licence runs out."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, and_, exists, or_, select, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.content.messages import DOCUMENT_EXPIRED, DOCUMENT_EXPIRING
from rental_app.domain import clock
from rental_app.domain.clock import full_day
from rental_app.domain.identity import (
    DAYS_BEFORE_EXPIRY,
    EXPIRED_FOR,
    KIND_LABELS,
    REFUSED_FOR,
    UNUSED_FOR,
    IdentityState,
)
from rental_app.domain.money import counted
from rental_app.models import Booking, IdentityPaper, Outbox
from rental_app.services.identity import stored

_IN_USE = col(IdentityPaper.state).in_(stored.WAITS_OR_ACCEPTED)
# SQLAlchemy's types have none for an alias of a table.
_Other = aliased(IdentityPaper)


def expire(session: Session, instant: datetime) -> None:
    """Mark the documents whose last day is over."""
    past = update(IdentityPaper).where(_IN_USE, col(IdentityPaper.valid_until) < clock.indian_today(instant))
    session.execute(past.values(state=IdentityState.EXPIRED).execution_options(synchronize_session=False))


def erase(session: Session, which: ColumnElement[bool]) -> list[str]:
    """Erase the documents that meet a condition; returns store keys no longer used."""
    return stored.erase(session, list(session.scalars(select(col(IdentityPaper.id)).where(which).with_for_update())))


def is_over(instant: datetime) -> ColumnElement[bool]:
    """SQL: whether a document is not kept any longer."""
    refused = and_(
        col(IdentityPaper.state) == IdentityState.REFUSED, col(IdentityPaper.decided_at) <= instant - REFUSED_FOR
    )
    expired = and_(
        col(IdentityPaper.state) == IdentityState.EXPIRED,
        col(IdentityPaper.valid_until) < clock.indian_today(instant) - EXPIRED_FOR,
    )
    since = instant - UNUSED_FOR
    sent_later = exists().where(col(_Other.user_id) == IdentityPaper.user_id, col(_Other.sent_at) > since)
    booked_later = exists().where(col(Booking.customer_id) == IdentityPaper.user_id, col(Booking.return_at) > since)
    return or_(refused, expired, and_(~sent_later, ~booked_later))


def reminders(session: Session, instant: datetime) -> Iterator[Outbox]:
    """Messages that a document runs out soon, or has: 30, 7 and 1 days before, and afterwards; each has its own key."""
    if stored.is_off():
        return
    today = clock.indian_today(instant)
    ahead = and_(_IN_USE, col(IdentityPaper.valid_until) <= today + timedelta(days=max(DAYS_BEFORE_EXPIRY)))
    expired = col(IdentityPaper.state) == IdentityState.EXPIRED
    for paper in session.scalars(select(IdentityPaper).where(or_(ahead, expired))):
        if paper.valid_until:
            yield _reminder(paper, paper.valid_until, today, instant)


def _reminder(paper: IdentityPaper, day: date, today: date, instant: datetime) -> Outbox:
    left = (day - today).days
    # The latest step that is due: an earlier one may have been missed on a day on which nothing ran.
    step = min((days for days in DAYS_BEFORE_EXPIRY if days >= left), default=0) if left >= 0 else "over"
    label = KIND_LABELS[paper.kind].lower()  # type: ignore[index]
    when = f"{full_day(day)}, in {counted(left, 'day')}" if left > 0 else full_day(day)
    return Outbox(
        key=f"document {paper.id} {day} {step}",
        kind=DOCUMENT_EXPIRING if left >= 0 else DOCUMENT_EXPIRED,
        user_id=paper.user_id,
        note=f"{label}, {when}",
        created_at=instant,
        due_at=instant,
    )
