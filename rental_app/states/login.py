"""The login and sign-up dialog."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.errors import RentalError
from rental_app.schemas.people import Credentials, Registration
from rental_app.schemas.validation import validated
from rental_app.services import accounts, catalogue, hashing, logins
from rental_app.states.base import SessionState, action, caller_of, change
from rental_app.states.events import error_toast, redirect, set_value, success_toast


class LoginState(rx.State):
    """Which mode the dialog is in, what the pincode look-up found, and whether an answer is awaited."""

    open: bool = False
    registering: bool = False
    as_vendor: bool = False
    busy: bool = False
    city: str = ""
    state: str = ""
    district: str = ""
    errors: dict[str, str] = {}
    _stay: bool = False
    _judged_pincode: str = ""

    @action
    async def show(self) -> None:
        """Open the dialog from the navigation: a login ends on the home page."""
        self._open(stay=False)

    @action
    async def show_here(self) -> None:
        """Open the dialog from within a page: a login comes back to it."""
        self._open(stay=True)

    @action
    async def sign_up_as_vendor(self) -> None:
        """Open the sign-up with the vendor's box ticked."""
        self._open(stay=False)
        self.registering = self.as_vendor = True

    @action
    async def set_open(self, is_open: bool) -> None:
        """Follow the dialog's backdrop, Esc and cross."""
        self.open = is_open

    @action
    async def toggle_mode(self) -> None:
        """Switch between logging in and signing up."""
        self.registering, self.errors = not self.registering, {}
        self.city = self.state = self.district = self._judged_pincode = ""

    @action
    async def look_up_pincode(self, pincode: str) -> AsyncIterator[Any]:
        """At six digits fill city, state and district; what comes after the form was left changes nothing."""
        if not (self.open and self.registering):
            return
        self.city = self.state = self.district = ""
        yield set_value("city", "")
        # What the answer to the form has said of this text stays, though the look-up comes later.
        if pincode != self._judged_pincode:
            self.errors = {name: text for name, text in self.errors.items() if name != "pincode"}
        if len(pincode) != 6:
            return
        try:
            place = catalogue.look_up_pincode(caller_of(self), pincode)
        except RentalError as error:
            self.errors = self.errors | {"pincode": error.message}
            yield error_toast("Failed to fetch location")
            return
        self.city, self.state, self.district = place.city, place.state.name, place.county.name
        # Only a proposal: the input's text belongs to the browser.
        yield set_value("city", place.city)

    @change
    async def submit(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Log in or sign up with the form's fields."""
        if self.busy:
            return
        self.busy, self.errors, self._judged_pincode = True, {}, str(form.get("pincode"))
        yield
        try:
            token = await self._token_for(form)
        except RentalError as error:
            self.errors = error.fields
            yield error_toast(error.message)
            return
        finally:
            self.busy = False
        yield await self._enter(token)
        yield success_toast("Your account is ready" if self.registering else "You are logged in")
        if not self._stay:
            yield redirect("/")

    async def _token_for(self, form: dict[str, Any]) -> str:
        caller = caller_of(self)
        if self.registering:
            data = form | {"isVendor": form.get("isVendor") in (True, "on", "true")}
            return await hashing.in_turn(accounts.register, validated(Registration, data), caller)
        return await hashing.in_turn(logins.sign_in, validated(Credentials, form), caller)

    async def _enter(self, token: str) -> Any:
        session = await self.get_state(SessionState)
        await session._remember(token)
        await session._recognise()
        self.open = False

    def _open(self, *, stay: bool) -> None:
        self.open, self.registering, self.errors, self._stay = True, False, {}, stay
        self.as_vendor = False
