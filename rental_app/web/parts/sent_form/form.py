"""The forms of vendors' dialogs and pages: sent as a whole, with the number of the round they were filled in."""

from typing import Any

import reflex as rx

from rental_app.web.parts.button import button, submit
from rental_app.web.parts.sent_form.state import SentForm


def sent_form(
    *content: rx.Component,
    state: type[SentForm],
    form_id: str,
    label: str,
    submit_label: str,
    busy_label: str,
    foot_class: str,
    cancels: bool = False,
    **props: Any,
) -> rx.Component:
    """A form that is sent to `state.submit`; `busy_label` is shown while that works.

    With `cancels` it has a button that closes the dialog it is in.
    """
    cancel = button("Cancel", custom_attrs={"data-closes": "true"})
    return rx.el.form(
        rx.el.input(type="hidden", name="round", default_value=state.round),
        *content,
        rx.el.div(
            cancel if cancels else None,
            submit(
                rx.cond(state.busy, busy_label, submit_label),
                extra="aria-disabled:cursor-progress aria-disabled:opacity-70",
                custom_attrs={"aria-disabled": rx.cond(state.busy, "true", "false")},
            ),
            class_name=foot_class,
        ),
        id=form_id,
        on_submit=state.submit,
        no_validate=True,
        # Browsers would restore a reloaded form's choices on their own, over those of the draft.
        auto_complete="off",
        custom_attrs={"aria-label": label, "data-dirty": "false"},
        **props,
    )
