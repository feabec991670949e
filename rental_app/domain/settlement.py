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
from rental_app.domain.pricing import DEAREST

GRACE = timedelta(minutes=15)
HOURS_A_DAY = 24
# Any 24 late hours cost at most this many times the vehicle's Full Day price.
MOST_FULL_DAYS = 2
SPEEDING_PAISE = 100_00
# Why a vehicle may come back other than because its trip is over.
BREAKDOWN: Literal["breakdown"] = "breakdown"
# The most that lateness, and the kilometres of a return, can cost: the account fits the database's 32-bit integers.
# An odometer reading with one digit too many exceeds it.
MOST_CHARGED = 4 * DEAREST
REFUNDS_FROM, REFUNDS_TO = time(20), time(21)
# How long a customer may object to what was noted.
TIME_TO_OBJECT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class ReturnTerms:
    """The rates of a booking: paise per hour, per kilometre and per Full Day; None kilometres are unlimited."""

    return_at: datetime
    kms_included: int | None
    late_penalty: int
    distance_penalty: int
    full_day: int


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


def late_hours(return_at: datetime, came_back: datetime) -> int:
    """Late hours to pay for: each one begun after 15 minutes of grace."""
    return max(0, math.ceil((came_back - return_at - GRACE) / HOUR))


def late_charge(hours: int, penalty: int, full_day: int) -> int:
    """Paise for late hours, of which any 24 cost at most twice a Full Day."""
    days, rest = divmod(hours, HOURS_A_DAY)
    most = MOST_FULL_DAYS * full_day
    return min(MOST_CHARGED, days * min(HOURS_A_DAY * penalty, most) + min(rest * penalty, most))


def extra_kms(kms: int, included: int | None) -> int:
    """Kilometres beyond those included."""
    return 0 if included is None else max(0, kms - included)


def charges(terms: ReturnTerms, read: Readings) -> list[Charge]:
    """The lines for late hours, kilometres and speeding that cost anything."""
    hours = 0 if read.broke_down else late_hours(terms.return_at, read.at)
    beyond = extra_kms(read.kms, terms.kms_included)
    lines = (
        Charge(LedgerKind.LATE, late_charge(hours, terms.late_penalty, terms.full_day), f"{hours} h late"),
        Charge(LedgerKind.KILOMETRES, beyond * terms.distance_penalty, f"{grouped(beyond)} km beyond those included"),
        Charge(LedgerKind.SPEEDING, read.speedings * SPEEDING_PAISE, f"{read.speedings} × speeding"),
    )
    return [line for line in lines if line.paise]


def fuel_missing(before: int, now: int) -> int:
    """How many eighths of fuel or charge are missing since the handover; there is no tariff for them."""
    return max(0, before - now)


def deposit_to_keep(due: int, held: int) -> int:
    """How much of the deposit held goes towards what is due (paise)."""
    return max(0, min(due, held))


def deposit_back(came_back: datetime) -> tuple[datetime, datetime]:
    """The times between which the deposit is returned: 8 to 9 PM that day, or the next day for returns after 8 PM."""
    local = indian(came_back)
    day = local.date() + timedelta(days=local.time() > REFUNDS_FROM)
    return at(day, REFUNDS_FROM), at(day, REFUNDS_TO)


ChargeKind = Literal["challan", "toll", "damage", "late", "other"]
# The Indian days after the day of the return on which charges are possible, the last one included.
DAYS_TO_CHARGE = 7
# How the account stores what it has no kind of its own for.
_STORED = {"challan": LedgerKind.DAMAGE, "toll": LedgerKind.DAMAGE, "other": LedgerKind.DAMAGE}


def stored_kind(kind: str) -> str:
    """The account's kind for a line that is shown as another one."""
    return _STORED.get(kind, kind)


def chargeable_until(came_back: datetime) -> datetime:
    """The instant from which on nothing more can be charged for a trip."""
    return clock.at(clock.indian_today(came_back) + timedelta(days=DAYS_TO_CHARGE + 1), time())


def needs_proof(kind: ChargeKind) -> bool:
    """Whether a charge needs a photo: hours are known without one."""
    return kind != "late"
