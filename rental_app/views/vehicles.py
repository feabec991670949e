"""Vehicles as pages show them: cards, search results, the page of one."""

from dataclasses import dataclass
from urllib.parse import quote_plus

from sqlmodel import Session

from rental_app.models import Listing, ListingInFull
from rental_app.rules import clock, contacts
from rental_app.rules.clock import Window
from rental_app.rules.hours import format_time
from rental_app.rules.money import format_rupees, grouped
from rental_app.rules.pricing import Tariff, quote
from rental_app.schemas.cards import Card, Fact, VehiclePage
from rental_app.schemas.shop import ANY, NearestOpen, ShopQuery
from rental_app.schemas.wire import Page
from rental_app.services import search, shop
from rental_app.services.tariffs import tariffs
from rental_app.services.throttle import Caller
from rental_app.views.bookings import days
from rental_app.views.links import search_url, vehicle_url, wall_text, window_of

FEATURED = 3
RESULTS = 24
DELIVERY_NOTE = "This vendor brings and fetches vehicles. Agree on the place once your booking is confirmed."


@dataclass(frozen=True, slots=True)
class Results:
    """The first vehicles of a search, how many it has, and what to say of hours at which more are free."""

    place: str
    cards: list[Card]
    total: int
    nearest_text: str = ""
    nearest_url: str = ""
    problem: str = ""
    failed: bool = False
    text: str = ""

    @property
    def count_line(self) -> str:
        """How many vehicles are shown, of how many; blank where they cannot be told."""
        return "" if self.problem else count_line(len(self.cards), self.total)


def featured(session: Session, caller: Caller) -> list[Card]:
    """The shop's first three vehicles."""
    return [card(car) for car in shop.listed(session, caller, page=Page(limit=FEATURED)).items]


def results(session: Session, caller: Caller, query: ShopQuery, place: str) -> Results:
    """The pages up to a query's of what it gives, or of all vehicles of a place while the search is incomplete."""
    found = search.browse(session, caller, query, place)
    window = window_of(query.pickup, query.return_at)
    shown = found.vehicles[: RESULTS * query.page]
    asked = tariffs(session, shown) if window else {}
    cards = [card(car, query, window, asked.get(car.id)) for car in shown]
    return Results(place, cards, len(found.vehicles), *_say_nearest(query, found.nearest), text=query.text)


def _say_nearest(query: ShopQuery, nearest: NearestOpen | None) -> tuple[str, str]:
    if not nearest:
        return "", ""
    noun = "vehicle is" if nearest.count == 1 else "vehicles are"
    window = f"{clock.friendly(nearest.pickup)} to {clock.friendly(nearest.return_at)}"
    ends = {"pickup": wall_text(nearest.pickup), "return_at": wall_text(nearest.return_at)}
    there = query.model_copy(update=ends)
    return f"{nearest.count} {noun} free at the nearest opening hours, {window}", search_url(there)


def count_line(shown: int, total: int) -> str:
    """How many vehicles are shown, of how many."""
    noun = "vehicle" if total == 1 else "vehicles"
    return f"Showing {shown} of {total} {noun}" if shown < total else f"Showing {shown} {noun}"


def card(car: Listing, query: ShopQuery = ANY, window: Window | None = None, tariff: Tariff | None = None) -> Card:
    """A vehicle's card; with a window and a tariff it also says what the whole rental costs."""
    price = quote(window, tariff, car.deposit_paise) if window and tariff else None
    return Card(
        id=car.id,
        title=car.title,
        image=car.picture.card,
        href=vehicle_url(car.id, query),
        location=car.service_location,
        asset_type=car.asset_type,
        engine=car.engine_type,
        transmission=car.transmission_type,
        seats=_seats(car.seating_capacity),
        year=car.year,
        daily=format_rupees(car.daily_paise),
        total=f"{format_rupees(price.total)} for {days(price.days)}" if price else "",
    )


def _seats(count: int) -> str:
    return f"{count} seat{'s' if count != 1 else ''}"


def vehicle_page(car: ListingInFull, city: str) -> VehiclePage:
    """A vehicle's detail page."""
    address, hours = car.pickup_address, car.hours
    place = f"{address}, {car.service_location}, {city}"
    return VehiclePage(
        id=car.id,
        title=car.title,
        image=car.picture.full,
        location=car.service_location,
        color=car.color,
        summary=[
            Fact(label="Body type", value=f"{car.body_type} · {car.year}"),
            Fact(label="Seats", value=_seats(car.seating_capacity)),
            Fact(label="Engine", value=car.engine_type),
            Fact(label="Transmission", value=car.transmission_type),
        ],
        renting=_renting(car),
        features=_features(car),
        terms=_lines(car.terms),
        vendor_terms=_lines(car.vendor_terms),
        delivery=_delivery(car),
        vendor_name=car.vendor_name,
        address=address,
        hours=f"{format_time(hours.open)} to {format_time(hours.close)}",
        closed=f"Closed on {', '.join(car.closing_days)}" if car.closing_days else "Open all week",
        map_link=car.google_maps_link or contacts.maps_link(place),
        map_embed=f"https://www.google.com/maps?q={quote_plus(place)}&output=embed",
        open_time=f"{hours.open:%H:%M}",
        close_time=f"{hours.close:%H:%M}",
        closing_days=car.closing_days,
        daily=format_rupees(car.daily_paise),
    )


def _renting(car: Listing) -> list[Fact]:
    return [
        Fact(label="Security deposit", value=format_rupees(car.deposit_paise)),
        Fact(label="Kms driven", value=f"{grouped(car.odometer_reading)} km"),
        Fact(label="Distance limit", value=f"{car.kms_limit} km a day" if car.kms_limit else "Unlimited"),
        Fact(label="Late penalty", value=f"{format_rupees(car.late_penalty_paise)} an hour"),
        Fact(label="Excess charge", value=f"{format_rupees(car.distance_penalty_paise)} a km"),
    ]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _delivery(car: Listing) -> list[Fact]:
    """What being brought the vehicle and having it fetched costs; nothing where the vendor does not deliver."""
    charges = {"Drop-off at your place": car.brought_paise, "Pickup from your place": car.fetched_paise}
    given = charges if car.delivery_supported else {}
    return [Fact(label=name, value=format_rupees(paise) if paise else "Free") for name, paise in given.items()]


def _features(car: Listing) -> list[Fact]:
    electric = car.vehicle_cc is None
    return [
        Fact(label="Engine", value="Electric motor" if electric else f"{car.vehicle_cc} cc"),
        Fact(label="Top speed", value=f"{car.top_speed} km/h"),
        Fact(
            label="Battery" if electric else "Fuel capacity",
            value=f"{car.fuel_tank_capacity:g} {'kWh' if electric else 'litres'}",
        ),
        Fact(label="Mileage", value=f"{car.mileage:g} km {'a charge' if electric else 'a litre'}"),
    ]
