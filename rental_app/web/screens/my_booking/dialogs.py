"""The questions of a booking's page: irreversible actions ask first, and Enter leaves things as they are."""

from typing import Any

import reflex as rx

from rental_app.schemas.trips import MAX_OBJECTION
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import answers, asking, form_dialog
from rental_app.web.parts.field import field, lines_input
from rental_app.web.parts.trips import cancel_cost
from rental_app.web.react.browser_draft import UNASKED, browser_draft
from rental_app.web.react.uploads import objection_photos
from rental_app.web.screens.my_booking.dates import CALLED
from rental_app.web.screens.my_booking.dates_state import CHANGING, EXTENDING, ChangeDatesState, ExtendState
from rental_app.web.screens.my_booking.state import CANCELLING, OBJECTING, STATE_ID, MyBookingState

_OBJECT_FORM = f"{OBJECTING}-form"


def dialogs() -> rx.Component:
    """All of them; each is open or closed in the browser alone."""
    return rx.fragment(_cancel(), _change(), _extend(), _object())


def _answer(label: Any, on_click: Any, look: str = "primary") -> rx.Component:
    return button(label, variant=look, on_click=on_click, disabled=MyBookingState.busy)


def _cancel() -> rx.Component:
    facts, terms, problem = MyBookingState.trip.facts, MyBookingState.terms, MyBookingState.terms_problem
    refused = rx.el.p(problem, class_name="mb-2 rounded-xl bg-(--amber-a3) p-3 text-sm text-(--amber-12)")
    preview = rx.fragment(rx.cond(problem, refused), cancel_cost(terms, problem))
    return asking(
        rx.el.div(preview, role="status", class_name="mt-4 min-h-32"),
        name=CANCELLING,
        title=f"Cancel this {CALLED}?",
        description=f"{facts.vehicle}, {facts.pickup} to {facts.return_at}."
        " A cancellation is final, and the dates are free for others at once.",
        about=MyBookingState.trip.bool(),
        stay=f"Keep the {CALLED}",
        focus_back=STATE_ID,
        answer=rx.cond(
            terms,
            _answer(["Cancel ", CALLED], MyBookingState.cancel(terms.paise), "destroy"),
            rx.cond(problem, _answer("Try again", MyBookingState.preview_cancellation)),
        ),
        on_open=MyBookingState.preview_cancellation,
    )


def _change() -> rx.Component:
    state = ChangeDatesState
    shown = state.price.total_paise, state.price.deposit_paise
    return asking(
        name=CHANGING,
        title=f"Move your request for {state.price.total}?",
        description=f"{state.window}, with a security deposit of {state.price.deposit} at pickup. The dates asked for"
        " so far become free, and the vendor's time to answer starts again.",
        about=state.price.bool(),
        stay="Keep the dates",
        focus_back=STATE_ID,
        answer=_answer("Move the request", state.move(*shown, state.pickup, state.return_at)),
    )


def _extend() -> rx.Component:
    state, shown = ExtendState, ExtendState.extension
    return asking(
        name=EXTENDING,
        title=f"Return later for {shown.extra} more?",
        description=f"Your return will be on {shown.until}, and the booking will cost {shown.total} in total."
        " This cannot be undone.",
        about=shown.bool(),
        stay="Don't extend",
        focus_back=STATE_ID,
        answer=_answer("Extend the booking", state.extend(shown.paise, state.later, shown.kms_included)),
    )


def _object() -> rx.Component:
    subject, regain = MyBookingState.asked_entry + 1, MyBookingState.regain_objection
    return form_dialog(
        field(
            "Describe it",
            "note",
            control=lines_input,
            error=MyBookingState.objection_problem,
            rows="4",
            max_length=MAX_OBJECTION,
        ),
        objection_photos(waiting=MyBookingState.waiting_photos),
        answers("Not now", submit("Send to the vendor", disabled=MyBookingState.busy)),
        name=OBJECTING,
        title="What is not right?",
        form_id=_OBJECT_FORM,
        form={"custom_attrs": UNASKED},
        no_validate=False,
        beside=(browser_draft(_OBJECT_FORM, subject, regain, reloads=True),),
        description=f"{MyBookingState.asked_about}. The vendor is told at once.",
        about=MyBookingState.asked_about != "",
        focus_back=STATE_ID,
        on_submit=MyBookingState.object_to,
    )
