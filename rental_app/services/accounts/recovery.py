"""The way back for somebody who has lost both e-mail and phone: others, from an operator who knows who they are.

Whoever asks an operator may be a thief, so the owner is told at every address there is, old and new, and has three days
to stop it. What waits is a proof that nobody has used: used before its end it stops the change, after it the sweep
carries it out.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select, update
from sqlmodel import Session, col

from rental_app.content.messages import RECOVERY_BEGUN, RECOVERY_DONE, RECOVERY_STOPPED
from rental_app.content.texts import ACCOUNT_CHANGED_TEXT, RECOVERY_TEXT
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import Proof, User
from rental_app.schemas.accounts import RecoveryView
from rental_app.schemas.sign_in import LinkUse
from rental_app.services import audit, throttle
from rental_app.services.accounts import emails, proofs, way_back
from rental_app.services.accounts.actor import Actor, at_the_machine, proven_owner, require_operator
from rental_app.services.accounts.letters import send_text, tell
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.throttle import Caller

WAIT = timedelta(hours=72)
STOPPED = "Your account stays as it is, and everybody is told"
# What each field is called in a message.
CALLED = {"email": "email", "phone_number": "mobile number"}


def begin(session: Session, actor: Actor, user: User, wanted: Mapping[str, str], checked: str) -> None:
    """Let an account have another `email`, `phone_number` or both in 72 hours; told at all addresses, old and new.

    `user` is locked, and `checked` says how the operator knows who asks. Raises ForbiddenError (not an operator) and
    ConflictError (`email_taken`, `recovery_open`: there is one that waits).
    """
    require_operator(actor)
    if proofs.current(session, Purpose.RECOVER, user.id or 0):
        message = "Another email or mobile number waits for this account already: stop that first"
        raise ConflictError(message, code="recovery_open")
    if "email" in wanted:
        emails.require_free(session, user, wanted["email"])
    before = _contacts(user)
    proof = proofs.open_proof(session, Purpose.RECOVER, user.id, WAIT, {"before": before, "after": dict(wanted)})
    note = _in_words(wanted)
    for address in _addresses("email", before, wanted):
        tell(session, RECOVERY_BEGUN, user.id, proof_id=proof.id, to=address, note=note)
    for number in _addresses("phone_number", before, wanted):
        send_text(session, RECOVERY_TEXT, number, {"note": note}, user_id=user.id, proof_id=proof.id)
    was = {name: before[name] for name in wanted}
    audit.record(session, actor, Act.RECOVERY_BEGUN, ("user", user.id or 0), checked, was, wanted)


@even_if_read_only
def stop(session: Session, caller: Caller, form: LinkUse) -> str:
    """Stop what waits for an account, by the link in any of the messages about it. Raises `link_invalid`."""
    throttle.count("reset", caller)
    proven = proofs.redeem(session, Purpose.RECOVER, form.token)
    user = session.get_one(User, proven.user_id)
    _note_stopped(session, proven_owner(user, caller), user, proven.payload)
    return STOPPED


def of_account(session: Session, actor: Actor) -> RecoveryView | None:
    """What waits for the actor's own account, if anything does."""
    throttle.count("list", actor)
    waiting = proofs.current(session, Purpose.RECOVER, actor.id)
    if waiting is None:
        return None
    fields = ["phone" if name == "phone_number" else name for name in waiting.payload["after"]]
    return RecoveryView(fields=fields, begun_at=waiting.created_at, changes_at=waiting.expires_at)


@even_if_read_only
def stop_own(session: Session, actor: Actor) -> str:
    """Stop what waits for the actor's own account, as by any of the links. Raises ConflictError (`no_recovery`)."""
    throttle.count("change", actor)
    instant = clock.now()
    waiting = (col(Proof.purpose) == Purpose.RECOVER, col(Proof.used_at).is_(None), col(Proof.expires_at) > instant)
    claim = update(Proof).where(col(Proof.user_id) == actor.id, *waiting).values(used_at=instant)
    payload = session.execute(claim.returning(col(Proof.payload))).scalar()
    if payload is None:
        raise _nothing_waits()
    _note_stopped(session, actor, session.get_one(User, actor.id), payload)
    return STOPPED


