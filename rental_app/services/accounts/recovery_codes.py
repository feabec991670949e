"""Recovery codes, which stand in for an authenticator app: made, shown until their owner has kept them, and used.

They are derived from the signing key and a nonce beside the account's app, as the app's key is. The nonce goes once
their owner says that they are kept, or after a week: what is left are keyed digests, from which nobody reads a code.
"""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlmodel import Session, col

from rental_app.content.messages import RECOVERY_CODE_USED
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.infrastructure.security import keyed_digest
from rental_app.models import RecoveryCode, SecondStep
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.letters import tell

HOW_MANY = 10
KEPT = "Good: these recovery codes are not shown again"
# Who has not said by then that they are kept has them somewhere, or makes new ones.
SHOWN_FOR = timedelta(days=7)
# Of 32 signs, so that a byte chooses each as often.
_SIGNS, _LENGTH = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 10


def make(session: Session, step: SecondStep) -> list[str]:
    """Make the codes of a second step, in place of any it had; returns them as they are shown."""
    forget(session, step.user_id)
    step.codes_nonce, step.codes_made_at = secrets.token_hex(16), clock.now()
    codes = _derived(step)
    session.add_all(RecoveryCode(user_id=step.user_id, digest=_digest(code)) for code in codes)
    return [_shown(code) for code in codes]


def forget(session: Session, user_id: int) -> None:
    """Make an account's codes void."""
    session.execute(delete(RecoveryCode).where(col(RecoveryCode.user_id) == user_id))


def forget_since(session: Session, user_id: int, since: datetime) -> None:
    """Make an account's codes void, and show them no more, if they were made at an instant (UTC) or later."""
    newer = (col(SecondStep.user_id) == user_id, col(SecondStep.codes_made_at) >= since)
    made = update(SecondStep).where(*newer).values(codes_nonce="").returning(col(SecondStep.user_id))
    if session.execute(made).first():
        forget(session, user_id)


def unkept(session: Session, actor: Actor) -> list[str]:
    """The actor's unused codes, until `keep` or for a week, to a session in which the second step was given."""
    throttle.count("look", actor)
    step = session.get(SecondStep, actor.id)
    if step is None or not actor.gave_second_step or not _is_shown(step):
        return []
    unused = set(session.scalars(select(col(RecoveryCode.digest)).where(*_unused(actor.id))))
    return [_shown(code) for code in _derived(step) if _digest(code) in unused]


def left(session: Session, user_id: int) -> int:
    """How many codes of an account can still be used."""
    count = select(func.count()).select_from(RecoveryCode).where(*_unused(user_id))
    return int(session.execute(count).scalar_one())


def keep(session: Session, actor: Actor) -> str:
    """Show the actor's codes no more: they say that they have kept them."""
    throttle.count("change", actor)
    shown = (col(SecondStep.user_id) == actor.id, col(SecondStep.codes_nonce) != "")
    forgotten = update(SecondStep).where(*shown).values(codes_nonce="").returning(col(SecondStep.user_id))
    if session.execute(forgotten).first():
        audit.record(session, actor, Act.RECOVERY_CODES_KEPT, ("user", actor.id))
    return KEPT


def hide_old(session: Session, instant: datetime) -> None:
    """Show codes no more that were made more than a week ago."""
    old = (col(SecondStep.codes_nonce) != "", col(SecondStep.codes_made_at) <= instant - SHOWN_FOR)
    session.execute(update(SecondStep).where(*old).values(codes_nonce=""))


def uses(session: Session, user_id: int, typed: str) -> bool:
    """Whether an unused code of an account was typed, in capitals without a hyphen; it is used up, which is told."""
    one = (*_unused(user_id), col(RecoveryCode.digest) == _digest(typed))
    use = update(RecoveryCode).where(*one).values(used_at=clock.now()).returning(col(RecoveryCode.user_id))
    if session.execute(use).first() is None:
        return False
    tell(session, RECOVERY_CODE_USED, user_id, note=str(left(session, user_id)))
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
