"""A vehicle's page and its booking form."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.clock import Window
from rental_app.domain.errors import NotAuthenticatedError, NotFoundError, RentalError
from rental_app.domain.hours import OpeningHours
from rental_app.domain.ids import read_id
from rental_app.infrastructure.settings import settings
from rental_app.schemas.calendar import CalendarRequest
from rental_app.services.bookings import create
from rental_app.services.bookings.free import calendar
from rental_app.services.pricing import quotes
from rental_app.services.pricing.expected_price import PriceChangedError
from rental_app.services.search import listings
from rental_app.services.search.search import read_window
from rental_app.web.parts.booking_options import LONGEST_WISH, BookingOptionsForm
from rental_app.web.parts.presenters.bookings import price_text
from rental_app.web.parts.presenters.links import read_query, window_text
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.parts.window_pickers.state import FreeWindowForm
from rental_app.web.screens.vehicle_details.presenter import FIELDS, ExtraChoice, VehiclePage, head_in_tab, vehicle_page
from rental_app.web.screens.vehicle_details.quoted import QuotedForm
from rental_app.web.session.address import address_part, here
from rental_app.web.session.base import SessionState, caller_of, read, session_over, write
from rental_app.web.session.events import (
    close_dialog,
    end_refusals,
    error_toast,
    focus,
    open_dialog,
    redirect,
    refusal_toast,
    success_toast,
)
from rental_app.web.session.handlers import action, change
from rental_app.web.session.login_wanted import BOOKING, ask_to_log_in, continue_after_login

QUESTION = "book"


class DetailState(FreeWindowForm, BookingOptionsForm, QuotedForm, rx.State):
    """The vehicle shown, the window and the extras chosen for it, and what that costs."""

    car: VehiclePage | None = None
    missing: bool = False
    problem: str = ""
    # The address as it was last read.
    asked_url: str = ""
    busy: bool = False
    asked_window: str = ""
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
            self.car, self.missing, self.price, self.refusal = None, False, None, ""
            self._taken = ""
            self._forget_window()
            self._forget_wishes()
            yield
        try:
            car = await read(listings.get_listing, caller_of(self), vehicle_id)
            shown = await read(calendar, caller_of(self), vehicle_id, CalendarRequest())
        except NotFoundError:
            self.car, self.missing = None, True
            await self._offer_instead(vehicle_id, read_query(self.router.url.query_parameters.items()))
            return
        except RentalError as error:
            self.problem = "" if self.car else error.message
            raise
        self.car, self.missing = vehicle_page(car, settings().city), False
        self._busy = [Window(held.pickup, held.return_at) for held in shown.busy]
        await self._take_address(car.hours)
        self._take_kept(self.kept, here(self))
        await self._quote()

    @action
    async def take_over(self, form: dict[str, str]) -> None:
        """Take over what was entered before scripts ran, under the names of the URL parameters."""
        self._fill(form)
        self._take_wishes(form)
        self.times_taken += 1
        await self._changed()

    @change
    async def book(
        self,
        total: int | None = None,
        deposit: int | None = None,
        pickup: str = "",
        return_at: str = "",
        address: str | None = None,
    ) -> AsyncIterator[Any]:
        """Request the vehicle at the total and deposit (paise) that the page showed when the button was pressed.

        The window shown counts if the server has lost the one that was chosen; the `address` in its field always
        counts, and is None if the page asks for none.

        If it showed none, or they have changed since, the price is shown instead. Without a login, the login dialog
        comes first and the choice stays.
        """
        if self.busy or self.car is None:
            return
        self.busy, booked = True, False
        try:
            self._take_shown(pickup, return_at)
            self.address = self.address if address is None else address[:LONGEST_WISH]
            yield
            await self._book(self.car.id, total, deposit)
            booked = True
        except NotAuthenticatedError as error:
            session = await self.get_state(SessionState)
            for event in session_over(error) if session.logged_in else ():
                yield event
            yield ask_to_log_in(BOOKING, self.router.url.path)
        except PriceChangedError as error:
            self.price = price_text(error.quote)
            self.refusal = f"{error.message}. Please check it and press Book Now again"
            yield error_toast(self.refusal)
            yield close_dialog(QUESTION)
        except RentalError as error:
            await self._show_refusal(error)
            yield refusal_toast(error)
            yield close_dialog(QUESTION)
            if at_fault := [FIELDS[name] for name in FIELDS if name in error.fields]:
                yield focus(at_fault[0])
        else:
            yield success_toast(create.REQUESTED)
            yield redirect("/my-bookings", asked_on=self.router.url.path)
        finally:
            # Busy until the page is left: the second of two quick presses would be told that the dates are taken.
            self.busy = booked

    @action
    async def ask_to_book(self) -> AsyncIterator[Any]:
        """Ask a last question after a login that Book Now asked for: nothing is booked without asking."""
        await self._quote()
        if self.price:
            self.asked_window = window_text(self.pickup, self.return_at)
            yield open_dialog(QUESTION)
        elif self.refusal:
            yield error_toast(self.refusal)

    def _closing_days(self) -> list[str]:
        return self.car.closing_days if self.car else []

    async def _changed(self) -> Any:
        was_refused = self.refusal or self.offer_problem or self.address_problem
        self.kept = self._kept_as(here(self))
        await self._quote()
        return end_refusals() if was_refused else None

    async def _book(self, vehicle_id: int, total: int | None, deposit: int | None) -> None:
        # A visitor who still has to log in is told what is wrong with the dates first.
        read_window(self.pickup, self.return_at)
        wanted = self._wanted(vehicle_id, self.address)
        try:
            actor = await (await self.get_state(SessionState))._bearer()
        except NotAuthenticatedError:
            await read(quotes.quote_for, caller_of(self), wanted)
            raise
        if total is None or deposit is None:
            quote = await read(quotes.quote_for, caller_of(self), wanted)
            raise PriceChangedError("The price had not been shown yet", quote)
        shown = {"expected_total": total, "expected_deposit": deposit}
        await write(create.create, actor, wanted.model_copy(update=shown))

    async def _take_address(self, hours: OpeningHours) -> None:
        """Take the address's window unless it was taken before, else the one chosen here, else that of the search."""
        address, search = self.router.url, await self.get_state(SearchState)
        if address.query != self._taken:
            self._taken = address.query
            self._take_window(read_query(address.query_parameters.items()), hours)
            self._take_wishes(address.query_parameters)
        if not self.pickup and search.return_at:
            self.pickup, self._pickup_set = search.pickup, search._pickup_set
        if not self.return_at and search.return_at:
            self._set_return(search.return_at)
        searched = self.return_at and (self.pickup, self.return_at) == (search.pickup, search.return_at)
        if searched and not search._return_set:
            self._return_set, self._wished = False, ""
            self._follow()


continue_after_login(BOOKING, DetailState.ask_to_book)
