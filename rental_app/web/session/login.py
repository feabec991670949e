"""The login and sign-up dialog: what it submits, and how an interrupted action continues."""

import re
from collections.abc import AsyncIterator, Mapping
from functools import partial
from html import unescape
from typing import Any

import reflex as rx

from rental_app.content import legal
from rental_app.domain.errors import RentalError
from rental_app.infrastructure.db import run
from rental_app.infrastructure.settings import settings
from rental_app.schemas.accounts import Registration
from rental_app.schemas.sign_in import CodeLogin, Credentials, PasskeyLogin, Phone, StepAnswer, passkey_form
from rental_app.schemas.validation import refuse_together, require_filled, ticked, validated
from rental_app.services.accounts import actor, hashing, login, passkeys, phones
from rental_app.services.accounts import sign_up as accounts_sign_up
from rental_app.services.throttle import Caller
from rental_app.web.session.base import SessionState, caller_of, read, write
from rental_app.web.session.events import (
    ABOUT_LOGIN,
    ask_authenticator,
    close_dialog,
    error_toast,
    focus,
    several,
    success_toast,
)
from rental_app.web.session.handlers import action, change, one_at_a_time
from rental_app.web.session.login_wanted import CONTINUES, DIALOG, EVERY_LOGIN
from rental_app.web.session.pincode import PincodeForm

_VENDOR_PAGE = re.compile(r"/vendor(/[A-Za-z0-9-]+)*/?(\?[\w=&%-]*)?", re.ASCII)
# The fields of the sign-up, from top to bottom; those about the person are a step of their own on a phone.
_WHO = ("name", "phoneNumber", "email", "password")
_FIELDS = (*_WHO, "pincode", "city", "state", "address", "landmark")
_NEEDED = ("name", "email", "phoneNumber", "address", "pincode", "city", "password")
_OF_LOGIN = ("email", "password")
# What a login asks for in place of e-mail and password, one after the other: the label of its field, what it says, what
# phones offer to fill in, and which keys they show. The page has none of it, and so stays light.
BY_PHONE, BY_CODE, SECOND = "phone", "code", "second"
_ASKED = "We text a code to a number that you have confirmed under Account."
_FROM_APP = "Enter the 6 digits that your authenticator app shows, or a recovery code."
_CODE = "one-time-code"
_STEPS = {
    "": ("", "", "", ""),
    BY_PHONE: ("Mobile number", _ASKED, "tel-national", "tel"),
    BY_CODE: ("Code from the text message", phones.CODE_SENT, _CODE, "numeric"),
    # Recovery codes have letters.
    SECOND: ("Code from your app", _FROM_APP, _CODE, "text"),
}
_WITH_PASSWORD, _NEW_CODE = "Use email and password", "Another code or number"
# The other way from a step: where it leads, and what it is called. From a code that has come too late or was tried too
# often it is another one.
_OTHER_WAYS = {
    "": (BY_PHONE, "Log in with a code by text"),
    BY_PHONE: ("", _WITH_PASSWORD),
    BY_CODE: (BY_PHONE, _NEW_CODE),
    SECOND: ("", _WITH_PASSWORD),
}
_TYPED = "typed"
# A page's text of the server's, whose templates know no HTML of a state.
_PARAGRAPH, _TAG = re.compile(r"<(?:p|li)>(.*?)</(?:p|li)>", re.DOTALL), re.compile(r"<[^>]+>")


