"""The second step of a login: an authenticator app, and recovery codes for when it is lost.

Codes are derived from the signing key and a nonce beside the account's app, as the app's key is. The nonce goes once
their owner says that they are kept, or after a week: what is left are keyed digests, from which nobody reads a code.
"""

import base64
import hmac
import re
import secrets
from datetime import datetime, timedelta

import pyotp
from limits import parse
from sqlalchemy import ColumnElement, Exists, delete, exists, func, or_, select, update
from sqlmodel import Session, col

from rental_app.content.messages import RECOVERY_CODE_USED, RECOVERY_CODES_RENEWED, SECOND_STEP_OFF, SECOND_STEP_ON
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.infrastructure.security import keyed_digest
from rental_app.infrastructure.settings import settings
from rental_app.models import LoginSession, Passkey, RecoveryCode, SecondStep, User
from rental_app.schemas.people import spellings
from rental_app.schemas.sign_in import StepSetup
from rental_app.services import audit, throttle
from rental_app.services.accounts import proofs, sessions
from rental_app.services.accounts.actor import Actor, lock_account, require_operator, require_own_email
from rental_app.services.accounts.letters import tell, tell_with_way_back
from rental_app.services.accounts.proofs import Purpose

HOW_MANY = 10
CODES_KEPT = "Good: these recovery codes are not shown again"
# Owners who have not said by then that they saved the codes have them somewhere, or can make new ones.
SHOWN_FOR = timedelta(days=7)
# Of 32 signs, so that a byte chooses each as often.
_SIGNS, _LENGTH = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 10


ON, OFF = "From now on you log in with a code from your app, too", "Your password alone logs you in again"
RENEWED = "These are your recovery codes now: the earlier ones no longer work"
CHALLENGE_LIVES = timedelta(minutes=5)
SECONDS = 30
# A code is right for as long before and after its own 30 seconds: what people need to type it.
LATE_OR_EARLY = (0, -1, 1)
# Wrong codes of an account: whoever has its password does not guess on with new challenges.
WRONG_CODES = parse("20 per hour")
OPERATOR = "Operator"
ONLY_STEP = (
    "This is the only second step of your account, and operators need one: add another passkey, or set up an"
    " authenticator app, under Account first"
)
WRONG = (
    "This code is not right, or was used already. It changes every 30 seconds: wait for the next one, and check that"
    " your phone's clock is right."
)


def make_codes(session: Session, step: SecondStep) -> list[str]:
    """Make the codes of a second step, in place of any it had; returns them as they are shown."""
    forget_codes(session, step.user_id)
    step.codes_nonce, step.codes_made_at = secrets.token_hex(16), clock.now()
    codes = _derived(step)
    session.add_all(RecoveryCode(user_id=step.user_id, digest=_digest(code)) for code in codes)
    return [_shown(code) for code in codes]


def forget_codes(session: Session, user_id: int) -> None:
    """Make an account's codes void."""
    session.execute(delete(RecoveryCode).where(col(RecoveryCode.user_id) == user_id))


def forget_codes_since(session: Session, user_id: int, since: datetime) -> None:
    """Make an account's codes void, and show them no more, if they were made at an instant (UTC) or later."""
    newer = (col(SecondStep.user_id) == user_id, col(SecondStep.codes_made_at) >= since)
    made = update(SecondStep).where(*newer).values(codes_nonce="").returning(col(SecondStep.user_id))
    if session.execute(made).first():
        forget_codes(session, user_id)


def unkept_codes(session: Session, actor: Actor) -> list[str]:
    """The actor's unused codes, until `keep` or for a week, to a session in which the second step was given."""
    throttle.count("look", actor)
    step = session.get(SecondStep, actor.id)
    if step is None or not actor.gave_second_step or not _is_shown(step):
        return []
    unused = set(session.scalars(select(col(RecoveryCode.digest)).where(*_unused(actor.id))))
    return [_shown(code) for code in _derived(step) if _digest(code) in unused]


def codes_left(session: Session, user_id: int) -> int:
    """How many codes of an account can still be used."""
    count = select(func.count()).select_from(RecoveryCode).where(*_unused(user_id))
    return int(session.execute(count).scalar_one())


