"""Logging in with an e-mail and a password, and what failures lead to."""

from collections.abc import Mapping
from dataclasses import replace

from limits import RateLimitItem, parse
from sqlalchemy import and_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import FAILURES_TOGETHER, Act
from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotAuthenticatedError
from rental_app.infrastructure import logs, metrics
from rental_app.infrastructure.background import after_answer
from rental_app.infrastructure.db import even_if_read_only, read, write
from rental_app.infrastructure.security import address_digest, hash_password, password_matches, readings_of
from rental_app.models import AuditEntry, LoginSession, User
from rental_app.schemas.people import spellings
from rental_app.schemas.sign_in import Credentials, StepAnswer
from rental_app.services import audit, throttle
from rental_app.services.accounts import proofs, second_step, sessions
from rental_app.services.accounts.actor import BLOCKED, Actor, lock_account, may_log_in, proven_owner
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.accounts.sessions import open_session
from rental_app.services.throttle import Caller

LOGGED_IN = "You are logged in"
STAYS = "Welcome back: your account is kept, and will not be erased"
CONFIRMED = "Thank you, that is your password"
# Failures for one account from one address; for one account from all unfamiliar addresses; from one address.
OF_BOTH, OF_ACCOUNT, OF_ADDRESS = parse("10 per 15 minutes"), parse("50 per 15 minutes"), parse("300 per 15 minutes")


@metrics.counted_refusals(metrics.LOGINS)
def sign_in(form: Credentials, caller: Caller) -> str:
    """Return a token for an e-mail and password. Opens its own short transactions: a hash takes a quarter of a second.

    Raises NotAuthenticatedError, with the same message and timing for an unknown e-mail and a wrong password,
    ForbiddenError for a blocked account and TooManyRequestsError after too many failures or too many logins. A right
    password that a second step has to follow is refused too (`second_step`), with a `challenge` in its details, and
    that of an operator who has passkeys alone (`passkey_needed`).
    """
    user = read(_user_of, form.email)
    if user and user.id:
        # Also of those that fail: it tells whose password is being tried.
        logs.note_user(user.id)
    right = right_reading(form.email, user, form.password, caller)
    if not right or not user:
        if user and user.id:
            after_answer(write, note_failure, Actor(caller.address, user.id, user.role, jti=""))
        raise _bad_credentials()
    if user.status != "active" and not read(sessions.may_finish, user.id or 0):
        raise ForbiddenError(BLOCKED, code="account_blocked")
    news: dict[str, str] = {}
    if right != readings_of(form.password)[0]:
        news["password_hash"] = hash_password(form.password)
    who = Actor(caller.address, user.id or 0, user.role, jti="")
    token, challenge = write(_enter, who, caller, user.password_hash, news)
    if challenge:
        message = "Enter the code that your authenticator app shows"
        raise NotAuthenticatedError(message, code="second_step", details={"challenge": challenge})
    metrics.LOGINS.labels("done").inc()
    return token


def _bad_credentials() -> NotAuthenticatedError:
    return NotAuthenticatedError("Email or password is not right", code="bad_credentials")


def locked_owner(session: Session, actor: Actor, checked: str) -> User | None:
    """The actor's account, locked, if it still has the password hash that was checked; None if another was set
    meanwhile.

    A change of the password waits for this transaction, and then ends the session that it opens.
    """
    lock_account(session, actor)
    user = session.get_one(User, actor.id, populate_existing=True)
    return user if user.password_hash == checked else None


@metrics.counted_refusals(metrics.LOGINS)
def give_second_step(form: StepAnswer, caller: Caller) -> str:
    """Return a token for the challenge that a login was refused with, and a code of the account's app.

    Opens its own transactions, so that a wrong code counts. Raises NotAuthenticatedError (`challenge_ended`,
    `wrong_code`) and TooManyRequestsError.
    """
    stepped = write(_step, form, caller)
    if stepped is None:
        message = "This took too long, or too many codes were wrong: please log in again"
        raise NotAuthenticatedError(message, code="challenge_ended", fields={"challenge": message})
    actor, token = stepped
    if not token:
        after_answer(write, note_failure, actor)
        raise NotAuthenticatedError(second_step.WRONG, code="wrong_code", fields={"code": second_step.WRONG})
    metrics.LOGINS.labels("done").inc()
    return token


