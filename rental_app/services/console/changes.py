"""What a vendor has changed of a listing since an operator approved it last."""

from typing import Any

import orjson
from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain.acts import Act
from rental_app.models import AuditEntry
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor


def since_approval(session: Session, actor: Actor, vehicle_id: int) -> dict[str, Any]:
    """What the changed columns of a vehicle held then, as far as the trail shows it. Raises ForbiddenError."""
    operators.enter(actor)
    own = (col(AuditEntry.subject) == "vehicle", col(AuditEntry.subject_id) == vehicle_id)
    approved = select(func.coalesce(func.max(col(AuditEntry.id)), 0)).where(
        *own, col(AuditEntry.act) == Act.LISTING_APPROVED.value
    )
    later = (col(AuditEntry.act) == Act.LISTING_CHANGED.value, col(AuditEntry.id) > approved.scalar_subquery())
    entries = session.scalars(select(col(AuditEntry.before)).where(*own, *later).order_by(col(AuditEntry.id).desc()))
    found: dict[str, Any] = {}
    for before in entries:
        found |= orjson.loads(before)
    return found
