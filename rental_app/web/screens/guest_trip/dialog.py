"""The dialog in which a guest asks for a code, and does what it is for."""

import reflex as rx

from rental_app.schemas.trips import MAX_OBJECTION
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import alert_line, answers, form_dialog
from rental_app.web.parts.field import field, lines_input
from rental_app.web.parts.theme import BUTTON, MUTED
from rental_app.web.parts.trips import cancel_cost
from rental_app.web.react.browser_draft import UNASKED, browser_draft
from rental_app.web.screens.guest_trip.state import ACTING, CODE_FIELD, HEADING, NOTE_FIELD
from rental_app.web.screens.guest_trip.state import GuestTripState as State

_TITLES = {
    "yes": "Agree to the change?",
    "no": "Keep the booking as it is?",
    "cancel": "Cancel this booking?",
    "object": "Object",
}
_FORM = f"{ACTING}-form"
_BUTTONS = {"yes": "Agree", "no": "Keep it as it is", "cancel": "Cancel booking", "object": "Object"}


def act_dialog() -> rx.Component:
    """It says what will be done and what that costs, has a code sent, and takes the code."""
    # Nobody agrees to terms that they have not seen.
    is_known = (State.act != "cancel") | State.terms.bool()
    subject = rx.cond(State.trip & (State.act != ""), f"{State.act} {State.entry}", "")
    whose = rx.cond(State.trip, State.trip.facts.reference, "")
    return form_dialog(
        rx.cond(
            State.act == "cancel",
            rx.el.div(cancel_cost(State.terms, State.act_problem), role="status", class_name="min-h-32"),
        ),
        rx.cond(State.act == "object", _note()),
        alert_line(State.act_problem),
        rx.cond(State.code_sent, _code(), _no_code_yet()),
        answers("Not now", rx.cond(State.code_sent, _confirm(), rx.cond(is_known, _send("primary")))),
        name=ACTING,
        title=rx.match(State.act, *_TITLES.items(), ""),
        form_id=_FORM,
        form={"custom_attrs": UNASKED},
        subject=subject,
        beside=(browser_draft(_FORM, subject, State.regain, reloads=True, whose=whose),),
        description=State.about,
        about=State.act != "",
        over=False,
        focus_back=HEADING,
        on_submit=State.confirm,
        look="mt-2 flex flex-col gap-3",
    )


def _note() -> rx.Component:
    return field(
        "What is not right?",
        "note",
        control=lines_input,
        id=NOTE_FIELD,
        error=State.errors["note"],
        rows="4",
        max_length=MAX_OBJECTION,
    )


def _no_code_yet() -> rx.Component:
    return rx.el.p(
        "To know that it is you, we text a code of six digits to the booking's mobile.", class_name=f"{MUTED} text-sm"
    )


def _code() -> rx.Component:
    return rx.el.div(
        rx.el.p(State.code_sent, role="status", class_name="mb-3 text-sm"),
        field(
            "Code from the text message",
            "code",
            id=CODE_FIELD,
            input_mode="numeric",
            auto_complete="one-time-code",
            max_length=10,
            error=State.errors["code"],
        ),
        _send("quiet", "mt-3 text-sm", again=True),
        # Another code, another field: what was typed for the one before is done with.
        key=State.code_sent,
    )


def _send(variant: str, extra: str = "", *, again: bool = False) -> rx.Component:
    label = "Send another code" if again else f"Send a code to {State.trip.code_to}"
    return button(label, variant=variant, extra=extra, on_click=State.send_code, disabled=State.busy)


def _confirm() -> rx.Component:
    look = rx.cond(State.act == "cancel", BUTTON["destroy"], BUTTON["primary"])
    return submit(rx.match(State.act, *_BUTTONS.items(), ""), disabled=State.busy, class_name=look)