def keep_codes(session: Session, actor: Actor) -> str:
    """Show the actor's codes no more: they say that they have kept them."""
    throttle.count("change", actor)
    shown = (col(SecondStep.user_id) == actor.id, col(SecondStep.codes_nonce) != "")
    forgotten = update(SecondStep).where(*shown).values(codes_nonce="").returning(col(SecondStep.user_id))
    if session.execute(forgotten).first():
        audit.record(session, actor, Act.RECOVERY_CODES_KEPT, ("user", actor.id))
    return CODES_KEPT


def hide_old_codes(session: Session, instant: datetime) -> None:
    """Show codes no more that were made more than a week ago."""
    old = (col(SecondStep.codes_nonce) != "", col(SecondStep.codes_made_at) <= instant - SHOWN_FOR)
    session.execute(update(SecondStep).where(*old).values(codes_nonce=""))


def uses_code(session: Session, user_id: int, typed: str) -> bool:
    """Whether a text (in capitals, without a hyphen) is an unused code of an account; it is used up, and the owner is
    told."""
    one = (*_unused(user_id), col(RecoveryCode.digest) == _digest(typed))
    use = update(RecoveryCode).where(*one).values(used_at=clock.now()).returning(col(RecoveryCode.user_id))
    if session.execute(use).first() is None:
        return False
    tell(session, RECOVERY_CODE_USED, user_id, note=str(codes_left(session, user_id)))
    return True


def _unused(user_id: int) -> list[ColumnElement[bool]]:
    return [col(RecoveryCode.user_id) == user_id, col(RecoveryCode.used_at).is_(None)]


def _is_shown(step: SecondStep) -> bool:
    return bool(step.codes_nonce and step.codes_made_at and step.codes_made_at > clock.now() - SHOWN_FOR)


def _derived(step: SecondStep) -> list[str]:
    return [_code(f"{step.user_id} {step.codes_nonce} {number}") for number in range(HOW_MANY)]


def _code(which: str) -> str:
    return "".join(_SIGNS[byte % len(_SIGNS)] for byte in keyed_digest("recovery codes", which.encode())[:_LENGTH])


def _shown(code: str) -> str:
    return f"{code[:5]}-{code[5:]}"


def _digest(code: str) -> str:
    return keyed_digest("recovery code", code.encode()).hex()


def is_on(session: Session, user_id: int) -> bool:
    """Whether an account's login takes a second step."""
    return bool(session.execute(select(_in_force(col(SecondStep.user_id) == user_id))).scalar_one())


def steps_of_users() -> Exists:
    """SQL: whether the account in a SELECT of users has a second step."""
    return _in_force(col(SecondStep.user_id) == User.id)


def _in_force(which: ColumnElement[bool]) -> Exists:
    return exists().where(which, col(SecondStep.confirmed_at).is_not(None))


def has_passkey(session: Session, user_id: int) -> bool:
    """Whether an account has a passkey, which is both steps."""
    return bool(session.execute(select(exists().where(col(Passkey.user_id) == user_id))).scalar_one())


def takes_passkey(session: Session, user: User) -> bool:
    """Whether an account's password opens nothing, because it needs a second step and has passkeys alone."""
    user_id = user.id or 0
    return user.role == OPERATOR and not is_on(session, user_id) and has_passkey(session, user_id)


def require_one_left(session: Session, actor: Actor) -> None:
    """Raise ConflictError (`only_second_step`) if the actor's account needs a second step and is without one now.

    Operators must keep one once they have it; everybody else can go back to the password alone.
    """
    if actor.role == OPERATOR and not is_on(session, actor.id) and not has_passkey(session, actor.id):
        raise ConflictError(ONLY_STEP, code="only_second_step")


def forget_passkeys(session: Session, user_id: int) -> None:
    """Remove the passkeys of an account that the password alone opens: whoever knew it may have added their own."""
    if is_on(session, user_id) or session.get_one(User, user_id).role == OPERATOR:
        return
    delete_passkeys(session, col(Passkey.user_id) == user_id)


def delete_passkeys(session: Session, *which: ColumnElement[bool], but: str = "") -> None:
    """Delete passkeys, and end the sessions that they have opened, save the one with a `jti` that goes on."""
    gone = session.scalars(delete(Passkey).where(*which).returning(col(Passkey.id)))
    sessions.end_opened_by(session, [one for one in gone if one], but=but)


