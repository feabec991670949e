"""The pages that links in messages lead to: each acts when its button is pressed, not when it is opened.

One state for all of them: what states there are is part of every page's weight.
"""

from collections.abc import AsyncIterator, Callable
from typing import Any

import reflex as rx
from sqlmodel import Session

from rental_app.domain.errors import NotAuthenticatedError, RentalError
from rental_app.schemas.people import ForgottenPassword, LinkUse, OwnLinkUse, PasswordReset
from rental_app.schemas.validation import require_filled, validated
from rental_app.services.accounts import emails, hashing, passwords, recovery, way_back
from rental_app.services.throttle import Caller
from rental_app.web.session.base import SessionState, caller_of, write
from rental_app.web.session.events import error_toast, focus
from rental_app.web.session.handlers import action, change, one_at_a_time

# The ids of the fields, by what they are called in a refusal.
EMAIL, TOKEN, PASSWORD = "forgotten-email", "link-token", "reset-password"
_FIELDS = {"email": EMAIL, "token": TOKEN, "password": PASSWORD}


class MailedLinkState(rx.State):
    """What is wrong with a form, and what has been done. The token stays in the browser until a button is pressed."""

    busy: bool = False
    errors: dict[str, str] = {}
    # What was said when a link was asked for, and when one was used.
    asked: str = ""
    done: str = ""
    # Whether the account is not the one that is logged in here, so that its password is asked for.
    asks_password: bool = False

    @action
    async def begin(self) -> None:
        """Forget what an earlier visit did."""
        self.errors, self.asked, self.done, self.asks_password = {}, "", "", False

    @change
    @one_at_a_time
    async def ask(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Send a link to the email in the form, if an account has it; what is said is the same if none has."""
        self.errors, self.asked = {}, ""
        yield
        try:
            require_filled(form, ["email"])
            await write(passwords.ask_for_link, caller_of(self), validated(ForgottenPassword, form))
        except RentalError as error:
            for event in self._refused(error, "email"):
                yield event
            return
        self.asked = passwords.ASKED

    @change
    @one_at_a_time
    async def set_password(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Set the new password in the form."""
        self.errors = {}
        yield
        try:
            require_filled(form, ["token", "password"])
            wish, caller = validated(PasswordReset, form), caller_of(self)
            await hashing.hash_in_queue_of(wish.token, caller, passwords.reset, wish, caller)
        except RentalError as error:
            for event in self._refused(error, "password"):
                yield event
            return
        self.done = passwords.RESET

    @change
    @one_at_a_time
    async def verify(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Confirm an account's email."""
        async for event in self._use_own(emails.verify, form):
            yield event

    @change
    @one_at_a_time
    async def confirm(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Change an account's email to the one that the link was sent to."""
        async for event in self._use_own(emails.confirm, form):
            yield event

    @change
    @one_at_a_time
    async def undo(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Take a change of an account's email back."""
        async for event in self._use(emails.undo, form):
            yield event

    @change
    @one_at_a_time
    async def keep_account(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Stop another email or mobile number for an account, while the shop is read-only too."""
        async for event in self._use(recovery.stop, form):
            yield event

    @change
    @one_at_a_time
    async def decline(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Take an address from the account that somebody else has signed up with it."""
        async for event in self._use(emails.decline, form):
            yield event

    @change
    @one_at_a_time
    async def not_me(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Take off an account what was added to it, while the shop is read-only too."""
        async for event in self._use(way_back.not_me, form):
            yield event

    async def _use_own(self, service: Callable[[OwnLinkUse, Caller], str], form: dict[str, Any]) -> AsyncIterator[Any]:
        """Use a link of the account that is logged in here, or whose password is in the form, which is asked for."""
        self.errors = {}
        yield
        try:
            require_filled(form, ["token", "password"] if self.asks_password else ["token"])
            wish, caller = validated(OwnLinkUse, form), await self._owner()
            self.done = await hashing.hash_in_queue_of(wish.token, caller, service, wish, caller)
        except RentalError as error:
            self.asks_password = self.asks_password or error.code == "password_needed"
            for event in self._refused(error, "token"):
                yield event

    async def _owner(self) -> Caller:
        """Whoever is logged in here, or the sender of the event."""
        try:
            return await (await self.get_state(SessionState))._bearer()
        except NotAuthenticatedError:
            return caller_of(self)

    async def _use(
        self, service: Callable[[Session, Caller, LinkUse], str], form: dict[str, Any]
    ) -> AsyncIterator[Any]:
        self.errors = {}
        yield
        try:
            require_filled(form, ["token"])
            self.done = await write(service, caller_of(self), validated(LinkUse, form))
        except RentalError as error:
            for event in self._refused(error, "token"):
                yield event

    def _refused(self, error: RentalError, otherwise: str) -> list[Any]:
        """Show what is wrong at its field, or at one of them."""
        self.errors = error.fields or {otherwise: error.message}
        at = next((element for name, element in _FIELDS.items() if name in self.errors), "")
        return [focus(at)] if at else [error_toast(error.message)]
