"""A vehicle's page and its booking form."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import reflex as rx

from rental_app.domain.clock import Window
from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.domain.hours import OpeningHours
from rental_app.domain.ids import read_id
from rental_app.infrastructure.settings import settings
from rental_app.schemas.calendars import CalendarRequest
from rental_app.schemas.quotes import QuoteView
from rental_app.schemas.wire import read_window
from rental_app.services import policies, vendors
from rental_app.services.bookings.free_dates import calendar
from rental_app.services.search import listings
from rental_app.web.parts.booking_options import BookingOptionsForm, QuotedForm
from rental_app.web.parts.presenters.links import read_query, review_url
from rental_app.web.parts.presenters.words import cover
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.parts.window_pickers.state import FreeWindowForm
from rental_app.web.screens.vehicle_details.presenter import (
    FIELDS,
    ExtraChoice,
    FittingOffer,
    VehiclePage,
    fitting_offer,
    head_in_tab,
    vehicle_page,
)
from rental_app.web.session.address import address_part, here
from rental_app.web.session.base import caller_of, read
from rental_app.web.session.events import (
    end_refusals,
    focus,
    redirect,
    refusal_toast,
    set_value,
)
from rental_app.web.session.handlers import action, change, one_at_a_time


class DetailState(FreeWindowForm, BookingOptionsForm, QuotedForm, rx.State):
    """The vehicle shown, the window and the extras chosen for it, and what that costs."""

    car: VehiclePage | None = None
    missing: bool = False
    problem: str = ""
    # The address as it was last read.
    asked_url: str = ""
    busy: bool = False
    fits: FittingOffer | None = None
    times_taken: int = 0
    # Survives the loss of the server's state, by a restart or in a tab left for hours.
    kept: str = rx.SessionStorage("", name="booking-window")
    _taken: str = ""

    @rx.var
    def title(self) -> str:
        """The page's title in the browser's tab; blank while it loads."""
        return head_in_tab(self.car, self.missing, self.problem).title

    @rx.var
    def description(self) -> str:
        """The page's description for search engines; blank while it loads."""
        return head_in_tab(self.car, self.missing, self.problem).description

    @rx.var
    def choices(self) -> list[ExtraChoice]:
        """The extras on offer, and which of them are chosen."""
        offered = self.car.extras if self.car else []
        return [extra.model_copy(update={"chosen": extra.name in self.extras}) for extra in offered]

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the vehicle of the page's address, with the window it was found for."""
        vehicle_id, self.problem, self.asked_url = read_id(address_part(self)), "", here(self)
        self.busy = False
        if self.car is None or self.car.id != vehicle_id:
            self.car, self.missing, self.price, self.refusal, self.fits = None, False, None, "", None
            self._taken = ""
            self._forget_window()
            self._forget_choices()
            yield
        try:
            car = await read(listings.get_listing, caller_of(self), vehicle_id)
            shown = await read(calendar, caller_of(self), vehicle_id, CalendarRequest())
            host, covered = await read(vendors.host, car.vendor_id), await read(cover)
            numbers = await read(policies.current)
        except NotFoundError:
            self.car, self.missing = None, True
            await self._offer_instead(vehicle_id, read_query(self.router.url.query_parameters.items()))
            return
        except RentalError as error:
            self.problem = "" if self.car else error.message
            raise
        self.car, self.missing = vehicle_page(car, settings().city, host, covered, numbers), False
        self._busy = [Window(held.pickup, held.return_at) for held in shown.busy]
        await self._take_address(car.hours)
        self._take_stored(self.kept, here(self))
        await self._quote()

    @action
    async def take_over(self, form: dict[str, str]) -> None:
        """Take over what was entered before scripts ran, under the names of the URL parameters."""
        self._fill(form)
        self._take_options(form)
        self.times_taken += 1
        await self._changed()

    @action
    async def remove_offer(self) -> AsyncIterator[Any]:
        """Do without the offer."""
        self.offer = ""
        yield set_value(FIELDS["offer"], "")
        yield await self._changed()

    @change
    @one_at_a_time
    async def book(self, pickup: str = "", return_at: str = "") -> AsyncIterator[Any]:
        """Go on to the review of the request, unless there is something wrong with it; nothing is booked here.

        The window that the page showed counts if the server has lost the one that was chosen.
        """
        if self.car is None:
            return
        self._take_shown(pickup, return_at)
        yield
        try:
            read_window(self.pickup, self.return_at)
            await self._price(self.car.id)
        except RentalError as error:
            await self._show_refusal(error)
            yield refusal_toast(error)
            if at_fault := [FIELDS[name] for name in FIELDS if name in error.fields]:
                yield focus(at_fault[0])
        else:
            yield redirect(self._review(self.car.id), asked_on=self.router.url.path)

    async def _priced(self, view: QuoteView) -> None:
        """Propose an offer that fits; without an answer the page does without."""
        self.fits = None
        with suppress(RentalError):
            self.fits = await read(fitting_offer, await self._caller(), view)

    def _closing_days(self) -> list[str]:
        return self.car.closing_days if self.car else []

    async def _changed(self) -> Any:
        was_refused = self.refusal or self.offer_problem or self.address_problem
        self.kept = self._stored_as(here(self))
        await self._quote()
        return end_refusals() if was_refused else None

    def _review(self, vehicle_id: int) -> str:
        window = {"pickupDate": self.pickup, "returnDate": self.return_at}
        offer = "" if self.offer_problem else self.offer
        return review_url(vehicle_id, window | {"extras": self.chosen_extras, "offer": offer})

    async def _take_address(self, hours: OpeningHours) -> None:
        """Take the address's window unless it was taken before, else the one chosen here, else that of the search."""
        address, search = self.router.url, await self.get_state(SearchState)
        if address.query != self._taken:
            self._taken = address.query
            self._take_window(read_query(address.query_parameters.items()), hours)
            self._take_options(address.query_parameters)
        if not self.pickup and search.return_at:
            self.pickup, self._pickup_set = search.pickup, search._pickup_set
        if not self.return_at and search.return_at:
            self._set_return(search.return_at)
        searched = self.return_at and (self.pickup, self.return_at) == (search.pickup, search.return_at)
        if searched and not search._return_set:
            self._return_set, self._wished = False, ""
            self._follow()
