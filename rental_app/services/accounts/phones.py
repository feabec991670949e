"""An account's mobile number: confirmed by a code, and good for logging in by one."""

from datetime import timedelta

from sqlalchemy import ColumnElement, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.content.messages import PHONE_CONFIRMED, PHONE_TAKEN
from rental_app.content.texts import LOGIN_CODE, VERIFY_PHONE
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, NotAuthenticatedError
from rental_app.infrastructure import logs, metrics
from rental_app.infrastructure.background import after_answer
from rental_app.infrastructure.db import even_if_read_only, write
from rental_app.models import User
from rental_app.schemas.sign_in import CodeLogin, Phone, PhoneCode
from rental_app.services import audit, throttle
from rental_app.services.accounts import letters, login, profile, proofs, second_step, sessions
from rental_app.services.accounts.actor import Actor, in_good_standing, proven_owner
from rental_app.services.accounts.letters import tell, tell_with_way_back
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.accounts.sessions import open_session
from rental_app.services.throttle import Caller

SENT = "A code is on its way to this number. It works for 10 minutes."
VERIFIED = "Your mobile number is confirmed"
# The same for every number, so that nobody learns which are somebody's.
CODE_SENT = "If this number is confirmed for an account, a code is on its way. It works for 10 minutes."
# Numbers that nobody uses any more are given to others.
TRUSTED_FOR = timedelta(days=180)


def send_code(session: Session, actor: Actor, form: Phone) -> None:
    """Text the actor a code that confirms a number.

    Raises ForbiddenError (`locked`: a vendor's other number; `confirm_email_first`, `give_second_step`),
    TooManyRequestsError and UnavailableError (`texts_used_up`).
    """
    throttle.count("mail", actor)
    second_step.require_settled(session, actor)
    user = _own_if_locked(session, actor, form.phone)
    is_known = user.verified_phone == form.phone
    letters.send_code(
        session, Purpose.VERIFY_PHONE, form.phone, VERIFY_PHONE, caller=actor, is_known=is_known, user_id=actor.id
    )


def verify(form: PhoneCode, actor: Actor) -> None:
    """Confirm a number by the code sent there; it becomes the account's, and another account's no more.

    Opens its own transaction, so that a wrong code counts. Raises InvalidInputError (`wrong_code`), ForbiddenError
    (`locked`, `confirm_email_first`, `give_second_step`), and ConflictError if another account confirms it at the same
    moment.
    """
    throttle.count("reset", actor)
    if not write(_verify, actor, form):
        raise letters.wrong_code()


def _verify(session: Session, actor: Actor, form: PhoneCode) -> bool:
    second_step.require_settled(session, actor)
    user = _own_if_locked(session, actor, form.phone)
    if proofs.use_code(session, Purpose.VERIFY_PHONE, form.phone, form.code, user_id=actor.id) is None:
        return False
    _take_over(session, actor, form.phone)
    before = {"phone_number": user.phone_number}
    user.phone_number = user.verified_phone = form.phone
    user.phone_used_at = clock.now()
    try:
        with session.begin_nested():
            session.flush()
    except IntegrityError:
        message = "Somebody else is confirming this number: please try again"
        raise ConflictError(message, code="changed_meanwhile") from None
    tell_with_way_back(session, PHONE_CONFIRMED, actor.id, note=_ending(form.phone), before=before)
    after = {"phone_number": form.phone}
    audit.record(session, actor, Act.PHONE_VERIFIED, ("user", actor.id), before=before, after=after)
    return True


def _own_if_locked(session: Session, actor: Actor, phone: str) -> User:
    """The actor's account; raises ForbiddenError for a vendor who names a number that is not theirs."""
    user = session.get_one(User, actor.id)
    if phone != user.phone_number:
        profile.require_unlocked(actor)
    return user


def _take_over(session: Session, actor: Actor, phone: str) -> None:
    """Take a number from the account that has confirmed it before, whose owner is told by e-mail."""
    theirs = (col(User.verified_phone) == phone, col(User.id) != actor.id)
    for earlier in session.scalars(select(User).where(*theirs)):
        earlier.verified_phone = None
        tell(session, PHONE_TAKEN, earlier.id, note=_ending(phone))
        audit.record(session, actor, Act.PHONE_TAKEN_OVER, ("user", earlier.id or 0), after={"phone_number": phone})


def _ending(phone: str) -> str:
    return f"ending in {phone[-4:]}"


def opens_account(session: Session, actor: Actor) -> bool:
    """Whether a code sent to the actor's number logs them in."""
    throttle.count("look", actor)
    phone = session.get_one(User, actor.id).phone_number
    return session.execute(select(col(User.id)).where(*_may_log_in(phone))).scalar() == actor.id


@even_if_read_only
def ask_login_code(session: Session, caller: Caller, form: Phone) -> None:
    """Text a code to log in with to a number that an account has confirmed. Any other number costs the same statements,
    so that the answer is the same, and comes as fast. A device that the account was logged in from has a share of its
    own of the day's texts. Raises TooManyRequestsError and UnavailableError."""
    throttle.count("forgot", caller)
    user_id = session.execute(select(col(User.id)).where(*_may_log_in(form.phone))).scalar()
    letters.send_code(
        session,
        Purpose.LOGIN_CODE,
        form.phone,
        LOGIN_CODE,
        caller=caller,
        is_known=sessions.is_known_device(session, user_id, caller),
        user_id=user_id,
        is_sent=user_id is not None,
        asked_by=letters.asker(caller),
    )


@metrics.counted_refusals(metrics.LOGINS)
def log_in(form: CodeLogin, caller: Caller) -> str:
    """Return a token for a number and the code sent there.

    Opens its own transaction, so that a wrong code counts. Raises NotAuthenticatedError (`wrong_code`), the same for
    every number, and TooManyRequestsError.
    """
    token = write(_log_in, form, caller)
    if not token:
        message = letters.wrong_code().message
        raise NotAuthenticatedError(message, code="wrong_code", fields={"code": message})
    metrics.LOGINS.labels("done").inc()
    return token


@even_if_read_only
def _log_in(session: Session, form: CodeLogin, caller: Caller) -> str:
    throttle.count("reset", caller)
    user = session.scalars(select(User).where(*_may_log_in(form.phone))).first()
    proof = letters.use_login_code(session, form.phone, form.code, caller)
    if user is None:
        return ""
    actor = proven_owner(user, caller)
    logs.note_user(actor.id)
    # Its owner may be another by now.
    if proof is None or proof.user_id != user.id:
        after_answer(write, login.note_failure, actor)
        return ""
    throttle.count("login", actor)
    user.phone_used_at = clock.now()
    login.note_entry(session, user, caller)
    audit.record(session, actor, Act.LOGGED_IN, ("user", actor.id), about="code")
    return open_session(session, actor.id, caller.user_agent, by_code=True)


def _may_log_in(phone: str) -> list[ColumnElement[bool]]:
    """SQL: whose account a code sent to this number opens. A second step is never skipped, an operator's least."""
    return [
        col(User.verified_phone) == phone,
        col(User.phone_number) == phone,
        col(User.phone_used_at) > clock.now() - TRUSTED_FOR,
        col(User.role) != "Operator",
        ~second_step.steps_of_users(),
        *in_good_standing(),
    ]
