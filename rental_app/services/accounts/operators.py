"""Who keeps the shop: operators, made and unmade by a command on the machine alone."""

import secrets

from email_validator import validate_email
from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, ForbiddenError, NotFoundError
from rental_app.infrastructure.security import hash_password
from rental_app.infrastructure.settings import settings
from rental_app.models import Member, User
from rental_app.schemas.people import as_signed_up, spellings
from rental_app.services import audit, throttle
from rental_app.services.accounts import passwords, proofs, second_step, sessions
from rental_app.services.accounts.actor import Actor, in_good_standing, require_operator
from rental_app.services.accounts.proofs import Purpose

OPERATOR, CUSTOMER = "Operator", "Customer"
# Operators are reached by e-mail: the columns that every account has hold nothing of theirs.
NO_PHONE, NO_PINCODE = "0" * 10, "0" * 6


SECOND_STEP_REQUIRED = "Operators log in with a second step: set up an app or a passkey under Account, and log in anew"


def enter(actor: Actor) -> None:
    """Let an operator into the console: counts the call.

    Raises ForbiddenError (`operators_only`, or `second_step_required` in production: no second step is set up, or it
    was not given in this session).
    """
    throttle.count("operate", actor)
    require_operator(actor)
    # A command on the machine has no session.
    if settings().env == "production" and actor.id and not actor.gave_second_step:
        raise ForbiddenError(SECOND_STEP_REQUIRED, code="second_step_required")


def are_missing(session: Session) -> bool:
    """Whether nobody is an operator; asked at the start, for a shop whose vehicles wait for one."""
    return session.execute(select(col(User.id)).where(col(User.role) == OPERATOR, *in_good_standing())).first() is None


def email_of(text: str) -> str:
    """An e-mail as sign-up would write it; raises ValueError for what is none."""
    email = as_signed_up(text)
    validate_email(email, check_deliverability=False)
    return email


def make(session: Session, actor: Actor, email: str) -> str:
    """Make an operator of an account, or a new account; returns the link by which they set a password.

    An account that there was is logged out everywhere, and its password is of no use any more. Raises ForbiddenError,
    and ConflictError (`is_vendor`: a vendor, or a vendor's member).
    """
    require_operator(actor)
    user = _account_of(session, email)
    if user is None:
        user = User(
            name=OPERATOR,
            email=email,
            password_hash="",
            phone_number=NO_PHONE,
            address="",
            zip_code=NO_PINCODE,
            city=settings().city,
        )
        session.add(user)
        session.flush()
    if user.role == "Vendor" or session.get(Member, user.id or 0) is not None:
        raise ConflictError("A vendor, or who works for one, cannot be an operator", code="is_vendor")
    before = {"role": user.role}
    second_step.forget_passkeys(session, user.id or 0)
    user.role, user.verified_phone = OPERATOR, None
    user.password_hash = hash_password(secrets.token_urlsafe(32))
    session.flush()
    _log_out(session, user)
    audit.record(session, actor, Act.OPERATOR_MADE, ("user", user.id or 0), before=before, after={"role": OPERATOR})
    proof = proofs.open_proof(session, Purpose.RESET, user.id, passwords.LINK_LIVES, {"email": user.email})
    return f"{settings().public_url}/reset-password?token={proofs.secret_of(proof)}"


def unmake(session: Session, actor: Actor, email: str) -> None:
    """Make a customer of an operator again, logged out everywhere. Raises ForbiddenError and NotFoundError."""
    require_operator(actor)
    user = _account_of(session, email)
    if user is None or user.role != OPERATOR:
        raise NotFoundError("No operator has this email", code="unknown_person")
    user.role = CUSTOMER
    session.flush()
    _log_out(session, user)
    before, after = {"role": OPERATOR}, {"role": CUSTOMER}
    audit.record(session, actor, Act.OPERATOR_UNMADE, ("user", user.id or 0), before=before, after=after)


def _log_out(session: Session, user: User) -> None:
    sessions.end_all(session, user.id or 0)
    proofs.end_all(session, user.id or 0)


def _account_of(session: Session, email: str) -> User | None:
    return session.scalars(select(User).where(col(User.email).in_(spellings(email)))).first()
