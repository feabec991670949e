"""Vehicles as pages show them: cards, search results, the page of one."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus

from sqlmodel import Session

from rental_app.rules import clock, contacts
from rental_app.rules.clock import Window
from rental_app.rules.hours import format_time
from rental_app.rules.matching import matching
from rental_app.rules.money import format_rupees, grouped
from rental_app.rules.pricing import Tariff, quote
from rental_app.schemas.bookings import AvailabilityRequest, NearestOpen
from rental_app.schemas.cards import Card, Fact, VehiclePage
from rental_app.schemas.vehicles import PublicVehicle, VehicleInFull
from rental_app.schemas.wire import Page
from rental_app.services import search, shop
from rental_app.services.search import Found
from rental_app.services.shop import image_of
from rental_app.services.tariffs import tariffs
from rental_app.services.throttle import Caller
from rental_app.views.bookings import days
from rental_app.views.links import Query, search_url, vehicle_url, wall_text, window_of

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
    rows = shop.listed(session, caller, "", Page(limit=FEATURED)).items
    return [card(row, Query()) for row in rows]


def results(
    session: Session, caller: Caller, query: Query, place: str, text: str = "", count: int = RESULTS
) -> Results:
    """What a search gives, or all vehicles of a place while the search is incomplete, filtered by a text."""
    if query.complete:
        wanted = AvailabilityRequest(location=query.location, pickup=query.pickup, return_at=query.return_at)
        found = search.available(session, caller, wanted, hint=True)
    else:
        found = Found(shop.listed(session, caller, place).items)
    labels = matching({search_label(row) for row in found.rows}, text)
    fitting = [row for row in found.rows if search_label(row) in labels]
    window = window_of(query.pickup, query.return_at)
    shown = fitting[:count]
    asked = tariffs(session, shown) if window else {}
    cards = [card(row, query, window, asked.get(row.id)) for row in shown]
    return Results(place, cards, len(fitting), *_say_nearest(query, found.nearest), text=text)


def _say_nearest(query: Query, nearest: NearestOpen | None) -> tuple[str, str]:
    if not nearest:
        return "", ""
    noun = "vehicle is" if nearest.count == 1 else "vehicles are"
    window = f"{clock.friendly(nearest.pickup)} to {clock.friendly(nearest.return_at)}"
    there = Query(query.location, wall_text(nearest.pickup), wall_text(nearest.return_at))
    return f"{nearest.count} {noun} free at the nearest opening hours, {window}", search_url(there)


def count_line(shown: int, total: int) -> str:
    """How many vehicles are shown, of how many."""
    noun = "vehicle" if total == 1 else "vehicles"
    return f"Showing {shown} of {total} {noun}" if shown < total else f"Showing {shown} {noun}"


def search_label(row: Any) -> str:
    """The words a vehicle can be found by."""
    return f"{row.asset_manufacturer} {row.model_name} {row.asset_type} {row.body_type} {row.service_location}"


def card(row: Any, query: Query, window: Window | None = None, tariff: Tariff | None = None) -> Card:
    """A vehicle's card; with a window and a tariff it also says what the whole rental costs."""
    price = quote(window, tariff, row.deposit_paise) if window and tariff else None
    return Card(
        id=row.id,
        title=f"{row.asset_manufacturer} {row.model_name}",
        image=image_of(row).card,
        href=vehicle_url(row.id, query),
        location=row.service_location,
        asset_type=row.asset_type,
        body_type=row.body_type,
        engine=row.engine_type,
        transmission=row.transmission_type,
        seats=_seats(row.seating_capacity),
        year=row.year,
        daily=format_rupees(row.daily_paise),
        total=f"{format_rupees(price.total)} for {days(price.days)}" if price else "",
    )


def _seats(count: int) -> str:
    return f"{count} seat{'s' if count != 1 else ''}"


def vehicle_page(car: VehicleInFull, city: str) -> VehiclePage:
    """A vehicle's detail page."""
    place = f"{car.vendor_addr}, {car.service_location}, {city}"
    daily = next((price.price_paise for price in car.prices if price.price_name == "Full Day"), 0)
    open_time, close_time = car.vendor_open_time, car.vendor_close_time
    return VehiclePage(
        id=car.id,
        title=f"{car.asset_manufacturer} {car.asset_model.name}",
        image=car.image,
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
        address=car.vendor_addr,
        hours=f"{format_time(open_time)} to {format_time(close_time)}" if open_time and close_time else "",
        closed=f"Closed on {', '.join(car.vendor_closing_days)}" if car.vendor_closing_days else "Open all week",
        map_link=car.vendor_pickup_maps or contacts.maps_link(place),
        map_embed=f"https://www.google.com/maps?q={quote_plus(place)}&output=embed",
        open_time=f"{open_time:%H:%M}" if open_time else "",
        close_time=f"{close_time:%H:%M}" if close_time else "",
        closing_days=car.vendor_closing_days,
        daily=format_rupees(daily),
    )


def _renting(car: PublicVehicle) -> list[Fact]:
    full_day = next((price for price in car.prices if price.price_name == "Full Day"), None)
    limit = full_day.kms_limit if full_day else 0
    return [
        Fact(label="Security deposit", value=format_rupees(car.deposit_paise)),
        Fact(label="Kms driven", value=f"{grouped(car.odometer_reading)} km"),
        Fact(label="Distance limit", value=f"{limit} km a day" if limit else "Unlimited"),
        Fact(label="Late penalty", value=f"{format_rupees(car.late_penalty_paise)} an hour"),
        Fact(label="Excess charge", value=f"{format_rupees(car.distance_penalty_paise)} a km"),
    ]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _delivery(car: PublicVehicle) -> list[Fact]:
    """What being brought the vehicle and having it fetched costs; nothing where the vendor does not deliver."""
    charges = {"Drop-off at your place": car.drop_off_paise, "Pickup from your place": car.pick_up_paise}
    given = charges if car.delivery_supported else {}
    return [Fact(label=name, value=format_rupees(paise) if paise else "Free") for name, paise in given.items()]


def _features(car: PublicVehicle) -> list[Fact]:
    model = car.asset_model
    electric = model.vehicle_cc is None
    return [
        Fact(label="Engine", value="Electric motor" if electric else f"{model.vehicle_cc} cc"),
        Fact(label="Top speed", value=f"{model.top_speed} km/h"),
        Fact(
            label="Battery" if electric else "Fuel capacity",
            value=f"{model.fuel_tank_capacity:g} {'kWh' if electric else 'litres'}",
        ),
        Fact(label="Mileage", value=f"{model.mileage:g} km {'a charge' if electric else 'a litre'}"),
    ]
