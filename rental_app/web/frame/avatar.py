"""The vendor's picture: pressing it opens the dialog in which another one is chosen."""

import reflex as rx

from rental_app.web.frame.vendor_state import PICTURE, ShellState
from rental_app.web.parts.sent_form.form import sent_form
from rental_app.web.react.modal import modal, opens
from rental_app.web.react.uploads import upload_of_picture

_FACE = (
    "grid size-14 place-items-center overflow-hidden rounded-full bg-(--accent-a4) text-xl font-bold text-(--accent-12)"
    " lg:size-24 lg:text-3xl"
)
# Not an element: the button's accessible name says what it does, not whose initials it shows.
_INITIALS = "before:content-[attr(data-initials)/'']"
_BADGE = (
    "absolute -right-1 -bottom-1 grid size-7 place-items-center rounded-full border-2 border-(--surface)"
    " bg-(--accent-9) text-(--accent-contrast) group-hover:bg-(--accent-10) lg:right-0 lg:bottom-0"
)


def avatar() -> rx.Component:
    """A round button with the picture, or the initials while there is none, and its dialog."""
    return rx.fragment(
        rx.el.button(
            rx.cond(
                ShellState.image,
                rx.el.img(src=ShellState.image, alt="", class_name=f"{_FACE} object-cover"),
                rx.el.span(class_name=f"{_FACE} {_INITIALS}", custom_attrs={"data-initials": ShellState.initials}),
            ),
            rx.el.span(rx.icon("camera", size=14), class_name=_BADGE, aria_hidden="true"),
            type="button",
            class_name="group relative inline-flex shrink-0 cursor-pointer rounded-full",
            custom_attrs=opens(PICTURE) | {"aria-label": "Change profile picture", "aria-haspopup": "dialog"},
        ),
        modal(
            sent_form(
                upload_of_picture(errors=ShellState.errors),
                state=ShellState,
                form_id="picture-form",
                label="Profile picture",
                submit_label="Save picture",
                busy_label="Saving...",
                cancels=True,
                foot_class="mt-5 flex flex-wrap justify-end gap-3",
            ),
            name=PICTURE,
            title="Profile picture",
            max_width="28rem",
            on_open=ShellState.begin,
        ),
    )
