"""The numbers of the shop as operators read and write them: rupees and percent, under their names on the wire."""

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import read_rupees
from rental_app.domain.policies import BOUNDS, Bounds, Group, Policies, Unit, refusals

_WHOLE = re.compile(r"-?[0-9]{1,12}", re.ASCII)
_PERCENT = re.compile(r"(-?[0-9]{1,12}(?:\.[0-9]{1,12})?) ?%?", re.ASCII)
# Longer than any number that can be in force.
_LONGEST = 30
# What is stored in hundredths: paise, and hundredths of a percent.
IN_HUNDREDTHS = ("paise", "basis points")


def name_on_wire(name: str) -> str:
    """What a number is called outside: `early_hours` is earlyHours, `commission_bps` commission."""
    first, *more = name.removesuffix("_bps").split("_")
    return first + "".join(word.capitalize() for word in more)


GROUPS: Mapping[Group, str] = {
    "cancelling": "Cancelling",
    "returning": "Coming back",
    "charging": "Charges and objections",
    "extras": "Extras",
    "answering": "Answers to requests",
    "reviewing": "Reviews",
    "texts": "Only shown in texts",
    "limits": "Limits and commission",
}
UNITS: Mapping[Unit, str] = {
    "hours": "hours",
    "minutes": "minutes",
    "days": "days",
    "percent": "%",
    "paise": "₹",
    "basis points": "%",
    "o'clock": "o'clock, 0 to 23",
    "km/h": "km/h",
    "km": "km",
    "MB": "MB",
    "times": "Full Days",
    "at most": "",
}
NAMES: Mapping[str, str] = {name_on_wire(name): name for name in BOUNDS}


def written(policies: Policies) -> dict[str, int | float]:
    """Numbers as they are read and sent, each under its name on the wire."""
    return {wire: _written(BOUNDS[name], getattr(policies, name)) for wire, name in NAMES.items()}


def _written(bounds: Bounds, value: int) -> int | float:
    if bounds.unit in IN_HUNDREDTHS and value % 100:
        return value / 100
    return value // 100 if bounds.unit in IN_HUNDREDTHS else value


def read(value: Any) -> Policies:
    """The numbers that were sent: all of them, as numbers or as their text.

    Raises InvalidInputError naming each one that is wrong, missing or not known, below `value`.
    """
    if not isinstance(value, dict):
        raise _refused({"": "Send an object with all numbers"})
    wrong = {str(name)[:_LONGEST]: "There is no number of this name" for name in value if name not in NAMES}
    parsed = {}
    for wire, name in NAMES.items():
        try:
            parsed[name] = _parsed(BOUNDS[name], value.get(wire))
        except ValueError as error:
            wrong[wire] = str(error)
    policies = replace(Policies(), **parsed)
    broken = refusals(policies).items()
    wrong |= {name_on_wire(name): message for name, message in broken if name in parsed}
    if wrong:
        raise _refused(wrong)
    return policies


def _refused(wrong: Mapping[str, str]) -> InvalidInputError:
    fields = {f"value.{name}" if name else "value": message for name, message in wrong.items()}
    return InvalidInputError("Please correct the numbers marked in red", fields=fields)


def in_force(value: Mapping[str, Any], first: Policies) -> Policies:
    """Numbers as they were stored; one that is missing, as a later version may know more, has its first value."""
    known = {name: _parsed(BOUNDS[name], value[wire]) for wire, name in NAMES.items() if wire in value}
    return replace(first, **known)


def _parsed(bounds: Bounds, value: Any) -> int:
    """A number as it is stored; raises ValueError with what is wrong."""
    if value is None or value == "":
        raise ValueError("Enter a number")
    if isinstance(value, bool) or not isinstance(value, int | float | str) or len(str(value)) > _LONGEST:
        raise ValueError(_wanted(bounds))
    if bounds.unit in IN_HUNDREDTHS:
        return _hundredths(bounds, value)
    if isinstance(value, float) or not _WHOLE.fullmatch(text := str(value).strip()):
        raise ValueError(_wanted(bounds))
    return int(text)


def _hundredths(bounds: Bounds, value: float | str) -> int:
    try:
        amount = _decimal(bounds, value) * 100
        if not amount.is_finite():
            raise ValueError
    except (ValueError, InvalidOperation):
        raise ValueError(_wanted(bounds)) from None
    if amount != amount.to_integral_value():
        raise ValueError("Enter at most two decimals")
    return int(amount)


def _decimal(bounds: Bounds, value: float | str) -> Decimal:
    if not isinstance(value, str):
        return Decimal(str(value))
    if bounds.unit == "paise":
        return read_rupees(value)
    if not (percent := _PERCENT.fullmatch(value.strip())):
        raise ValueError
    return Decimal(percent[1])


def _wanted(bounds: Bounds) -> str:
    if bounds.unit == "paise":
        return "Enter an amount in rupees"
    return "Enter a percentage" if bounds.unit == "basis points" else "Enter a whole number"