@even_if_read_only
def _step(session: Session, form: StepAnswer, caller: Caller) -> tuple[Actor, str] | None:
    """Who answered a challenge, with a token, '' for a wrong code."""
    throttle.count("reset", caller)
    proof = proofs.try_once(session, Purpose.SECOND_STEP, form.challenge)
    condition = and_(col(User.id) == (proof.user_id if proof else None), *may_log_in())
    user = session.scalars(select(User).where(condition)).first()
    if proof is None or user is None:
        return None
    actor = proven_owner(user, caller)
    logs.note_user(actor.id)
    if not second_step.takes(session, actor.id, form.code):
        return actor, ""
    proof.used_at = clock.now()
    note_entry(session, user, caller)
    audit.record(session, actor, Act.LOGGED_IN, ("user", actor.id), about="second step")
    return actor, open_session(session, actor.id, caller.user_agent, stepped_at=clock.now())


def right_reading(email: str, user: User | None, password: str, caller: Caller) -> str:
    """Which reading of a typed password is the account's; '' if none is, which counts as a failure.

    Raises TooManyRequestsError after too many failures.
    """
    bounds = _bounds(email, caller, user)
    for limit, key in bounds:
        throttle.test(limit, key)
    stored = user.password_hash if user else None
    right = [reading for reading in readings_of(password) if password_matches(reading, stored)]
    if right:
        return right[0]
    for limit, key in bounds:
        throttle.hit(limit, key)
    return ""


def require_password(user: User, password: str, caller: Caller, field: str = "password") -> None:
    """Raise InvalidInputError, naming the field, unless this is the password of somebody who is logged in.

    It takes a quarter of a second. Raises TooManyRequestsError after too many failures, logins among them.
    """
    if not right_reading(user.email, user, password, caller):
        message = "This is not your password"
        raise InvalidInputError(message, code="wrong_password", fields={field: message})


def confirm_password(password: str, actor: Actor) -> None:
    """Raise InvalidInputError (`wrong_password`) unless this is the actor's password; opens its own transaction."""
    throttle.count("reset", actor)
    require_password(read(own_account, actor), password, actor)


def own_account(session: Session, actor: Actor) -> User:
    """The actor's account."""
    return session.get_one(User, actor.id)


def _user_of(session: Session, email: str) -> User | None:
    statement = select(User).where(
        col(User.email).in_(spellings(email)), col(User.is_deleted).is_(False), ~col(User.is_guest)
    )
    return session.scalars(statement).first()


def _bounds(email: str, caller: Caller, user: User | None) -> list[tuple[RateLimitItem, str]]:
    """The limits a failure counts against; strangers' failures never lock out the address that last logged in."""
    bounds = [
        (OF_BOTH, f"failed login {email} {caller.network}"),
        (OF_ADDRESS, f"failed login {caller.network}"),
    ]
    if user and user.last_login_from == address_digest(user.email, caller.network):
        return bounds
    return [*bounds, (OF_ACCOUNT, f"failed login {email}")]


@even_if_read_only
def _enter(session: Session, actor: Actor, caller: Caller, checked: str, news: Mapping[str, str]) -> tuple[str, str]:
    """Log in by a password whose hash was checked, unless another one has been set meanwhile; returns a token, or the
    challenge of a second step."""
    throttle.count("login", actor)
    user = locked_owner(session, actor, checked)
    if user is None:
        raise _bad_credentials()
    user.sqlmodel_update(dict(news))
    if second_step.is_on(session, actor.id):
        return "", second_step.challenge(session, actor.id)
    if second_step.takes_passkey(session, user):
        raise NotAuthenticatedError("Your account needs a second step: use your passkey", code="passkey_needed")
    note_entry(session, user, caller)
    audit.record(session, actor, Act.LOGGED_IN, ("user", actor.id))
    return open_session(session, actor.id, caller.user_agent), ""


def note_entry(session: Session, user: User, caller: Caller) -> None:
    """Remember from where somebody has logged in, and tell them of a device that is new."""
    sessions.recognise_device(session, user, caller)
    user.last_login_from = address_digest(user.email, caller.network)
    session.flush()


@even_if_read_only
def note_failure(session: Session, actor: Actor) -> None:
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


def took_back_erasure(session: Session, actor: Actor) -> bool:
    """Whether the login that opened the actor's session has taken back that their account is to be erased."""
    throttle.count("look", actor)
    opened = select(col(LoginSession.created_at)).where(col(LoginSession.jti) == actor.jti).scalar_subquery()
    own = (col(AuditEntry.subject) == "user", col(AuditEntry.subject_id) == actor.id)
    since = (col(AuditEntry.act) == Act.ERASURE_TAKEN_BACK.value, col(AuditEntry.at) >= opened)
    return session.scalars(select(col(AuditEntry.id)).where(*own, *since)).first() is not None