def remove_since(session: Session, user_id: int, since: datetime) -> None:
    """Remove the app and the passkeys that an account got at an instant (UTC) or later, and recovery codes."""
    is_newer = or_(col(SecondStep.confirmed_at).is_(None), col(SecondStep.confirmed_at) >= since)
    newer = delete(SecondStep).where(col(SecondStep.user_id) == user_id, is_newer)
    if session.execute(newer.returning(col(SecondStep.user_id))).first():
        forget_codes(session, user_id)
    forget_codes_since(session, user_id, since)
    delete_passkeys(session, col(Passkey.user_id) == user_id, col(Passkey.created_at) >= since)


def require_stepped(session: Session, actor: Actor) -> None:
    """Raise ForbiddenError (`give_second_step`) in a session that gave no second step, where the account has one.

    Only a session that has passed the whole login may change how the account is entered.
    """
    if not actor.gave_second_step and is_on(session, actor.id):
        message = "To do this, log in again with a code from your authenticator app"
        raise ForbiddenError(message, code="give_second_step")


def require_settled(session: Session, actor: Actor) -> None:
    """Raise ForbiddenError unless the actor may change how the account is entered: its e-mail is confirmed
    (`confirm_email_first`), and the session has given the second step, if there is one (`give_second_step`)."""
    require_own_email(session, actor)
    require_stepped(session, actor)


def set_up(session: Session, actor: Actor) -> StepSetup:
    """Begin with an authenticator app: the key for it, which counts once a code is confirmed.

    The caller has checked the password. Raises ForbiddenError (`confirm_email_first`) and ConflictError
    (`second_step_on`).
    """
    throttle.count("reset", actor)
    require_own_email(session, actor)
    lock_account(session, actor)
    if is_on(session, actor.id):
        raise _on_already()
    session.execute(delete(SecondStep).where(col(SecondStep.user_id) == actor.id))
    step = SecondStep(user_id=actor.id, nonce=secrets.token_hex(16))
    session.add(step)
    session.flush()
    audit.record(session, actor, Act.SECOND_STEP_BEGUN, ("user", actor.id))
    return _setup(session, step)


def begun(session: Session, actor: Actor, key: str) -> StepSetup | None:
    """What `set_up` said, for a page that has shown its key and is shown again; None if it is another key by now."""
    throttle.count("look", actor)
    step = session.get(SecondStep, actor.id)
    is_it = step and not step.confirmed_at and _is(_app(step).secret, key)
    return _setup(session, step) if step and is_it else None


def _setup(session: Session, step: SecondStep) -> StepSetup:
    app, email = _app(step), session.get_one(User, step.user_id).email
    return StepSetup(secret=app.secret, uri=app.provisioning_uri(name=email, issuer_name=settings().product_name))


def confirm(session: Session, actor: Actor, code: str) -> list[str]:
    """Turn the second step on by a code of the app; returns the recovery codes, shown until they are kept.

    Every other session of the account ends: none of them has given it. Raises InvalidInputError (`wrong_code`),
    ForbiddenError (`confirm_email_first`) and ConflictError (`second_step_on`, `second_step_not_begun`).
    """
    throttle.count("reset", actor)
    require_own_email(session, actor)
    lock_account(session, actor)
    step = session.get(SecondStep, actor.id)
    if step is None:
        raise ConflictError("Start again: ask for a key for your app first", code="second_step_not_begun")
    if step.confirmed_at:
        raise _on_already()
    require_code(session, actor.id, code)
    step.confirmed_at = clock.now()
    codes = make_codes(session, step)
    note_stepped(session, actor)
    sessions.end_all(session, actor.id, but=actor.jti)
    tell_with_way_back(session, SECOND_STEP_ON, actor.id)
    audit.record(session, actor, Act.SECOND_STEP_ON, ("user", actor.id))
    return codes


def renew_codes(session: Session, actor: Actor, code: str) -> list[str]:
    """Make new recovery codes by a code of the app, or a recovery code; the earlier ones are void.

    The caller has checked the password. Raises InvalidInputError (`wrong_code`), and ConflictError (`second_step_off`).
    """
    throttle.count("reset", actor)
    lock_account(session, actor)
    step = session.get(SecondStep, actor.id)
    if step is None or not step.confirmed_at:
        raise _off_already()
    require_code(session, actor.id, code)
    codes = make_codes(session, step)
    note_stepped(session, actor)
    tell_with_way_back(session, RECOVERY_CODES_RENEWED, actor.id)
    audit.record(session, actor, Act.RECOVERY_CODES_RENEWED, ("user", actor.id))
    return codes


