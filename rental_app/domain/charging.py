"""What a vendor may still charge once a vehicle is back: fines and tolls that arrive later, damage found later."""

from datetime import datetime, time, timedelta
from typing import Literal

from rental_app.domain import clock

ChargeKind = Literal["challan", "toll", "damage", "late", "other"]
# The Indian days after the day of the return on which charges are possible, the last one included.
DAYS_TO_CHARGE = 7
# How the account stores what it has no kind of its own for.
_STORED = {"challan": "damage", "toll": "damage", "other": "damage"}


def stored_kind(kind: str) -> str:
    """The account's kind for a line that is shown as another one."""
    return _STORED.get(kind, kind)


def chargeable_until(came_back: datetime) -> datetime:
    """The instant from which on nothing more can be charged for a trip."""
    return clock.at(clock.indian_today(came_back) + timedelta(days=DAYS_TO_CHARGE + 1), time())


def needs_proof(kind: ChargeKind) -> bool:
    """Whether a charge needs a photo: hours are known without one."""
    return kind != "late"