class LoginState(PincodeForm, rx.State):
    """What is wrong with the submitted form, and whether a response is awaited."""

    busy: bool = False
    # On a phone the sign-up first asks who somebody is, then where they live.
    asks_where: bool = False
    login_errors: dict[str, str] = {}
    # The vehicle that a request is about, where one waits for the login.
    wanted: str = ""
    wanted_image: str = ""
    # Which of `_STEPS` the login is at, and its words.
    step: str = ""
    step_label: str = ""
    step_note: str = ""
    step_fill: str = ""
    step_keys: str = ""
    other_label: str = _OTHER_WAYS[""][1]
    # What the sign-up says about data, a paragraph each; pages do not carry it, the dialog gets it as it opens.
    notice: list[str] = []
    _notice_version: str = ""
    _phone: str = ""
    _challenge: str = ""

    @action
    async def begin(self) -> None:
        """Clear earlier errors when the dialog is opened."""
        self.login_errors, self.errors, self._judged_pincode, self._city_filled = {}, {}, "", False
        self.unknown_pincode, self.asks_where = "", False
        self._notice_version = legal.NOTICE_VERSION
        _, html = legal.notice(self._notice_version, settings().named_in_texts)
        self.notice = [unescape(_TAG.sub("", paragraph)) for paragraph in _PARAGRAPH.findall(html)]
        self._go_to("")

    @action
    async def other_way(self) -> AsyncIterator[Any]:
        """Switch between the password and a texted code, or go back for another code."""
        self._go_to(_OTHER_WAYS[self.step][0])
        yield
        yield focus(_TYPED if self.step else "email")

    @change
    @one_at_a_time
    async def use_passkey(self) -> AsyncIterator[Any]:
        """Have the browser sign with a passkey for this site; the dialog's own fields are not asked for."""
        if await self._is_done():
            return
        self.login_errors = {}
        yield
        options = await write(passkeys.begin_login, caller_of(self))
        yield ask_authenticator("get", options, LoginState.log_in_with_passkey)

    @change
    @one_at_a_time
    async def log_in_with_passkey(self, signed: str) -> AsyncIterator[Any]:
        """Log in with what a passkey signed."""
        if await self._is_done():
            return
        yield
        try:
            token = await run(passkeys.log_in, validated(PasskeyLogin, passkey_form(signed)), await self._caller())
        except RentalError as error:
            yield error_toast(next(iter(error.fields.values()), error.message), **ABOUT_LOGIN)
            return
        for event in await self._enter(token, {}, login.LOGGED_IN, "/vendor"):
            yield event

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
        if self.step:
            async for event in self._go_on(form):
                yield event
            return
        try:
            require_filled(form, _OF_LOGIN)
            token = await hashing.hash_in_queue(login.sign_in, validated(Credentials, form), await self._caller())
        except RentalError as error:
            if challenge := error.details.get("challenge"):
                self._challenge = str(challenge)
                self._go_to(SECOND)
                yield
                yield focus(_TYPED)
                return
            # A toast is gone after four seconds, and which of the two is wrong is told to nobody.
            self.login_errors = error.fields or {"password": error.message}
            yield error_toast(several(self.login_errors) or error.message, **ABOUT_LOGIN)
            yield focus(next(filter(self.login_errors.get, _OF_LOGIN), ""))
            return
        for event in await self._enter(token, form, login.LOGGED_IN, "/vendor"):
            yield event

    async def _go_on(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Do what the step asks for that the login is at."""
        typed = str(form.get("typed") or "")
        try:
            token = await self._stepped(typed)
        except RentalError as error:
            if error.code == "challenge_ended":
                self._go_to("")
            message = next(iter(error.fields.values()), error.message)
            self.login_errors = {"typed" if self.step else "password": message}
            yield error_toast(message, **ABOUT_LOGIN)
            yield
            yield focus(_TYPED if self.step else "password")
            return
        if not token:
            yield
            yield focus(_TYPED)
            return
        for event in await self._enter(token, form, login.LOGGED_IN, "/vendor"):
            yield event

    async def _stepped(self, typed: str) -> str:
        """The token for what was typed at this step; '' if another step follows."""
        caller = await self._caller()
        if self.step == BY_PHONE:
            request = validated(Phone, {"phone": typed})
            await write(phones.ask_login_code, caller, request)
            self._phone = request.phone
            self._go_to(BY_CODE)
            return ""
        if self.step == BY_CODE:
            return await run(phones.log_in, validated(CodeLogin, {"phone": self._phone, "code": typed}), caller)
        answer = validated(StepAnswer, {"challenge": self._challenge, "code": typed})
        return await run(login.give_second_step, answer, caller)

    def _go_to(self, step: str) -> None:
        self.step, self.login_errors = step, {}
        self.step_label, self.step_note, self.step_fill, self.step_keys = _STEPS[step]
        self.other_label = _OTHER_WAYS[step][1]

    @change
    @one_at_a_time
    async def sign_up(self, form: dict[str, Any], in_steps: bool = False) -> AsyncIterator[Any]:
        """Create an account from the form's fields; `in_steps` the first press only checks those about the person."""
        if await self._is_done():
            return
        if in_steps and not self.asks_where:
            async for event in self._check_person(form):
                yield event
            return
        pincode = str(form.get("pincode"))
        self.errors, self._judged_pincode = {}, pincode
        yield
        told = {"isVendor": ticked(form, "isVendor"), "noticeVersion": self._notice_version}
        data = form | self._typed_place(form, pincode) | told
        try:
            registration = await hashing.run_hashing(_read, data, caller_of(self))
            token = await hashing.hash_in_queue(accounts_sign_up.register, registration, await self._caller())
        except RentalError as error:
            self._note_pincode(pincode, error)
            async for event in self._refuse(error.message, self._asked_place(form, error.fields)):
                yield event
            return
        for event in await self._enter(token, form, accounts_sign_up.SIGNED_UP):
            yield event

    async def _caller(self) -> Caller:
        return (await self.get_state(SessionState))._caller_on_device()

    @action
    async def ask_who(self) -> AsyncIterator[Any]:
        """Go back to the step about the person."""
        self.asks_where = False
        yield
        yield focus(_WHO[0])

    async def _check_person(self, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Go on to where the person lives, unless something is wrong with what was said about them."""
        self.errors, wrong = {}, {}
        yield
        try:
            await hashing.run_hashing(_read, form | {"isVendor": ticked(form, "isVendor")}, caller_of(self))
        except RentalError as error:
            wrong = {name: text for name, text in error.fields.items() if name in _WHO}
            if not error.fields:
                raise
        if wrong:
            async for event in self._refuse(next(iter(wrong.values())), wrong):
                yield event
            return
        self.asks_where = True
        yield
        yield focus("pincode")

    async def _refuse(self, message: str, wrong: dict[str, str]) -> AsyncIterator[Any]:
        """Say what is wrong at the fields, and go to the first of them, on a phone in its step."""
        self.errors = wrong
        first = next(filter(wrong.get, _FIELDS), "")
        self.asks_where = self.asks_where and first not in _WHO
        yield error_toast(several(wrong) or message, **ABOUT_LOGIN)
        # A field of a step that is not shown yet cannot have the focus.
        yield
        yield focus(first)

    async def _is_done(self) -> bool:
        """Whether this is the second of two quick presses."""
        return (await self.get_state(SessionState)).logged_in

    async def _enter(self, token: str, form: dict[str, Any], news: str, vendors_home: str = "/") -> list[Any]:
        session = await self.get_state(SessionState)
        await session._remember(token)
        await session._recognise()
        interrupted = str(form.get("after", ""))
        home = vendors_home if session.is_vendor else "/operator" if session.is_operator else "/"
        # Home, or the dashboard for a vendor, unless something was interrupted (docs/decisions).
        is_vendors = _VENDOR_PAGE.fullmatch(interrupted)
        way = "" if interrupted in CONTINUES else interrupted if session.is_staff and is_vendors else home
        if await read(login.took_back_erasure, await session._bearer()):
            news = login.STAYS
        events = [close_dialog(DIALOG, way), success_toast(news, **ABOUT_LOGIN)]
        if is_vendors and not session.is_staff:
            events.append(error_toast(actor.VENDORS_ONLY))
        return [*events, *EVERY_LOGIN, *([CONTINUES[interrupted]] if interrupted in CONTINUES else [])]


def _read(data: Mapping[str, Any], caller: Caller) -> Registration:
    """The sign-up; blank fields are refused in the same words, and with all else that is wrong."""
    refuse_together(partial(require_filled, data, _NEEDED), partial(accounts_sign_up.registration, data, caller))
    return accounts_sign_up.registration(data, caller)
