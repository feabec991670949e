"""The page of one's own account: details, password, devices."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from rental_app.domain.errors import NotAuthenticatedError, RentalError
from rental_app.schemas.people import ChangeWish, Details, EmailChange, PasswordChange
from rental_app.schemas.validation import require_filled, validated
from rental_app.services.accounts import details, devices, emails, hashing, login, passwords, requests, sessions
from rental_app.services.accounts.actor import Actor
from rental_app.web.screens.account.presenter import AccountPage, account_page
from rental_app.web.session.base import PrivateState, SessionState, caller_of, read, removed, write
from rental_app.web.session.events import close_dialog, error_toast, focus, success_toast
from rental_app.web.session.handlers import action, change, one_at_a_time
from rental_app.web.session.login_wanted import ACCOUNT, continue_after_login
from rental_app.web.session.pincode import PincodeForm

# The dialogs.
DETAILS, PASSWORD, EMAIL, REQUEST = "account-details", "account-password", "account-email", "account-request"
_DETAILS_FIELDS = ("name", "phoneNumber", "address", "landmark", "pincode", "city", "state")
_EMAIL_FIELDS = {"email": "new-email", "password": "current-password"}
_REQUEST_FIELDS = {"field": "asked-field", "value": "asked-value", "why": "asked-why", "password": "current-password"}
_PASSWORD_FIELDS = {"current": "current-password", "password": "new-password"}


class AccountState(PincodeForm, PrivateState):
    """What the page shows of the account, and what is wrong with the form of an open dialog."""

    page: AccountPage | None = None
    loading: bool = True
    problem: str = ""
    busy: bool = False

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the account of the logged-in user, or none."""
        self.loading = self.page is None
        yield
        try:
            await self._show()
            self.problem = ""
        except NotAuthenticatedError:
            self.page = None
        except RentalError as error:
            self.problem = error.message
            raise
        finally:
            self.loading = False

    @action
    async def begin(self) -> None:
        """Clear earlier refusals when a dialog is opened."""
        self.errors, self._judged_pincode, self._city_filled, self.unknown_pincode = {}, "", False, ""

    @action
    async def look_up_pincode(self, pincode: str) -> AsyncIterator[Any]:
        """Fill city, state and district from the pincode."""
        for event in self._look_up(caller_of(self), "pincode", pincode):
            yield event

    @change
    @one_at_a_time
    async def save_details(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Save a customer's name, mobile number and address."""
        pincode = str(form.get("pincode") or "")
        self.errors, self._judged_pincode = {}, pincode
        yield
        actor = await self._actor()
        try:
            wish = validated(Details, form | self._typed_place(form, pincode))
            await write(details.change, actor, wish)
        except RentalError as error:
            self._note_pincode(pincode, error)
            for event in self._refused(error, {name: name for name in _DETAILS_FIELDS}):
                yield event
            return
        (await self.get_state(SessionState)).user_name = wish.name
        await self._show()
        yield close_dialog(DETAILS)
        yield success_toast(details.SAVED)

    @change
    @one_at_a_time
    async def change_password(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Set a new password; this browser goes on with the token of a new session."""
        self.errors = {}
        yield
        actor = await self._actor()
        try:
            require_filled(form, _PASSWORD_FIELDS)
            wish = validated(PasswordChange, form)
            token = await hashing.hash_in_queue_of(actor.account, actor, passwords.change, wish, actor)
        except RentalError as error:
            for event in self._refused(error, _PASSWORD_FIELDS):
                yield event
            return
        (await self.get_state(SessionState)).token = token
        await self._show()
        yield close_dialog(PASSWORD)
        yield success_toast(passwords.CHANGED)

    @change
    async def send_link(self) -> AsyncIterator[Any]:
        """Send the link that confirms the e-mail again."""
        yield success_toast(await write(emails.send_again, await self._actor()))
        await self._show()

    @change
    @one_at_a_time
    async def change_email(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Send a link to a new e-mail; what is said is the same for every address."""
        self.errors = {}
        yield
        actor = await self._actor()
        try:
            require_filled(form, _EMAIL_FIELDS)
            wish = validated(EmailChange, form)
            await hashing.hash_in_queue_of(actor.account, actor, emails.ask_change, wish, actor)
        except RentalError as error:
            for event in self._refused(error, _EMAIL_FIELDS):
                yield event
            return
        yield close_dialog(EMAIL)
        yield success_toast(emails.ASKED)

    @change
    @one_at_a_time
    async def ask_change(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Ask for a change of what a vendor's account is known by."""
        self.errors = {}
        yield
        actor = await self._actor()
        try:
            require_filled(form, ("field", "value", "password"))
            wish = validated(ChangeWish, form)
            await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, wish.password, actor)
            await write(requests.ask, actor, wish)
        except RentalError as error:
            for event in self._refused(error, _REQUEST_FIELDS):
                yield event
            return
        await self._show()
        yield close_dialog(REQUEST)
        yield success_toast(requests.ASKED)

    @change
    async def withdraw(self, request_id: int) -> AsyncIterator[Any]:
        """Withdraw such a request, if it is among those shown."""
        actor = await self._actor()
        if self.page is None or request_id not in [row.id for row in self.page.requests]:
            return
        told = await removed(requests.withdraw, actor, request_id)
        await self._show()
        yield told

    @change
    async def end_session(self, session_id: str) -> AsyncIterator[Any]:
        """Log another device out."""
        told = await write(devices.end, await self._actor(), session_id)
        await self._show()
        yield success_toast(told)

    @change
    async def log_out_everywhere(self) -> Any:
        """Log every device out, this one too."""
        await write(sessions.sign_out_everywhere, await self._actor())
        return SessionState.logout

    async def _actor(self) -> Actor:
        return await (await self.get_state(SessionState))._actor()

    async def _show(self) -> None:
        self.page = await read(account_page, await self._actor())

    def _refused(self, error: RentalError, fields: Mapping[str, str]) -> list[Any]:
        """Show what is wrong at its field and go there, or say it where no field is at fault."""
        self.errors = error.fields
        at = next((element for name, element in fields.items() if name in error.fields), "")
        return [focus(at)] if at else [error_toast(error.message)]


continue_after_login(ACCOUNT, AccountState.load)
