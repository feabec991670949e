"""Login sessions: opened, ended by a logout, whose a token is, and which devices an account has been logged in from."""

import hashlib
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, exists, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.content.messages import ERASURE_TAKEN_BACK, NEW_DEVICE
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.devices import UNKNOWN, device_name
from rental_app.domain.errors import ForbiddenError, NotAuthenticatedError, NotFoundError
from rental_app.domain.staff import MemberRole
from rental_app.infrastructure.db import even_if_read_only
from rental_app.infrastructure.security import TOKEN_LIFE, address_digest, issue_token, keyed_digest, read_token
from rental_app.models import KnownDevice, LoginSession, Member, User
from rental_app.schemas.sign_in import SessionView
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, may_log_in
from rental_app.services.accounts.letters import tell
from rental_app.services.throttle import Caller

LOGGED_OUT = "You have been logged out"
_VENDOR: Any = aliased(User)
_WHOSE = (
    select(
        col(User.id),
        col(User.role),
        _VENDOR.id.label("employer"),
        col(Member.role).label("works_as"),
        col(LoginSession.last_seen_at),
        col(LoginSession.by_code),
        col(LoginSession.created_at),
        col(LoginSession.stepped_at),
        col(User.status),
    )
    .select_from(User)
    .join(LoginSession, col(LoginSession.user_id) == User.id)
    .outerjoin(Member, col(Member.user_id) == User.id)
    .outerjoin(
        _VENDOR,
        and_(
            _VENDOR.id == Member.vendor_id,
            _VENDOR.role == "Vendor",
            _VENDOR.status == "active",
            _VENDOR.is_deleted.is_(False),
            _VENDOR.erase_asked_at.is_(None),
        ),
    )
    .where(
        col(LoginSession.revoked_at).is_(None),
        col(User.is_deleted).is_(False),
        col(LoginSession.jti) == bindparam("jti"),
    )
)


# When sessions were last used since the last sweep, unless the database already has it to within an hour.
_seen: dict[str, datetime] = {}
SEEN_EVERY = timedelta(hours=1)
# How long what somebody gave to log in counts for what only they may do.
PROVED_FOR = timedelta(minutes=15)
# An operator logs in every day anew.
OPERATORS_LIFE = timedelta(hours=12)


ENDED = "That device is logged out"


class SessionOrigin(NamedTuple):
    """What a session was opened by besides the password: when the second step was given, and the passkey's id."""

    stepped_at: datetime | None = None
    passkey_id: int | None = None


def open_session(
    session: Session,
    user_id: int,
    user_agent: str = "",
    *,
    by_code: bool = False,
    stepped_at: datetime | None = None,
    passkey_id: int | None = None,
) -> str:
    """Open a session on the device that calls itself by this name; returns its token.

    `by_code` says that nobody gave the password, `stepped_at` when the second step was given, `passkey_id` which
    passkey was used.
    """
    issued = clock.now()
    token, jti = issue_token(user_id, issued)
    device = device_name(user_agent) if user_agent else ""
    session.add(
        LoginSession(
            jti=jti,
            user_id=user_id,
            created_at=issued,
            expires_at=issued + TOKEN_LIFE,
            device=device,
            by_code=by_code,
            stepped_at=stepped_at,
            # A texted code shows who has the phone, not whose account it is.
            proved_at=None if by_code else issued,
            passkey_id=passkey_id,
        )
    )
    _keep_account(session, user_id)
    return token


def _keep_account(session: Session, user_id: int) -> None:
    """Take back what somebody has asked for who logs in again: the account is not erased, and they are told."""
    waits = (col(User.id) == user_id, col(User.erase_asked_at).is_not(None), col(User.is_deleted).is_(False))
    taken_back = update(User).where(*waits).values(erase_asked_at=None).returning(col(User.role))
    if row := session.execute(taken_back).first():
        tell(session, ERASURE_TAKEN_BACK, user_id)
        who = Actor(address="", id=user_id, role=row.role, jti="")
        audit.record(session, who, Act.ERASURE_TAKEN_BACK, ("user", user_id))


