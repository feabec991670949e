"""The numbers of the shop that are in force: what an operator has set in the console, else the first values."""

from sqlmodel import Session

from rental_app.domain.policies import Policies
from rental_app.infrastructure.settings import settings


def first() -> Policies:
    """The numbers in force until an operator changes them: the specification's, and limits from the settings."""
    chosen = settings()
    return Policies(
        max_unanswered=chosen.max_unanswered,
        max_overlapping=chosen.max_overlapping,
        max_stored_mb=chosen.max_stored_mb,
        max_vehicles=chosen.max_vehicles,
    )


def current(session: Session) -> Policies:
    """The numbers in force."""
    return first()
