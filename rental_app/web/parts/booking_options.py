"""What vehicle and review page have in common: the options of a booking, and its price or the refusal in its place."""

import contextlib
from collections.abc import Mapping
from typing import Any

import reflex as rx

from rental_app.domain.errors import NotAuthenticatedError, RentalError, TooManyRequestsError, UnavailableError
from rental_app.domain.pricing import DELIVERY, EXTRAS
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
from rental_app.web.session.base import PendingActionForm, SessionState, caller_of, read
from rental_app.web.session.handlers import action

# Longer texts are cut to this, which is still too long for the service: it refuses them.
LONGEST_CHOICE = 250


class BookingOptionsForm(PendingActionForm, rx.State, mixin=True):
    """The part of the booking form below its dates; a problem is blank if its field has none."""

    extras: list[str] = []
    address: str = ""
    address_problem: str = ""
    offer: str = ""
    offer_problem: str = ""

    @rx.var
    def needs_address(self) -> bool:
        """Whether an address is needed to which the vehicle is brought, or from which it is fetched."""
        return not DELIVERY.isdisjoint(self.extras)

    @rx.var
    def chosen_extras(self) -> str:
        """The extras as one text, which the page sends back when the server has lost them."""
        return ",".join(self.extras)

    @action
    async def choose_extra(self, name: str, wanted: bool) -> Any:
        """Add an extra to the booking, or leave it out."""
        chosen = {*self.extras, name} if wanted else {*self.extras} - {name}
        self.extras, self.address_problem = [extra for extra in EXTRAS if extra in chosen], ""
        return await self._changed()

    @action
    async def give_address(self, text: str) -> None:
        """Set the address to which the vehicle is brought, or from which it is fetched."""
        self.address, self.address_problem = text[:LONGEST_CHOICE], ""

    @action
    async def use_offer(self, form: dict[str, str]) -> Any:
        """Apply an offer's code to the price; without a code, none."""
        self.offer = form.get("offer", "").strip()[:LONGEST_CHOICE]
        return await self._changed()

    def _forget_choices(self) -> None:
        self.extras, self.address, self.address_problem, self.offer, self.offer_problem = [], "", "", "", ""

    def _take_options(self, form: Mapping[str, str]) -> None:
        """Take the options from a page, by the names of its fields."""
        if extras := form.get("extras", ""):
            self.extras = [extra for extra in EXTRAS if extra in extras.split(",")]
        self.address = form.get("address", self.address)[:LONGEST_CHOICE]
        self.offer = form.get("offer", self.offer)[:LONGEST_CHOICE]

    def _is_of_an_option(self, error: RentalError) -> bool:
        """Whether a refusal is about a field here; if so, show it there."""
        self.address_problem = error.fields.get("address", "")
        if "offer" in error.fields:
            self.offer_problem = error.message
        return bool(self.address_problem) or "offer" in error.fields

    async def _changed(self) -> Any:
        """React to a choice; returns an event for the browser, if there is one to send."""


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