def note_stepped(session: Session, actor: Actor) -> None:
    """Note that the second step was given in the actor's session just now."""
    statement = update(LoginSession).where(col(LoginSession.jti) == actor.jti)
    session.execute(statement.values(stepped_at=clock.now()))


def end(session: Session, actor: Actor, code: str) -> None:
    """Turn the second step off by a code; the caller has checked the password, too.

    Raises InvalidInputError (`wrong_code`), ForbiddenError (`give_second_step`), and ConflictError (`second_step_off`,
    or `only_second_step` of operators without a passkey).
    """
    throttle.count("reset", actor)
    if not is_on(session, actor.id):
        raise _off_already()
    require_stepped(session, actor)
    require_code(session, actor.id, code)
    _take_off(session, actor, actor.id)
    require_one_left(session, actor)


def take_off(session: Session, actor: Actor, email: str) -> None:
    """Turn off the second step of somebody who has lost it, passkeys too, for an operator who knows who it is.

    Raises ForbiddenError, and NotFoundError if there is no such account or it has no second step.
    """
    require_operator(actor)
    user_id = session.execute(select(col(User.id)).where(col(User.email).in_(spellings(email)))).scalar()
    if user_id is None or not (is_on(session, user_id) or has_passkey(session, user_id)):
        raise NotFoundError("No account with this email has a second step", code="unknown_person")
    delete_passkeys(session, col(Passkey.user_id) == user_id)
    _take_off(session, actor, user_id)


def _take_off(session: Session, actor: Actor, user_id: int) -> None:
    forget_codes(session, user_id)
    session.execute(delete(SecondStep).where(col(SecondStep.user_id) == user_id))
    tell(session, SECOND_STEP_OFF, user_id)
    audit.record(session, actor, Act.SECOND_STEP_OFF, ("user", user_id))


def challenge(session: Session, user_id: int) -> str:
    """The text that stands for a right password until the second step is given, for five minutes and five tries."""
    proof = proofs.open_proof(session, Purpose.SECOND_STEP, user_id, CHALLENGE_LIVES, {}, ends_earlier=False)
    return proofs.secret_of(proof)


def require_code(session: Session, user_id: int, code: str) -> None:
    """Raise InvalidInputError (`wrong_code`) unless a code is right, and TooManyRequestsError after too many."""
    if not takes(session, user_id, code):
        raise InvalidInputError(WRONG, code="wrong_code", fields={"code": WRONG})


def takes(session: Session, user_id: int, code: str) -> bool:
    """Whether a code of an account's app, or a recovery code, is right; it is used up. Raises TooManyRequestsError."""
    throttle.test(WRONG_CODES, "second step", str(user_id))
    typed = re.sub(r"[\s-]", "", code).upper()
    is_right = _uses_step(session, user_id, typed) or uses_code(session, user_id, typed)
    if not is_right:
        throttle.hit(WRONG_CODES, "second step", str(user_id))
    return is_right


def _uses_step(session: Session, user_id: int, typed: str) -> bool:
    step = session.get(SecondStep, user_id)
    now = int(clock.now().timestamp()) // SECONDS
    rights = [now + late for late in LATE_OR_EARLY if step and _is(_app(step).generate_otp(now + late), typed)]
    if not rights:
        return False
    newer = (col(SecondStep.user_id) == user_id, col(SecondStep.last_used) < rights[0])
    use = update(SecondStep).where(*newer).values(last_used=rights[0])
    return session.execute(use.returning(col(SecondStep.user_id))).first() is not None


def _is(right: str, typed: str) -> bool:
    return hmac.compare_digest(right.encode(), typed.encode())


def _app(step: SecondStep) -> pyotp.TOTP:
    key = keyed_digest("second step", f"{step.user_id} {step.nonce}".encode())[:20]
    return pyotp.TOTP(base64.b32encode(key).decode(), interval=SECONDS)


def _on_already() -> ConflictError:
    return ConflictError("You log in with an app already: turn that off first", code="second_step_on")


def _off_already() -> ConflictError:
    return ConflictError("You log in with your password alone already", code="second_step_off")
