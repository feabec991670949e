"""Passkeys: keys of people's devices that log them in without the password, and are both steps of a login.

A device signs the secret of a proof, which its answer contains: the proof is recognised by it, like that of a link. The
device has to verify its holder by a finger or a PIN; an answer without that is refused.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

import orjson
from sqlalchemy import and_, func, or_, select, update
from sqlmodel import Session, col
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from rental_app.content.messages import PASSKEY_ADDED, PASSKEY_COPIED, PASSKEY_REMOVED
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import (
    ConflictError,
    InvalidInputError,
    NotAuthenticatedError,
    NotFoundError,
    RentalError,
)
from rental_app.infrastructure import logs, metrics
from rental_app.infrastructure.db import even_if_read_only, write
from rental_app.infrastructure.security import keyed_digest
from rental_app.infrastructure.settings import settings
from rental_app.models import Passkey, User
from rental_app.schemas.sign_in import NewPasskey, PasskeyLogin, PasskeyView
from rental_app.services import audit, throttle
from rental_app.services.accounts import proofs, second_step
from rental_app.services.accounts.actor import (
    Actor,
    lock_account,
    may_log_in,
    proven_owner,
    require_confirmed_password,
)
from rental_app.services.accounts.letters import tell, tell_with_way_back
from rental_app.services.accounts.login import note_entry, note_failure
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.accounts.sessions import open_session
from rental_app.services.throttle import Caller

CHALLENGE_LIVES = timedelta(minutes=5)
# How long a browser waits for a finger, or for the phone to be fetched.
TIMEOUT_MS = 120_000
MOST = 20
ADDED, REMOVED = "Your passkey is added: it logs you in", "The passkey no longer logs anyone in"
TOO_LATE = "This took too long, or was used already: please start again"
COPIED = "This passkey looks like a copy of one we know: log in another way, remove it under Account and add a new one"
UNKNOWN = "This passkey does not open an account here: log in another way"
NOT_MADE = "This is not a passkey that your device has made for this site just now: please try again"
_VERIFIED = AuthenticatorSelectionCriteria(
    resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
)


class _LoginOutcome(NamedTuple):
    """What a device's answer leads to: a token, or why it is refused."""

    token: str = ""
    refusal: str = ""
    code: str = ""


def of_account(session: Session, actor: Actor) -> list[PasskeyView]:
    """The actor's passkeys, in the order they were added."""
    throttle.count("list", actor)
    rows = select(Passkey).where(col(Passkey.user_id) == actor.id).order_by(col(Passkey.id))
    return [_view(row) for row in session.scalars(rows)]


def begin(session: Session, actor: Actor) -> dict[str, Any]:
    """The options with which the actor's browser makes a passkey, for five minutes; the caller has checked the
    password.

    Raises ForbiddenError (`confirm_email_first`, `give_second_step`) and ConflictError (`too_many_passkeys`).
    """
    throttle.count("reset", actor)
    second_step.require_settled(session, actor)
    proof = proofs.open_proof(session, Purpose.PASSKEY, actor.id, CHALLENGE_LIVES, {})
    _require_room(session, actor)
    ids = select(col(Passkey.credential_id)).where(col(Passkey.user_id) == actor.id)
    user, existing = session.get_one(User, actor.id), [*session.scalars(ids)]
    audit.record(session, actor, Act.PASSKEY_BEGUN, ("user", actor.id))
    # What devices know an account by: one of its passkeys takes the place of another on the same device.
    handle = keyed_digest("passkeys of", str(actor.id).encode())
    options = generate_registration_options(
        rp_id=settings().host,
        rp_name=settings().product_name,
        user_id=handle,
        user_name=user.email,
        user_display_name=user.name,
        challenge=base64url_to_bytes(proofs.secret_of(proof)),
        timeout=TIMEOUT_MS,
        authenticator_selection=_VERIFIED,
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in existing],
    )
    return dict(orjson.loads(options_to_json(options)))


