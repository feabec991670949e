"""Values of the console as texts: cells, moments, words."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import orjson
from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.contacts import has_mailbox
from rental_app.domain.money import format_rupees, grouped
from rental_app.services.console.lists import ConsoleRow
from rental_app.services.console.table import Column, RowStanding, Table

NOTHING = "none"
# What is longer may break anywhere.
LONGEST_WHOLE = 15
# What is longer takes all the width of a card.
LONGEST_BESIDE = 30


class CellView(BaseModel):
    """A value as text: `tone` colours a state, `faint` is what says that there is nothing.

    A `whole` one stands on one line: a reference, which would break at its hyphen. A `long` one takes all of a card's
    width, and one `in_full` is nowhere else to be read. What is `spare` is left out where a table has little room.
    """

    label: str
    text: str
    kind: str
    tone: str = ""
    faint: bool = False
    whole: bool = False
    long: bool = False
    in_full: bool = False
    spare: bool = False


def name_of(table: Table, row: ConsoleRow) -> str:
    """What a row is called: its first column, or its id where that is blank."""
    first = table.columns[0]
    return text_of(first, row.values[first.name]) or f"{table.one} {row.id}"


def cell(column: Column, values: Mapping[str, Any], *, spare: bool = False) -> CellView:
    """A value of a row as a cell."""
    value = values[column.name]
    text = text_of(column, value)
    is_nothing = text == "" or (column.kind == "money" and not value)
    tone = value.tone if isinstance(value, RowStanding) else ""
    return CellView(
        label=column.label,
        text=NOTHING if is_nothing else text,
        kind=column.kind,
        tone=tone,
        faint=is_nothing,
        whole=len(text) <= LONGEST_WHOLE and " " not in text,
        long=len(text) > LONGEST_BESIDE,
        spare=spare,
    )


def text_of(column: Column, value: Any) -> str:
    """A value as text, '' for none."""
    if value is None:
        return ""
    if isinstance(value, RowStanding):
        return value.label
    if column.kind == "money":
        return f"{format_rupees(-value)} to give back" if column.balance and value < 0 else format_rupees(value)
    if column.kind == "code":
        return in_words(str(value))
    if column.values:
        return "\n".join(f"{in_words(name)}: {_setting_text(each)}" for name, each in orjson.loads(value).items())
    if column.kind == "month":
        return f"{date(value // 100, value % 100, 1):%B %Y}"
    if isinstance(value, datetime):
        return moment_text(value)
    if isinstance(value, date):
        return clock.full_day(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0 and column.name != "year":
        return grouped(value)
    if isinstance(value, float):
        return str(value).removesuffix(".0")
    return str(value) if has_mailbox(str(value)) else ""


def _setting_text(value: object) -> str:
    """One of several values."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NOTHING if value is None else str(value)


# Words of the program's that are short for several.
_INITIALS = {name: name.upper() for name in ("upi", "sms", "suv", "mpv")}


def in_words(act: str) -> str:
    if act in _INITIALS:
        return _INITIALS[act]
    words = re.sub("[._-]", " ", act)
    return words[:1].upper() + words[1:]


def moment_text(instant: datetime) -> str:
    text = clock.day_or_today(instant, clock.now())
    # The hour stays with its half of the day where a column is narrow.
    return f"{text[:1].upper()}{text[1:]}".replace(" AM", "\N{NO-BREAK SPACE}AM").replace(" PM", "\N{NO-BREAK SPACE}PM")
