"""What the numbers of the shop come to, by examples, before and after a change."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from pydantic import BaseModel

from rental_app.content.figures import EXAMPLE_PAISE
from rental_app.content.numbers import in_force, written
from rental_app.domain import cancellation, clock, pricing, settlement
from rental_app.domain.bookings import answer_by
from rental_app.domain.clock import HOUR, Window
from rental_app.domain.money import counted, format_rupees
from rental_app.domain.policies import Policies
from rental_app.services.policies import first

# A booking of six days from a Saturday on, whose vehicle comes back late by what costs ₹50 an hour and ₹500 a day.
_PICKUP = clock.at(date(2026, 11, 7), time(10))
_WINDOW = Window(_PICKUP, _PICKUP + timedelta(days=6))
_LATE_PAISE, _DAY_PAISE = 50_00, 500_00
_SETTINGS = {
    "maxUnanswered": "RENTAL_MAX_UNANSWERED",
    "maxOverlapping": "RENTAL_MAX_OVERLAPPING",
    "maxStoredMb": "RENTAL_MAX_STORED_MB",
    "maxVehicles": "RENTAL_MAX_VEHICLES",
}


class EffectView(BaseModel):
    """What numbers come to in one case, as it is and as it would be."""

    label: str
    before: str
    after: str
    changed: bool


def first_value(name: str) -> str:
    """Where a number comes from until it is saved here: its setting, or the product."""
    value = written(first())[name]
    if setting := _SETTINGS.get(name):
        return f"{setting} says {value}; what is saved here wins"
    return f"At first {value}"


def effects_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[EffectView]:
    """What stored numbers come to, beside others."""
    was, would_be = dict(_cases(in_force(before, first()))), dict(_cases(in_force(after, first())))
    return [
        EffectView(label=label, before=text, after=would_be[label], changed=text != would_be[label])
        for label, text in was.items()
    ]


def _cases(policies: Policies) -> Iterator[tuple[str, str]]:
    whole, half = format_rupees(EXAMPLE_PAISE), format_rupees(EXAMPLE_PAISE // 2)
    early, late = policies.early_hours, policies.late_hours
    yield f"{whole} paid, cancelled early", f"{_kept(policies, early + 1)}, more than {early} hours before the pickup"
    yield f"{whole} paid, cancelled in between", f"{_kept(policies, early)}, up to {late} hours before it"
    yield f"{whole} paid, cancelled late", f"{_kept(policies, 0)}, later or after a no-show"
    yield f"{half} of it paid, cancelled", _kept(policies, early + 1, paid=EXAMPLE_PAISE // 2)
    yield "Back an hour late, at ₹50 an hour", _late(policies, HOUR)
    yield "Back a day late, at ₹50 an hour and ₹500 a day", _late(policies, 24 * HOUR)
    yield "Speeding once", _free_or(policies.speeding_fine)
    yield "A second helmet for six days", _helmet(policies)
    yield "A request made four days ahead", f"answered within {_time_to_answer(policies)}"
    yield "Deposit after a return at 5 PM", _deposit(policies)
    yield "Commission of a new vendor on ₹1,000", format_rupees(1_000_00 * policies.commission_bps // 10_000)


def _kept(policies: Policies, hours: int, paid: int = EXAMPLE_PAISE) -> str:
    terms = cancellation.terms(
        _PICKUP, _PICKUP - hours * HOUR, policies, agreed=EXAMPLE_PAISE, charged=EXAMPLE_PAISE, paid=paid, deposit=0
    )
    return f"{format_rupees(terms.retained)} kept"


def _late(policies: Policies, late: timedelta) -> str:
    hours = settlement.late_hours(_WINDOW.return_at, _WINDOW.return_at + late, policies)
    return _free_or(settlement.late_charge(hours, _LATE_PAISE, _DAY_PAISE, policies))


def _helmet(policies: Policies) -> str:
    rates = pricing.extra_rates(pricing.TWO_WHEELER_SEATS, policies, delivers=False, drop_off=0, pick_up=0)
    return _free_or(sum(line.amount for line in pricing.extra_lines(["helmet"], rates, _WINDOW, policies)))


def _time_to_answer(policies: Policies) -> str:
    requested = _PICKUP - timedelta(days=4)
    return counted((answer_by(requested, _PICKUP, policies) - requested) // HOUR, "hour")


def _deposit(policies: Policies) -> str:
    came_back = clock.at(date(2026, 11, 13), time(17))
    begin, end = (clock.indian(at) for at in settlement.deposit_back(came_back, policies))
    return f"back {_day(begin, came_back)}, {begin:%-I %p} to {end:%-I %p}"


def _day(begin: datetime, came_back: datetime) -> str:
    return "the same day" if begin.date() == clock.indian_today(came_back) else "the next day"


def _free_or(paise: int) -> str:
    return format_rupees(paise) if paise else "nothing"
