"""Why and how a vendor gives up a booking that they had confirmed."""

from datetime import datetime, timedelta
from typing import Literal

CancelReason = Literal["breakdown", "accident", "papers", "sold", "other"]
# As the customer reads them.
REASONS: dict[CancelReason, str] = {
    "breakdown": "The vehicle has broken down",
    "accident": "The vehicle had an accident",
    "papers": "The vehicle's documents are not in order",
    "sold": "The vehicle has been sold",
    "other": "Another reason",
}
# After these nobody else can take the vehicle for the same days, unless the vendor says otherwise.
BLOCKING = ("breakdown", "accident")
# A booking given up this soon after it was confirmed was confirmed by mistake, and is not counted.
TIME_FOR_MISTAKES = timedelta(minutes=2)
COUNTED_FOR = timedelta(days=365)
# How long a customer waits for their money before the vendor is reminded.
REFUND_WITHIN = timedelta(days=3)
# An equal vehicle stands no farther away than this (km).
NEAR_KM = 5


def is_counted(confirmed: datetime, cancelled: datetime) -> bool:
    """Whether giving up a booking counts on the vendor's page."""
    return cancelled - confirmed > TIME_FOR_MISTAKES
