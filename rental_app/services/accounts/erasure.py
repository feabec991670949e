"""Erasing an account: asked for by its owner, carried out a week later unless a login takes it back.

An account that waits takes part in nothing (`actor.takes_part`): its sessions have ended, its vehicles are hidden, and
nobody works for it. Only `sessions.open_session` takes that back.
"""

import logging
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.content.messages import ERASURE_ASKED
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingSource, BookingStatus, TripStage, WhyCancelled
from rental_app.domain.clock import Window
from rental_app.domain.due import DueToday
from rental_app.domain.errors import ConflictError, ForbiddenError, NotFoundError, RentalError, UnavailableError
from rental_app.domain.money import format_rupees
from rental_app.domain.policies import BOUNDS, Policies
from rental_app.domain.retention import BALANCES_COUNT_FOR, ERASED_AFTER, EXPORTED_EVERY
from rental_app.domain.settlement import chargeable_until
from rental_app.infrastructure.db import read, shorten_log, write
from rental_app.models import Booking, CommissionPayment, Proof, TripReading, User, Vehicle
from rental_app.schemas.own_data import Obstacle, ObstacleCode, OwnDataAnswer
from rental_app.services import audit, throttle
from rental_app.services.accounts import erasure_list, proofs, sessions, traces
from rental_app.services.accounts.actor import Actor, at_the_machine
from rental_app.services.accounts.erasure_list import ErasedAccount
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.bookings import events
from rental_app.services.bookings.due import is_due
from rental_app.services.bookings.rows import deposit_owed, rent_owed, status_at
from rental_app.services.earnings.figures import commissions
from rental_app.services.files import storage
from rental_app.services.files.storage import STORE_FAILURES
from rental_app.services.mail import delivery

log = logging.getLogger(__name__)

ERASURE_WAITS = "Your account will be erased. To keep it, log in before that day"
OPEN = "Some things have to end before your account can be erased"
_WORDS: dict[ObstacleCode, str] = {
    "trip": "{reference}: the trip is not over. Cancel it, or wait until it is.",
    "objection": "{reference}: an objection waits for an answer.",
    "late_charges": "{reference}: for {days} days after the return, fines and tolls may still be charged.",
    "balance": "{reference}: money is still owed or held. Settle it first.",
    "commission": "{amount} of commission is still owed to us. Pay it first.",
}


class OpenTripsError(ConflictError):
    """Something has to end before an account can be erased."""

    code = "open_trips"

    def __init__(self, obstacles: list[Obstacle]) -> None:
        details = {"obstacles": [one.model_dump(mode="json", by_alias=True) for one in obstacles]}
        super().__init__(OPEN, details=details)
        self.obstacles = obstacles


def state(session: Session, actor: Actor) -> OwnDataAnswer:
    """What the actor may do with their data now."""
    throttle.count("look", actor)
    user, instant = session.get_one(User, actor.id), clock.now()
    again = user.exported_at + EXPORTED_EVERY if user.exported_at else instant
    return OwnDataAnswer(
        obstacles=obstacles(session, user, instant),
        export_again_at=again if again > instant else None,
        confirm_password=not sessions.is_proved(session, actor),
        notice_version=user.notice_version,
    )


