"""What cancelling a confirmed booking costs, and why and how a vendor gives one up (specification, section 9)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from rental_app.domain.policies import Policies


@dataclass(frozen=True, slots=True)
class CancellationTerms:
    """How much of the rent a cancellation at an instant keeps and returns, in paise; the deposit is returned in full.

    `dearer_at` is when more would be kept, or None if that never happens.
    """

    retained: int
    returned: int
    deposit: int
    percent: int
    dearer_at: datetime | None


def percent_at(pickup: datetime, instant: datetime, policies: Policies) -> int:
    """The deduction from a rent paid in full; the ends of the middle band (72 and 24 hours at first) belong to it."""
    left = pickup - instant
    if left > timedelta(hours=policies.early_hours):
        return policies.early_percent
    return policies.middle_percent if left >= timedelta(hours=policies.late_hours) else policies.late_percent


def _dearer_at(pickup: datetime, instant: datetime, policies: Policies) -> datetime | None:
    """The end of the band that an instant lies in, after which a later one keeps more; None if none does."""
    bands = (
        (pickup - timedelta(hours=policies.early_hours), policies.middle_percent),
        (pickup - timedelta(hours=policies.late_hours), policies.late_percent),
    )
    now = percent_at(pickup, instant, policies)
    return next((end for end, percent in bands if end >= instant and percent > now), None)


def terms(
    pickup: datetime, instant: datetime, policies: Policies, *, agreed: int, charged: int, paid: int, deposit: int
) -> CancellationTerms:
    """What cancelling at an instant would cost: the rent `agreed` on confirmation, `charged` by now and `paid`, and the
    `deposit` taken, in paise.

    If nothing was paid, nothing is due. What is kept of a full payment depends on the time to pickup.
    """
    percent = percent_at(pickup, instant, policies)
    # Lines taken back may make any of them negative.
    charged, paid = max(0, charged), max(0, paid)
    # What was charged later and is not paid yet, such as an extension, does not make a full payment a partial one.
    if paid < min(agreed, charged):
        retained = _share(paid, policies.partial_percent)
        return CancellationTerms(retained, paid - retained, deposit, policies.partial_percent if paid else 0, None)
    due = min(charged, paid)
    retained = _share(due, percent)
    dearer_at = _dearer_at(pickup, instant, policies) if due else None
    return CancellationTerms(retained, paid - retained, deposit, percent, dearer_at)


def absent_from(pickup: datetime, policies: Policies) -> datetime:
    """From when on a customer who has not come can be marked as a no-show."""
    return pickup + timedelta(hours=policies.no_show_hours)


def no_show(policies: Policies, *, charged: int, paid: int, deposit: int) -> CancellationTerms:
    """How much of the rent the vendor keeps if the customer never came: as much as in the last band."""
    paid = max(0, paid)
    retained = _share(max(0, min(charged, paid)), policies.late_percent)
    return CancellationTerms(retained, paid - retained, deposit, policies.late_percent if paid else 0, None)


def free(*, paid: int = 0, deposit: int = 0) -> CancellationTerms:
    """The terms that keep nothing: for a request not answered yet, or a vehicle that is not there at the pickup."""
    return CancellationTerms(0, max(0, paid), deposit, 0, None)


def _share(paise: int, percent: int) -> int:
    """A percentage of an amount, half a paisa rounded up."""
    return (paise * percent + 50) // 100


CancelReason = Literal["breakdown", "accident", "papers", "sold", "other"]
# As the customer reads them.
CANCEL_REASONS: dict[CancelReason, str] = {
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
