"""Logging in with an e-mail and a password, and what failures lead to."""

from collections.abc import Mapping
from dataclasses import replace

from limits import RateLimitItem, parse
from sqlalchemy import select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import FAILURES_TOGETHER, Act
from rental_app.domain.errors import ForbiddenError, NotAuthenticatedError
from rental_app.infrastructure import logs, metrics
from rental_app.infrastructure.background import after_answer
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.security import address_digest, hash_password, password_matches, readings_of
from rental_app.models import AuditEntry, User
from rental_app.schemas.people import Credentials, spellings
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, lock_account
from rental_app.services.accounts.sessions import open_session
from rental_app.services.throttle import Caller

LOGGED_IN = "You are logged in"
# Failures for one account from one address; for one account from all unfamiliar addresses; from one address.
OF_BOTH, OF_ACCOUNT, OF_ADDRESS = parse("10 per 15 minutes"), parse("50 per 15 minutes"), parse("300 per 15 minutes")


@metrics.counted_refusals(metrics.login)
def sign_in(form: Credentials, caller: Caller) -> str:
    """Return a token for an e-mail and password. Opens its own short transactions: a hash takes a quarter of a second.

    Raises NotAuthenticatedError, with the same message and timing for an unknown e-mail and a wrong password,
    ForbiddenError for a blocked account and TooManyRequestsError after too many failures or too many logins.
    """
    user = read(_user_of, form.email)
    if user and user.id:
        # Also of those that fail: it tells whose password is being tried.
        logs.note_user(user.id)
    bounds = _bounds(form.email, caller, user)
    for limit, key in bounds:
        throttle.test(limit, key)
    readings = readings_of(form.password)
    right = [reading for reading in readings if password_matches(reading, _hash_of(user))]
    if not right or not user:
        for limit, key in bounds:
            throttle.hit(limit, key)
        if user and user.id:
            after_answer(write, _note_failure, Actor(caller.address, user.id, user.role, jti=""))
        raise NotAuthenticatedError("Email or password is not right", code="bad_credentials")
    if user.status != "active":
        raise ForbiddenError("This account is blocked, please contact us", code="account_blocked")
    news = {"last_login_from": address_digest(form.email, caller.network)}
    if right[0] != readings[0]:
        news["password_hash"] = hash_password(form.password)
    token = write(_enter, Actor(caller.address, user.id or 0, user.role, jti=""), news)
    metrics.login("done").inc()
    return token


def _hash_of(user: User | None) -> str | None:
    return user.password_hash if user else None


def _user_of(session: Session, email: str) -> User | None:
    found = select(User).where(col(User.email).in_(spellings(email)), col(User.is_deleted).is_(False))
    return session.scalars(found).first()


def _bounds(email: str, caller: Caller, user: User | None) -> list[tuple[RateLimitItem, str]]:
    """The limits a failure counts against; strangers' failures never lock out the address that last logged in."""
    bounds = [
        (OF_BOTH, f"failed login {email} {caller.network}"),
        (OF_ADDRESS, f"failed login {caller.network}"),
    ]
    if user and user.last_login_from == address_digest(email, caller.network):
        return bounds
    return [*bounds, (OF_ACCOUNT, f"failed login {email}")]


def _enter(session: Session, actor: Actor, news: Mapping[str, str]) -> str:
    throttle.count("login", actor)
    session.execute(update(User).where(col(User.id) == actor.id).values(**news))
    audit.record(session, actor, Act.LOGGED_IN, ("user", actor.id))
    return open_session(session, actor.id)


def _note_failure(session: Session, actor: Actor) -> None:
    """Record that a login to an account has failed: once in a while for each network, however many there are."""
    lock_account(session, actor)
    same = select(col(AuditEntry.id)).where(
        col(AuditEntry.act) == Act.LOGIN_FAILED.value,
        col(AuditEntry.subject) == "user",
        col(AuditEntry.subject_id) == actor.id,
        col(AuditEntry.about) == actor.network,
        col(AuditEntry.at) > clock.now() - FAILURES_TOGETHER,
    )
    if session.execute(same.limit(1)).first() is None:
        stranger = replace(actor, id=0, role="")
        audit.record(session, stranger, Act.LOGIN_FAILED, ("user", actor.id), about=actor.network)
