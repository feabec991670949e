"""The login dialog's other ways: a code by text, and the second step, behind the browser."""

import json
from typing import Any

import pyotp

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.models import User
from rental_app.schemas.sign_in import Phone, PhoneCode
from rental_app.services.accounts import passkeys, phones, second_step
from rental_app.services.accounts.proofs import Purpose
from rental_app.web.session.base import SessionState
from rental_app.web.session.login import LoginState
from tests.support.accounts import latest_token
from tests.support.authenticator import with_passkey
from tests.support.shop import PASSWORD, VISITOR, Shop, actor
from tests.support.state_tabs import answers, journey, tab_of


def confirm_phone(user: User) -> None:
    write(phones.send_code, actor(user), Phone(phone=user.phone_number))
    code = latest_token(Purpose.VERIFY_PHONE)
    phones.verify(PhoneCode(phone=user.phone_number, code=code), actor(user))


# What the script that asks a device answers without a passkey, and what people are told then.
REFUSALS = {
    '{"refused": "cancelled"}': "Nothing has changed",
    '{"refused": "known"}': "has a passkey for this account already",
    '{"refused": "cannot"}': "This browser cannot use a passkey",
    '{"refused": []}': "This browser cannot use a passkey",
}


async def who_is_in(dialog: LoginState) -> Any:
    session = await dialog.get_state(SessionState)
    return session.user_name if session.logged_in else None


@journey
async def test_a_code_by_text_logs_in(shop: Shop) -> None:
    confirm_phone(shop.customer)
    dialog = await tab_of(None, LoginState)
    assert "typed" in await answers(dialog.other_way())
    await answers(dialog.log_in({"typed": "12345"}))
    assert (dialog.step, [*dialog.login_errors]) == ("phone", ["typed"])
    await answers(dialog.log_in({"typed": f"+91 {shop.customer.phone_number}"}))
    assert (dialog.step, dialog.step_note) == ("code", phones.CODE_SENT)
    await answers(dialog.log_in({"typed": "12"}))
    assert "6 digits" in dialog.login_errors["typed"]
    await answers(dialog.log_in({"typed": latest_token(Purpose.LOGIN_CODE), "after": ""}))
    assert await who_is_in(dialog) == shop.customer.name


@journey
async def test_an_unknown_number_is_told_the_same(shop: Shop) -> None:
    dialog = await tab_of(None, LoginState)
    await answers(dialog.other_way())
    await answers(dialog.log_in({"typed": "9123456780"}))
    assert (dialog.step, dialog.step_note) == ("code", phones.CODE_SENT)
    # Another code first, and then the password.
    await answers(dialog.other_way())
    assert (dialog.step, dialog.other_label) == ("phone", "Use email and password")
    await answers(dialog.other_way())
    assert (dialog.step, dialog.step_note) == ("", "")


@journey
async def test_a_second_step_follows_the_password(shop: Shop) -> None:
    app = pyotp.TOTP(write(second_step.set_up, actor(shop.customer)).secret)
    codes = write(second_step.confirm, actor(shop.customer), app.at(clock.now()))
    dialog = await tab_of(None, LoginState)
    form = {"email": shop.customer.email, "password": PASSWORD}
    assert "typed" in await answers(dialog.log_in(form))
    assert dialog.step == "second"
    assert await who_is_in(dialog) is None
    await answers(dialog.log_in({"typed": "000000"}))
    assert dialog.login_errors.keys() == {"typed"}
    await answers(dialog.log_in({"typed": codes[0], "after": ""}))
    assert await who_is_in(dialog) == shop.customer.name


@journey
async def test_a_challenge_that_is_over_leads_back_to_the_password(shop: Shop) -> None:
    app = pyotp.TOTP(write(second_step.set_up, actor(shop.customer)).secret)
    write(second_step.confirm, actor(shop.customer), app.at(clock.now()))
    dialog = await tab_of(None, LoginState)
    await answers(dialog.log_in({"email": shop.customer.email, "password": PASSWORD}))
    for _ in range(6):
        await answers(dialog.log_in({"typed": "000000"}))
    assert (dialog.step, [*dialog.login_errors]) == ("", ["password"])


@journey
async def test_a_passkey_logs_in_without_the_form(shop: Shop) -> None:
    phone = with_passkey(shop.customer)
    dialog = await tab_of(None, LoginState)
    assert "passkeys.js" in await answers(dialog.use_passkey())
    for said, told in {**REFUSALS, "": "did not arrive", "[]": "toast"}.items():
        assert told in await answers(dialog.log_in_with_passkey(said)), said
    assert await who_is_in(dialog) is None
    await answers(dialog.log_in_with_passkey(json.dumps(phone.sign(write(passkeys.begin_login, VISITOR)))))
    assert await who_is_in(dialog) == shop.customer.name
