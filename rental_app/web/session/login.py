"""The login and sign-up dialog: what it submits, and how an interrupted action continues."""

import re
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.schemas.people import Credentials, Registration
from rental_app.schemas.validation import refuse_together, require_filled, ticked, validated
from rental_app.services.accounts import actor, hashing, login
from rental_app.services.accounts import sign_up as accounts_sign_up
from rental_app.services.throttle import Caller
from rental_app.web.session.base import SessionState, caller_of
from rental_app.web.session.events import ABOUT_LOGIN, close_dialog, error_toast, focus, success_toast
from rental_app.web.session.handlers import action, change, one_at_a_time
from rental_app.web.session.login_wanted import CONTINUES, DIALOG, EVERY_LOGIN
from rental_app.web.session.pincode import PincodeForm

_VENDOR_PAGE = re.compile(r"/vendor(/[A-Za-z0-9-]+)*/?(\?[\w=&%-]*)?", re.ASCII)
# The fields of the sign-up, from top to bottom.
_FIELDS = ("name", "email", "phoneNumber", "address", "landmark", "pincode", "city", "state", "password")
_NEEDED = ("name", "email", "phoneNumber", "address", "pincode", "city", "password")
_OF_LOGIN = ("email", "password")


class LoginState(PincodeForm, rx.State):
    """What is wrong with the submitted form, and whether a response is awaited."""

    busy: bool = False
    login_errors: dict[str, str] = {}

    @action
    async def begin(self) -> None:
        """Clear earlier errors when the dialog is opened."""
        self.login_errors, self.errors, self._judged_pincode, self._city_filled = {}, {}, "", False
        self.unknown_pincode = ""

    @action
    async def look_up_pincode(self, pincode: str) -> AsyncIterator[Any]:
        """Fill city, state and district from the pincode."""
        for event in self._look_up(caller_of(self), "pincode", pincode, **ABOUT_LOGIN):
            yield event

    @change
    @one_at_a_time
    async def log_in(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Log in with the form's fields."""
        if await self._is_done():
            return
        self.login_errors = {}
        yield
        try:
            require_filled(form, _OF_LOGIN)
            token = await hashing.hash_in_queue(login.sign_in, validated(Credentials, form), caller_of(self))
        except RentalError as error:
            # A toast is gone after four seconds, and which of the two is wrong is told to nobody.
            self.login_errors = error.fields or {"password": error.message}
            yield error_toast(error.message, **ABOUT_LOGIN)
            yield focus(next(filter(self.login_errors.get, _OF_LOGIN), ""))
            return
        for event in await self._enter(token, form, login.LOGGED_IN, "/vendor"):
            yield event

    @change
    @one_at_a_time
    async def sign_up(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Create an account from the form's fields."""
        if await self._is_done():
            return
        pincode = str(form.get("pincode"))
        self.errors, self._judged_pincode = {}, pincode
        yield
        data = form | self._typed_place(form, pincode) | {"isVendor": ticked(form, "isVendor")}
        try:
            read = await hashing.run_hashing(_read, data, caller_of(self))
            token = await hashing.hash_in_queue(accounts_sign_up.register, read, caller_of(self))
        except RentalError as error:
            self.errors = error.fields
            self._note_pincode(pincode, error)
            yield error_toast(error.message, **ABOUT_LOGIN)
            yield focus(next(filter(error.fields.get, _FIELDS), ""))
            return
        for event in await self._enter(token, form, accounts_sign_up.SIGNED_UP):
            yield event

    async def _is_done(self) -> bool:
        """Whether this is the second of two quick presses."""
        return (await self.get_state(SessionState)).logged_in

    async def _enter(self, token: str, form: dict[str, Any], news: str, vendors_home: str = "/") -> list[Any]:
        session = await self.get_state(SessionState)
        await session._remember(token)
        await session._recognise()
        interrupted = str(form.get("after", ""))
        way = _way_on(interrupted, session.is_staff, vendors_home if session.is_vendor else "/")
        events = [close_dialog(DIALOG, way), success_toast(news, **ABOUT_LOGIN)]
        if _VENDOR_PAGE.fullmatch(interrupted) and not session.is_staff:
            events.append(error_toast(actor.VENDORS_ONLY))
        return [*events, *EVERY_LOGIN, *([CONTINUES[interrupted]] if interrupted in CONTINUES else [])]


def _read(data: Mapping[str, Any], caller: Caller) -> Registration:
    """The sign-up; blank fields are refused in the same words, and with all else that is wrong."""
    refuse_together(partial(require_filled, data, _NEEDED), partial(accounts_sign_up.registration, data, caller))
    return accounts_sign_up.registration(data, caller)


def _way_on(interrupted: str, is_staff: bool, home: str) -> str:
    """Where a login leads: home, or the dashboard for a vendor, unless it interrupted something (docs/decisions)."""
    if interrupted in CONTINUES:
        return ""
    return interrupted if is_staff and _VENDOR_PAGE.fullmatch(interrupted) else home
