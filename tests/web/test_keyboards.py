"""Which keys a phone shows for the fields of numbers and codes, and what it offers to fill in."""

import re
from types import SimpleNamespace
from typing import Any

import reflex as rx

from rental_app.web.frame import login_dialog
from rental_app.web.screens.account import dialogs
from rental_app.web.session.login import BY_CODE, BY_PHONE, SECOND, LoginState
from tests.support.rendered import rendered
from tests.support.rows import each

NAMES = ("step", "step_label", "step_note", "step_fill", "step_keys")


def input_of(component: rx.Component, name: str, **state: Any) -> dict[str, str]:
    """Return the attributes of a component's input of a name, as it is shown in a state of login and account."""
    shown = SimpleNamespace(**{"errors": {}, "login_errors": {}} | state)
    tags = re.findall("<input[^>]*>", rendered(component, login_state=shown, account_state=shown))
    (found,) = (given for tag in tags if (given := dict(re.findall('([a-z-]+)="([^"]*)"', tag)))["name"] == name)
    return found


@each(
    ("step", "shown"),
    [
        (BY_PHONE, ("tel", "tel-national")),
        (BY_CODE, ("numeric", "one-time-code")),
        (SECOND, ("text", "one-time-code")),
    ],
)
def test_a_login_by_text_asks_for_a_number_and_then_for_a_code(step: str, shown: tuple[str, str]) -> None:
    state = LoginState()
    state._go_to(step)
    found = input_of(login_dialog._typed(), "typed", **{name: getattr(state, name) for name in NAMES})
    assert (found["inputmode"], found["autocomplete"]) == shown


def test_codes_of_texts_and_apps_are_digits_and_recovery_codes_have_letters() -> None:
    assert input_of(dialogs._key_form(), "code", key="ABCD")["inputmode"] == "numeric"
    found = input_of(dialogs._code("Code from the app, or a recovery code"), "code")
    assert (found["inputmode"], found["autocomplete"]) == ("text", "one-time-code")