def add(session: Session, actor: Actor, form: NewPasskey) -> PasskeyView:
    """Add the passkey that the actor's browser has made by such options; they are told by e-mail.

    Raises InvalidInputError (`wrong_passkey`), RentalError (`challenge_ended`, 400), ForbiddenError
    (`confirm_email_first`, `give_second_step`) and ConflictError (`passkey_known`, `too_many_passkeys`).
    """
    throttle.count("reset", actor)
    second_step.require_settled(session, actor)
    lock_account(session, actor)
    answer = form.credential.model_dump(by_alias=True)
    challenge = _challenge_in(answer)
    proof = proofs.try_once(session, Purpose.PASSKEY, challenge)
    if proof is None or proof.user_id != actor.id:
        raise RentalError(TOO_LATE, code="challenge_ended", fields={"credential": TOO_LATE})
    proof.used_at = clock.now()
    made = _made(session, actor, form.name, answer, challenge)
    tell_with_way_back(session, PASSKEY_ADDED, actor.id, note=made.name)
    audit.record(session, actor, Act.PASSKEY_ADDED, ("passkey", made.id or 0), after={"name": made.name})
    return _view(made)


def remove(session: Session, actor: Actor, passkey_id: int) -> str:
    """Remove a passkey of the actor, who is told by e-mail; the other sessions that it has opened end.

    Raises NotFoundError, ForbiddenError (`confirm_password` in a session that a code opened, `give_second_step`), and
    ConflictError (`only_second_step`) if the account needs a second step and has no other.
    """
    throttle.count("reset", actor)
    require_confirmed_password(actor)
    second_step.require_stepped(session, actor)
    lock_account(session, actor)
    row = session.get(Passkey, passkey_id)
    if row is None or row.user_id != actor.id:
        raise NotFoundError("There is no such passkey", code="unknown_passkey")
    second_step.delete_passkeys(session, col(Passkey.id) == passkey_id, but=actor.jti)
    second_step.require_one_left(session, actor)
    tell(session, PASSKEY_REMOVED, actor.id, note=row.name)
    audit.record(session, actor, Act.PASSKEY_REMOVED, ("passkey", passkey_id), before={"name": row.name})
    return REMOVED


