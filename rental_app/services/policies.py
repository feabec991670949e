"""The numbers of the shop that are in force: what an operator has set in the console, else the first values."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.content.numbers import in_force
from rental_app.content.words import NUMBERS
from rental_app.domain.policies import Policies
from rental_app.infrastructure.settings import settings
from rental_app.models import ContentVersion
from rental_app.services.search.cache import Slot, current_cache

_STORED: Slot[Policies | None] = Slot("numbers in force")
_NEWEST = (
    select(col(ContentVersion.value))
    .where(col(ContentVersion.key) == NUMBERS)
    .order_by(col(ContentVersion.version).desc())
    .limit(1)
)


def first() -> Policies:
    """The numbers in force until an operator changes them: the specification's, and limits from the settings."""
    chosen = settings()
    return _first(chosen.max_unanswered, chosen.max_overlapping, chosen.max_stored_mb, chosen.max_vehicles)


@lru_cache(maxsize=1)
def _first(max_unanswered: int, max_overlapping: int, max_stored_mb: int, max_vehicles: int) -> Policies:
    return Policies(
        max_unanswered=max_unanswered,
        max_overlapping=max_overlapping,
        max_stored_mb=max_stored_mb,
        max_vehicles=max_vehicles,
    )


def current(session: Session) -> Policies:
    """The numbers in force, read once an edition of the shop: a change makes a new one."""
    return current_cache(session).make_once(_STORED, lambda: _stored(session)) or first()


def _stored(session: Session) -> Policies | None:
    value: Mapping[str, Any] | None = session.scalars(_NEWEST).first()
    return in_force(value, first()) if value else None
