"""Price rules, and what a customer would pay under one, as texts."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.clock import WEEKDAYS, Weekday, friendly_day
from rental_app.domain.money import format_rupees
from rental_app.schemas.prices import Preview, PriceRuleView
from rental_app.web.parts.presenters.bookings import line_label
from rental_app.web.parts.presenters.texts import Fact

# The choice besides the weekdays.
DATES = "dates"
FIELDS = ("when", "until", "from", "to", "vehicle", "direction", "percent", "car", "pickupDate", "returnDate")
DEARER, CHEAPER = "dearer", "cheaper"
NEW = {"when": "Saturday", "direction": DEARER}


class RuleLine(BaseModel):
    """A rule as its line shows it, and the initial values of the form that changes it."""

    id: int
    days: str
    vehicles: str
    change: str
    form: dict[str, str]


class PreviewText(BaseModel):
    """What a customer would pay."""

    dates: str
    total: str
    before: str
    lines: list[Fact]


def rule_line(rule: PriceRuleView, names: Mapping[str, str]) -> RuleLine:
    """A rule in words; `names` are those of the vendor's vehicles by their ids."""
    direction = DEARER if rule.percent > 0 else CHEAPER
    form = {
        **_when(rule.weekdays),
        "from": rule.first_day.isoformat() if rule.first_day else "",
        "to": rule.last_day.isoformat() if rule.last_day else "",
        "vehicle": str(rule.vehicle or ""),
        "direction": direction,
        "percent": str(abs(rule.percent)),
    }
    return RuleLine(
        id=rule.id,
        days=_days(rule),
        vehicles=names.get(str(rule.vehicle), f"Vehicle {rule.vehicle}") if rule.vehicle else "All vehicles",
        change=f"{abs(rule.percent)} % {direction}",
        form=form,
    )


def _days(rule: PriceRuleView) -> str:
    if not rule.first_day or not rule.last_day:
        span = _span(rule.weekdays)
        return " to ".join(span) if span else f"Every {', '.join(rule.weekdays)}"
    first, last = friendly_day(rule.first_day), friendly_day(rule.last_day)
    return first if first == last else f"{first} to {last}"


def _when(weekdays: Sequence[Weekday]) -> dict[str, str]:
    """How a form holds weekdays: the first and the last of those in a row, else all of them."""
    if not weekdays:
        return {"when": DATES}
    if len(weekdays) == 1:
        return {"when": weekdays[0]}
    span = _span(weekdays)
    return {"when": span[0], "until": span[1]} if span else {"when": ",".join(weekdays)}


def _span(weekdays: Sequence[Weekday]) -> tuple[str, str] | None:
    """The first and the last of several weekdays in a row, which may be Saturday and Monday; None for others."""
    days = {WEEKDAYS.index(day) for day in weekdays}
    firsts = [day for day in sorted(days) if (day - 1) % 7 not in days] or [0]
    if len(days) < 2 or len(firsts) > 1:
        return None
    return WEEKDAYS[firsts[0]], WEEKDAYS[(firsts[0] + len(days) - 1) % 7]


def _weekdays(form: Mapping[str, str]) -> list[str]:
    """The weekdays of a form; from Saturday until Monday are three."""
    when, until = form.get("when", ""), form.get("until", "")
    if when == DATES:
        return []
    if when not in WEEKDAYS or until not in WEEKDAYS:
        return when.split(",")
    first = WEEKDAYS.index(when)
    length = (WEEKDAYS.index(until) - first) % 7 + 1
    return [WEEKDAYS[(first + day) % 7] for day in range(length)]


def rule_of_form(form: Mapping[str, str]) -> dict[str, Any]:
    """A form's rule as calls take it."""
    values = {name: form.get(name, "").strip() or None for name in FIELDS}
    percent = (values["percent"] or "").removesuffix("%").strip()
    return {
        "vehicle": values["vehicle"],
        "weekdays": _weekdays({name: text or "" for name, text in values.items()}),
        "from": values["from"] if values["when"] == DATES else None,
        "to": values["to"] if values["when"] == DATES else None,
        "percent": f"-{percent}" if values["direction"] == CHEAPER else percent,
    }


def rental_of_form(form: Mapping[str, str], today: date) -> dict[str, str]:
    """The rental that a form's rule is tried out on: without dates, the first day from today that it applies to."""
    first = form.get("pickupDate") or _first_day(form, today).isoformat()
    # Python's calendar ends there.
    following = min(_day(first, today), date(2199, 12, 30)) + timedelta(days=1)
    last = form.get("returnDate") or following.isoformat()
    return {"car": form.get("vehicle") or form.get("car", ""), "pickupDate": first, "returnDate": last}


def _first_day(form: Mapping[str, str], today: date) -> date:
    if weekdays := [WEEKDAYS.index(day) for day in WEEKDAYS if day in _weekdays(form)]:
        return today + timedelta(days=min((day - today.weekday()) % 7 for day in weekdays))
    return max(today, _day(form.get("from", ""), today))


def _day(text: str, otherwise: date) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return otherwise


def preview_text(preview: Preview) -> PreviewText:
    """A priced rental in words."""
    lines = [Fact(label=line_label(line), value=format_rupees(line.amount)) for line in preview.lines]
    return PreviewText(
        dates=clock.friendly_span(preview.pickup, preview.return_at),
        total=format_rupees(preview.total),
        before=format_rupees(preview.before),
        lines=lines,
    )
