"""Opening the page of one booking."""

from typing import TypeVar

from rental_app.models import User
from rental_app.web.screens.my_booking.presenter import CustomerTrip
from rental_app.web.screens.my_booking.state import MyBookingState
from tests.support.page_states import page_of
from tests.support.state_tabs import answers

P = TypeVar("P", bound=MyBookingState)


async def opened_as(kind: type[P], user: User | None, ref: str) -> P:
    """Open a booking's page in a tab; return one of the states behind it."""
    page = await page_of(user, kind, f"/my-bookings/{ref}")
    await answers(page.load())
    return page


async def opened(user: User | None, ref: str) -> MyBookingState:
    """Open a booking's page in a tab."""
    return await opened_as(MyBookingState, user, ref)


def shown(page: MyBookingState) -> CustomerTrip:
    """Return the booking on the page."""
    assert page.trip
    return page.trip
