"""A customer's own bookings."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.errors import NotAuthenticatedError, RentalError
from rental_app.schemas.wire import Page
from rental_app.services.bookings import counter, lists
from rental_app.web.parts.presenters.bookings import BookingCard, booking_card, guest_booking
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.session.base import PrivateState, acting_user, read, take_news, write
from rental_app.web.session.events import plain_toast, success_toast
from rental_app.web.session.handlers import action, change
from rental_app.web.session.login_wanted import MY_BOOKINGS, continue_after_login

# How many bookings are added at a time.
PAGE = 20


class MyBookingsState(PrivateState):
    """The bookings shown: current ones, upcoming ones, past ones, the nearest of each first."""

    bookings: list[BookingCard] = []
    # Bookings that vendors made for the account's mobile number.
    for_number: list[Link] = []
    total: int = 0
    # Until a user's bookings have been loaded: what is shown then stays while they are loaded again.
    loading: bool = True
    problem: str = ""
    _shown: int = PAGE

    @rx.var
    def parts(self) -> list[str]:
        """The parts of the list that are not empty."""
        present = {card.part for card in self.bookings}
        return [part for part in lists.PARTS if part in present]

    @rx.var
    def ahead(self) -> int:
        """How many are not past; all of these are known once a past one is, being listed before."""
        return sum(card.part != lists.PAST for card in self.bookings)

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the bookings of the logged-in user, or none."""
        self.loading = self.loading or bool(self.problem and not self.bookings)
        yield
        try:
            await self._show()
        except RentalError as error:
            self.problem, self.loading = error.message, False
            raise

    @action
    async def refresh(self) -> AsyncIterator[Any]:
        """Show how the bookings have changed meanwhile, and say so."""
        before = {card.id: card.status for card in self.bookings}
        try:
            await self._show()
        except RentalError:
            return
        for card in self.bookings:
            if before.get(card.id, card.status) != card.status:
                yield plain_toast(f"{card.title}: {card.status}")

    @change
    async def add(self, ref: str) -> AsyncIterator[Any]:
        """Add a booking that a vendor made for the number of the account."""
        actor = await acting_user(self)
        yield success_toast(await write(counter.join, actor, ref))
        await self._show()

    @action
    async def show_more(self) -> Any:
        """Show another page of bookings."""
        if self._shown < self.total:
            self._shown += PAGE
        return MyBookingsState.load

    async def _show(self) -> None:
        try:
            actor = await acting_user(self)
        except NotAuthenticatedError:
            self.reset()
            return
        take_news(self, for_number=[guest_booking(one) for one in await read(counter.bookings_of_number, actor)])
        cards, instant = await read(lists.cards_of_customer, actor, Page.first(self._shown)), clock.now()
        self.problem, self.loading = "", False
        take_news(self, bookings=[booking_card(view, instant) for view in cards.items])
        self.total = cards.total or 0


continue_after_login(MY_BOOKINGS, MyBookingsState.load)
