"""The switch that makes the shop read-only: everybody looks around, nothing is booked or changed."""

from datetime import datetime
from uuid import uuid4

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.bookings import BookingStatus
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import Booking, Edition, Proposal
from rental_app.schemas.operating import ReadOnlyRequest
from rental_app.services import audit, throttle
from rental_app.services.accounts import recovery
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.operators import enter
from rental_app.services.bookings import proposals
from rental_app.services.throttle import Caller

ON, OFF = "The shop is read-only", "The shop is open again"
USUAL = "We are working on the shop: you can look around, but nothing can be booked or changed for a while."


@even_if_read_only
def switch(session: Session, actor: Actor, request: ReadOnlyRequest) -> str:
    """Make the shop read-only, or open it again, which extends every deadline that was running by the time in between.

    Each call changes the edition, so that cached pages are made again. Returns a message. Raises ForbiddenError.
    """
    enter(actor)
    edition = session.scalars(select(Edition).with_for_update().execution_options(populate_existing=True)).one()
    before, instant = {"since": edition.read_only_since, "message": edition.read_only_message}, clock.now()
    if request.on:
        edition.read_only_since = edition.read_only_since or instant
        edition.read_only_message = request.message or USUAL
    else:
        _give_time_back(session, edition.read_only_since, instant)
        edition.read_only_since, edition.read_only_message = None, ""
    edition.name = uuid4().hex
    session.flush()
    after = {"since": edition.read_only_since, "message": edition.read_only_message}
    act = Act.READ_ONLY_ON if request.on else Act.READ_ONLY_OFF
    audit.record(session, actor, act, ("edition", edition.id or 0), before=before, after=after)
    return ON if request.on else OFF


def is_on(session: Session, actor: Actor) -> bool:
    """Whether the shop is read-only now. Raises ForbiddenError."""
    enter(actor)
    return session.execute(select(col(Edition.read_only_since))).scalar_one() is not None


def note(session: Session, caller: Caller) -> str:
    """The message shown while the shop is read-only; '' while it is open."""
    throttle.count("look", caller)
    message = select(col(Edition.read_only_message)).where(col(Edition.read_only_since).is_not(None))
    return session.execute(message).scalar() or ""


def _give_time_back(session: Session, since: datetime | None, instant: datetime) -> None:
    """Extend the deadlines of requests, proposals and recoveries by the time for which the shop was read-only.

    Those that had lapsed before it stay lapsed.
    """
    if since is None:
        return
    requests = select(Booking).where(col(Booking.status) == BookingStatus.PENDING, col(Booking.answer_by) > since)
    offered = select(Proposal).where(col(Proposal.state) == proposals.OPEN, col(Proposal.answer_by) > since)
    for waiting in (requests.order_by(col(Booking.id)), offered.order_by(col(Proposal.id))):
        for row in session.scalars(waiting).all():
            row.answer_by += instant - since
    recovery.give_back(session, since, instant - since)
    session.flush()
