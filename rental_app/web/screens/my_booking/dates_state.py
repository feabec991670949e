"""Other dates for a booking: any for a request, a later return for a confirmed one; the price is shown first."""

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import reflex as rx

from rental_app.domain.clock import Window
from rental_app.domain.errors import RentalError
from rental_app.schemas.trips import ChangeRequest, ExtendRequest, ExtensionRequest
from rental_app.schemas.validation import validated
from rental_app.services.bookings.free_dates import DatesUnavailableError, is_held
from rental_app.services.pricing.quotes import PriceChangedError
from rental_app.services.trips import changes as trips_changes
from rental_app.web.parts.presenters.bookings import FreeDates, Price, free_dates, price_text
from rental_app.web.parts.presenters.links import read_wall, wall_text, window_of, window_text
from rental_app.web.parts.presenters.terms import LaterReturn, later_return
from rental_app.web.parts.window_pickers import state
from rental_app.web.parts.window_pickers.state import FreeWindowForm
from rental_app.web.screens.my_booking.state import MyBookingState
from rental_app.web.session.address import address_part
from rental_app.web.session.base import read, write
from rental_app.web.session.browser_drafts import read_draft
from rental_app.web.session.events import (
    ask_once_more,
    close_dialog,
    end_refusals,
    error_toast,
    focus,
    open_dialog,
    show_form,
    success_toast,
)
from rental_app.web.session.handlers import action, change, one_at_a_time

CHANGING, EXTENDING = "change-booking", "extend-booking"
# The page may request its forms just before it requests the booking: the response has it try once more.
MOST_TRIES = 4
CHANGE_FORM, EXTEND_FORM = "change-form", "extend-form"
# The buttons that show them.
CHANGE, EXTEND = "change-dates", "extend-return"


class ChangeDatesState(FreeWindowForm, MyBookingState):
    """Other dates for a request that has not been answered yet."""

    changes: bool = False
    price: Price | None = None
    refusal: str = ""
    nearest: list[FreeDates] = []

    @rx.var
    def window(self) -> str:
        """The dates chosen, in words."""
        return window_text(self.pickup, self.return_at)

    @action
    async def open_change(self) -> Any:
        """Show the form with the current dates."""
        await self._open()
        return show_form(CHANGE_FORM)

    @action
    async def regain_change(self, tried: int | bool, draft: str) -> Any:
        """Show the form again after the server has lost it, with the dates chosen in it."""
        if self.trip is None and tried < MOST_TRIES:
            return ask_once_more(ChangeDatesState.regain_change, tried, draft)
        form = read_draft(draft)
        if self.trip and form.get("ref") == self.trip.facts.reference:
            await self._open()
            await self._take_both(form.get("pickupDate", ""), form.get("returnDate", ""))

    @action
    async def leave_change(self) -> Any:
        """Leave the dates as they are."""
        self.changes = False
        return focus(CHANGE)

    @action
    async def price_again(self) -> Any:
        """Ask again for the price of the chosen dates."""
        return await self._changed()

    @change
    @one_at_a_time
    async def move(
        self, total: int | None = None, deposit: int | None = None, pickup: str = "", return_at: str = ""
    ) -> AsyncIterator[Any]:
        """Move the request to the dates shown, at the total and deposit (paise) shown; changed ones are shown first."""
        if total is None or deposit is None:
            return
        yield
        try:
            request = validated(ChangeRequest, {"pickup": pickup, "return_at": return_at})
            request = request.model_copy(update={"expected_total": total, "expected_deposit": deposit})
            self._take(await write(trips_changes.change, await self._acting(), address_part(self), request))
        except PriceChangedError as error:
            self.price, self.refusal = price_text(error.quote), f"{error.message}. Please check and press again"
            yield error_toast(self.refusal)
        except RentalError as error:
            self._refuse(error)
            await self._try_to_show()
            raise
        else:
            self.changes, self.refusal = False, ""
            yield success_toast(trips_changes.MOVED)
        finally:
            yield close_dialog(CHANGING)

    def _closing_days(self) -> list[str]:
        return self.trip.times.closing_days if self.trip else []

    async def _open(self) -> None:
        if self.trip is None:
            return
        self.changes, self.price, self.refusal, self.nearest = True, None, "", []
        self.pickup, self._pickup_set = self.trip.times.pickup, True
        self._set_return(self.trip.times.return_at)
        self._busy = await read(is_held, await self._acting(), address_part(self))

    async def _changed(self) -> Any:
        was_refused, self.price, self.refusal, self.nearest = bool(self.refusal), None, "", []
        as_it_is = self.trip and (self.pickup, self.return_at) == (self.trip.times.pickup, self.trip.times.return_at)
        if as_it_is or not (self.pickup and self.return_at):
            return None
        try:
            request = validated(ChangeRequest, {"pickup": self.pickup, "return_at": self.return_at})
            self.price = price_text(
                await read(trips_changes.new_price, await self._acting(), address_part(self), request)
            )
        except RentalError as error:
            self._refuse(error)
            raise
        return end_refusals() if was_refused else None

    def _refuse(self, error: RentalError) -> None:
        self.price, self.refusal = None, error.message
        self.nearest = (
            [free_dates(window) for window in error.nearest] if isinstance(error, DatesUnavailableError) else []
        )


