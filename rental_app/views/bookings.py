"""Prices and bookings as customers read them."""

from pydantic import BaseModel

from rental_app.rules import clock
from rental_app.rules.money import format_rupees
from rental_app.rules.pictures import Picture
from rental_app.schemas.bookings import BookingView, QuoteView
from rental_app.views.links import vehicle_url
from rental_app.views.texts import Fact


class Price(BaseModel):
    """A live price: lines as label and amount, all texts, and in paise what a booking at this price has to cost."""

    lines: list[Fact]
    total: str
    deposit: str
    kms: str
    total_paise: int
    deposit_paise: int


class BookingCard(BaseModel):
    """A booking in its customer's list."""

    id: int
    title: str
    image: str
    href: str
    subtitle: str
    location: str
    pickup: str
    return_at: str
    status: str
    note: str
    price: str
    deposit: str
    created_at: str


def price_text(view: QuoteView) -> Price:
    """A quote as the booking form shows it."""
    return Price(
        lines=[
            Fact(
                label=f"{line.quantity} × {line.label} at {format_rupees(line.rate)}", value=format_rupees(line.amount)
            )
            for line in view.lines
        ],
        total=format_rupees(view.total),
        deposit=format_rupees(view.deposit),
        kms=view.kms_text,
        total_paise=view.total,
        deposit_paise=view.deposit,
    )


def booking_card(view: BookingView) -> BookingCard:
    """A booking as its customer's list shows it."""
    return BookingCard(
        id=view.id,
        title=view.car.title,
        image=Picture(view.car.image).card,
        href=vehicle_url(view.car.id),
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
    if view.status == "confirmed" and view.return_at <= clock.now():
        return "This rental is over"
    if view.status == "confirmed":
        return "Bring your licence and an ID to the pickup"
    by = {"system": "The vendor did not answer in time", "vendor": "Declined by the vendor"}
    return by.get(view.cancelled_by or "", "Cancelled")