def take_back(session: Session, actor: Actor, user: User) -> None:
    """Stop what waits for an account, at an operator's decision.

    Raises ForbiddenError (not an operator) and ConflictError (`no_recovery`: nothing waits).
    """
    require_operator(actor)
    waiting = proofs.current(session, Purpose.RECOVER, user.id or 0)
    if waiting is None:
        raise _nothing_waits()
    proofs.end_proofs(session, Purpose.RECOVER, user.id)
    _note_stopped(session, actor, user, waiting.payload)


def give_back(session: Session, since: datetime, span: timedelta) -> None:
    """Extend, by a span, the recoveries that were waiting at an instant: in a read-only shop few look at their
    messages."""
    open_ones = (col(Proof.purpose) == Purpose.RECOVER, col(Proof.used_at).is_(None), col(Proof.expires_at) > since)
    for proof in session.scalars(select(Proof).where(*open_ones)):
        proof.expires_at += span
    session.flush()


def carry_out_due(session: Session, instant: datetime) -> None:
    """Carry out the recoveries whose wait is over, unless the account's e-mail or phone has changed since they
    began."""
    due = (col(Proof.purpose) == Purpose.RECOVER, col(Proof.used_at).is_(None), col(Proof.expires_at) <= instant)
    columns = (col(Proof.user_id), col(Proof.payload), col(Proof.created_at))
    claimed = update(Proof).where(*due).values(used_at=instant).returning(*columns)
    for user_id, payload, requested_at in session.execute(claimed).all():
        locked = select(User).where(col(User.id) == user_id).with_for_update(key_share=True)
        user = session.scalars(locked.execution_options(populate_existing=True)).one()
        if user.status != "active" or user.is_deleted or _contacts(user) != payload["before"]:
            _note_stopped(session, at_the_machine(), user, payload)
        else:
            _carry_out(session, user, payload, requested_at)


def _carry_out(session: Session, user: User, payload: Mapping[str, Any], requested_at: datetime) -> None:
    """Change an account, take off what it got since that was asked for, log it out everywhere, and tell all addresses.

    An address that is another account's by now stops it instead.
    """
    wanted, before = payload["after"], payload["before"]
    try:
        with session.begin_nested():
            way_back.take_off(session, user, requested_at)
            if "email" in wanted:
                emails.replace(session, user, wanted["email"])
    except ConflictError:
        _note_stopped(session, at_the_machine(), user, payload, "another account has this email by now")
        return
    if "phone_number" in wanted:
        user.phone_number = wanted["phone_number"]
    session.flush()
    note = _in_words(wanted)
    for address in _addresses("email", before, wanted):
        tell(session, RECOVERY_DONE, user.id, to=address, note=note)
    for number in _addresses("phone_number", before, wanted):
        send_text(session, ACCOUNT_CHANGED_TEXT, number, {"note": note}, user_id=user.id)
    was = {name: before[name] for name in wanted}
    audit.record(session, at_the_machine(), Act.RECOVERY_DONE, ("user", user.id or 0), "", was, wanted)


def _note_stopped(session: Session, actor: Actor, user: User, payload: Mapping[str, Any], about: str = "") -> None:
    for address in _addresses("email", payload["before"], payload["after"]):
        tell(session, RECOVERY_STOPPED, user.id, to=address, note=_in_words(payload["after"]))
    audit.record(session, actor, Act.RECOVERY_STOPPED, ("user", user.id or 0), about, payload["after"])


def _nothing_waits() -> ConflictError:
    return ConflictError("No other email or mobile number waits for this account", code="no_recovery")


def _contacts(user: User) -> dict[str, str]:
    return {"email": user.email, "phone_number": user.phone_number}


def _addresses(field: str, before: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """Of a field, the value that there was and the one that was asked for, each once."""
    return list(dict.fromkeys(each[field] for each in (before, wanted) if field in each))


def _in_words(wanted: Mapping[str, str]) -> str:
    return " and ".join(CALLED[name] for name in wanted)
