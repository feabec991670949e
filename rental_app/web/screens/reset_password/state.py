"""The page for a forgotten password: it asks for a link, and takes a new password by one."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.schemas.people import ForgottenPassword, PasswordReset
from rental_app.schemas.validation import require_filled, validated
from rental_app.services.accounts import hashing, passwords
from rental_app.web.session.base import caller_of, write
from rental_app.web.session.events import error_toast, focus
from rental_app.web.session.handlers import action, change, one_at_a_time

# The ids of its fields, by what they are called in a refusal.
EMAIL, TOKEN, PASSWORD = "forgotten-email", "reset-token", "reset-password"
_FIELDS = {"email": EMAIL, "token": TOKEN, "password": PASSWORD}


class ResetPasswordState(rx.State):
    """What is wrong with a form, and what has been done. The token stays in the browser until the form is sent."""

    busy: bool = False
    errors: dict[str, str] = {}
    told: str = ""
    is_done: bool = False

    @action
    async def begin(self) -> None:
        """Forget what an earlier visit did."""
        self.errors, self.told, self.is_done = {}, "", False

    @change
    @one_at_a_time
    async def ask(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Send a link to the e-mail in the form, if an account has it; what is said is the same if none has."""
        self.errors, self.told = {}, ""
        yield
        try:
            require_filled(form, ["email"])
            await write(passwords.ask_for_link, caller_of(self), validated(ForgottenPassword, form))
        except RentalError as error:
            for event in self._refused(error, "email"):
                yield event
            return
        self.told = passwords.ASKED

    @change
    @one_at_a_time
    async def set_password(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Set the new password in the form."""
        self.errors = {}
        yield
        try:
            require_filled(form, ["token", "password"])
            read, caller = validated(PasswordReset, form), caller_of(self)
            await hashing.hash_in_queue_of(read.token, caller, passwords.reset, read, caller)
        except RentalError as error:
            for event in self._refused(error, "password"):
                yield event
            return
        self.is_done = True

    def _refused(self, error: RentalError, otherwise: str) -> list[Any]:
        """Show what is wrong at its field, or at one of them."""
        self.errors = error.fields or {otherwise: error.message}
        at = next((element for name, element in _FIELDS.items() if name in self.errors), "")
        return [focus(at)] if at else [error_toast(error.message)]
