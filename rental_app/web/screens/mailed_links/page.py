"""The pages that mailed links lead to: an e-mail is confirmed, changed or taken back, and a new password is set."""

import reflex as rx

from rental_app.schemas.validation import LABELS
from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.public import layout
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field, lasting_form
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice
from rental_app.web.parts.theme import COLUMN, MUTED, PAGE_TITLE, PANEL, SECTION_TITLE
from rental_app.web.react.by_link import UNLESS_LINKED, by_link
from rental_app.web.react.secret import secret
from rental_app.web.screens.mailed_links.state import EMAIL, INVITATION, PASSWORD, TOKEN
from rental_app.web.screens.mailed_links.state import MailedLinkState as State
from rental_app.web.session.base import SessionState

_DONE = State.done != ""


def verify_email() -> rx.Component:
    """Confirms the email of an account."""
    text = "Press the button, so that we know our messages reach you."
    return _page("Confirm your email", text, "Confirm my email", State.verify, link_button("Go on", "/account"))


def confirm_email() -> rx.Component:
    """Changes the email of an account to the one that the link was sent to."""
    text = "Press the button to use this address for your account from now on."
    return _page("Confirm your new email", text, "Use this address", State.confirm, link_button("Go on", "/account"))


def undo_email() -> rx.Component:
    """Takes a change of an account's email back."""
    text = "Press the button to give your account its old address back. Everyone is logged out."
    set_password = link_button("Set a new password", "/reset-password")
    return _page("Keep your email", text, "This was not me", State.undo, set_password)


def decline_email() -> rx.Component:
    """Takes an address from an account that somebody else has made with it."""
    text = "Press the button to take your address off the account that was made with it."
    return _page("I did not sign up", text, "I did not sign up", State.decline, link_button("Go on", "/"))


def not_me() -> rx.Component:
    """Takes off an account what somebody else has added to it."""
    text = (
        "Press the button to take off everything that was added to your account since our message: authenticator app,"
        " passkeys, recovery codes, a confirmed mobile number, and the people and calendar addresses of a business."
        " Everyone is logged out."
    )
    set_password = link_button("Set a new password", "/reset-password")
    return _page("Keep your account", text, "This was not me", State.not_me, set_password)


def keep_account() -> rx.Component:
    """Stops another email or mobile number that somebody has asked an operator for."""
    text = "Press the button to keep your account's email and mobile number as they are."
    set_password = link_button("Set a new password", "/reset-password")
    return _page("Keep your account", text, "This was not me", State.keep_account, set_password)


def join() -> rx.Component:
    """Shows who invites whom to what, and accepts it in the account that is logged in."""
    on_way = link_button("Go to the dashboard", "/vendor")
    return layout(
        rx.el.div(
            rx.el.h1("You are invited", class_name=f"{PAGE_TITLE} mb-6"),
            by_link(
                rx.cond(State.done, notice("Done", State.done, on_way), _invitation()),
                done=_DONE,
                on_link=State.show_linked,
            ),
            class_name=f"{COLUMN} min-h-[70vh] pt-8 pb-12",
        )
    )


def _invitation() -> rx.Component:
    """Who invites, once that is known; until then, a link can be pasted."""
    offer = rx.fragment(
        rx.el.p(State.invited_by, class_name="text-xl font-bold wrap-anywhere"),
        rx.el.p(f"invites you to work in their rental business. You could {State.invited_to}.", class_name="-mt-3"),
        rx.el.p(
            "They see your name and email, and what you do for them. You can stop at any time.",
            class_name=f"{MUTED} text-sm",
        ),
    )
    login = rx.fragment(
        rx.el.p("Log in with the account that this message was sent to, or create one with its address."),
        button("Login", variant="primary", custom_attrs=opens_login(INVITATION)),
    )
    accepting = rx.cond(SessionState.logged_in, submit("Accept", disabled=State.busy), login)
    return lasting_form(
        rx.cond(State.invited_by, offer),
        _token(),
        rx.cond(State.invited_by, accepting, submit("See the invitation", disabled=State.busy)),
        on_submit=State.join,
        class_name=f"{PANEL} flex flex-col items-start gap-4 p-4 sm:p-6",
    )


