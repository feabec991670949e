"""A guest's booking, read by its link."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.web.screens.guest_trip.presenter import GuestTrip, guest_trip
from rental_app.web.session.address import address_part, here
from rental_app.web.session.base import caller_of, read
from rental_app.web.session.handlers import action


class GuestTripState(rx.State):
    """The booking of the page's address; neither found nor missing while it loads or when it is unavailable."""

    trip: GuestTrip | None = None
    missing: bool = False
    problem: str = ""
    asked_url: str = ""

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the booking of the address."""
        if self.asked_url != here(self):
            self.reset()
            self.asked_url = here(self)
            yield
        self.problem = ""
        try:
            self.trip = await read(guest_trip, caller_of(self), address_part(self))
            self.missing = False
        except NotFoundError:
            self.trip, self.missing = None, True
        except RentalError as error:
            self.problem = "" if self.trip else error.message
            raise
