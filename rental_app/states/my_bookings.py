"""A customer's own bookings."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.errors import NotAuthenticatedError
from rental_app.schemas.cards import BookingCard
from rental_app.schemas.wire import Page
from rental_app.services import bookings
from rental_app.states.base import SessionState, action, read
from rental_app.states.views import booking_card

PAGE = 20


class MyBookingsState(rx.State):
    """The bookings on show, newest first."""

    bookings: list[BookingCard] = []
    total: int = 0
    loading: bool = True
    _shown: int = PAGE

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the bookings of whoever is logged in, nobody's otherwise."""
        self.loading = True
        yield
        try:
            actor = await (await self.get_state(SessionState))._actor()
            part = await read(bookings.of_customer, actor, Page(limit=self._shown))
            self.bookings, self.total = [booking_card(view) for view in part.items], part.total or 0
        except NotAuthenticatedError:
            self.bookings, self.total = [], 0
        finally:
            self.loading = False

    @action
    async def show_more(self) -> Any:
        """Show another page of bookings."""
        self._shown += PAGE
        return MyBookingsState.load