def _page(title: str, text: str, label: str, on_press: rx.EventHandler, way_on: rx.Component) -> rx.Component:
    return layout(
        rx.el.div(
            rx.el.h1(title, class_name=f"{PAGE_TITLE} mb-6"),
            by_link(rx.cond(State.done, notice("Done", State.done, way_on), _form(text, label, on_press)), done=_DONE),
            class_name=f"{COLUMN} min-h-[70vh] pt-8 pb-12",
        )
    )


def _form(text: str, label: str, on_press: rx.EventHandler) -> rx.Component:
    return lasting_form(
        rx.el.p(text, class_name=MUTED),
        _token(),
        # Of the account, where it is not the one that is logged in.
        rx.cond(State.asks_password, _secret("Password of the account", "current-password")),
        submit(label, disabled=State.busy),
        # Who has forgotten it gets in by a link of another kind.
        rx.cond(State.asks_password, link_button("I do not know the password", "/reset-password", "quiet")),
        on_submit=on_press,
        class_name=f"{PANEL} flex flex-col gap-4 p-4 sm:p-6",
    )


def _token() -> rx.Component:
    """Shown again once it is refused: another one may be pasted."""
    error = State.errors["token"]
    box = rx.cond(error, "", UNLESS_LINKED)
    return field("Link from the message", "token", id=TOKEN, auto_complete="off", error=error, box=box)


def _secret(label: str, purpose: str, hint: str = "") -> rx.Component:
    return field(
        label,
        "password",
        id=PASSWORD,
        control=secret,
        required=True,
        auto_complete=purpose,
        error=State.errors["password"],
        hint=hint,
    )


_FORM = "mt-4 flex flex-col gap-4"


def reset_password() -> rx.Component:
    """Asks for a link; opened by one, it asks for the new password alone."""
    login = button("Login", variant="primary", custom_attrs=opens_login())
    return layout(
        rx.el.div(
            rx.el.h1("Set a new password", class_name=f"{PAGE_TITLE} mb-6"),
            by_link(
                rx.cond(
                    State.done,
                    notice("Done", State.done, login),
                    rx.el.div(_ask(), _set(), class_name="flex flex-col gap-5"),
                ),
                done=_DONE,
            ),
            class_name=f"{COLUMN} min-h-[70vh] pt-8 pb-12",
        )
    )


def _ask() -> rx.Component:
    form = lasting_form(
        field(
            LABELS["email"],
            "email",
            id=EMAIL,
            type="email",
            auto_complete="email",
            required=True,
            error=State.errors["email"],
        ),
        submit("Send me a link", disabled=State.busy),
        rx.el.p(State.link_answer, role="status", class_name="font-medium empty:-mt-4"),
        on_submit=State.ask,
        class_name=_FORM,
    )
    return rx.el.section(
        rx.el.h2("Forgot your password?", class_name=SECTION_TITLE),
        rx.el.p("We send a link to the email of your account.", class_name=f"{MUTED} mt-1"),
        form,
        class_name=f"{PANEL} p-4 sm:p-6 {UNLESS_LINKED}",
    )


def _set() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Got the link?", class_name=f"{SECTION_TITLE} {UNLESS_LINKED}"),
        rx.el.p(
            "If the link in the message does not open here, copy it and paste it below.",
            class_name=f"{MUTED} mt-1 {UNLESS_LINKED}",
        ),
        lasting_form(
            _token(),
            _secret("New password", "new-password", "At least 8 characters, and nothing that is easy to guess."),
            submit("Set the new password", disabled=State.busy),
            on_submit=State.set_password,
            class_name=_FORM,
        ),
        class_name=f"{PANEL} p-4 sm:p-6",
    )
