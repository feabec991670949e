"""A naive reading of the vehicles on offer, to check a search against."""

from collections.abc import Callable
from random import Random
from typing import Any

from sqlmodel import select

from rental_app.domain.city_map import distance_km
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.reviews import rating
from rental_app.infrastructure.db import read
from rental_app.models import Listing, Location
from rental_app.schemas.quotes import QuoteRequest
from rental_app.schemas.search import AvailabilityRequest
from rental_app.services.pricing import quotes
from rental_app.services.search import listings as search_listings
from tests.support.shop import VISITOR

PLACES = ("Gachibowli", "Madhapur", "Testpur")


def listings() -> list[Listing]:
    return list(read(search_listings.listed, VISITOR).vehicles)


def quoted(window: dict[str, str]) -> dict[int, int]:
    """Return the quote service's total for each vehicle that can be booked."""
    totals = {}
    for car in listings():
        try:
            totals[car.id] = read(quotes.quote_for, VISITOR, QuoteRequest(car=car.id, **window)).total
        except (ConflictError, InvalidInputError):
            continue
    return totals


def kilometres(origin: str) -> dict[str, float]:
    places = read(lambda session: session.scalars(select(Location)).all())
    points = {place.name: (place.latitude, place.longitude) for place in places}
    return {name: distance_km(points[origin], point) for name, point in points.items()} if origin else {}


def stars(car: Listing) -> tuple[float, float]:
    own, vendors = (
        rating(car.stars_total, car.reviews) or 0.0,
        rating(car.vendor_stars_total, car.vendor_reviews) or 0.0,
    )
    return own, vendors


def fits(car: Listing, asked: AvailabilityRequest, price: int, unlimited: bool, km: dict[str, float]) -> bool:
    """Return whether a vehicle matches a query, compared field by field."""
    return all(
        (
            not asked.location or car.service_location == asked.location,
            not asked.types or car.asset_type in asked.types,
            not asked.transmission or car.transmission_type == asked.transmission,
            not asked.fuel or car.engine_type == asked.fuel,
            asked.seats is None or car.seating_capacity >= asked.seats,
            not asked.model or car.model_name == asked.model,
            asked.min_price is None or price >= asked.min_price * 100,
            asked.max_price is None or price <= asked.max_price * 100,
            asked.max_deposit is None or car.deposit_paise <= asked.max_deposit * 100,
            asked.rating is None or max(stars(car)) >= asked.rating,
            not asked.delivery or car.delivery_supported,
            not asked.unlimited or unlimited,
            asked.within_km is None or km[car.service_location] <= asked.within_km,
        )
    )


def a_query(dice: Random, cars: list[Listing]) -> dict[str, Any]:
    """Return a few filters that vehicles of the shop could match."""
    some, other = dice.choice(cars), dice.choice(cars)
    choices: dict[str, Callable[[], Any]] = {
        "location": lambda: dice.choice(PLACES),
        "types": lambda: tuple({some.asset_type, other.asset_type}),
        "transmission": lambda: some.transmission_type,
        "fuel": lambda: some.engine_type,
        "seats": lambda: some.seating_capacity,
        "model": lambda: some.model_name,
        "min_price": lambda: dice.randrange(0, 2_000),
        "max_price": lambda: dice.randrange(2_000, 12_000),
        "max_deposit": lambda: some.deposit_paise // 100,
        "rating": lambda: dice.choice([1, 3.5, 4.5]),
        "delivery": lambda: True,
        "unlimited": lambda: True,
    }
    asked = {name: choices[name]() for name in dice.sample(sorted(choices), k=dice.randrange(4))}
    if dice.random() < 0.4:
        asked |= {"near": dice.choice(PLACES), "within_km": dice.choice([2, 8, 30.5])}
    return asked


def order_of(sort: str, price: dict[int, int], km: dict[str, float]) -> Callable[[Listing], tuple[float, ...]]:
    """Return the key of a sort order; the smallest comes first."""
    return {
        "": lambda car: (car.id,),
        "price": lambda car: (price[car.id], car.id),
        "-price": lambda car: (-price[car.id], car.id),
        "rating": lambda car: (*(-each for each in stars(car)), car.id),
        "newest": lambda car: (-car.id,),
        "distance": lambda car: (int(km[car.service_location] * 1000), price[car.id], car.id),
    }[sort]
