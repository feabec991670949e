"""A vehicle's card, as grids show it."""

from pydantic import BaseModel

from rental_app.domain.money import counted, format_rupees
from rental_app.models import Listing
from rental_app.schemas.shop import ANY, ShopQuery
from rental_app.web.parts.presenters.links import vehicle_url, walls, window_of
from rental_app.web.parts.presenters.texts import km_away
from rental_app.web.parts.reviews.presenter import rated


class Card(BaseModel):
    """A vehicle in a grid; `more` are its photos besides the one that is shown.

    `daily` and `total` are in rupees; `total` and `duration` are blank without a window.
    """

    id: int
    title: str
    image: str
    more: list[str]
    is_drawing: bool
    href: str
    location: str
    distance: str = ""
    asset_type: str
    engine: str
    transmission: str
    seats: str
    year: int
    rating: str
    daily: str
    total: str
    duration: str


def card(car: Listing, query: ShopQuery = ANY, total: int | None = None, km: float | None = None) -> Card:
    """A vehicle's card; the total for the dates of a query (paise) and how far away it is are shown if known."""
    window = window_of(*walls(query, car.hours)) if total is not None else None
    return Card(
        id=car.id,
        title=car.title,
        image=car.picture.card,
        more=[photo.card for photo in car.photos[1:]],
        is_drawing=car.picture.is_drawing,
        href=vehicle_url(car.id, query),
        location=car.service_location,
        distance=km_away(km) if km and query.near else "",
        asset_type=car.asset_type,
        engine=car.engine_type,
        transmission=car.transmission_type,
        seats=counted(car.seating_capacity, "seat"),
        year=car.year,
        rating=rated(car.stars_total, car.reviews),
        daily=format_rupees(car.daily_paise),
        total="" if total is None else format_rupees(total),
        duration=window.label if window else "",
    )
