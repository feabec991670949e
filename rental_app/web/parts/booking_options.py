"""The options of a booking: extras, the address they need, and the code of an offer."""

from collections.abc import Mapping
from typing import Any

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.domain.pricing import DELIVERY, EXTRAS
from rental_app.web.session.base import PendingActionForm
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
