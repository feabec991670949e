"""A locality's page."""

from datetime import time

from pydantic import BaseModel

from rental_app.schemas.cards import Card, Fact


class Terms(BaseModel):
    """How many vehicles of a locality can be rented, and between what bounds their terms lie (paise, Indian time)."""

    count: int
    cheapest: int
    least_deposit: int
    most_deposit: int
    least_late: int
    most_late: int
    opens: time
    closes: time


class Neighbour(BaseModel):
    """A locality nearby with vehicles, `km` away."""

    name: str
    slug: str
    km: float


class Link(BaseModel):
    """A link, with a word on what is there."""

    text: str
    href: str
    note: str = ""


class CityView(BaseModel):
    """What the page of a locality shows; `from_price` and `policies` are blank where no vehicle stands."""

    name: str
    slug: str
    from_price: str
    count_line: str
    cards: list[Card]
    all_url: str
    policies: list[Fact]
    nearest: list[Link]
