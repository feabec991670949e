"""Messages about an account to its owner, and texts to mobile numbers."""

import json
import secrets
from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.content.texts import TEXTS
from rental_app.domain import clock
from rental_app.domain.errors import UnavailableError
from rental_app.infrastructure.settings import settings
from rental_app.models import Outbox, User
from rental_app.services.accounts import proofs
from rental_app.services.accounts.proofs import Purpose

TEXT = "sms"
TEXTS_COUNT_FOR = timedelta(days=1)
WAY_BACK_LIVES = timedelta(days=7)
NO_VALUES: Mapping[str, str] = {}


def tell(
    session: Session,
    kind: str,
    user_id: int | None,
    *,
    proof_id: int | None = None,
    to: str = "",
    note: str = "",
    vehicle_id: int | None = None,
    daily: bool = False,
) -> None:
    """Write a message to an account's owner, at another address (`to`) if it is for that; it goes out at once.

    With a `proof_id` it carries that proof's secret, with a `vehicle_id` it is about that vehicle. One to no account
    (None) is dropped. A `daily` one is written once a day at most.
    """
    now = clock.now()
    # One link may go to several addresses.
    about = " ".join(str(part) for part in (proof_id or vehicle_id, to) if part)
    key = f"{kind} {user_id} {clock.indian_today(now) if daily else now.isoformat()} {about}"
    if daily and session.scalars(select(col(Outbox.id)).where(col(Outbox.key) == key)).first():
        return
    letter = Outbox(
        key=key,
        kind=kind,
        user_id=user_id,
        proof_id=proof_id,
        vehicle_id=vehicle_id,
        to=to,
        note=note,
        created_at=now,
        due_at=now,
    )
    session.add(letter)
    session.flush()


def tell_with_way_back(
    session: Session, kind: str, user_id: int, *, note: str = "", before: Mapping[str, str] = NO_VALUES
) -> None:
    """Tell an account's owner of something added to it, with a link that takes it off again for 7 days.

    `before` is the `phone_number` that it gives back.
    """
    payload = {"email": session.get_one(User, user_id).email, **before}
    proof = proofs.open_proof(session, Purpose.NOT_ME, user_id, WAY_BACK_LIVES, payload, ends_earlier=False)
    tell(session, kind, user_id, proof_id=proof.id, note=note)


def send_text(
    session: Session,
    template: str,
    to: str,
    values: Mapping[str, str] = NO_VALUES,
    *,
    user_id: int | None = None,
    proof_id: int | None = None,
    booking_id: int | None = None,
) -> None:
    """Queue a text to a ten-digit mobile number: a template of `content/texts.py`, filled with values.

    With a `proof_id` it carries that proof's secret, and is dropped once that is of no use any more. One to nobody (no
    number) is dropped as well. Raises KeyError for an unknown template.
    """
    now = clock.now()
    if template not in TEXTS:
        raise KeyError(template)
    session.add(
        Outbox(
            key=f"{template} {to} {secrets.token_hex(8)}",
            kind=template,
            channel=TEXT,
            to=to,
            user_id=user_id,
            proof_id=proof_id,
            booking_id=booking_id,
            note=json.dumps(dict(values)),
            created_at=now,
            due_at=now,
        )
    )
    session.flush()


def require_texts_left(session: Session) -> None:
    """Raise UnavailableError (`texts_used_up`) if as many texts were sent within a day as the operator pays for."""
    within = (col(Outbox.channel) == TEXT, col(Outbox.sent_at) > clock.now() - TEXTS_COUNT_FOR)
    sent = session.execute(select(func.count()).select_from(Outbox).where(*within)).scalar_one()
    if sent >= settings().sms_daily:
        message = "We cannot send more text messages today: please use your email and password"
        raise UnavailableError(message, code="texts_used_up")
