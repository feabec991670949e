"""Booking requests, and how vendors handle them behind their page."""

from rental_app.infrastructure.db import read, write
from rental_app.models import Booking
from rental_app.schemas.bookings import StatusChange
from rental_app.schemas.trips import ChangeRequest
from rental_app.services.bookings import requests
from rental_app.services.trips import changes
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from tests.support.shop import Shop, actor, moment, wanted, wire
from tests.support.state_tabs import told


def book(shop: Shop, days: int = 3) -> int:
    """Request the shop's vehicle as its customer; return the id."""
    return write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=days)).id


def decide_elsewhere(shop: Shop, booking_id: int, status: str) -> None:
    """Decide as the vendor in another tab."""
    write(requests.change_status, actor(shop.vendor), StatusChange(booking_id=booking_id, status=status))


def move_elsewhere(shop: Shop, booking_id: int, first: int, last: int) -> None:
    """Move a request as the customer to other days, counted from now."""
    dates = ChangeRequest(pickup=wire(moment(first)), return_at=wire(moment(last)))
    write(changes.change, actor(shop.customer), str(booking_id), dates)


def stored_status(booking_id: int) -> str:
    """Return a booking's status in the database."""
    found = read(lambda session: session.get(Booking, booking_id))
    assert found
    return found.status


async def answer(page: ManageBookingsState, booking_id: int, status: str, reason: str = "") -> list[str]:
    """Answer a request as the page shows it."""
    shown = next((row.shown for row in page.rows if row.id == booking_id), None)
    return await told(page.decide(booking_id, shown, status, reason))
