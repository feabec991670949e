"""The questions of a booking's page: each comes before something irreversible."""

from datetime import timedelta
from typing import Any

import reflex as rx

from rental_app.domain.account import TIME_TO_RESTORE
from rental_app.domain.cancellation import BLOCKING, CANCEL_REASONS, TIME_FOR_MISTAKES
from rental_app.domain.uploads import ANSWER_GROUP, MAX_OBJECTION_PHOTOS
from rental_app.schemas.trips import MAX_OBJECTION
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import answers, asking, form_dialog
from rental_app.web.parts.field import field, lines_input
from rental_app.web.parts.theme import CHECKBOX
from rental_app.web.react.modal import modal
from rental_app.web.react.uploads import trip_photos
from rental_app.web.vendor.booking.readings_state import TAKE_BACK, UNPAID, ReadingState
from rental_app.web.vendor.booking.state import (
    ABSENT,
    ANSWER,
    EXTEND,
    GIVE_UP,
    GIVE_UP_REASON,
    MOVE,
    TAKE_BACK_LINE,
    VendorTripState,
    field_id,
)

NOT_NOW = "Not now"
_TAKES_BACK = (
    "A line that reverses it is added: the customer sees both. If it was a charge, it can be restored"
    f" for {TIME_TO_RESTORE // timedelta(minutes=1)} minutes; after that the customer would have to agree."
)


_GIVES_UP = (
    "The customer owes nothing, and you owe them everything they have paid. They are told at once, with similar"
    " vehicles. Your public page counts it, unless you confirmed it less than"
    f" {TIME_FOR_MISTAKES // timedelta(minutes=1)} minutes ago."
)


_MOVES = (
    "A vehicle of the same model takes its place at once. For another model we ask the customer first, and hold it for"
    " them. They never pay more than was agreed."
)


def questions() -> rx.Component:
    """Those that are only answered; each is opened by its control."""
    return rx.fragment(
        _question(
            ABSENT,
            "Mark a no-show?",
            "Everything paid for the vehicle is kept, and the deposit goes back in full. This cannot be undone.",
            "Mark a no-show",
            VendorTripState.mark_absent,
        ),
        _question(
            EXTEND,
            "Extend this booking?",
            VendorTripState.extension,
            "Extend",
            VendorTripState.extend,
            about=VendorTripState.extension != "",
        ),
    )


def typed_dialogs() -> rx.Component:
    """Those that something is typed into: they stay open while a restarted server identifies the user again."""
    return rx.fragment(_move(), _take_back_line(), _answer(), _give_up())


def _typed(
    *content: rx.Component, name: str, subject: rx.Var[int], send: str, variant: str = "primary", **props: Any
) -> rx.Component:
    """A dialog that something is typed into about a `subject` of the booking."""
    sending = submit(send, variant=variant, disabled=VendorTripState.busy)
    named = {"name": name, "form_id": name, "subject": subject, "focus_back": "booking"}
    return form_dialog(*content, answers(NOT_NOW, sending), **named | props)


def _asked_for(name: str) -> rx.Var[int]:
    """The booking's id, if the dialog of that name was opened for it; else 0."""
    return rx.cond(VendorTripState.trip & (VendorTripState.opened_dialog == name), VendorTripState.trip.id, 0)


def _question(
    name: str,
    title: str,
    description: rx.Var[str] | str,
    answer: str,
    on_click: rx.EventHandler,
    about: rx.Var[bool] | bool = True,
) -> rx.Component:
    return asking(
        stay=NOT_NOW,
        answer=button(answer, variant="primary", on_click=on_click, disabled=VendorTripState.busy),
        name=name,
        title=title,
        description=description,
        about=about,
        # Once answered, the control that opened it may be gone.
        focus_back="booking",
    )


def _move() -> rx.Component:
    return _typed(
        field(
            "Which one",
            "vehicle",
            rx.foreach(VendorTripState.move_choices, lambda one: rx.el.option(one.label, value=one.value)),
            control=rx.el.select,
            id="move-vehicle",
        ),
        _known_to_customer(MOVE),
        name=MOVE,
        title="Move to another vehicle?",
        label="Move to another vehicle",
        description=_MOVES,
        about=VendorTripState.trip.bool(),
        subject=_asked_for(MOVE),
        regain=VendorTripState.regain_move,
        on_submit=VendorTripState.move,
        send="Move it",
    )


def _known_to_customer(place: str) -> rx.Component:
    return field(
        "What the customer should know",
        "note",
        id=field_id(place),
        max_length=MAX_TEXT,
        auto_complete="off",
        error=VendorTripState.errors[place],
    )


