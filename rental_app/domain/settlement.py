"""What a return costs beyond the rent, until when more may be charged, and when the deposit comes back (specification,
section 9)."""

import math
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Literal

from rental_app.domain import clock
from rental_app.domain.account import LedgerKind
from rental_app.domain.clock import HOUR, at, indian
from rental_app.domain.money import grouped
from rental_app.domain.policies import Policies
from rental_app.domain.pricing import DEAREST

HOURS_A_DAY = 24
# Why a vehicle may come back other than because its trip is over.
BREAKDOWN: Literal["breakdown"] = "breakdown"
# The most that lateness, and the kilometres of a return, can cost: the account fits the database's 32-bit integers.
# An odometer reading with one digit too many exceeds it.
MOST_CHARGED = 4 * DEAREST


@dataclass(frozen=True, slots=True)
class ReturnTerms:
    """The rates of a booking: paise per hour, per kilometre and per Full Day; None kilometres are unlimited.

    `policies` are the numbers that the booking was made under.
    """

    return_at: datetime
    kms_included: int | None
    late_penalty: int
    distance_penalty: int
    full_day: int
    policies: Policies


@dataclass(frozen=True, slots=True)
class Readings:
    """The chargeable readings of a return; `kms` were driven since the handover.

    A vehicle that broke down is late through no fault of the customer's.
    """

    at: datetime
    kms: int
    speedings: int = 0
    broke_down: bool = False


@dataclass(frozen=True, slots=True)
class Charge:
    """A line of the settlement (paise); `kind` is a kind of account entry."""

    kind: str
    paise: int
    note: str


def late_from(return_at: datetime, policies: Policies) -> datetime:
    """From when on a return is late: after 15 minutes of grace at first."""
    return return_at + timedelta(minutes=policies.grace_minutes)


def late_hours(return_at: datetime, came_back: datetime, policies: Policies) -> int:
    """Late hours to pay for: each one begun after the grace."""
    return max(0, math.ceil((came_back - late_from(return_at, policies)) / HOUR))


def late_charge(hours: int, penalty: int, full_day: int, policies: Policies) -> int:
    """Paise for late hours, of which any 24 cost at most so many times a Full Day (twice at first)."""
    days, rest = divmod(hours, HOURS_A_DAY)
    most = policies.most_full_days * full_day
    return min(MOST_CHARGED, days * min(HOURS_A_DAY * penalty, most) + min(rest * penalty, most))


def extra_kms(kms: int, included: int | None) -> int:
    """Kilometres beyond those included."""
    return 0 if included is None else max(0, kms - included)


def charges(terms: ReturnTerms, read: Readings) -> list[Charge]:
    """The lines for late hours, kilometres and speeding that cost anything."""
    policies = terms.policies
    hours = 0 if read.broke_down else late_hours(terms.return_at, read.at, policies)
    beyond = extra_kms(read.kms, terms.kms_included)
    late = late_charge(hours, terms.late_penalty, terms.full_day, policies)
    lines = (
        Charge(LedgerKind.LATE, late, f"{hours} h late"),
        Charge(LedgerKind.KILOMETRES, beyond * terms.distance_penalty, f"{grouped(beyond)} km beyond those included"),
        Charge(LedgerKind.SPEEDING, read.speedings * policies.speeding_fine, f"{read.speedings} × speeding"),
    )
    return [line for line in lines if line.paise]


def fuel_missing(before: int, now: int) -> int:
    """How many eighths of fuel or charge are missing since the handover; there is no tariff for them."""
    return max(0, before - now)


def deposit_to_keep(due: int, held: int) -> int:
    """How much of the deposit held goes towards what is due (paise)."""
    return max(0, min(due, held))


def deposit_back(came_back: datetime, policies: Policies) -> tuple[datetime, datetime]:
    """The times between which the deposit is returned: that day, or the next day for returns after they begin (8 to
    9 PM at first)."""
    local, begin, end = indian(came_back), time(policies.refunds_from), time(policies.refunds_to)
    day = local.date() + timedelta(days=local.time() > begin)
    return at(day, begin), at(day, end)


def object_until(noted: datetime, policies: Policies) -> datetime:
    """The last instant at which a customer may object to what was noted."""
    return noted + timedelta(hours=policies.object_hours)


ChargeKind = Literal["challan", "toll", "damage", "late", "other"]
# How the account stores what it has no kind of its own for.
_STORED = {"challan": LedgerKind.DAMAGE, "toll": LedgerKind.DAMAGE, "other": LedgerKind.DAMAGE}


def stored_kind(kind: str) -> str:
    """The account's kind for a line that is shown as another one."""
    return _STORED.get(kind, kind)


def chargeable_until(came_back: datetime, policies: Policies) -> datetime:
    """The instant from which on nothing more can be charged for a trip: the end of the last Indian day after that of
    the return on which it is possible."""
    return clock.at(clock.indian_today(came_back) + timedelta(days=policies.charge_days + 1), time())


def needs_proof(kind: ChargeKind) -> bool:
    """Whether a charge needs a photo: hours are known without one."""
    return kind != "late"
