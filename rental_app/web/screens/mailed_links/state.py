"""The pages that links in messages lead to: each acts when its button is pressed, not when it is opened.

One state for all of them: what states there are is part of every page's weight.
"""

from collections.abc import Callable
from typing import Any

import reflex as rx
from sqlmodel import Session

from rental_app.content.staff import ROLES
from rental_app.domain.errors import NotAuthenticatedError, RentalError
from rental_app.schemas.sign_in import ForgottenPassword, LinkUse, OwnLinkUse, PasswordReset
from rental_app.schemas.validation import require_filled, validated
from rental_app.services.accounts import emails, hashing, members, passwords, recovery, way_back
from rental_app.services.throttle import Caller
from rental_app.web.session.base import SessionState, caller_of, read, write
from rental_app.web.session.events import error_toast, focus
from rental_app.web.session.handlers import action, change, form_handler
from rental_app.web.session.login_wanted import continue_after_login

# The ids of the fields, by what they are called in a refusal.
EMAIL, TOKEN, PASSWORD = "forgotten-email", "link-token", "reset-password"
# What continues after a login that an invitation asked for.
INVITATION = "invitation"
_FIELDS = {"email": EMAIL, "token": TOKEN, "password": PASSWORD}


class MailedLinkState(rx.State):
    """What is wrong with a form, and what has been done. The token stays in the browser until a button is pressed."""

    busy: bool = False
    errors: dict[str, str] = {}
    # The answers to a request for a link, and to the use of one.
    link_answer: str = ""
    done: str = ""
    # Whether the account is not the one that is logged in here, so that its password is asked for.
    asks_password: bool = False
    # Who invites, and to do what; blank until that is known.
    invited_by: str = ""
    invited_to: str = ""

    @action
    async def begin(self) -> None:
        """Forget what an earlier visit did."""
        self.errors, self.link_answer, self.done, self.asks_password = {}, "", "", False

    @action
    async def show_linked(self, token: str) -> None:
        """Show the invitation that a link is for; nothing is accepted by that."""
        self.errors, self.done, self.invited_by = {}, "", ""
        try:
            await self._show_offer(token)
        except RentalError as error:
            self.errors = {"token": error.message}

    @change
    @form_handler("token")
    async def join(self, form: dict[str, Any]) -> None:
        """Accept the invitation that is shown, or show the one whose link was pasted in its place."""
        require_filled(form, ["token"])
        if await self._show_offer(form["token"]):
            return
        session = await self.get_state(SessionState)
        accepted = await write(members.accept, await session._actor(), validated(LinkUse, form))
        self.done = members.JOINED.format(vendor=accepted.vendor)
        await session._recognise()

    @action
    async def go_on(self) -> None:
        """Continue after a login over the page: what was refused before it may not be any more."""
        self.errors = {}

    async def _show_offer(self, token: str) -> bool:
        """Show who invites, and to what; returns whether the page showed something else until now."""
        offer = await read(members.offer, caller_of(self), validated(LinkUse, {"token": token}))
        before, now = (self.invited_by, self.invited_to), (offer.vendor, ROLES[offer.role].may)
        self.invited_by, self.invited_to = now
        return before != now

    @change
    @form_handler("email")
    async def ask(self, form: dict[str, Any]) -> None:
        """Send a link to the email in the form, if an account has it; the answer is the same if none has."""
        require_filled(form, ["email"])
        await write(passwords.ask_for_link, caller_of(self), validated(ForgottenPassword, form))
        self.link_answer = passwords.LINK_SENT

    @change
    @form_handler("password")
    async def set_password(self, form: dict[str, Any]) -> None:
        """Set the new password in the form."""
        require_filled(form, ["token", "password"])
        request, caller = validated(PasswordReset, form), caller_of(self)
        await hashing.hash_in_queue_of(request.token, caller, passwords.reset, request, caller)
        self.done = passwords.RESET

    @change
    @form_handler("token")
    async def verify(self, form: dict[str, Any]) -> None:
        """Confirm an account's email."""
        await self._use_own(emails.verify, form)

    @change
    @form_handler("token")
    async def confirm(self, form: dict[str, Any]) -> None:
        """Change an account's email to the one that the link was sent to."""
        await self._use_own(emails.confirm, form)

    @change
    @form_handler("token")
    async def undo(self, form: dict[str, Any]) -> None:
        """Take a change of an account's email back."""
        await self._use(emails.undo, form)

    @change
    @form_handler("token")
    async def keep_account(self, form: dict[str, Any]) -> None:
        """Stop another email or mobile number for an account, while the shop is read-only too."""
        await self._use(recovery.stop, form)

    @change
    @form_handler("token")
    async def decline(self, form: dict[str, Any]) -> None:
        """Take an address from the account that somebody else has signed up with it."""
        await self._use(emails.decline, form)

    @change
    @form_handler("token")
    async def not_me(self, form: dict[str, Any]) -> None:
        """Take off an account what was added to it, while the shop is read-only too."""
        await self._use(way_back.not_me, form)

    async def _use_own(self, service: Callable[[OwnLinkUse, Caller], str], form: dict[str, Any]) -> None:
        """Use a link of the account that is logged in here, or whose password is in the form; else ask for that."""
        require_filled(form, ["token", "password"] if self.asks_password else ["token"])
        request, caller = validated(OwnLinkUse, form), await self._owner()
        self.done = await hashing.hash_in_queue_of(request.token, caller, service, request, caller)

    async def _owner(self) -> Caller:
        """Whoever is logged in here, or the sender of the event."""
        try:
            return await (await self.get_state(SessionState))._bearer()
        except NotAuthenticatedError:
            return caller_of(self)

    async def _use(self, service: Callable[[Session, Caller, LinkUse], str], form: dict[str, Any]) -> None:
        require_filled(form, ["token"])
        self.done = await write(service, caller_of(self), validated(LinkUse, form))

    def _begins(self, _form: object, field: str) -> bool:
        self.errors = {}
        if field == "email":
            self.link_answer = ""
        return True

    async def _refused(self, error: RentalError, otherwise: str) -> Any:
        """Show what is wrong at its field, or at one of them."""
        self.asks_password = self.asks_password or error.code == "password_needed"
        self.errors = error.fields or {otherwise: error.message}
        at = next((element for name, element in _FIELDS.items() if name in self.errors), "")
        return focus(at) if at else error_toast(error.message)


continue_after_login(INVITATION, MailedLinkState.go_on)
