"""A way back from a forgotten password, and a new one for somebody who knows theirs."""

from datetime import datetime, timedelta

from limits import parse
from sqlalchemy import and_, select, update
from sqlmodel import Session, col

from rental_app.content.messages import PASSWORD_CHANGED, RESET_PASSWORD
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.security import check_new_password, hash_password
from rental_app.models import AccountChange, User
from rental_app.schemas.people import spellings
from rental_app.schemas.sign_in import ForgottenPassword, PasswordChange, PasswordReset
from rental_app.services import audit, throttle
from rental_app.services.accounts import emails, login, proofs, second_step, sessions, way_back
from rental_app.services.accounts.actor import Actor, in_good_standing, proven_owner
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.throttle import Caller

LINK_LIVES = timedelta(minutes=30)
# Whoever had the old password may have asked for the other links and codes: to their own address, or after a login with
# it. These lead to addresses of the owner's, and all but the first are ways back from such a change.
OUTLIVE_A_PASSWORD = (Purpose.VERIFY_EMAIL, Purpose.UNDO_EMAIL, Purpose.RECOVER, Purpose.NOT_ME)
# Of one address, known or not: nobody's inbox is flooded.
LINKS = parse("5 per hour")
LINK_SENT = "If an account has this email, a message with a link is on its way. The link works once, for 30 minutes."
CHANGED = "Your password is changed. Every other device is logged out."
RESET = "Your new password is set. Please log in with it."


def ask_for_link(session: Session, caller: Caller, form: ForgottenPassword) -> None:
    """Send a link for a new password to an account's e-mail. An address that no account has costs the same statements,
    so that the answer is the same, and comes as fast. Raises TooManyRequestsError."""
    throttle.count("forgot", caller)
    throttle.hit(LINKS, "forgot", form.email)
    conditions = (col(User.email).in_(spellings(form.email)), *in_good_standing(), ~col(User.is_guest))
    user = session.execute(select(col(User.id), col(User.email)).where(*conditions)).first()
    user_id, email = (user.id, user.email) if user else (None, "")
    proof = proofs.open_proof(session, Purpose.RESET, user_id, LINK_LIVES, {"email": email})
    tell(session, RESET_PASSWORD, user_id, proof_id=proof.id)


def reset(form: PasswordReset, caller: Caller) -> None:
    """Set a new password by a link; every session of the account ends, and its owner is told.

    Opens its own short transactions: a hash takes a quarter of a second. Raises RentalError (`link_invalid`),
    InvalidInputError (weak password) and TooManyRequestsError.
    """
    throttle.count("reset", caller)
    owner = read(_owner, form.token)
    check_new_password(form.password, owner.email, details_of(owner))
    write(_set_by_link, caller, form.token, hash_password(form.password))


def change(form: PasswordChange, actor: Actor) -> str:
    """Set a new password for somebody who knows theirs; every other session ends. Returns the token of a new one.

    Opens its own short transactions, as `reset` does. Raises InvalidInputError (`wrong_password`, `weak_password`),
    ConflictError (`changed_meanwhile`: another password is set by now) and TooManyRequestsError.
    """
    throttle.count("reset", actor)
    user = read(login.own_account, actor)
    login.require_password(user, form.current, actor, "current")
    check_new_password(form.password, user.email, details_of(user))
    return write(_change, actor, user.password_hash, hash_password(form.password))


def changed_at(session: Session, actor: Actor) -> datetime | None:
    """When the actor's password was last changed; None if it has not been."""
    throttle.count("look", actor)
    return session.get_one(User, actor.id).password_changed_at


def _change(session: Session, actor: Actor, checked: str, password_hash: str) -> str:
    user = login.locked_owner(session, actor, checked)
    if user is None:
        raise ConflictError("Your password was changed meanwhile: log in with the new one", code="changed_meanwhile")
    ours = sessions.proven_by(session, actor)
    _set(session, user, password_hash)
    audit.record(session, actor, Act.PASSWORD_CHANGED, ("user", actor.id))
    return sessions.open_session(session, actor.id, actor.user_agent, **ours._asdict())


def details_of(user: User) -> tuple[str, ...]:
    """What somebody who knows a person would try as their password."""
    return (user.name, user.phone_number, user.address, user.landmark, user.city, user.zip_code)


def _owner(session: Session, token: str) -> User:
    return _whose(session, proofs.find(session, Purpose.RESET, token))


def _whose(session: Session, proven: proofs.ProofContent) -> User:
    """The account, if it still has the address that the link was sent to."""
    user = session.get_one(User, proven.user_id)
    if user.email != proven.payload["email"] or user.status != "active" or user.is_deleted:
        raise proofs.link_invalid()
    return user


def _set_by_link(session: Session, caller: Caller, token: str, password_hash: str) -> None:
    user = _whose(session, proofs.redeem(session, Purpose.RESET, token))
    # Whoever knew the old password may have confirmed their own number, to get in by a code.
    user.verified_phone = None
    second_step.forget_passkeys(session, user.id or 0)
    _set(session, user, password_hash)
    if user.email_verified_at is None and user.email_changed_at is None:
        # The first proof that somebody reads it, who need not have signed up.
        way_back.hand_over(session, user)
        user.email_verified_at = clock.now()
    emails.note_verified(session, user)
    audit.record(session, proven_owner(user, caller), Act.PASSWORD_RESET, ("user", user.id or 0))


def _set(session: Session, user: User, password_hash: str) -> None:
    """Set a password: nobody goes on with what the old one opened, links included."""
    user.password_hash, user.password_changed_at = password_hash, clock.now()
    session.flush()
    sessions.end_all(session, user.id or 0)
    proofs.end_all(session, user.id or 0, but=OUTLIVE_A_PASSWORD)
    # Whoever had the old one may have asked for them.
    pending = and_(col(AccountChange.user_id) == user.id, col(AccountChange.decision) == "")
    session.execute(update(AccountChange).where(pending).values(decision="withdrawn", decided_at=clock.now()))
    tell(session, PASSWORD_CHANGED, user.id)
