"""A customer's own bookings."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.errors import NotAuthenticatedError, UnavailableError
from rental_app.schemas.bookings import BookingView
from rental_app.schemas.wire import Page
from rental_app.services import bookings
from rental_app.services.accounts import Actor
from rental_app.states.base import PrivateState, SessionState, action, read
from rental_app.states.events import plain_toast
from rental_app.views.bookings import BookingCard, booking_card

# What is added at a time, and what the service gives at once.
PAGE, PART = 20, 200


class MyBookingsState(PrivateState):
    """The bookings on show, newest first."""

    bookings: list[BookingCard] = []
    total: int = 0
    loading: bool = True
    problem: str = ""
    _shown: int = PAGE

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the bookings of whoever is logged in, nobody's otherwise."""
        self.loading = not self.bookings
        yield
        try:
            await self._show()
        except UnavailableError as error:
            self.problem = error.message
            raise
        finally:
            self.loading = False

    @action
    async def refresh(self) -> AsyncIterator[Any]:
        """Show how the bookings have changed meanwhile, and say so."""
        before = {card.id: card.status for card in self.bookings}
        try:
            await self._show()
        except UnavailableError:
            return
        for card in self.bookings:
            if before.get(card.id, card.status) != card.status:
                yield plain_toast(f"{card.title}: {card.status}")

    @action
    async def show_more(self) -> Any:
        """Show another page of bookings."""
        if self._shown < self.total:
            self._shown += PAGE
        return MyBookingsState.load

    async def _show(self) -> None:
        try:
            actor = await (await self.get_state(SessionState))._actor()
        except NotAuthenticatedError:
            self.bookings, self.total = [], 0
            return
        found, total = await self._newest(actor)
        self.problem = ""
        cards = [booking_card(view) for view in found]
        # Every assignment travels to the browser, and most refreshes find nothing new.
        if cards != self.bookings:
            self.bookings = cards
        self.total = total

    async def _newest(self, actor: Actor) -> tuple[list[BookingView], int]:
        """As many bookings as are to be shown, and how many there are."""
        found: list[BookingView] = []
        cursor, total = 0, 0
        while len(found) < self._shown:
            page = Page(limit=min(self._shown - len(found), PART), cursor=cursor)
            part = await read(bookings.of_customer, actor, page)
            found, cursor, total = found + part.items, part.next_cursor or 0, part.total or 0
            if not cursor:
                break
        return found, total
