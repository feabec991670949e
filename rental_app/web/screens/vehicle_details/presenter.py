"""The page of one vehicle."""

from urllib.parse import quote_plus

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain import contacts
from rental_app.domain.characters import initials
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.domain.policies import Policies
from rental_app.domain.pricing import EXTRA_LABELS, Extra
from rental_app.domain.reviews import answers_within
from rental_app.infrastructure.settings import settings
from rental_app.models import Listing, ListingInFull
from rental_app.schemas.quotes import QuoteView
from rental_app.services.pricing import promotions
from rental_app.services.pricing.quotes import extra_rates
from rental_app.services.throttle import Caller
from rental_app.services.vendors import Host
from rental_app.web.parts.city_map.presenter import PlaceMap, place_map
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.presenters.links import vehicle_url, vendor_url
from rental_app.web.parts.presenters.photos import PhotoView, card_and_gallery_photos
from rental_app.web.parts.presenters.texts import Fact, kilometres_a_day, lines
from rental_app.web.parts.presenters.words import CoverView
from rental_app.web.parts.reviews.presenter import rated

# The ids of the booking form's elements from top to bottom, by the names of their fields in refusals.
FIELDS = {
    "pickupDate": "booking-pickup",
    "returnDate": "booking-return",
    "offer": "offer",
}
# How many of the terms are shown at once.
TERMS_SHOWN = 3


class ExtraChoice(BaseModel):
    """An extra that can be booked with a vehicle."""

    name: str
    label: str
    price: str
    chosen: bool = False


class FittingOffer(BaseModel):
    """An offer that fits the rental, and what it brings, in words."""

    code: str
    text: str


def fitting_offer(session: Session, caller: Caller, quote: QuoteView) -> FittingOffer | None:
    """The offer to propose at a price that has none yet; None if none fits."""
    if any(line.kind == "discount" for line in quote.lines):
        return None
    plans = sum(line.amount for line in quote.lines if line.kind == "plan")
    offer = promotions.best_offer(session, caller, quote.days, plans)
    if offer is None or not offer.off:
        return None
    since = f" from {offer.minimum_days} days" if offer.minimum_days > 1 else ""
    return FittingOffer(code=offer.code, text=f"{format_rupees(offer.off)} off{since}")


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
    summary_line: str
    renting: list[Fact]
    features: list[Fact]
    terms: list[str]
    more_terms: list[str]
    terms_count: int
    has_more_terms: bool
    vendor_terms: list[str]
    extras: list[ExtraChoice]
    vendor_name: str
    vendor_initials: str
    vendor_href: str
    vendor_facts: str
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
    cover: CoverView


def vehicle_page(car: ListingInFull, city: str, host: Host, cover: CoverView, policies: Policies) -> VehiclePage:
    """A vehicle's detail page."""
    terms, vendor_terms = lines(car.terms), lines(car.vendor_terms)
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
        summary_line=f"{car.service_location} · {body_type} · {seats} · {car.engine_type} · {car.transmission_type}",
        renting=_renting(car),
        features=_features(car),
        terms=terms[:TERMS_SHOWN],
        more_terms=terms[TERMS_SHOWN:],
        terms_count=len(terms) + len(vendor_terms),
        has_more_terms=len(terms) > TERMS_SHOWN or bool(vendor_terms),
        vendor_terms=vendor_terms,
        extras=_extras(car, policies),
        vendor_name=car.vendor_name,
        vendor_href=vendor_url(car.vendor_slug),
        vendor_initials=initials(car.vendor_name),
        vendor_facts=_host(car, host),
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
        cover=cover,
    )


def _renting(car: Listing) -> list[Fact]:
    return [
        Fact(label="Security deposit", value=format_rupees(car.deposit_paise)),
        Fact(label="Kms driven", value=f"{grouped(car.odometer_reading)} km"),
        Fact(label="Distance limit", value=kilometres_a_day(car.kms_limit)),
        Fact(label="Late penalty", value=f"{format_rupees(car.late_penalty_paise)} an hour"),
        Fact(label="Excess charge", value=f"{format_rupees(car.distance_penalty_paise)} a km"),
    ]


def _host(car: Listing, host: Host) -> str:
    """What is known of the vendor, in one line; blank for a new one."""
    facts = (
        rated(car.vendor_stars_total, car.vendor_reviews),
        f"answers {answers_within(host.answers_in)}" if host.answers_in is not None else "",
        counted(host.trips, "trip") if host.trips else "",
    )
    return " · ".join(fact for fact in facts if fact)


def _extras(car: Listing, policies: Policies) -> list[ExtraChoice]:
    """The extras that the booking form offers with the vehicle."""
    return [
        ExtraChoice(name=name, label=EXTRA_LABELS[name], price=_extra_price(name, paise, policies))
        for name, paise in extra_rates(car, policies).items()
    ]


def _extra_price(name: Extra, paise: int, policies: Policies) -> str:
    price = format_rupees(paise) if paise else "Free"
    if name != "helmet" or not paise:
        return price
    days = "day" if policies.helmet_days == 1 else f"{policies.helmet_days} days"
    return f"{price} per {days}, the first is free"


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
