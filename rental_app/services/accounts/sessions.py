"""Login sessions: opened, and ended by a logout here or everywhere."""

from sqlalchemy import ColumnElement, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.infrastructure.security import TOKEN_LIFE, issue_token
from rental_app.models import LoginSession
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor

LOGGED_OUT = "You have been logged out"


def open_session(session: Session, user_id: int) -> str:
    """Open a session; returns its token."""
    issued = clock.now()
    token, jti = issue_token(user_id, issued)
    session.add(LoginSession(jti=jti, user_id=user_id, created_at=issued, expires_at=issued + TOKEN_LIFE))
    return token


def sign_out(session: Session, actor: Actor) -> None:
    """End the session the actor's token belongs to."""
    throttle.count("change", actor)
    _revoke(session, col(LoginSession.jti) == actor.jti)
    audit.record(session, actor, Act.LOGGED_OUT, ("user", actor.id))


def sign_out_everywhere(session: Session, actor: Actor) -> None:
    """End every session of the actor."""
    throttle.count("change", actor)
    _revoke(session, col(LoginSession.user_id) == actor.id)
    audit.record(session, actor, Act.LOGGED_OUT_EVERYWHERE, ("user", actor.id))


def _revoke(session: Session, which: ColumnElement[bool]) -> None:
    session.execute(update(LoginSession).where(which).values(revoked_at=clock.now()))
