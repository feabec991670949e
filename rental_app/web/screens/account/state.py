"""The page of one's own account: details, password, devices."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, NotAuthenticatedError, RentalError
from rental_app.infrastructure.db import run
from rental_app.schemas.accounts import ChangeWish, Details, EmailChange
from rental_app.schemas.sign_in import (
    NewPasskey,
    OwnPassword,
    PasskeyName,
    PasswordChange,
    Phone,
    PhoneCode,
    StepCode,
    StepOff,
    StepSetup,
    passkey_form,
)
from rental_app.schemas.validation import require_filled, validated
from rental_app.services.accounts import (
    emails,
    erasure,
    hashing,
    login,
    passkeys,
    passwords,
    phones,
    profile,
    recovery,
    requests,
    second_step,
    sessions,
)
from rental_app.services.accounts.actor import Actor
from rental_app.web.screens.account.documents_state import DocumentsForm
from rental_app.web.screens.account.presenter import AccountPage, account_page, key_picture
from rental_app.web.session.base import PrivateState, SessionState, acting_user, caller_of, read, removed, write
from rental_app.web.session.browser_drafts import forget_drafts, read_draft
from rental_app.web.session.events import (
    ask_authenticator,
    close_dialog,
    error_toast,
    focus,
    forget_token,
    success_toast,
    tell_other_tabs,
    tell_printable,
)
from rental_app.web.session.handlers import action, change, form_handler, one_at_a_time
from rental_app.web.session.login_wanted import ACCOUNT, continue_after_login
from rental_app.web.session.pincode import PincodeForm

# The dialogs.
DETAILS, PASSWORD, EMAIL, REQUEST = "account-details", "account-password", "account-email", "account-request"
PHONE, STEP, NO_STEP, CONFIRM = "account-phone", "account-step", "account-no-step", "account-confirm"
PASSKEY, CODES, EVERYWHERE, EXPORT = "account-passkey", "account-codes", "account-everywhere", "account-export"
# Elements of the page that get the focus.
DOCUMENTS_TITLE, ERASED = "documents-title", "account-erased"
# Where what is wrong with a field of a form is said, by its name there; in the order of the page.
_DETAILS_FIELDS = {name: name for name in ("name", "phoneNumber", "address", "landmark", "pincode", "city", "state")}
_EMAIL_FIELDS = {"email": "new-email", "password": "current-password"}
_REQUEST_FIELDS = {"field": "asked-field", "value": "asked-value", "why": "asked-why", "password": "current-password"}
_OWN_PASSWORD, _CODE = {"password": "current-password"}, {"code": "one-time-code"}
_PASSKEY_FIELDS = {"name": "passkey-name", "password": "current-password"}
_PASSWORD_FIELDS = {"current": "current-password", "password": "new-password"}


class AccountState(DocumentsForm, PincodeForm, PrivateState):
    """What the page shows of the account, and what is wrong with the form of an open dialog."""

    page: AccountPage | None = None
    # Until a user's account has been loaded.
    loading: bool = True
    problem: str = ""
    busy: bool = False
    # Whether a code for the mobile number is on its way.
    code_sent: bool = False
    # The key for an authenticator app, as text, as what opens an app and as a picture of that, while it is set up.
    key: str = ""
    key_link: str = ""
    key_picture: str = ""
    # The recovery codes, while they are shown.
    codes: list[str] = []
    # The day on which the account is erased, once that is asked for.
    erased_on: str = ""
    # What the passkey is called that the browser is making.
    _passkey_name: str = ""

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the account of the logged-in user, or none."""
        self.loading = self.page is None
        yield
        try:
            await self._show()
            self.problem, self.loading = "", False
        except NotAuthenticatedError:
            self.page = None
        except RentalError as error:
            self.problem, self.loading = error.message, False
            raise
        if self.codes:
            yield tell_printable(AccountState.hide_codes_unless)
        if self._note_way_back():
            yield focus(DOCUMENTS_TITLE)

    @action
    async def begin(self) -> None:
        """Clear earlier refusals when a dialog is opened."""
        self._clear()

    def _clear(self) -> None:
        self.errors, self._judged_pincode, self._city_filled, self.unknown_pincode = {}, "", False, ""
        self.code_sent, self.codes = False, []
        self._show_key(None)

    def _show_key(self, setup: StepSetup | None) -> None:
        self.key, self.key_link = (setup.secret, setup.uri) if setup else ("", "")
        self.key_picture = key_picture(setup.uri) if setup else ""

    @action
    async def look_up_pincode(self, pincode: str) -> AsyncIterator[Any]:
        """Fill city, state and district from the pincode."""
        for event in self._look_up(caller_of(self), "pincode", pincode):
            yield event

    @change
    @form_handler(_DETAILS_FIELDS, door=acting_user)
    async def save_details(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Save a customer's name, mobile number and address."""
        self._judged_pincode = str(form.get("pincode") or "")
        request = validated(Details, form | self._typed_place(form, self._judged_pincode))
        await write(profile.change, actor, request)
        yield
        (await self.get_state(SessionState)).user_name = request.name
        await self._show()
        yield close_dialog(DETAILS)
        yield success_toast(profile.SAVED)

    @change
    @form_handler(_PASSWORD_FIELDS, door=acting_user)
    async def change_password(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Set a new password; this browser goes on with the token of a new session."""
        require_filled(form, _PASSWORD_FIELDS)
        request = validated(PasswordChange, form)
        token = await hashing.hash_in_queue_of(actor.account, actor, passwords.change, request, actor)
        yield
        (await self.get_state(SessionState)).token = token
        await self._show()
        yield close_dialog(PASSWORD)
        yield success_toast(passwords.CHANGED)

    @change
    async def send_link(self) -> AsyncIterator[Any]:
        """Send the link that confirms the e-mail again."""
        yield success_toast(await write(emails.send_again, await acting_user(self)))
        await self._show()

    @change
    @form_handler(_EMAIL_FIELDS, door=acting_user)
    async def change_email(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Send a link to a new e-mail; what is said is the same for every address."""
        require_filled(form, _EMAIL_FIELDS)
        request = validated(EmailChange, form)
        await hashing.hash_in_queue_of(actor.account, actor, emails.ask_change, request, actor)
        yield close_dialog(EMAIL)
        yield success_toast(emails.LINK_SENT)

    @change
    @form_handler(_REQUEST_FIELDS, door=acting_user)
    async def ask_change(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Ask for a change of what a vendor's account is known by."""
        require_filled(form, ("field", "value", "password"))
        request = validated(ChangeWish, form)
        await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, request.password, actor)
        await write(requests.ask, actor, request)
        yield
        await self._show()
        yield close_dialog(REQUEST)
        yield success_toast(requests.REQUEST_SENT)

    @change
    @one_at_a_time
    async def send_code(self) -> AsyncIterator[Any]:
        """Text a code to the account's mobile number."""
        self.errors = {}
        yield
        actor = await acting_user(self)
        if self.page is None:
            return
        await write(phones.send_code, actor, Phone(phone=self.page.phone))
        self.code_sent = True
        yield success_toast(phones.SENT)
        yield focus(_CODE["code"])

    @action
    async def regain_code_sent(self, _lost: int | bool, _draft: str) -> None:
        """Restore that the open dialog waits for a code."""
        self.code_sent = True

    @change
    @form_handler(_CODE, door=acting_user)
    async def verify_phone(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Confirm the account's mobile number by the code sent there."""
        phone = self.page.phone if self.page else ""
        await run(phones.verify, validated(PhoneCode, form | {"phone": phone}), actor)
        yield
        await self._show()
        yield close_dialog(PHONE)
        yield success_toast(phones.VERIFIED)

    @change
    @form_handler(_OWN_PASSWORD, door=acting_user)
    async def set_up_step(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Show the key for an authenticator app, to whoever knows the password."""
        await self._confirm_password(form, actor)
        setup = await write(second_step.set_up, actor)
        yield
        self._show_key(setup)
        yield
        yield focus(_CODE["code"])

    @change
    @form_handler(_CODE, door=acting_user)
    async def confirm_step(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Have the login take a second step, and show the recovery codes."""
        self.codes = await write(second_step.confirm, actor, validated(StepCode, form).code)
        yield
        self._show_key(None)
        await self._show()
        yield success_toast(second_step.ON)

    @action
    async def regain_step(self, _lost: int | bool, draft: str) -> None:
        """Show the key or the recovery codes again that the open dialog has shown."""
        actor = await acting_user(self)
        if setup := await read(second_step.begun, actor, read_draft(draft).get("key", "")):
            self._show_key(setup)
            return
        self.codes = await read(second_step.unkept_codes, actor)

    @action
    async def show_codes(self) -> None:
        """Show the recovery codes that their owner has not kept yet, and whether there are any by now.

        On another device they may have been kept, or the app turned off.
        """
        self._clear()
        self.codes = await read(second_step.unkept_codes, await acting_user(self))
        await self._show()

    @action
    async def hide_codes(self) -> None:
        """Leave no recovery codes in a browser that does not show them."""
        self.codes = []

    @action
    async def hide_codes_unless(self, shown: bool) -> None:
        """The same after a reload, which closes the dialog without an event; an open one stays after a reconnection."""
        if not shown:
            self.codes = []

    @action
    async def regain_codes(self, _lost: int | bool, _draft: str) -> None:
        """Show the recovery codes again that the open dialog has shown."""
        self.codes = await read(second_step.unkept_codes, await acting_user(self))

    @change
    @form_handler(_OWN_PASSWORD | _CODE, door=acting_user)
    async def renew_codes(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Make new recovery codes, and show them."""
        request = validated(StepOff, form)
        await self._confirm_password(form, actor)
        self.codes = await write(second_step.renew_codes, actor, request.code)
        yield
        await self._show()
        yield success_toast(second_step.RENEWED)

    @change
    @one_at_a_time
    async def keep_codes(self) -> AsyncIterator[Any]:
        """Show the recovery codes no more: their owner has kept them."""
        actor = await acting_user(self)
        yield
        message = await write(second_step.keep_codes, actor)
        await self._show()
        yield close_dialog(STEP)
        yield close_dialog(CODES)
        yield success_toast(message)

    @change
    @form_handler(_OWN_PASSWORD | _CODE, door=acting_user)
    async def end_step(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Have the login take the password alone."""
        request = validated(StepOff, form)
        await self._confirm_password(form, actor)
        await write(second_step.end, actor, request.code)
        yield
        await self._show()
        yield close_dialog(NO_STEP)
        yield success_toast(second_step.OFF)

    @change
    @form_handler(_PASSKEY_FIELDS, door=acting_user)
    async def make_passkey(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Have the browser make a passkey, for whoever knows the password."""
        require_filled(form, _PASSKEY_FIELDS)
        self._passkey_name = validated(PasskeyName, form).name
        await self._confirm_password(form, actor)
        yield ask_authenticator("create", await write(passkeys.begin, actor), AccountState.add_passkey)

    @change
    @one_at_a_time
    async def add_passkey(self, made: str) -> AsyncIterator[Any]:
        """Add the passkey that the browser has made."""
        actor = await acting_user(self)
        yield
        request = validated(NewPasskey, passkey_form(made) | {"name": self._passkey_name})
        await write(passkeys.add, actor, request)
        await self._show()
        yield close_dialog(PASSKEY)
        yield success_toast(passkeys.ADDED)

    @change
    async def remove_passkey(self, passkey_id: int) -> AsyncIterator[Any]:
        """Remove such a passkey, if it is among those shown."""
        actor = await acting_user(self)
        if self.page is None or passkey_id not in [row.id for row in self.page.passkeys]:
            return
        toast = await removed(passkeys.remove, actor, passkey_id)
        await self._show()
        yield toast

    @change
    @form_handler(_OWN_PASSWORD, door=acting_user)
    async def confirm_password(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Give the password in a session that a code opened."""
        await self._note_password(form, actor)
        yield
        await self._show()
        yield close_dialog(CONFIRM)
        yield success_toast(login.CONFIRMED)

    @change
    @form_handler(_OWN_PASSWORD, door=acting_user)
    async def unlock_copy(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Give the password that a copy of one's data takes; the dialog then offers it."""
        await self._note_password(form, actor)
        yield
        await self._show()

    @action
    async def follow_copy(self) -> None:
        """Show when the next copy can be fetched, or that the password is needed again."""
        await self._show()

    @change
    @form_handler(_OWN_PASSWORD, door=acting_user)
    async def delete_account(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Ask for the account to be erased; every session ends, this one too."""
        await self._confirm_password(form, actor)
        try:
            day = await write(erasure.ask, actor)
        except ConflictError:
            await self._show()
            raise
        yield
        await (await self.get_state(SessionState))._forget()
        self.erased_on = clock.full_day(day)
        yield forget_drafts()
        yield forget_token()
        yield tell_other_tabs()
        yield focus(ERASED)

    async def _note_password(self, form: dict[str, Any], actor: Actor) -> None:
        await self._confirm_password(form, actor)
        await write(sessions.note_password, actor)

    async def _confirm_password(self, form: dict[str, Any], actor: Actor) -> None:
        require_filled(form, _OWN_PASSWORD)
        password = validated(OwnPassword, form).password
        await hashing.hash_in_queue_of(actor.account, actor, login.confirm_password, password, actor)

    @change
    async def withdraw(self, request_id: int) -> AsyncIterator[Any]:
        """Withdraw such a request, if it is among those shown."""
        actor = await acting_user(self)
        if self.page is None or request_id not in [row.id for row in self.page.requests]:
            return
        toast = await removed(requests.withdraw, actor, request_id)
        await self._show()
        yield toast

    @change
    @one_at_a_time
    async def stop_recovery(self) -> AsyncIterator[Any]:
        """Keep the email and mobile number, which an operator was asked to change."""
        message = await write(recovery.stop_own, await acting_user(self))
        await self._show()
        yield success_toast(message)

    @change
    async def end_session(self, session_id: str) -> AsyncIterator[Any]:
        """Log another device out."""
        message = await write(sessions.end, await acting_user(self), session_id)
        await self._show()
        yield success_toast(message)

    @change
    async def log_out_everywhere(self) -> Any:
        """Log every device out, this one too."""
        await write(sessions.sign_out_everywhere, await acting_user(self))
        return [close_dialog(EVERYWHERE), SessionState.logout]

    async def _show(self) -> None:
        actor = await acting_user(self)
        self.page, self.erased_on = await read(account_page, actor), ""
        await self._load_documents(actor)

    def _begins(self, _form: object, _fields: object) -> bool:
        self.errors = {}
        return True

    async def _refused(self, error: RentalError, fields: Mapping[str, str]) -> Any:
        """Show what is wrong at its field and go there, or say it where no field is at fault."""
        self._note_pincode(self._judged_pincode, error)
        self.errors = error.fields
        at = next((element for name, element in fields.items() if name in error.fields), "")
        return focus(at) if at else error_toast(error.message)


continue_after_login(ACCOUNT, AccountState.load)
