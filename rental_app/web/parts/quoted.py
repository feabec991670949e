"""What a vehicle costs for the dates and options of its form, or why it is not available and what to take instead."""

import contextlib

import reflex as rx

from rental_app.domain.errors import NotAuthenticatedError, RentalError, TooManyRequestsError, UnavailableError
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.quotes import QuoteView
from rental_app.schemas.search import PageSearch
from rental_app.schemas.validation import validated
from rental_app.services.bookings.free_dates import DatesUnavailableError
from rental_app.services.pricing import quotes
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters.alternatives import NOTHING, alternatives
from rental_app.web.parts.presenters.bookings import FreeDates, Price, free_dates, price_text
from rental_app.web.parts.vehicle_card.presenter import Card
from rental_app.web.session.base import SessionState, caller_of, read


class QuotedForm(rx.State, mixin=True):
    """The part of the booking form that depends on the rest: the price of its `car`, or the refusal in its place."""

    price: Price | None = None
    refusal: str = ""
    # Whether the refusal may be gone at the next try.
    unavailable: bool = False
    nearest: list[FreeDates] = []
    free_instead: list[Card] = []
    similar: list[Card] = []

    def _wanted(self, vehicle_id: int, address: str = "") -> BookingRequest:
        wishes = {"extras": self.extras, "address": address, "offer": "" if self.offer_problem else self.offer}
        window = {"pickup": self.pickup, "return_at": self.return_at}
        return validated(BookingRequest, {"car": vehicle_id} | window | wishes)

    async def _quote(self) -> None:
        """Show the live price or, in its place, why the window is not available; ignore a code without effect."""
        self.price, self.refusal, self.nearest, self.offer_problem = None, "", [], ""
        self.free_instead, self.similar = [], []
        if self.car and self.pickup and self.return_at:
            try:
                await self._price(self.car.id)
            except RentalError as error:
                await self._show_refusal(error)
                raise

    async def _price(self, vehicle_id: int) -> None:
        view = await read(quotes.quote_for, await self._caller(), self._wanted(vehicle_id))
        self.price = price_text(view)
        await self._priced(view)

    async def _priced(self, view: QuoteView) -> None:
        """Show what else follows from a quote."""

    async def _caller(self) -> Caller:
        """The customer, who may have used an offer before, or an anonymous visitor."""
        with contextlib.suppress(NotAuthenticatedError):
            return await (await self.get_state(SessionState))._bearer()
        return caller_of(self)

    async def _show_refusal(self, error: RentalError) -> None:
        """Put a refusal where it belongs: at its field, or in place of the price with what is free instead."""
        if self.car and self._is_of_an_option(error):
            try:
                await self._price(self.car.id)
            except RentalError as other:
                await self._show_instead(other)
        else:
            await self._show_instead(error)

    async def _show_instead(self, error: RentalError) -> None:
        self.price, self.refusal = None, error.message
        self.unavailable = isinstance(error, UnavailableError | TooManyRequestsError)
        if isinstance(error, DatesUnavailableError) and self.car:
            self.nearest = [free_dates(window) for window in error.nearest]
            await self._offer_instead(self.car.id, PageSearch(pickup=self.pickup, return_at=self.return_at))

    async def _offer_instead(self, vehicle_id: int, query: PageSearch) -> None:
        """Show other vehicles; if they cannot be loaded, the page does without them."""
        others = NOTHING
        with contextlib.suppress(RentalError):
            others = await read(alternatives, caller_of(self), vehicle_id, query)
        self.free_instead, self.similar = others.free, others.similar
