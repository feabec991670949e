"""What a booking's page shows, and what is stored of it."""

from playwright.sync_api import Locator, Page
from sqlmodel import Session, col, select

from rental_app.infrastructure.db import read
from rental_app.models import BookingEvent


def path(reference: str) -> str:
    """The address of a booking's page."""
    return f"/my-bookings/{reference}"


def heading(page: Page) -> Locator:
    """The vehicle's name above its booking."""
    return page.get_by_role("heading", name="Honda Activa 6G")


def question(page: Page, name: str) -> Locator:
    """An open confirmation dialog."""
    return page.get_by_role("alertdialog", name=name)


def happened(booking_id: int) -> list[str]:
    """Return the events of a booking, in order."""

    def of(session: Session) -> list[str]:
        own = select(BookingEvent.what).where(BookingEvent.booking_id == booking_id).order_by(col(BookingEvent.id))
        return list(session.exec(own))

    return read(of)