def note_use(jti: str, last_seen: datetime | None) -> None:
    """Note that a session is used; `last_seen` is when it was used last according to the database.

    In memory, because most uses only read: the next sweep writes it down, at most hourly for each.
    """
    instant = clock.now()
    if last_seen is None or last_seen <= instant - SEEN_EVERY:
        _seen[jti] = instant


@even_if_read_only
def write_uses(session: Session) -> None:
    """Write down when the sessions noted since the last time were used."""
    uses = [{"of": jti, "at": instant} for jti, instant in _seen.items()]
    _seen.clear()
    if uses:
        late = update(LoginSession).where(col(LoginSession.jti) == bindparam("of"))
        session.connection().execute(late.values(last_seen_at=bindparam("at")), uses)


def note_password(session: Session, actor: Actor) -> None:
    """Note that the password was given in the actor's session. The caller has checked it."""
    throttle.count("change", actor)
    own = col(LoginSession.jti) == actor.jti
    session.execute(update(LoginSession).where(own).values(by_code=False, proved_at=clock.now()))
    audit.record(session, actor, Act.PASSWORD_CONFIRMED, ("user", actor.id))


def require_proved(session: Session, actor: Actor) -> None:
    """Raise ForbiddenError (`confirm_password`) unless the password, a code of the second step or a passkey was given
    in the actor's session within a quarter of an hour."""
    if not is_proved(session, actor):
        raise ForbiddenError("Please enter your password first", code="confirm_password")


def is_proved(session: Session, actor: Actor) -> bool:
    """Whether one of these was."""
    own = select(col(LoginSession.proved_at)).where(col(LoginSession.jti) == actor.jti)
    proved_at = session.execute(own).scalar_one_or_none()
    return proved_at is not None and proved_at > clock.now() - PROVED_FOR


def proven_by(session: Session, actor: Actor) -> SessionOrigin:
    """What the actor's session was opened by, for the session that replaces it."""
    ours = select(col(LoginSession.stepped_at), col(LoginSession.passkey_id))
    row = session.execute(ours.where(col(LoginSession.jti) == actor.jti)).first()
    return SessionOrigin(*row) if row else SessionOrigin()


@even_if_read_only
def sign_out(session: Session, actor: Actor) -> None:
    """End the session the actor's token belongs to."""
    throttle.count("change", actor)
    _revoke(session, col(LoginSession.jti) == actor.jti)
    audit.record(session, actor, Act.LOGGED_OUT, ("user", actor.id))


@even_if_read_only
def sign_out_everywhere(session: Session, actor: Actor) -> None:
    """End every session of the actor."""
    throttle.count("change", actor)
    _revoke(session, col(LoginSession.user_id) == actor.id)
    audit.record(session, actor, Act.LOGGED_OUT_EVERYWHERE, ("user", actor.id))


def end_all(session: Session, user_id: int, *, but: str = "") -> None:
    """End every session of an account, save the one with a `jti` that goes on."""
    _revoke(session, and_(col(LoginSession.user_id) == user_id, col(LoginSession.jti) != but))


def end_opened_by(session: Session, passkeys: Collection[int], *, but: str = "") -> None:
    """End the sessions that these passkeys have opened, save the one with a `jti` that goes on."""
    _revoke(session, and_(col(LoginSession.passkey_id).in_(passkeys), col(LoginSession.jti) != but))


def _revoke(session: Session, which: ColumnElement[bool]) -> None:
    open_ones = and_(which, col(LoginSession.revoked_at).is_(None))
    session.execute(update(LoginSession).where(open_ones).values(revoked_at=clock.now()))


def authenticate(session: Session, caller: Caller, token: str) -> Actor:
    """The actor a token belongs to right now; raises NotAuthenticatedError if there is none, or it is not valid now.

    That may be a blocked vendor who has trips to finish: the caller has to refuse them everything else.
    """
    jti = _proved(caller, token)
    throttle.count_token(jti)
    row = session.connection().execute(_WHOSE, {"jti": jti}).first()
    if row is None or (row.role == "Operator" and row.created_at + OPERATORS_LIFE <= clock.now()):
        raise NotAuthenticatedError("Please log in again", code="session_ended")
    is_blocked = row.status != "active"
    if is_blocked and not may_finish(session, row.id):
        raise NotAuthenticatedError("Please log in again", code="session_ended")
    note_use(jti, row.last_seen_at)
    return Actor(
        caller.address,
        row.id,
        row.role,
        jti,
        row.employer or 0,
        manages=row.works_as == MemberRole.MANAGER,
        by_code=row.by_code,
        gave_second_step=row.stepped_at is not None,
        is_blocked=is_blocked,
        user_agent=caller.user_agent,
    )


