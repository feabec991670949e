"""Links and codes that prove who somebody is: made, recognised, and used up by one statement.

A secret is derived from the signing key and its row, so that it can be made again when its message is composed; the
database holds a keyed digest alone, from which even a code of six digits cannot be found out.
"""

import base64
import hmac
import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, exists, select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.infrastructure.security import keyed_digest
from rental_app.models import Proof

CODE_DIGITS, MOST_TRIES = 6, 5


class Purpose(StrEnum):
    """What a proof is for; it is good for nothing else."""

    RESET = "reset"
    VERIFY_EMAIL = "verify_email"
    CHANGE_EMAIL = "change_email"
    UNDO_EMAIL = "undo_email"
    VERIFY_PHONE = "verify_phone"
    LOGIN_CODE = "login_code"
    SECOND_STEP = "second_step"
    PASSKEY = "passkey"
    PASSKEY_LOGIN = "passkey_login"
    GUEST_TRIP = "guest_trip"
    TRIP_CODE = "trip_code"
    RECOVER = "recover"
    NOT_ME = "not_me"
    INVITATION = "invitation"


# By which an owner takes back what somebody else did; the payload names the address that they were sent to.
WAYS_BACK = frozenset({Purpose.UNDO_EMAIL, Purpose.NOT_ME})
# Those proved by a code of six digits, which is recognised together with the mobile number it was sent to.
CODES = frozenset({Purpose.VERIFY_PHONE, Purpose.LOGIN_CODE, Purpose.TRIP_CODE})


class ProofContent(NamedTuple):
    """Whose proof it was, what it is about, when it was made (UTC), and the number or address it was sent to, if it is
    kept by that."""

    user_id: int
    payload: dict[str, Any]
    made_at: datetime
    about: str


_PROVEN = (col(Proof.user_id), col(Proof.payload), col(Proof.created_at), col(Proof.about))


def link_invalid() -> RentalError:
    """The refusal of a link that was used, has expired, has been replaced, or never was one (400)."""
    message = "This link no longer works: it was used, or has expired. Ask for a new one."
    return RentalError(message, code="link_invalid", fields={"token": message})


def open_proof(
    session: Session,
    purpose: Purpose,
    user_id: int | None,
    lives: timedelta,
    payload: Mapping[str, Any],
    *,
    about: str = "",
    asked_by: str = "",
    ends_earlier: bool = True,
) -> Proof:
    """Make a proof that expires after `lives`; it ends earlier ones of the same account and purpose, unless told.

    `about` is the mobile number that a code is sent to, with the booking it is for, if it is for one, or the address of
    an invitation; `asked_by` marks who asked for a code to log in with. Only those of the same are ended.
    """
    now = clock.now()
    if ends_earlier:
        end_proofs(session, purpose, user_id, about, asked_by)
    nonce = secrets.token_hex(16)
    # Until the row has its number, on which the secret depends, the nonce stands in for the digest.
    proof = Proof(
        purpose=purpose,
        user_id=user_id,
        nonce=nonce,
        digest=nonce,
        about=about,
        asked_by=asked_by,
        payload=dict(payload),
        created_at=now,
        expires_at=now + lives,
    )
    session.add(proof)
    session.flush()
    secret = secret_of(proof)
    proof.digest = _code_digest(purpose, nonce, secret) if is_code(proof) else _digest(purpose, secret)
    session.flush()
    return proof


def end_proofs(session: Session, purpose: Purpose, user_id: int | None, about: str = "", asked_by: str = "") -> None:
    """End the unused proofs of an account for a purpose: of codes, those sent to a number for the same asker."""
    conditions = (col(Proof.user_id) == user_id, col(Proof.purpose) == purpose, col(Proof.about) == about)
    unused = (col(Proof.asked_by) == asked_by, col(Proof.used_at).is_(None))
    session.execute(update(Proof).where(*conditions, *unused).values(used_at=clock.now()))


def end_all(session: Session, user_id: int, *, but: Collection[Purpose] = ()) -> None:
    """End every unused link and code of an account, save those for some purposes."""
    conditions = (col(Proof.user_id) == user_id, col(Proof.used_at).is_(None), col(Proof.purpose).not_in(but))
    session.execute(update(Proof).where(*conditions).values(used_at=clock.now()))


def end_ways_back(session: Session, user_id: int, after: datetime, own: str) -> None:
    """End an account's unused ways back (`WAYS_BACK`) made after an instant (UTC) for another address than `own`.

    Older ones stay: if a thief has changed the address, the owner's are older than any of the thief's.
    """
    others = col(Proof.payload)["email"].as_string() != own
    conditions = (
        col(Proof.user_id) == user_id,
        col(Proof.purpose).in_(WAYS_BACK),
        col(Proof.created_at) > after,
        others,
    )
    session.execute(update(Proof).where(*conditions, col(Proof.used_at).is_(None)).values(used_at=clock.now()))


def secret_of(proof: Proof) -> str:
    """The secret that goes into a link, or the code that goes into a text."""
    parts = ("secret", proof.purpose, str(proof.id), proof.nonce)
    if is_code(proof):
        return f"{int.from_bytes(_mac(*parts)) % 10**CODE_DIGITS:0{CODE_DIGITS}}"
    return _keyed(*parts)


def is_code(proof: Proof) -> bool:
    """Whether a proof's secret is a code of six digits."""
    return proof.purpose in CODES


def is_live(proof: Proof, instant: datetime) -> bool:
    """Whether a proof can still be used."""
    return proof.used_at is None and proof.expires_at > instant


def find(session: Session, purpose: Purpose, secret: str) -> ProofContent:
    """What a secret proves, without using it up; raises RentalError (`link_invalid`)."""
    row = session.execute(select(*_PROVEN).where(*_live(purpose, secret))).first()
    if row is None or row.user_id is None:
        raise link_invalid()
    return ProofContent(*row)


