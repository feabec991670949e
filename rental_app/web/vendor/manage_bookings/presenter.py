"""Bookings as the rows of the vendor's table."""

from datetime import datetime

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, time_left
from rental_app.domain.money import format_rupees
from rental_app.domain.pictures import Picture
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services.bookings.ledger import open_texts
from rental_app.web.parts.presenters.bookings import URGENT, ExpectedRequest, shown
from rental_app.web.parts.presenters.links import vendor_booking_url
from rental_app.web.parts.reviews.presenter import customer_line

_NOTES = {
    "system": "Not answered in time",
    "vendor": "Declined by you",
    "customer": "Cancelled by the customer",
    "operator": "Cancelled by support",
}


class BookingTableRow(BaseModel):
    """A booking in its vendor's table. `phone` is blank before confirmation, `time_left` and the customer's `rating`
    once decided. `shown` is what a decision is sent with."""

    id: int
    reference: str
    href: str
    title: str
    plate: str
    image: str
    customer: str
    rating: str
    phone: str
    first_day: str
    last_day: str
    pickup_time: str
    return_time: str
    total: str
    status: str
    time_left: str
    urgent: bool
    note: str
    shown: ExpectedRequest


def booking_table_row(view: VendorBookingView, instant: datetime) -> BookingTableRow:
    """A booking as its vendor's table shows it at an instant."""
    pending = view.status == BookingStatus.PENDING
    return BookingTableRow(
        id=view.id,
        reference=view.reference,
        href=vendor_booking_url(view.reference),
        title=view.car.title,
        plate=view.rc_number,
        image=Picture(view.car.image).card,
        customer=view.customer_name,
        rating=customer_line(view.customer_rating, view.customer_reviews),
        phone=view.customer_phone,
        first_day=clock.full_day(clock.indian(view.pickup)),
        last_day=clock.full_day(clock.indian(view.return_at)),
        pickup_time=clock.hour_text(view.pickup),
        return_time=clock.hour_text(view.return_at),
        total=format_rupees(view.price),
        status=view.status,
        time_left=time_left(view.answer_by, instant) if pending else "",
        urgent=pending and view.answer_by - instant < URGENT,
        note="; ".join(filter(None, (_NOTES.get(view.cancelled_by or "", ""), *open_texts(view, for_customer=False)))),
        shown=shown(view),
    )
