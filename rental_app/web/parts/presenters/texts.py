"""What several screens show: labelled values and links, distances in words, and the lines of a text."""

from collections.abc import Mapping

from pydantic import BaseModel

from rental_app.content.figures import filled
from rental_app.domain.money import grouped
from rental_app.infrastructure.settings import settings

INDIAN_DIGITS = 10


def phone_shown(number: str) -> str:
    """An Indian mobile number as people write it: '+91 90000 20201'; any other as it is."""
    return f"+91 {number[:5]} {number[5:]}" if len(number) == INDIAN_DIGITS else number


class Fact(BaseModel):
    """A labelled value."""

    label: str
    value: str


class Link(BaseModel):
    """A link, with a note on what is there."""

    text: str
    href: str
    note: str = ""


class Gone(BaseModel):
    """A vehicle that nobody can book any more."""

    id: int
    title: str


class Choice(BaseModel):
    """An option of a drop-down."""

    value: str
    label: str


def facts(values: Mapping[str, str]) -> list[Fact]:
    """Labelled values, without those that are blank."""
    return [Fact(label=label, value=value) for label, value in values.items() if value]


def kilometres(limit: int | None) -> str:
    """The distance that a price includes: '1,200 km', or 'Unlimited' for None."""
    return "Unlimited" if limit is None else f"{grouped(limit)} km"


def kilometres_a_day(limit: int) -> str:
    """The distance that a day's price includes: '250 km a day', or 'Unlimited' for 0."""
    return f"{kilometres(limit)} a day" if limit else kilometres(None)


def lines(text: str) -> list[str]:
    """The lines of a text that are not blank."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def on_two_lines(text: str) -> list[str]:
    """The words of a text on at most two lines of about the same length."""
    words = text.split()
    halves = [[" ".join(words[:cut]), " ".join(words[cut:])] for cut in range(1, len(words))]
    return min(halves, key=lambda pair: max(map(len, pair)), default=words)


def km_away(km: float) -> str:
    """How far one place is from another."""
    return f"{max(km, 1):.0f} km away"


def fill(text: str) -> str:
    """Replace `{product}` and `{city}` in a text that is part of a built page: numbers could not follow there."""
    return filled(text, {"product": settings().product_name, "city": settings().city})
