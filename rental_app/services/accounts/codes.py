"""Codes of six digits, texted to a mobile number to prove that somebody has it."""

from datetime import timedelta

from limits import parse
from sqlmodel import Session

from rental_app.domain.errors import InvalidInputError
from rental_app.services import throttle
from rental_app.services.accounts import letters, proofs
from rental_app.services.accounts.proofs import Purpose

CODE_LIVES = timedelta(minutes=10)
# To one number, whoever asks: nobody's phone is flooded, and the sixth guess of a day's codes is the 26th at most.
CODES = parse("5 per day")


def send_code(
    session: Session, purpose: Purpose, phone: str, template: str, *, user_id: int | None, is_sent: bool = True
) -> None:
    """Text a new code for a purpose, which ends the earlier one, to a ten-digit mobile number.

    One that is not sent costs the same statements. `proofs.use_code` redeems it. Raises TooManyRequestsError, and
    UnavailableError (`texts_used_up`).
    """
    letters.require_texts_left(session)
    throttle.hit(CODES, "code", phone)
    proof = proofs.open_proof(session, purpose, user_id, CODE_LIVES, {}, about=phone)
    letters.send_text(session, template, phone if is_sent else "", user_id=user_id, proof_id=proof.id)


def wrong_code() -> InvalidInputError:
    """The refusal of a code that is wrong, used, replaced, expired or was tried too often (422)."""
    message = "This code is not right, or does not work any more. Ask for a new one if it was tried five times."
    return InvalidInputError(message, code="wrong_code", fields={"code": message})
