"""What operators decide about people: blocking, the way back in, and what is locked in an account."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from rental_app.content.messages import (
    ACCOUNT_BLOCKED,
    ACCOUNT_CHANGED,
    ACCOUNT_UNBLOCKED,
    EMPLOYER_BLOCKED,
    EMPLOYER_UNBLOCKED,
    RESET_PASSWORD,
)
from rental_app.content.texts import ACCOUNT_CHANGED_TEXT
from rental_app.domain import clock
from rental_app.domain.acts import Act, changes
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage, WhyCancelled
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.domain.money import counted
from rental_app.models import AccountChange, Booking, Columns, Member, PersonNote, User, Vehicle
from rental_app.schemas.operating import (
    Blocking,
    LockedFields,
    NoteRequest,
    RecoveryRequest,
    RequestDecision,
    StopRequest,
    require_reason,
)
from rental_app.services import audit, throttle
from rental_app.services.accounts import emails, passwords, proofs, recovery, requests, sessions
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.letters import send_text, tell
from rental_app.services.accounts.operators import OPERATOR, enter
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.bookings import events
from rental_app.services.operating.versions import require_seen

BLOCKED, UNBLOCKED = "Blocked: everybody concerned is told", "Unblocked, and told so"
LINK_SENT = "A link for a new password is on its way to their email"
NOTED = "Noted, for operators alone"
BEGUN = "Told at every address: it changes in 72 hours, unless they stop it"
STAYS = "Stopped, and told at every address"
CHANGED = "Changed, and told to their old address and phone"
# A new address may be somebody else's: no link that opens the account goes to it before its owner could object.
NEW_ADDRESS = timedelta(days=7)
ACTIVE, STOPPED = "active", "blocked"
# What of an account is told to the old address and phone.
_WORDS = {
    "name": "name",
    "email": "email",
    "phone_number": "mobile number",
    "bank_name": "bank account",
    "bank_account_no": "bank account",
    "bank_ifsc": "bank account",
    "commission_bps": "commission",
}


def block(session: Session, actor: Actor, person_id: int, request: Blocking) -> str:
    """Block an account: its sessions and links end, its requests and those for its vehicles are declined.

    A vendor's listings hide; trips that are under way go on, and they can take back and settle those alone. Confirmed
    bookings stay and wait for an operator, their customers are told. Raises ForbiddenError, NotFoundError,
    InvalidInputError (no reason) and ConflictError (`is_operator`, `already_blocked`, `changed_meanwhile`).
    """
    enter(actor)
    require_reason(request.reason)
    user = _held(session, person_id, request.expected, vehicles=True)
    if user.status == STOPPED:
        raise ConflictError("This account is blocked already", code="already_blocked")
    _set_status(session, actor, user, STOPPED, request.reason)
    sessions.end_all(session, person_id)
    proofs.end_all(session, person_id)
    instant = clock.now()
    for booking in _bookings(session, person_id, col(Booking.status) == BookingStatus.PENDING):
        is_customers = booking.customer_id == person_id
        booking.status, booking.cancelled_by = BookingStatus.CANCELLED, "operator"
        booking.cancel_reason = WhyCancelled.CUSTOMER_BLOCKED if is_customers else WhyCancelled.VENDOR_BLOCKED
        booking.decided_at = instant
        session.flush()
        what = EventKind.CANCELLED if is_customers else EventKind.DECLINED
        events.record(session, booking, what, "operator", instant, actor.id)
    for booking in _ahead(session, person_id):
        events.record(session, booking, EventKind.VENDOR_BLOCKED, "operator", instant, actor.id)
    tell(session, ACCOUNT_BLOCKED, person_id, note=request.reason)
    _tell_members(session, EMPLOYER_BLOCKED, user)
    return BLOCKED


def what_a_block_does(session: Session, person_id: int) -> str:
    """What blocking somebody would do now, in words."""
    own = (col(Vehicle.vendor_id) == person_id, col(Vehicle.is_active), col(Vehicle.is_approved))
    listings = session.execute(select(func.count()).where(*own)).scalar_one()
    ahead = [booking.stage for booking in _ahead(session, person_id)]
    waiting, out = ahead.count(TripStage.BOOKED), ahead.count(TripStage.OUT)
    requests_open = _of_person(person_id, col(Booking.status) == BookingStatus.PENDING).with_only_columns(func.count())
    ended = session.execute(requests_open).scalar_one()
    effects = (
        (listings, f"{counted(listings, 'listing')} {'hides' if listings == 1 else 'hide'}"),
        (ended, f"{counted(ended, 'request')} {'is' if ended == 1 else 'are'} declined"),
        (
            waiting,
            f"{counted(waiting, 'confirmed booking')} {'stays' if waiting == 1 else 'stay'}, to be decided in Work",
        ),
        (out, f"{counted(out, 'trip')} under way {'goes' if out == 1 else 'go'} on"),
    )
    return ". ".join(["They are logged out everywhere", *(text for many, text in effects if many)]) + "."


def unblock(session: Session, actor: Actor, person_id: int, request: Blocking) -> str:
    """Unblock an account: its listings show again, and its owner logs in as before.

    Raises ForbiddenError, NotFoundError and ConflictError (`not_blocked`, `changed_meanwhile`).
    """
    enter(actor)
    user = _held(session, person_id, request.expected)
    if user.status != STOPPED:
        raise ConflictError("This account is not blocked", code="not_blocked")
    _set_status(session, actor, user, ACTIVE, request.reason)
    instant = clock.now()
    for booking in _ahead(session, person_id):
        events.record(session, booking, EventKind.VENDOR_UNBLOCKED, "operator", instant, actor.id)
    tell(session, ACCOUNT_UNBLOCKED, person_id, note=request.reason)
    _tell_members(session, EMPLOYER_UNBLOCKED, user)
    return UNBLOCKED


def send_reset_link(session: Session, actor: Actor, person_id: int) -> str:
    """Send somebody a link for a new password, to the address that they have had for a week at least.

    Raises ForbiddenError, NotFoundError, ConflictError (`is_operator`, `account_blocked`, `address_changed`) and
    TooManyRequestsError: nobody's inbox is filled.
    """
    enter(actor)
    user = _held(session, person_id)
    _require_active(user)
    if user.email_changed_at and user.email_changed_at > clock.now() - NEW_ADDRESS:
        message = "Their email changed within the last 7 days: whoever changed it may not be its owner"
        raise ConflictError(message, code="address_changed")
    throttle.hit(passwords.LINKS, "reset_link", user.email)
    proof = proofs.open_proof(session, Purpose.RESET, user.id, passwords.LINK_LIVES, {"email": user.email})
    tell(session, RESET_PASSWORD, user.id, proof_id=proof.id)
    audit.record(session, actor, Act.RESET_LINK_SENT, ("user", person_id))
    return LINK_SENT


def change(session: Session, actor: Actor, person_id: int, request: LockedFields) -> str:
    """Change what is locked in an account: name, e-mail, mobile number, bank account, commission.

    Fields that are left out stay as they are. The old e-mail and mobile number are notified. Raises ForbiddenError,
    NotFoundError, InvalidInputError (no reason) and ConflictError (`is_operator`, `email_taken`, `changed_meanwhile`).
    """
    enter(actor)
    require_reason(request.reason)
    user = _held(session, person_id, request.expected)
    wanted = request.columns()
    before, after = changes({name: getattr(user, name) for name in wanted}, wanted)
    if not after:
        return "Nothing has changed"
    old_email, old_phone = user.email, user.phone_number
    if "email" in after:
        emails.replace(session, user, str(after["email"]))
    user.sqlmodel_update({name: value for name, value in after.items() if name != "email"})
    session.flush()
    audit.record(session, actor, Act.PERSON_CHANGED, ("user", person_id), request.reason, before, after)
    what = ", ".join(dict.fromkeys(_WORDS[name] for name in after))
    for address in dict.fromkeys((old_email, user.email)):
        tell(session, ACCOUNT_CHANGED, user.id, to=address, note=f"{what} ({request.reason})")
    send_text(session, ACCOUNT_CHANGED_TEXT, old_phone, {"note": what}, user_id=user.id)
    return CHANGED


def begin_recovery(session: Session, actor: Actor, person_id: int, request: RecoveryRequest) -> str:
    """Begin to give another e-mail, mobile number or both to somebody who has lost what they had.

    Told at every address, old and new; in 72 hours the sweep carries it out, unless the owner stops it by the link
    there. Raises ForbiddenError, NotFoundError, InvalidInputError (no check, nothing new) and ConflictError
    (`is_operator`, `account_blocked`, `email_taken`, `recovery_open`, `changed_meanwhile`).
    """
    enter(actor)
    require_reason(request.checked, "checked", "Say how you know that it is them: the trail keeps it")
    user = _held(session, person_id, request.expected)
    _require_active(user)
    wanted = request.columns()
    _, new = changes({name: getattr(user, name) for name in wanted}, wanted)
    if not new:
        message = "Enter another email, or another mobile number, than the account has"
        raise InvalidInputError(message, fields={"email": message})
    recovery.begin(session, actor, user, {name: wanted[name] for name in new}, request.checked)
    return BEGUN


def end_recovery(session: Session, actor: Actor, person_id: int, request: StopRequest) -> str:
    """Stop what `begin_recovery` began; told at every address.

    Raises ForbiddenError, NotFoundError and ConflictError (`no_recovery`, `changed_meanwhile`).
    """
    enter(actor)
    recovery.take_back(session, actor, _held(session, person_id, request.expected))
    return STAYS


def add_note(session: Session, actor: Actor, person_id: int, note: NoteRequest) -> str:
    """Note something about an account, blocked ones and guests too; it stays as it is.

    Raises ForbiddenError, NotFoundError and InvalidInputError (a blank note).
    """
    enter(actor)
    require_reason(note.text, "text", "Write what is to be noted")
    there = select(col(User.id)).where(col(User.id) == person_id, col(User.is_deleted).is_(False))
    if session.execute(there).first() is None:
        raise _unknown_person()
    row = PersonNote(user_id=person_id, text=note.text.strip(), who_id=actor.id or None, at=clock.now())
    session.add(row)
    session.flush()
    audit.record(session, actor, Act.PERSON_NOTED, ("user", person_id), about=f"note {row.id}")
    return NOTED


def _unknown_person() -> NotFoundError:
    return NotFoundError("There is no such account", code="unknown_person")


def decide_request(session: Session, actor: Actor, request_id: int, request: RequestDecision) -> str:
    """Grant or refuse what a vendor asks to have changed; a refusal needs a reason. Returns a message.

    Raises what `accounts.requests.decide` does, InvalidInputError, and ConflictError (`changed_meanwhile`).
    """
    enter(actor)
    if request.decision == "refuse":
        require_reason(request.reason)
    session.execute(select(col(AccountChange.id)).where(col(AccountChange.id) == request_id).with_for_update())
    require_seen(session, "requests", request_id, request.expected)
    grant = request.decision == "grant"
    requests.decide(session, actor, request_id, grant=grant, reason=request.reason)
    return f"{'Granted' if grant else 'Refused'}, and the vendor is told"


def _held(session: Session, person_id: int, expected: str = "", *, vehicles: bool = False) -> User:
    """An account that operators decide about, locked, its vehicles before it where they are asked for.

    Guests have none. Raises NotFoundError and ConflictError (`is_operator`, `changed_meanwhile`).
    """
    if vehicles:
        own = select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == person_id).order_by(col(Vehicle.id))
        session.execute(own.with_for_update())
    own_account = (col(User.id) == person_id, col(User.is_deleted).is_(False), col(User.is_guest).is_(False))
    user = session.scalars(
        select(User).where(*own_account).with_for_update(key_share=True).execution_options(populate_existing=True)
    ).first()
    if user is None:
        raise _unknown_person()
    if user.role == OPERATOR:
        message = "Operators are made and unmade on the machine alone: python -m rental_app.people operator"
        raise ConflictError(message, code="is_operator")
    require_seen(session, "people", person_id, expected)
    return user


def _require_active(user: User) -> None:
    """Raise ConflictError (`account_blocked`) if an account is blocked."""
    if user.status == STOPPED:
        raise ConflictError("This account is blocked: unblock it first", code="account_blocked")


def _set_status(session: Session, actor: Actor, user: User, status: str, reason: str) -> None:
    before, after = {"status": user.status}, {"status": status}
    user.status = status
    session.flush()
    act = Act.PERSON_BLOCKED if status == STOPPED else Act.PERSON_UNBLOCKED
    audit.record(session, actor, act, ("user", user.id or 0), about=reason, before=before, after=after)


def _of_person(person_id: int, *which: ColumnElement[bool]) -> Columns:
    """SELECT of the ids of bookings of somebody's vehicles and of those that they made, with their vehicles."""
    of_person = (col(Vehicle.vendor_id) == person_id) | (col(Booking.customer_id) == person_id)
    vehicles = select(col(Booking.id), col(Booking.vehicle_id)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    return vehicles.where(of_person, *which)


def _bookings(session: Session, person_id: int, *which: ColumnElement[bool]) -> Sequence[Booking]:
    """Bookings of somebody's vehicles, and those that they made; locked after their vehicles, as everywhere."""
    rows = session.execute(_of_person(person_id, *which)).all()
    ids, cars = [row.id for row in rows], [row.vehicle_id for row in rows]
    session.execute(
        select(col(Vehicle.id)).where(col(Vehicle.id).in_(cars)).order_by(col(Vehicle.id)).with_for_update()
    )
    locked = select(Booking).where(col(Booking.id).in_(ids), *which).order_by(col(Booking.id)).with_for_update()
    return session.scalars(locked.execution_options(populate_existing=True)).all()


def _tell_members(session: Session, kind: str, vendor: User) -> None:
    """Tell those who work for a vendor."""
    members = select(col(Member.user_id)).where(col(Member.vendor_id) == vendor.id).order_by(col(Member.user_id))
    for member in session.scalars(members).all():
        tell(session, kind, member, note=vendor.name)


def _ahead(session: Session, vendor_id: int) -> Sequence[Booking]:
    """Confirmed bookings of a vendor's vehicles that are not over: their customers wait for the vendor."""
    own = (col(Vehicle.vendor_id) == vendor_id, col(Booking.status) == BookingStatus.CONFIRMED)
    bookings = select(Booking).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    bookings = bookings.where(*own, col(Booking.stage).in_((TripStage.BOOKED, TripStage.OUT)))
    return session.scalars(bookings.order_by(col(Booking.id))).all()
