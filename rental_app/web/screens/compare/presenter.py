"""Vehicles side by side, fact by fact."""

from collections.abc import Mapping

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain.clock import Window
from rental_app.domain.ids import COMPARED, read_ids
from rental_app.domain.money import format_rupees
from rental_app.domain.pictures import sides_first
from rental_app.domain.pricing import Tariff, quote
from rental_app.models import Listing
from rental_app.schemas.search import PageSearch
from rental_app.services.pricing.tariffs import tariffs
from rental_app.services.search.listings import vehicles_by_id
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters.links import compare_url, rental_of, vehicle_url, walls, window_text
from rental_app.web.parts.presenters.texts import Fact, Gone, kilometres_a_day
from rental_app.web.parts.reviews.presenter import rated
from rental_app.web.parts.vehicle_card.presenter import availability

TOO_MANY = f"Up to {COMPARED} vehicles are compared: the first {COMPARED} are below."
UNKNOWN = "Some vehicles in this link do not exist."


class ComparedVehicle(BaseModel):
    """A vehicle at the head of its column; `without` is the comparison without it."""

    id: int
    title: str
    image: str
    href: str
    without: str


class CompareRow(BaseModel):
    """One fact for each vehicle, and whether they differ in it."""

    label: str
    texts: list[str]
    differs: bool


class Comparison(BaseModel):
    """Up to three vehicles, their facts, and notes on others that were asked for."""

    cars: list[ComparedVehicle]
    rows: list[CompareRow]
    gone: list[Gone]
    notes: list[str]
    window: str


def comparison(session: Session, caller: Caller, ids_text: str, query: PageSearch) -> Comparison:
    """The vehicles that an address lists by their ids, separated by commas, for a query's dates if it has both."""
    window, ids = rental_of(query), read_ids(ids_text, COMPARED)
    vehicles = vehicles_by_id(session, caller, ids, window)
    prices = tariffs(session, vehicles.listed) if window else {}
    facts = [
        [*_facts(car, window, prices), Fact(label="Free", value=availability(car, vehicles, window)[0])]
        for car in vehicles.listed
    ]
    return Comparison(
        cars=[_head(car, vehicles.ids, query) for car in vehicles.listed],
        rows=[
            CompareRow(
                label=same[0].label,
                texts=[fact.value for fact in same],
                differs=len({fact.value for fact in same}) > 1,
            )
            for same in zip(*facts, strict=True)
        ],
        gone=[Gone(id=car.id, title=car.title) for car in vehicles.gone],
        notes=_notes(ids_text, len(vehicles.listed) + len(vehicles.gone)),
        window=window_text(*walls(query)) if window else "",
    )


def _notes(ids_text: str, there: int) -> list[str]:
    words = {word for word in ids_text.split(",") if word}
    if len(read_ids(ids_text)) > COMPARED:
        return [TOO_MANY]
    return [UNKNOWN] if len(words) > there else []


def _head(car: Listing, ids: list[int], query: PageSearch) -> ComparedVehicle:
    others = [each for each in ids if each != car.id]
    without = compare_url(others, query)
    return ComparedVehicle(
        id=car.id,
        title=car.title,
        image=next(iter(sides_first(car.photos)), car.picture).card,
        href=vehicle_url(car.id, query),
        without=without,
    )


def _facts(car: Listing, window: Window | None, prices: Mapping[int, Tariff]) -> list[Fact]:
    """The same facts in the same order for every vehicle."""
    whole = []
    if window:
        total = quote(window, prices[car.id], car.deposit_paise).total
        whole = [Fact(label="For your dates", value=format_rupees(total))]
    return [
        Fact(label="Price a day", value=format_rupees(car.daily_paise)),
        *whole,
        Fact(label="Deposit", value=format_rupees(car.deposit_paise)),
        Fact(label="Kms included", value=kilometres_a_day(car.kms_limit)),
        Fact(label="Gear", value=car.transmission_type),
        Fact(label="Fuel", value=car.engine_type),
        Fact(label="Seats", value=f"{car.seating_capacity}"),
        Fact(label="Year", value=f"{car.year}"),
        Fact(label="Rating", value=rated(car.stars_total, car.reviews) or "No reviews yet"),
        Fact(label="Place", value=car.service_location),
        Fact(label="Delivery", value="Yes" if car.delivery_supported else "No"),
    ]