def may_finish(session: Session, user_id: int) -> bool:
    """Whether a blocked account may still be used, to finish trips; asked apart, because it is for few."""
    return session.execute(select(col(User.id)).where(col(User.id) == user_id, *may_log_in())).first() is not None


def _proved(caller: Caller, token: str) -> str:
    """The `jti` of a genuine token; others are counted for their address."""
    try:
        return read_token(token)
    except NotAuthenticatedError:
        throttle.count("call", caller)
        raise


def open_sessions(session: Session, actor: Actor) -> list[SessionView]:
    """Where the actor is logged in, this device first, then the one used last."""
    throttle.count("list", actor)
    now = clock.now()
    conditions = (
        col(LoginSession.user_id) == actor.id,
        col(LoginSession.revoked_at).is_(None),
        col(LoginSession.expires_at) > now,
    )
    rows = session.scalars(select(LoginSession).where(*conditions)).all()
    views = [
        SessionView(
            id=_public_id(row.jti),
            current=row.jti == actor.jti,
            created_at=row.created_at,
            last_seen=row.last_seen_at or row.created_at,
            device=row.device or UNKNOWN,
        )
        for row in rows
    ]
    return sorted(views, key=lambda view: (not view.current, -view.last_seen.timestamp()))


@even_if_read_only
def end(session: Session, actor: Actor, session_id: str) -> str:
    """Log a device of the actor out, effective from its next call or event. Raises NotFoundError."""
    throttle.count("change", actor)
    own = select(col(LoginSession.jti)).where(
        col(LoginSession.user_id) == actor.id, col(LoginSession.revoked_at).is_(None)
    )
    jti = next((jti for jti in session.scalars(own) if _public_id(jti) == session_id), None)
    if jti is None:
        raise NotFoundError("This device is not logged in", code="unknown_session")
    _revoke(session, col(LoginSession.jti) == jti)
    audit.record(session, actor, Act.DEVICE_LOGGED_OUT, ("user", actor.id))
    return ENDED


def recognise_device(session: Session, user: User, caller: Caller) -> None:
    """Remember the device that an account is logged in from; its owner is told of a new one by e-mail.

    The first that is remembered of an account is not new: it signed up there, or was there before we remembered any.
    A program that shows no key is known by the network of the last login.
    """
    if not caller.device_key:
        if address_digest(user.email, caller.network) != user.last_login_from:
            _tell(session, user, caller)
        return
    digest, now = keyed_digest("device", caller.device_key.encode()).hex(), clock.now()
    conditions = (col(KnownDevice.user_id) == user.id, col(KnownDevice.digest) == digest)
    seen = update(KnownDevice).where(*conditions).values(seen_at=now).returning(col(KnownDevice.user_id))
    if session.execute(seen).first():
        return
    is_first = not session.execute(select(exists().where(col(KnownDevice.user_id) == user.id))).scalar_one()
    try:
        with session.begin_nested():
            session.add(KnownDevice(user_id=user.id or 0, digest=digest, seen_at=now))
    except IntegrityError:
        # Another login from the same device at the same moment has remembered it.
        return
    if not is_first:
        _tell(session, user, caller)


def is_known_device(session: Session, user_id: int | None, caller: Caller) -> bool:
    """Whether an account was logged in from the caller's device; that of nobody (None) costs the same statement."""
    conditions = (
        col(KnownDevice.user_id) == user_id,
        col(KnownDevice.digest) == keyed_digest("device", caller.device_key.encode()).hex(),
    )
    return bool(session.execute(select(exists().where(*conditions))).scalar_one())


def _tell(session: Session, user: User, caller: Caller) -> None:
    tell(session, NEW_DEVICE, user.id, note=f"{device_name(caller.user_agent)}, {clock.friendly(clock.now())}")


def _public_id(jti: str) -> str:
    """What names a session outside: its `jti` stays between the token and the database."""
    return hashlib.sha256(jti.encode()).hexdigest()[:16]
