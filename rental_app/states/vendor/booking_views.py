"""From bookings to the rows of the vendor's table."""

from datetime import datetime, timedelta

from rental_app.rules import clock
from rental_app.rules.expiry import time_left
from rental_app.rules.money import format_rupees
from rental_app.rules.pictures import Picture
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.cards import BookingRow

URGENT = timedelta(hours=1)
_NOTES = {
    "system": "Not answered in time",
    "vendor": "Declined by you",
    "customer": "Cancelled by the customer",
    "operator": "Cancelled by support",
}


def booking_row(view: VendorBookingView, instant: datetime) -> BookingRow:
    """A booking as its vendor's table shows it at an instant."""
    pending = view.status == "pending"
    return BookingRow(
        id=view.id,
        title=f"{view.car.asset_manufacturer} {view.car.asset_model.name}",
        image=Picture(view.car.image).card,
        customer=view.customer_name,
        phone=view.customer_phone,
        first_day=f"{clock.indian(view.pickup):%a %-d %b %Y}",
        last_day=f"{clock.indian(view.return_at):%a %-d %b %Y}",
        total=format_rupees(view.price),
        status=view.status,
        time_left=time_left(view.answer_by, instant) if pending else "",
        urgent=pending and view.answer_by - instant < URGENT,
        note=_NOTES.get(view.cancelled_by or "", ""),
    )
