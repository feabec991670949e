"""The audit trail: who did what, written in the transaction of the act itself.

Bookings are not written twice: their events and their account are their trail.
"""

from collections.abc import Mapping
from datetime import timedelta

import orjson
from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act, masked
from rental_app.models import AuditEntry
from rental_app.services.accounts.actor import Actor

# Looks of one person at one thing are one entry in this time.
LOOKS_TOGETHER = timedelta(hours=1)
NOTHING: Mapping[str, object] = {}


def record(
    session: Session,
    actor: Actor,
    act: Act,
    subject: tuple[str, int],
    about: str = "",
    before: Mapping[str, object] = NOTHING,
    after: Mapping[str, object] = NOTHING,
) -> None:
    """Write one entry: `subject` is the kind and id of what was acted upon, `about` narrows it.

    `before` and `after` are the fields that changed, whose personal values are masked here.
    """
    kind, subject_id = subject
    session.add(
        AuditEntry(
            at=clock.now(),
            act=act.value,
            user_id=actor.id or None,
            role=actor.role,
            subject=kind,
            subject_id=subject_id,
            about=about,
            before=_json(before),
            after=_json(after),
            address=actor.address,
            request_id=actor.request_id,
        )
    )
    session.flush()


def record_look(session: Session, actor: Actor, act: Act, subject: tuple[str, int], about: str = "") -> None:
    """Write an entry about a look, unless the same actor's last one at the same subject was within the hour."""
    same = (col(AuditEntry.user_id) == actor.id, col(AuditEntry.subject_id) == subject[1])
    recent = (col(AuditEntry.act) == act.value, col(AuditEntry.at) > clock.now() - LOOKS_TOGETHER)
    if session.execute(select(col(AuditEntry.id)).where(*same, *recent).limit(1)).first() is None:
        record(session, actor, act, subject, about)


def _json(values: Mapping[str, object]) -> str:
    return orjson.dumps(masked(values), default=str).decode()