def obstacles(session: Session, user: User, instant: datetime) -> list[Obstacle]:
    """What has to end before an account can be erased: each booking once, by what is most pressing about it."""
    by_booking: dict[str, Obstacle] = {}
    for code, condition in _conditions(instant):
        rows = select(col(Booking.reference)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        own = or_(col(Booking.customer_id) == user.id, col(Vehicle.vendor_id) == user.id)
        for reference in session.scalars(rows.where(own, condition).order_by(col(Booking.id))):
            text = _WORDS[code].format(reference=reference)
            by_booking.setdefault(reference, Obstacle(code=code, text=text, reference=reference))
    for reference, days in _chargeable(session, user, instant):
        text = _WORDS["late_charges"].format(reference=reference, days=days)
        by_booking.setdefault(reference, Obstacle(code="late_charges", text=text, reference=reference))
    owed = _commission_owed(session, user, instant)
    text = _WORDS["commission"].format(amount=format_rupees(owed))
    return [*by_booking.values(), *([Obstacle(code="commission", text=text)] if owed > 0 else [])]


def _conditions(instant: datetime) -> Iterator[tuple[ObstacleCode, ColumnElement[bool]]]:
    """SQL conditions of bookings that are in the way, the most pressing first."""
    status = status_at(instant)
    ahead = and_(col(Booking.status) == BookingStatus.CONFIRMED, col(Booking.stage) == TripStage.BOOKED)
    yield "trip", or_(col(Booking.stage) == TripStage.OUT, and_(ahead, col(Booking.return_at) > instant))
    yield "objection", is_due(DueToday.OBJECTIONS, instant)
    is_unsquared = or_(rent_owed(status) != 0, deposit_owed(status) != 0)
    answered = col(Booking.status) != BookingStatus.PENDING
    yield "balance", and_(answered, is_unsquared, col(Booking.return_at) > instant - BALANCES_COUNT_FOR)


def _chargeable(session: Session, user: User, instant: datetime) -> Iterator[tuple[str, int]]:
    """The references of trips for which something may still be charged, with the days that this takes."""
    own = or_(col(Booking.customer_id) == user.id, col(Vehicle.vendor_id) == user.id)
    noted = func.coalesce(col(TripReading.noted_at), col(TripReading.at))
    back = (col(TripReading.kind) == "return", noted > instant - timedelta(days=BOUNDS["charge_days"].most + 1))
    returned = select(Booking, noted).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    rows = returned.join(TripReading, col(TripReading.booking_id) == Booking.id).where(own, *back)
    for booking, came_back in session.execute(rows.order_by(col(Booking.id))):
        policies = Policies.of(booking.policies)
        if chargeable_until(came_back, policies) > instant:
            yield booking.reference, policies.charge_days


def _commission_owed(session: Session, user: User, instant: datetime) -> int:
    if user.role != "Vendor":
        return 0
    owed = commissions(session, Window(user.created_at, instant), user.id).get(user.id or 0, 0)
    own = col(CommissionPayment.vendor_id) == user.id
    paid = select(func.coalesce(func.sum(CommissionPayment.paise), 0)).where(own)
    return owed - int(session.execute(paid).scalar_one())


def ask(session: Session, actor: Actor) -> date:
    """Ask for the actor's account to be erased, whose password the caller has checked; returns the day of it.

    At once every session and link ends, requests are withdrawn or declined, and a vendor's vehicles and calendars are
    shown no more. Asking again changes nothing. Raises ForbiddenError (`operators_stay`) and ConflictError
    (`open_trips`, with the `obstacles`).
    """
    throttle.count("change", actor)
    return _ask(session, actor, actor.id)


def ask_for(session: Session, actor: Actor, email: str) -> date:
    """The same for somebody who has asked by letter, at the machine; raises NotFoundError too."""
    own = (col(User.email) == email, col(User.is_deleted).is_(False), col(User.is_guest).is_(False))
    user_id = session.scalars(select(col(User.id)).where(*own)).first()
    if user_id is None:
        raise NotFoundError("There is no account with this email", code="unknown_person")
    return _ask(session, actor, user_id)


def erase_on(asked_at: datetime) -> date:
    """The Indian day on which an account is erased, if nobody logs in before."""
    return clock.indian_today(asked_at + ERASED_AFTER)


def _ask(session: Session, actor: Actor, user_id: int) -> date:
    user, instant = _held(session, user_id), clock.now()
    if user.role == "Operator":
        message = "Operators are unmade on the machine first: python -m rental_app.people operator --end"
        raise ForbiddenError(message, code="operators_stay")
    if user.erase_asked_at:
        return erase_on(user.erase_asked_at)
    if in_the_way := obstacles(session, user, instant):
        raise OpenTripsError(in_the_way)
    user.erase_asked_at = instant
    end_requests(session, user, instant, actor.id or None)
    sessions.end_all(session, user_id)
    proofs.end_all(session, user_id)
    _end_guests_links(session, user_id)
    session.flush()
    audit.record(session, actor, Act.ERASURE_ASKED, ("user", user_id))
    tell(session, ERASURE_ASKED, user_id, note=clock.full_day(erase_on(instant)))
    return erase_on(instant)


def _held(session: Session, user_id: int) -> User:
    """An account, locked after its vehicles: bookings that are being made are seen, and later ones see the end."""
    own = select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == user_id).order_by(col(Vehicle.id))
    session.execute(own.with_for_update())
    held = select(User).where(col(User.id) == user_id).with_for_update(key_share=True)
    return session.scalars(held.execution_options(populate_existing=True)).one()


def end_requests(session: Session, user: User, instant: datetime, who_id: int | None) -> None:
    """Withdraw the requests of somebody who leaves, and decline those for their vehicles; the other side is told."""
    requests = select(Booking).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    own = or_(col(Booking.customer_id) == user.id, col(Vehicle.vendor_id) == user.id)
    waiting = requests.where(own, col(Booking.status) == BookingStatus.PENDING).order_by(col(Booking.id))
    for booking in session.scalars(waiting.with_for_update(of=Booking)).all():
        is_customers = booking.customer_id == user.id
        side = "customer" if is_customers else "vendor"
        booking.status, booking.cancelled_by, booking.decided_at = BookingStatus.CANCELLED, side, instant
        booking.cancel_reason = WhyCancelled.CUSTOMER_LEAVES if is_customers else WhyCancelled.VENDOR_LEAVES
        session.flush()
        what = EventKind.CANCELLED if is_customers else EventKind.DECLINED
        events.record(session, booking, what, side, instant, who_id)


