"""Login sessions: opened, and ended by a logout here or everywhere."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, bindparam, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.devices import device_name
from rental_app.infrastructure.security import TOKEN_LIFE, issue_token
from rental_app.models import LoginSession
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor

LOGGED_OUT = "You have been logged out"


# When the sessions used since the last sweep were, as far as the database does not know it to the hour.
_seen: dict[str, datetime] = {}
SEEN_EVERY = timedelta(hours=1)


def open_session(session: Session, user_id: int, user_agent: str = "") -> str:
    """Open a session on the device that calls itself by this name; returns its token."""
    issued = clock.now()
    token, jti = issue_token(user_id, issued)
    device = device_name(user_agent) if user_agent else ""
    session.add(
        LoginSession(jti=jti, user_id=user_id, created_at=issued, expires_at=issued + TOKEN_LIFE, device=device)
    )
    return token


def note_use(jti: str, known: datetime | None) -> None:
    """Note that a session is used; `known` is when the database last knew it to be.

    In memory, because most uses only read: the next sweep writes it down, at most hourly for each.
    """
    instant = clock.now()
    if known is None or known <= instant - SEEN_EVERY:
        _seen[jti] = instant


def write_uses(session: Session) -> None:
    """Write down when the sessions noted since the last time were used."""
    uses = [{"of": jti, "at": instant} for jti, instant in _seen.items()]
    _seen.clear()
    if uses:
        late = update(LoginSession).where(col(LoginSession.jti) == bindparam("of"))
        session.connection().execute(late.values(last_seen_at=bindparam("at")), uses)


def sign_out(session: Session, actor: Actor) -> None:
    """End the session the actor's token belongs to."""
    throttle.count("change", actor)
    _revoke(session, col(LoginSession.jti) == actor.jti)


def sign_out_everywhere(session: Session, actor: Actor) -> None:
    """End every session of the actor."""
    throttle.count("change", actor)
    _revoke(session, col(LoginSession.user_id) == actor.id)


def end_all(session: Session, user_id: int, *, but: str = "") -> None:
    """End every session of an account, save the one with a `jti` that goes on."""
    _revoke(session, and_(col(LoginSession.user_id) == user_id, col(LoginSession.jti) != but))


def revoke_one(session: Session, jti: str) -> None:
    """End one session."""
    _revoke(session, col(LoginSession.jti) == jti)


def _revoke(session: Session, which: ColumnElement[bool]) -> None:
    open_ones = and_(which, col(LoginSession.revoked_at).is_(None))
    session.execute(update(LoginSession).where(open_ones).values(revoked_at=clock.now()))