def current(session: Session, purpose: Purpose, user_id: int, about: str = "") -> Proof | None:
    """The link of an account that works for a purpose, or the code about something, the latest of several."""
    conditions = (col(Proof.user_id) == user_id, col(Proof.purpose) == purpose, col(Proof.about) == about)
    return session.scalars(select(Proof).where(*conditions, *_unused()).order_by(col(Proof.id).desc())).first()


def open_of(session: Session, purpose: Purpose, user_id: int) -> Sequence[Proof]:
    """The links of an account that work for a purpose, the oldest first."""
    own = (col(Proof.user_id) == user_id, col(Proof.purpose) == purpose)
    return session.scalars(select(Proof).where(*own, *_unused()).order_by(col(Proof.id))).all()


def redeem(session: Session, purpose: Purpose, secret: str) -> ProofContent:
    """Use up the proof of a secret, once; raises RentalError (`link_invalid`).

    That is part of the transaction: if it is rolled back, the proof can be used again.
    """
    use = update(Proof).where(*_live(purpose, secret)).values(used_at=clock.now())
    used = session.execute(use.returning(*_PROVEN)).first()
    if used is None or used.user_id is None:
        raise link_invalid()
    return ProofContent(*used)


def use_code(
    session: Session,
    purpose: Purpose,
    about: str,
    code: str,
    *,
    user_id: int | None = None,
    asked_by: Collection[str] = (),
) -> Proof | None:
    """Use up the proof of a code that was sent to a number, once; if given, only that of an account or of some askers.

    Returns None for a wrong code. The try counts only if the transaction is committed, so refuse the code afterwards:
    after five tries no code is right.
    """
    proof = recognise_code(session, purpose, about, code, user_id=user_id, asked_by=asked_by)
    if proof is not None:
        proof.used_at = clock.now()
        session.flush()
    return proof


def recognise_code(
    session: Session,
    purpose: Purpose,
    about: str,
    code: str,
    *,
    user_id: int | None = None,
    asked_by: Collection[str] = (),
) -> Proof | None:
    """The same without using the proof up: what it allows does so later, in a transaction of its own (`use_up`)."""
    sent = [col(Proof.purpose) == purpose, col(Proof.about) == about]
    if user_id is not None:
        sent.append(col(Proof.user_id) == user_id)
    if asked_by:
        sent.append(col(Proof.asked_by).in_(asked_by))
    return next((proof for proof in _tried(session, *sent) if _is_of(proof, code)), None)


def was_sent_code(session: Session, purpose: Purpose, about: str, asked_by: Collection[str]) -> bool:
    """Whether one of these askers was sent a code to a number that has neither been used nor expired."""
    sent = (col(Proof.purpose) == purpose, col(Proof.about) == about, col(Proof.asked_by).in_(asked_by))
    return bool(session.execute(select(exists().where(*sent, *_unused()))).scalar_one())


def use_latest_code(session: Session, purpose: Purpose, about: str, code: str) -> Proof | None:
    """Use up the latest proof of a code sent to a number, whoever asked for it, once; None for a wrong code.

    The try is not counted here: the caller bounds how often this is tried.
    """
    sent = (col(Proof.purpose) == purpose, col(Proof.about) == about)
    latest = select(Proof).where(*sent, *_unused()).order_by(col(Proof.id).desc()).limit(1)
    proof = session.scalars(latest.with_for_update()).first()
    if proof is None or not _is_of(proof, code):
        return None
    proof.used_at = clock.now()
    session.flush()
    return proof


def _is_of(proof: Proof, code: str) -> bool:
    return hmac.compare_digest(proof.digest, _code_digest(proof.purpose, proof.nonce, code))


def use_up(session: Session, proof_id: int, user_id: int) -> bool:
    """Use up a proof that was recognised, once, if it is still that account's; returns whether it could be."""
    own = update(Proof).where(col(Proof.id) == proof_id, col(Proof.user_id) == user_id, *_unused())
    return session.execute(own.values(used_at=clock.now()).returning(col(Proof.id))).first() is not None


def try_once(session: Session, purpose: Purpose, secret: str) -> Proof | None:
    """The live proof of a secret that has tries left, one of which is counted; it is not used up yet."""
    return next(iter(_tried(session, *_live(purpose, secret))), None)


def _tried(session: Session, *which: ColumnElement[bool]) -> Sequence[Proof]:
    """Count a try of live proofs that have tries left; the statement locks their rows until the transaction ends."""
    left = (*_unused(), col(Proof.tries) < MOST_TRIES)
    count = update(Proof).where(*which, *left).values(tries=col(Proof.tries) + 1)
    return session.scalars(count.returning(Proof), execution_options={"populate_existing": True}).all()


def _live(purpose: Purpose, secret: str) -> list[ColumnElement[bool]]:
    return [
        col(Proof.digest) == _digest(purpose, secret),
        col(Proof.purpose) == purpose,
        *_unused(),
    ]


def _unused() -> list[ColumnElement[bool]]:
    """SQL: a proof that has neither been used nor expired."""
    return [col(Proof.used_at).is_(None), col(Proof.expires_at) > clock.now()]


def _digest(purpose: str, secret: str) -> str:
    return _keyed("digest", purpose, secret)


def _code_digest(purpose: str, nonce: str, code: str) -> str:
    """The digest of a code: with the row's own nonce, because different rows have the same six digits."""
    return _keyed("digest", purpose, nonce, code)


def _keyed(*parts: str) -> str:
    return base64.urlsafe_b64encode(_mac(*parts)).rstrip(b"=").decode()


def _mac(*parts: str) -> bytes:
    return keyed_digest("proof", " ".join(parts).encode())
