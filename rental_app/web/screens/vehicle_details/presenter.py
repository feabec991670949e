"""The page of one vehicle."""

from urllib.parse import quote_plus

from pydantic import BaseModel

from rental_app.domain import contacts, extras
from rental_app.domain.extras import Extra
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.infrastructure.settings import settings
from rental_app.models import Listing, ListingInFull
from rental_app.services.pricing.quotes import extra_rates
from rental_app.web.parts.city_map.presenter import PlaceMap, place_map
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.presenters.links import vehicle_url, vendor_url
from rental_app.web.parts.presenters.photos import PhotoView, card_and_gallery_photos
from rental_app.web.parts.presenters.texts import Fact, kilometres_a_day, lines
from rental_app.web.parts.reviews.presenter import rated

# The ids of the booking form's elements from top to bottom, by the names of their fields in refusals.
FIELDS = {
    "pickupDate": "booking-pickup",
    "returnDate": "booking-return",
    "offer": "offer",
}
DELIVERY_NOTE = "This vendor delivers and collects vehicles. Choose it here, and say where before you send the request."


class ExtraChoice(BaseModel):
    """An extra that can be booked with a vehicle."""

    name: str
    label: str
    price: str
    chosen: bool = False


class VehiclePage(BaseModel):
    """Everything the detail page says about a vehicle."""

    id: int
    path: str
    title: str
    image: str
    image_alt: str
    is_drawing: bool
    photos: list[PhotoView]
    location: str
    summary: list[Fact]
    summary_line: str
    renting: list[Fact]
    features: list[Fact]
    terms: list[str]
    vendor_terms: list[str]
    delivery: list[Fact]
    extras: list[ExtraChoice]
    vendor_name: str
    vendor_href: str
    vendor_rating: str
    rating: str
    address: str
    hours: str
    closed: str
    place_map: PlaceMap | None
    map_link: str
    map_embed: str
    open_time: str
    close_time: str
    closing_days: list[str]
    daily: str
    deposit: str
    body_type: str
    seats: str
    transmission: str


def vehicle_page(car: ListingInFull, city: str) -> VehiclePage:
    """A vehicle's detail page."""
    address, hours = car.pickup_address, car.hours
    place = f"{address}, {car.service_location}, {city}"
    body_type, seats = f"{car.body_type} · {car.year}", counted(car.seating_capacity, "seat")
    return VehiclePage(
        id=car.id,
        path=vehicle_url(car.id),
        title=car.title,
        image=car.picture.full,
        image_alt=f"{'Illustration of ' if car.picture.is_drawing else ''}{car.title}, {car.color}",
        is_drawing=car.picture.is_drawing,
        photos=card_and_gallery_photos(car),
        location=car.service_location,
        summary=[
            Fact(label="Body type", value=body_type),
            Fact(label="Seats", value=seats),
            Fact(label="Engine", value=car.engine_type),
            Fact(label="Transmission", value=car.transmission_type),
        ],
        summary_line=f"{body_type} · {seats} · {car.engine_type} · {car.transmission_type}",
        renting=_renting(car),
        features=_features(car),
        terms=lines(car.terms),
        vendor_terms=lines(car.vendor_terms),
        delivery=_delivery(car),
        extras=_extras(car),
        vendor_name=car.vendor_name,
        vendor_href=vendor_url(car.vendor_slug),
        vendor_rating=rated(car.vendor_stars_total, car.vendor_reviews),
        rating=rated(car.stars_total, car.reviews),
        address=address,
        hours=hours.text,
        closed=f"Closed on {', '.join(car.closing_days)}" if car.closing_days else "Open all week",
        place_map=place_map(car.service_location, (car.latitude, car.longitude)),
        map_link=car.google_maps_link or contacts.maps_link(place),
        map_embed=f"https://www.google.com/maps?q={quote_plus(place)}&output=embed",
        open_time=f"{hours.open:%H:%M}",
        close_time=f"{hours.close:%H:%M}",
        closing_days=car.closing_days,
        daily=format_rupees(car.daily_paise),
        deposit=format_rupees(car.deposit_paise),
        body_type=body_type,
        seats=seats,
        transmission=car.transmission_type,
    )


def _renting(car: Listing) -> list[Fact]:
    return [
        Fact(label="Security deposit", value=format_rupees(car.deposit_paise)),
        Fact(label="Kms driven", value=f"{grouped(car.odometer_reading)} km"),
        Fact(label="Distance limit", value=kilometres_a_day(car.kms_limit)),
        Fact(label="Late penalty", value=f"{format_rupees(car.late_penalty_paise)} an hour"),
        Fact(label="Excess charge", value=f"{format_rupees(car.distance_penalty_paise)} a km"),
    ]


def _delivery(car: Listing) -> list[Fact]:
    """What it costs to have the vehicle delivered and collected; empty if the vendor does not deliver."""
    rates = extra_rates(car)
    return [
        Fact(label=extras.LABELS[name], value=_price(paise)) for name, paise in rates.items() if name in extras.DELIVERY
    ]


def _extras(car: Listing) -> list[ExtraChoice]:
    """The extras that the booking form offers with the vehicle."""
    return [
        ExtraChoice(name=name, label=extras.LABELS[name], price=_extra_price(name, paise))
        for name, paise in extra_rates(car).items()
    ]


def _extra_price(name: Extra, paise: int) -> str:
    price = _price(paise)
    return f"{price} per {extras.HELMET_TRIP_DAYS} days, the first is free" if name == "helmet" else price


def _price(paise: int) -> str:
    return format_rupees(paise) if paise else "Free"


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


def head(car: VehiclePage) -> heads.Head:
    """A vehicle's page."""
    return heads.Head(
        heads.named(f"{car.title} on rent in {car.location}, {car.daily} a day"),
        f"Rent a {car.title} ({car.body_type}) in {car.location}, {settings().city}, for {car.daily} a day:"
        f" security deposit {car.deposit}, {car.seats}, {car.transmission.lower()}."
        " Terms, pickup place and free dates.",
    )


def head_in_tab(car: VehiclePage | None, missing: bool, problem: str) -> heads.Head:
    """A vehicle's page in a tab, where the vehicle has to be loaded first; `problem` says why it could not be."""
    if missing:
        return heads.missing_vehicle()
    return head(car) if car else heads.of_any("/vehicle-details/[vehicle_id]", problem)
