"""Where an account is logged in, and which devices it has been logged in from."""

import hashlib
import hmac
from datetime import timedelta

from sqlalchemy import delete, exists, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.content.messages import NEW_DEVICE
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.devices import UNKNOWN, device_name
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import even_if_read_only
from rental_app.infrastructure.security import address_digest
from rental_app.infrastructure.settings import settings
from rental_app.models import KnownDevice, LoginSession, User
from rental_app.schemas.people import SessionView
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.sessions import revoke_one
from rental_app.services.throttle import Caller

ENDED = "That device is logged out"
# A device that has not been used for longer counts as new again.
KNOWN_FOR = timedelta(days=400)


def open_sessions(session: Session, actor: Actor) -> list[SessionView]:
    """Where the actor is logged in, this device first, then the one used last."""
    throttle.count("list", actor)
    now = clock.now()
    mine = (
        col(LoginSession.user_id) == actor.id,
        col(LoginSession.revoked_at).is_(None),
        col(LoginSession.expires_at) > now,
    )
    rows = session.scalars(select(LoginSession).where(*mine)).all()
    views = [_view(row, actor) for row in rows]
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
    revoke_one(session, jti)
    audit.record(session, actor, Act.DEVICE_LOGGED_OUT, ("user", actor.id))
    return ENDED


def recognise(session: Session, user: User, caller: Caller) -> None:
    """Remember the device that an account is logged in from; its owner is told of a new one by e-mail.

    The first that is remembered of an account is not new: it signed up there, or was there before we remembered any.
    A program that shows no key is known by the network of the last login.
    """
    if not caller.device_key:
        if address_digest(user.email, caller.network) != user.last_login_from:
            _tell(session, user, caller)
        return
    digest, now = _digest(caller.device_key), clock.now()
    mine = (col(KnownDevice.user_id) == user.id, col(KnownDevice.digest) == digest)
    seen = update(KnownDevice).where(*mine).values(seen_at=now).returning(col(KnownDevice.user_id))
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


def is_known(session: Session, user_id: int | None, caller: Caller) -> bool:
    """Whether an account was logged in from the caller's device; that of nobody (None) costs the same statement."""
    mine = (col(KnownDevice.user_id) == user_id, col(KnownDevice.digest) == _digest(caller.device_key))
    return bool(session.execute(select(exists().where(*mine))).scalar_one())


def forget_old(session: Session) -> None:
    """Forget devices that have not been used for long."""
    session.execute(delete(KnownDevice).where(col(KnownDevice.seen_at) < clock.now() - KNOWN_FOR))


def _tell(session: Session, user: User, caller: Caller) -> None:
    tell(session, NEW_DEVICE, user.id, note=f"{device_name(caller.user_agent)}, {clock.friendly(clock.now())}")


def _view(row: LoginSession, actor: Actor) -> SessionView:
    return SessionView(
        id=_public_id(row.jti),
        current=row.jti == actor.jti,
        created_at=row.created_at,
        last_seen=row.last_seen_at or row.created_at,
        device=row.device or UNKNOWN,
    )


def _public_id(jti: str) -> str:
    """What names a session outside: its `jti` stays between the token and the database."""
    return hashlib.sha256(jti.encode()).hexdigest()[:16]


def _digest(key: str) -> str:
    return hmac.new(settings().signing_key.encode(), f"device {key}".encode(), hashlib.sha256).hexdigest()