@even_if_read_only
def begin_login(session: Session, caller: Caller) -> dict[str, Any]:
    """The options with which a browser signs by any passkey for this site, for five minutes."""
    throttle.count("login", caller)
    proof = proofs.open_proof(session, Purpose.PASSKEY_LOGIN, None, CHALLENGE_LIVES, {}, ends_earlier=False)
    options = generate_authentication_options(
        rp_id=settings().host,
        challenge=base64url_to_bytes(proofs.secret_of(proof)),
        timeout=TIMEOUT_MS,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return dict(orjson.loads(options_to_json(options)))


@metrics.counted_refusals(metrics.LOGINS)
def log_in(form: PasskeyLogin, caller: Caller) -> str:
    """Return a token for what a passkey signed by such options; its session has given both steps.

    Opens its own transaction, so that a challenge is used up by a wrong answer too. Raises NotAuthenticatedError
    (`challenge_ended`, `unknown_passkey`, `wrong_passkey`, `passkey_copied`).
    """
    signed = write(_sign_in, form, caller)
    if not signed.token:
        raise NotAuthenticatedError(signed.refusal, code=signed.code, fields={"credential": signed.refusal})
    metrics.LOGINS.labels("done").inc()
    return signed.token


@even_if_read_only
def _sign_in(session: Session, form: PasskeyLogin, caller: Caller) -> _LoginOutcome:
    throttle.count("login", caller)
    answer = form.credential.model_dump(by_alias=True)
    challenge = _challenge_in(answer)
    proof = proofs.try_once(session, Purpose.PASSKEY_LOGIN, challenge)
    if proof is None:
        return _LoginOutcome(refusal=TOO_LATE, code="challenge_ended")
    proof.used_at = clock.now()
    session.flush()
    row = session.scalars(select(Passkey).where(col(Passkey.credential_id) == form.credential.id)).first()
    condition = and_(col(User.id) == (row.user_id if row else None), *may_log_in())
    user = session.scalars(select(User).where(condition)).first()
    if row is None or user is None:
        return _LoginOutcome(refusal=UNKNOWN, code="unknown_passkey")
    actor = proven_owner(user, caller)
    logs.note_user(actor.id)
    count = _signed_times(row, answer, challenge)
    if count is None:
        note_failure(session, actor)
        return _LoginOutcome(refusal=NOT_MADE, code="wrong_passkey")
    if not _counts_on(session, row, count):
        tell(session, PASSKEY_COPIED, actor.id, note=row.name, daily=True)
        audit.record(session, actor, Act.PASSKEY_REFUSED, ("passkey", row.id or 0))
        return _LoginOutcome(refusal=COPIED, code="passkey_copied")
    note_entry(session, user, caller)
    audit.record(session, actor, Act.LOGGED_IN, ("user", actor.id), about="passkey")
    token = open_session(session, actor.id, caller.user_agent, stepped_at=clock.now(), passkey_id=row.id)
    return _LoginOutcome(token)


def _made(session: Session, actor: Actor, name: str, answer: Mapping[str, Any], challenge: str) -> Passkey:
    """The row of a passkey whose making a browser answers with."""
    try:
        made = verify_registration_response(
            credential=dict(answer),
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=settings().host,
            expected_origin=settings().origin,
            require_user_verification=True,
        )
    except Exception:
        raise _not_made() from None
    _require_room(session, actor)
    credential_id = bytes_to_base64url(made.credential_id)
    if session.scalars(select(col(Passkey.id)).where(col(Passkey.credential_id) == credential_id)).first():
        raise ConflictError("This passkey is added already", code="passkey_known")
    key = bytes_to_base64url(made.credential_public_key)
    row = Passkey(
        user_id=actor.id,
        name=name,
        credential_id=credential_id,
        public_key=key,
        sign_count=made.sign_count,
        created_at=clock.now(),
    )
    session.add(row)
    session.flush()
    return row


def _require_room(session: Session, actor: Actor) -> None:
    count = select(func.count()).select_from(Passkey).where(col(Passkey.user_id) == actor.id)
    if session.execute(count).scalar_one() >= MOST:
        raise ConflictError(f"You have {MOST} passkeys: remove one first", code="too_many_passkeys")


def _signed_times(row: Passkey, answer: Mapping[str, Any], challenge: str) -> int | None:
    """The count of signatures in a passkey's answer; None if the answer is not signed by it.

    Whether it has gone up is not checked here: the library would refuse that before it verifies the signature.
    """
    try:
        return verify_authentication_response(
            credential=dict(answer),
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=settings().host,
            expected_origin=settings().origin,
            credential_public_key=base64url_to_bytes(row.public_key),
            credential_current_sign_count=0,
            require_user_verification=True,
        ).new_sign_count
    except Exception:
        return None


def _counts_on(session: Session, row: Passkey, count: int) -> bool:
    """Note a use; False if the count has not gone up, as in a copy. Those that count nothing always say 0."""
    goes_up = col(Passkey.sign_count) < count
    on = goes_up if count else or_(goes_up, col(Passkey.sign_count) == 0)
    use = update(Passkey).where(col(Passkey.id) == row.id, on).values(sign_count=count, last_used_at=clock.now())
    return session.execute(use.returning(col(Passkey.id))).first() is not None


def _challenge_in(answer: Mapping[str, Any]) -> str:
    """The challenge that an answer says it signs; raises InvalidInputError for what is none."""
    try:
        return str(orjson.loads(base64url_to_bytes(answer["response"]["clientDataJSON"]))["challenge"])
    except (ValueError, TypeError, KeyError):
        raise _not_made() from None


def _not_made() -> InvalidInputError:
    return InvalidInputError(NOT_MADE, code="wrong_passkey", fields={"credential": NOT_MADE})


def _view(row: Passkey) -> PasskeyView:
    return PasskeyView(id=row.id or 0, name=row.name, created_at=row.created_at, last_used=row.last_used_at)
