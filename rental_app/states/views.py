"""From what services give to what pages show."""

from typing import Any
from urllib.parse import quote_plus

from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.rules.hours import format_time
from rental_app.rules.money import format_rupees
from rental_app.rules.pricing import quote
from rental_app.schemas.bookings import BookingView, QuoteView
from rental_app.schemas.cards import BookingCard, Card, Fact, Price, VehiclePage
from rental_app.schemas.vehicles import PublicVehicle
from rental_app.services.shop import image_of
from rental_app.states.links import Query, vehicle_url


def search_label(row: Any) -> str:
    """The words a vehicle can be found by."""
    return f"{row.asset_manufacturer} {row.model_name} {row.asset_type} {row.body_type} {row.service_location}"


def card(row: Any, query: Query, window: Window | None) -> Card:
    """A vehicle's card; with a window it also says what the whole rental costs."""
    price = quote(window, row.daily_paise, row.deposit_paise, row.kms_limit) if window else None
    return Card(
        id=row.id,
        title=f"{row.asset_manufacturer} {row.model_name}",
        image=image_of(row).replace(".jpg", ".webp"),
        href=vehicle_url(row.id, query),
        location=row.service_location,
        asset_type=row.asset_type,
        body_type=row.body_type,
        engine=row.engine_type,
        transmission=row.transmission_type,
        seats=_seats(row.seating_capacity),
        year=row.year,
        daily=format_rupees(row.daily_paise),
        total=f"{format_rupees(price.total)} for {_days(price.days)}" if price else "",
    )


def _seats(count: int) -> str:
    return f"{count} seat{'s' if count != 1 else ''}"


def _days(count: int) -> str:
    return f"{count} day{'s' if count != 1 else ''}"


def vehicle_page(car: PublicVehicle, city: str) -> VehiclePage:
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
        terms=[line.strip() for line in car.terms.splitlines() if line.strip()],
        vendor_name=car.vendor_name,
        address=car.vendor_addr,
        hours=f"{format_time(open_time)} to {format_time(close_time)}" if open_time and close_time else "",
        closed=f"Closed on {', '.join(car.vendor_closing_days)}" if car.vendor_closing_days else "Open all week",
        map_link=car.vendor_pickup_maps or f"https://www.google.com/maps/search/?api=1&query={quote_plus(place)}",
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
        Fact(label="Kms driven", value=f"{car.odometer_reading:,} km"),
        Fact(label="Distance limit", value=f"{limit} km a day" if limit else "Unlimited"),
        Fact(label="Late penalty", value=f"{format_rupees(car.late_penalty_paise)} an hour"),
        Fact(label="Excess charge", value=f"{format_rupees(car.distance_penalty_paise)} a km"),
    ]


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


def price_text(view: QuoteView) -> Price:
    """A quote as the booking form shows it."""
    return Price(
        lines=[
            Fact(label=f"{format_rupees(line.rate)} × {_days(line.quantity)}", value=format_rupees(line.amount))
            for line in view.lines
        ],
        total=format_rupees(view.total),
        deposit=format_rupees(view.deposit),
        kms=view.kms_text,
    )


def booking_card(view: BookingView) -> BookingCard:
    """A booking as its customer's list shows it."""
    return BookingCard(
        id=view.id,
        title=f"{view.car.asset_manufacturer} {view.car.asset_model.name}",
        image=view.car.image,
        href=vehicle_url(view.car.id, Query()),
        subtitle=f"{view.car.year} · {view.car.body_type}",
        location=view.car.service_location,
        pickup=clock.friendly(view.pickup),
        return_at=clock.friendly(view.return_at),
        status=view.status,
        note=_note(view),
        price=format_rupees(view.price),
        deposit=format_rupees(view.deposit),
        created_at=clock.friendly(view.created_at),
    )


def _note(view: BookingView) -> str:
    if view.status == "pending":
        return f"The vendor answers by {clock.friendly(view.answer_by)}"
    if view.status == "confirmed":
        return "Bring your licence and an ID to the pickup"
    by = {"system": "The vendor did not answer in time", "vendor": "Declined by the vendor"}
    return by.get(view.cancelled_by or "", "Cancelled")
