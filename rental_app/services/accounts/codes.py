"""Codes of six digits, texted to a mobile number to prove that somebody has it.

What somebody asks for and guesses uses up what is theirs: a stranger who knows a number uses up neither the texts nor
the tries of whoever has it (docs/architecture/accounts.md).
"""

from datetime import timedelta

from limits import parse
from sqlmodel import Session

from rental_app.domain.errors import InvalidInputError
from rental_app.infrastructure.security import keyed_digest
from rental_app.models import Proof
from rental_app.services import throttle
from rental_app.services.accounts import letters, proofs
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.throttle import Caller

CODE_LIVES = timedelta(minutes=10)
# Texts of one purpose to one number: for one address or account, for all of them, and for those who are known to be the
# number's. Nobody's phone is flooded, and the codes that strangers may have sent there are guessed at 40 times a day.
OF_ONE, OF_STRANGERS, OF_KNOWN = parse("5 per day"), parse("8 per day"), parse("5 per day")
# Guesses at a number's login by those who have not asked for a code: from one address, and from all.
GUESSES_OF_ONE, GUESSES = parse("5 per day"), parse("20 per day")


def send_code(
    session: Session,
    purpose: Purpose,
    phone: str,
    template: str,
    *,
    caller: Caller,
    is_known: bool,
    user_id: int | None,
    is_sent: bool = True,
    asked_by: str = "",
) -> None:
    """Text a new code for a purpose to a ten-digit mobile number; it ends what the same asker was sent before.

    One that is not sent costs the same statements. Whether the caller `is_known` to be the number's decides whose texts
    of the day it is. Raises TooManyRequestsError, and UnavailableError (`texts_used_up`).
    """
    letters.require_texts_left(session)
    _count(purpose, phone, caller, is_known=is_known)
    proof = proofs.open_proof(session, purpose, user_id, CODE_LIVES, {}, about=phone, asked_by=asked_by)
    letters.send_text(session, template, phone if is_sent else "", user_id=user_id, proof_id=proof.id)


def _count(purpose: Purpose, phone: str, caller: Caller, *, is_known: bool) -> None:
    if is_known:
        throttle.hit(OF_KNOWN, "code", purpose, phone, "known")
        return
    for who in (caller.network, caller.account):
        if who:
            throttle.hit(OF_ONE, "code", purpose, phone, who)
    throttle.hit(OF_STRANGERS, "code", purpose, phone)


def asker(caller: Caller) -> str:
    """The mark of who asks for a code to log in with, from which nothing is learned about them: their device's, or
    their network's if the device has no key."""
    return _marks(caller)[0]


def _marks(caller: Caller) -> list[str]:
    known_by = [("device", caller.device_key)] if caller.device_key else []
    return [keyed_digest(by, value.encode()).hex() for by, value in (*known_by, ("network", caller.network))]


def use_login_code(session: Session, phone: str, code: str, caller: Caller) -> Proof | None:
    """Use up the proof that a code to log in with is of, once; None for a wrong code.

    Of who has asked for one, it is theirs. Who has not, or is on another network since, may type the latest sent to the
    number, a few times a day; it is not ended by wrong ones. Raises TooManyRequestsError. As with `proofs.use_code`,
    let the transaction end well.
    """
    marks = _marks(caller)
    if proofs.was_sent_code(session, Purpose.LOGIN_CODE, phone, marks):
        return proofs.use_code(session, Purpose.LOGIN_CODE, phone, code, asked_by=marks)
    throttle.hit(GUESSES_OF_ONE, "guess", phone, caller.network)
    throttle.hit(GUESSES, "guess", phone)
    return proofs.use_latest_code(session, Purpose.LOGIN_CODE, phone, code)


def wrong_code() -> InvalidInputError:
    """The refusal of a code that is wrong, used, replaced, expired or was tried too often (422)."""
    message = "This code is not right, or does not work any more. Ask for a new one if it was tried five times."
    return InvalidInputError(message, code="wrong_code", fields={"code": message})
