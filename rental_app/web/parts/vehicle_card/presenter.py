"""A vehicle's card, as grids show it."""

from collections.abc import Sequence

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.characters import initials
from rental_app.domain.clock import Window
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.domain.pictures import sides_first
from rental_app.domain.reviews import answers_in, rating
from rental_app.models import Listing
from rental_app.schemas.search import ANY, PageSearch
from rental_app.services.pricing.quotes import PAPERS_EXPIRE
from rental_app.services.search.listings import Vehicles
from rental_app.services.vendors import Host, hosts
from rental_app.web.parts.city_map.presenter import place_key
from rental_app.web.parts.presenters.links import vehicle_url, walls, window_of
from rental_app.web.parts.presenters.texts import kilometres_a_day, km_away
from rental_app.web.parts.reviews.presenter import rated


class Card(BaseModel):
    """A vehicle in a grid; `more` are its photos besides the one that is shown.

    `daily` and `total` are in rupees; `total` and `duration` are blank without a window. `taken` says why it cannot be
    had for the window, and is blank if it can or if that is not known.
    """

    id: int
    title: str
    image: str
    more: list[str]
    is_drawing: bool
    href: str
    location: str
    # What its pin on a map goes by.
    place_key: str
    distance: str = ""
    asset_type: str
    engine: str
    transmission: str
    seats: str
    year: int
    rating: str
    # The rating where there is no room for words; blank without reviews.
    rating_figures: str
    host: str
    host_initials: str
    # What is known of the host; blank if nothing is.
    host_rating: str = ""
    host_answers: str = ""
    host_trips: str = ""
    delivers: bool
    # The last ones go first where there is no room.
    facts: list[str]
    price_for: str
    # The price of a day where the total stands, and the kilometres, which go first where there is no room.
    price_day: str
    price_kms: str
    daily: str
    total: str
    duration: str
    taken: str = ""


def card(car: Listing, query: PageSearch = ANY, total: int | None = None, km: float | None = None) -> Card:
    """A vehicle's card; the total for the dates of a query (paise) and how far away it is are shown if known."""
    window = window_of(*walls(query, car.hours)) if total is not None else None
    pictures = [photo.card for photo in sides_first(car.photos)] or [car.picture.card]
    average = rating(car.stars_total, car.reviews)
    away = km_away(km) if km and query.near else ""
    kms = kilometres_a_day(car.kms_limit) if car.kms_limit else "Unlimited km"
    daily = format_rupees(car.daily_paise)
    stars = rating(car.vendor_stars_total, car.vendor_reviews)
    # Where a vehicle is and what it is like, each with what parts it from the one before.
    seats = counted(car.seating_capacity, "seat")
    drawn = "Illustration" if car.picture.is_drawing else ""
    more = (away, drawn, f"{car.year}", car.transmission_type, car.engine_type, seats)
    return Card(
        id=car.id,
        title=car.title,
        image=pictures[0],
        more=pictures[1:],
        is_drawing=car.picture.is_drawing,
        href=vehicle_url(car.id, query),
        location=car.service_location,
        place_key=place_key(car.service_location),
        distance=away,
        asset_type=car.asset_type,
        engine=car.engine_type,
        transmission=car.transmission_type,
        seats=counted(car.seating_capacity, "seat"),
        year=car.year,
        rating=rated(car.stars_total, car.reviews),
        rating_figures=f"{average} ({grouped(car.reviews)})" if average is not None else "",
        host=car.vendor_name,
        host_initials=initials(car.vendor_name),
        host_rating="" if stars is None else f" · {stars} ★",
        delivers=car.delivery_supported,
        facts=[car.service_location, *(f" · {fact}" for fact in more if fact)],
        price_for="/ day" if total is None else "total",
        price_day="" if total is None else f" · {daily} / day",
        price_kms=f" · {kms}",
        daily=daily,
        total="" if total is None else format_rupees(total),
        duration=window.label if window else "",
    )


def with_hosts(session: Session, cars: Sequence[Listing], cards: Sequence[Card]) -> list[Card]:
    """The cards of some vehicles, in the same order, with what is known of their hosts' trips and answers."""
    facts = hosts(session, {car.vendor_id for car in cars})
    return [shown.model_copy(update=_host_facts(facts[car.vendor_id])) for car, shown in zip(cars, cards, strict=True)]


def _host_facts(host: Host) -> dict[str, str]:
    return {
        "host_answers": f" · answers {answers_in(host.answers_in)}" if host.answers_in is not None else "",
        "host_trips": f" · {counted(host.trips, 'trip')}" if host.trips else "",
    }


def availability(car: Listing, vehicles: Vehicles, window: Window | None) -> tuple[str, bool]:
    """Whether a marked vehicle is available, in words and as a flag."""
    if until := vehicles.taken.get(car.id):
        return ("Taken on your dates" if window else f"Taken until {clock.friendly(until)}"), False
    if window and (refusal := car.hours.refusal(window)):
        return refusal[1], False
    if car.id in vehicles.expiring:
        return PAPERS_EXPIRE, False
    return ("Free on your dates" if window else "Free now"), True