def return_question() -> rx.Component:
    """The last question of a return: its title says what becomes of the money, its button which vehicle it is."""
    settled = ReadingState.settlement
    return modal(
        answers(
            "Back to the lines",
            button(
                "Receive ",
                VendorTripState.trip.plate,
                variant="primary",
                on_click=ReadingState.take_back,
                disabled=ReadingState.busy,
            ),
        ),
        name=TAKE_BACK,
        title=rx.cond(settled, settled.outcome, "Receive vehicle"),
        about=ReadingState.shown != "",
        description=f"{VendorTripState.trip.customer} sees every line and photo at once and may object.",
        max_width="28rem",
    )


def handover_question() -> rx.Component:
    """The second question of a handover: why the vehicle goes out with money unpaid."""
    unpaid = "Hand over with money unpaid"
    return form_dialog(
        field(
            "Why it goes out unpaid",
            "unpaidReason",
            max_length=MAX_TEXT,
            auto_complete="off",
            error=ReadingState.errors["unpaidReason"],
        ),
        answers(NOT_NOW, submit(unpaid, variant="refuse", disabled=ReadingState.busy)),
        name=UNPAID,
        title=f"{unpaid}?",
        label=unpaid,
        description=f"{ReadingState.unpaid}. The reason stands in the booking, with your name.",
        about=ReadingState.unpaid != "",
        focus_back="booking",
        on_submit=ReadingState.hand_over_unpaid,
        look="",
    )


def _give_up() -> rx.Component:
    return _typed(
        field(
            "Why",
            "reason",
            # Nobody is told of a breakdown that was not.
            rx.el.option("Choose a reason", value=""),
            *[rx.el.option(text, value=reason) for reason, text in CANCEL_REASONS.items()],
            control=rx.el.select,
            id=GIVE_UP_REASON,
            required=True,
            error=VendorTripState.errors[GIVE_UP_REASON],
            on_change=VendorTripState.choose_reason,
        ),
        _known_to_customer(GIVE_UP),
        rx.el.label(
            rx.el.input(
                type="checkbox",
                name="block",
                value="1",
                # Another reason makes another box, ticked or not as is usual for it.
                key=VendorTripState.give_up_reason,
                default_checked=rx.Var.create(list(BLOCKING)).contains(VendorTripState.give_up_reason),
                class_name=CHECKBOX,
            ),
            "Block this vehicle for these days",
            class_name="flex min-h-11 items-center gap-3",
        ),
        name=GIVE_UP,
        title="Cancel this booking?",
        label="Cancel this booking",
        description=_GIVES_UP,
        about=VendorTripState.trip.bool(),
        subject=_asked_for(GIVE_UP),
        regain=VendorTripState.regain_give_up,
        on_open=VendorTripState.ask_give_up,
        on_submit=VendorTripState.give_up,
        send="Cancel this booking",
        variant="refuse",
    )


def _answer() -> rx.Component:
    return _typed(
        field(
            "Your answer",
            "note",
            id=field_id(ANSWER),
            control=lines_input,
            rows="4",
            max_length=MAX_OBJECTION,
            error=VendorTripState.errors[ANSWER],
        ),
        trip_photos(ANSWER_GROUP, most=MAX_OBJECTION_PHOTOS, waiting=rx.Var.create([]), errors=VendorTripState.errors),
        name=ANSWER,
        title="Answer this objection",
        label="Answer to an objection",
        description=f"{VendorTripState.objection_about} The customer is told; an answer cannot be changed.",
        about=VendorTripState.objection_about != "",
        subject=VendorTripState.asked_objection,
        regain=VendorTripState.regain_answer,
        on_submit=VendorTripState.answer,
        send="Answer",
    )


def _take_back_line() -> rx.Component:
    return _typed(
        field(
            "Why it is wrong",
            "note",
            id=field_id(TAKE_BACK_LINE),
            max_length=MAX_TEXT,
            auto_complete="off",
            error=VendorTripState.errors[TAKE_BACK_LINE],
        ),
        name=TAKE_BACK_LINE,
        title="Reverse this line?",
        label="Reverse a line",
        description=f"{VendorTripState.asked_about}. {_TAKES_BACK}",
        about=VendorTripState.asked_about != "",
        subject=VendorTripState.asked_line,
        regain=VendorTripState.regain_line,
        on_submit=VendorTripState.reverse,
        send="Reverse",
        look="",
    )