class ExtendState(MyBookingState):
    """A later return for a confirmed booking."""

    extends: bool = False
    later: str = ""
    extension: LaterReturn | None = None
    extension_refusal: str = ""
    _followed_by: list[Window] = []

    @rx.var
    def unavailable_later(self) -> list[dict[str, str]]:
        """The times from which somebody else has the vehicle."""
        own = self._own_window()
        return state.returns(self._followed_by, own.pickup if own else None)

    @action
    async def open_extension(self) -> Any:
        """Show the form with a return one day later and what that costs; pressed again, ask whether to extend."""
        if self.extends and self.extension:
            return open_dialog(EXTENDING)
        await self._open()
        own = self._own_window()
        # Why that day cannot be had is said in the form.
        with suppress(RentalError):
            await self._choose(wall_text(own.return_at + timedelta(days=1)) if own else "")
        return show_form(EXTEND_FORM)

    @action
    async def regain_extension(self, tried: int | bool, draft: str) -> Any:
        """Show the form again after the server has lost it, with the return chosen in it."""
        if self.trip is None and tried < MOST_TRIES:
            return ask_once_more(ExtendState.regain_extension, tried, draft)
        form = read_draft(draft)
        if self.trip and form.get("ref") == self.trip.facts.reference:
            await self._open()
            await self._choose(form.get("returnDate", ""))

    @action
    async def leave_extension(self) -> Any:
        """Leave the return as it is."""
        self.extends = False
        return focus(EXTEND)

    @action
    async def choose_later(self, return_at: str) -> Any:
        """Choose a return, and show what it costs."""
        return await self._choose(return_at)

    @action
    async def price_extension_again(self) -> Any:
        """Ask again for the price of the chosen return."""
        return await self._price_extension()

    @change
    @one_at_a_time
    async def extend(self, extra: int | None = None, return_at: str = "", kms: int | None = None) -> AsyncIterator[Any]:
        """Return later, at the extra price (paise) and with the kilometres shown; changed ones are shown first."""
        if extra is None:
            return
        yield
        try:
            request = validated(ExtendRequest, {"return_at": return_at})
            request = request.model_copy(update={"expected_extra": extra, "expected_kms": kms})
            self._take(await write(trips_changes.extend, await self._acting(), address_part(self), request))
        except trips_changes.ExtensionPriceChangedError as error:
            self.extension = later_return(error.extension)
            self.extension_refusal = f"{error.message}. Please check and press again"
            yield error_toast(self.extension_refusal)
        except RentalError as error:
            self.extension, self.extension_refusal = None, error.message
            await self._try_to_show()
            raise
        else:
            self.extends, self.extension_refusal = False, ""
            yield success_toast(trips_changes.EXTENDED)
        finally:
            yield close_dialog(EXTENDING)

    async def _open(self) -> None:
        if self.trip is None:
            return
        self.extends, self.later, self.extension, self.extension_refusal = True, "", None, ""
        self._followed_by = await read(is_held, await self._acting(), address_part(self))

    def _own_window(self) -> Window | None:
        return window_of(self.trip.times.pickup, self.trip.times.return_at) if self.trip else None

    async def _choose(self, return_at: str) -> Any:
        self.later = read_wall(return_at)
        return await self._price_extension()

    async def _price_extension(self) -> Any:
        was_refused, self.extension, self.extension_refusal = bool(self.extension_refusal), None, ""
        if not self.later:
            return None
        try:
            request = validated(ExtensionRequest, {"return_at": self.later})
            self.extension = later_return(
                await read(trips_changes.preview, await self._acting(), address_part(self), request)
            )
        except RentalError as error:
            self.extension_refusal = error.message
            raise
        return end_refusals() if was_refused else None