def _end_guests_links(session: Session, vendor_id: int) -> None:
    """End the links of guests to bookings of a vendor's vehicles."""
    bookings = select(col(Booking.customer_id)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    guests = bookings.where(col(Vehicle.vendor_id) == vendor_id, col(Booking.source) == BookingSource.COUNTER)
    links = (col(Proof.purpose) == Purpose.GUEST_TRIP, col(Proof.used_at).is_(None), col(Proof.user_id).in_(guests))
    ended = update(Proof).where(*links).values(used_at=clock.now())
    session.execute(ended.execution_options(synchronize_session=False))


class ErasedTraces(NamedTuple):
    """Of an account that a transaction has erased: what names it on the list, and what goes once that is committed."""

    account: ErasedAccount
    keys: list[str]
    messages: list[int]


def carry_out_due(instant: datetime) -> None:
    """Erase the accounts whose week is over, each in a transaction of its own; one that fails is tried again."""
    for user_id in read(_due, instant):
        _carry_out(user_id, instant, as_listed=False)


def replay() -> None:
    """Erase again what a restored backup has brought back, and put on the list what is missing there.

    Opens its own transactions; what fails is logged, and tried again by the daily sweep.
    """
    try:
        listed = erasure_list.noted()
        erased = read(_erased)
        for account in listed - erased.keys():
            if read(_is_back, account):
                log.warning("account %s is erased again: a restored backup has brought it back", account.user_id)
                _carry_out(account.user_id, clock.now(), as_listed=True)
        for account, erased_at in erased.items():
            if account not in listed:
                erasure_list.note(account, erased_at)
    except (*STORE_FAILURES, UnavailableError) as error:
        log.error("the list of erased accounts cannot be read or written: %s", type(error).__name__)


def _carry_out(user_id: int, instant: datetime, *, as_listed: bool) -> None:
    try:
        gone = write(_erase, user_id, instant, as_listed)
    except (RentalError, DatabaseError) as error:
        log.error("account %s could not be erased: %s", user_id, type(error).__name__)
        return
    if gone:
        storage.remove(gone.keys)
        delivery.drop(gone.messages)
        shorten_log()
        _note(gone.account, instant)


def _note(account: ErasedAccount, instant: datetime) -> None:
    """Put an account on the list; if the store does not answer, the daily sweep does (`replay`)."""
    try:
        erasure_list.note(account, instant)
    except UnavailableError:
        log.error("account %s is erased, and not on the list of erased accounts yet", account.user_id)


def _due(session: Session, instant: datetime) -> list[int]:
    waits = (col(User.erase_asked_at) <= instant - ERASED_AFTER, col(User.is_deleted).is_(False))
    return [user_id or 0 for user_id in session.scalars(select(col(User.id)).where(*waits).order_by(col(User.id)))]


def _erase(session: Session, user_id: int, instant: datetime, as_listed: bool) -> ErasedTraces | None:
    """Erase an account that still waits for it, unless something is open; one that is listed was erased before."""
    user = _held(session, user_id)
    waits = user.erase_asked_at is not None and user.erase_asked_at <= instant - ERASED_AFTER
    if user.is_deleted or not (as_listed or waits):
        return None
    end_requests(session, user, instant, None)
    # A call that was under way when it was asked for may have begun something: that ends first.
    if not as_listed and obstacles(session, user, instant):
        return None
    sessions.end_all(session, user_id)
    keys, messages = traces.forget(session, user, instant)
    audit.record(session, at_the_machine(), Act.ACCOUNT_ERASED, ("user", user_id))
    return ErasedTraces(ErasedAccount(user_id, user.created_at), keys, messages)


def _erased(session: Session) -> dict[ErasedAccount, datetime]:
    rows = select(col(User.id), col(User.created_at), col(User.erased_at)).where(col(User.erased_at).is_not(None))
    return {ErasedAccount(row.id, row.created_at): row.erased_at for row in session.execute(rows)}


def _is_back(session: Session, account: ErasedAccount) -> bool:
    same = (col(User.id) == account.user_id, col(User.created_at) == account.made_at)
    return session.execute(select(col(User.id)).where(*same, col(User.is_deleted).is_(False))).first() is not None
