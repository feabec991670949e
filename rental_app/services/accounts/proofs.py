"""Links and codes that prove who somebody is: made, recognised, and used up by one statement.

A secret is derived from the signing key and its row, so that it can be made again when its message is composed; the
database holds a keyed digest alone, from which even a code of six digits cannot be found out.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, delete, select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.infrastructure.settings import settings
from rental_app.models import Proof

# What is over stays this long, for questions; then it is deleted.
KEPT_FOR = timedelta(days=7)


class Purpose(StrEnum):
    """What a proof is for; it is good for nothing else."""

    RESET = "reset"
    VERIFY_EMAIL = "verify_email"
    CHANGE_EMAIL = "change_email"
    UNDO_EMAIL = "undo_email"


class Proven(NamedTuple):
    """Whose proof it was, and what it is about."""

    user_id: int
    payload: dict[str, Any]


def link_invalid() -> RentalError:
    """The refusal of a link that was used, has expired, has been replaced, or never was one (400)."""
    message = "This link does not work any more: it was used, or has expired. Ask for a new one."
    return RentalError(message, code="link_invalid", fields={"token": message})


def open_proof(
    session: Session,
    purpose: Purpose,
    user_id: int | None,
    lives: timedelta,
    payload: Mapping[str, Any],
    *,
    ends_earlier: bool = True,
) -> Proof:
    """Make a proof that expires after `lives`; it ends earlier ones of the same account and purpose, unless told."""
    now = clock.now()
    if ends_earlier:
        end_proofs(session, purpose, user_id)
    nonce = secrets.token_hex(16)
    # Until the row has its number, on which the secret depends, the nonce stands in for the digest.
    proof = Proof(
        purpose=purpose, user_id=user_id, nonce=nonce, digest=nonce, payload=dict(payload), expires_at=now + lives
    )
    session.add(proof)
    session.flush()
    proof.digest = _digest(purpose, secret_of(proof))
    session.flush()
    return proof


def end_proofs(session: Session, purpose: Purpose, user_id: int | None) -> None:
    """End the unused proofs of an account for a purpose."""
    mine = (col(Proof.user_id) == user_id, col(Proof.purpose) == purpose, col(Proof.used_at).is_(None))
    session.execute(update(Proof).where(*mine).values(used_at=clock.now()))


def secret_of(proof: Proof) -> str:
    """The secret that goes into a link."""
    return _keyed("secret", proof.purpose, str(proof.id), proof.nonce)


def is_live(proof: Proof, instant: datetime) -> bool:
    """Whether a proof can still be used."""
    return proof.used_at is None and proof.expires_at > instant


def find(session: Session, purpose: Purpose, secret: str) -> Proven:
    """What a secret proves, without using it up; raises RentalError (`link_invalid`)."""
    found = session.execute(select(col(Proof.user_id), col(Proof.payload)).where(*_live(purpose, secret))).first()
    if found is None or found.user_id is None:
        raise link_invalid()
    return Proven(found.user_id, found.payload)


def redeem(session: Session, purpose: Purpose, secret: str) -> Proven:
    """Use up the proof of a secret, once; raises RentalError (`link_invalid`).

    It is used up with the transaction: what is refused afterwards leaves it as it was.
    """
    use = update(Proof).where(*_live(purpose, secret)).values(used_at=clock.now())
    used = session.execute(use.returning(col(Proof.user_id), col(Proof.payload))).first()
    if used is None or used.user_id is None:
        raise link_invalid()
    return Proven(used.user_id, used.payload)


def forget(session: Session, instant: datetime) -> None:
    """Delete the proofs that have been over for a while."""
    session.execute(delete(Proof).where(col(Proof.expires_at) <= instant - KEPT_FOR))


def _live(purpose: Purpose, secret: str) -> list[ColumnElement[bool]]:
    return [
        col(Proof.digest) == _digest(purpose, secret),
        col(Proof.purpose) == purpose,
        col(Proof.used_at).is_(None),
        col(Proof.expires_at) > clock.now(),
    ]


def _digest(purpose: str, secret: str) -> str:
    return _keyed("digest", purpose, secret)


def _keyed(*parts: str) -> str:
    made = hmac.new(settings().signing_key.encode(), " ".join(("proof", *parts)).encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(made.digest()).rstrip(b"=").decode()
