"""The buttons of all pages; their looks are the theme's."""

from typing import Any

import reflex as rx

from rental_app.web.parts.theme import BUTTON


def button(
    *content: Any,
    variant: str = "quiet",
    extra: str = "",
    label: rx.Var[str] | str = "",
    custom_attrs: dict[str, Any] | None = None,
    **props: Any,
) -> rx.Component:
    """A button of a `variant` of the theme, placed by `extra` classes; it sends no form unless its `type` says so.

    One that looks like a word or an icon has a `class_name` of its own. A `label` says what it does where its content
    does not.
    """
    look = {"type": "button", "class_name": f"{BUTTON[variant]} {extra}" if extra else BUTTON[variant]}
    named = {"aria-label": label} if isinstance(label, rx.Var) or label else {}
    return rx.el.button(*content, custom_attrs=(custom_attrs or {}) | named, **look | props)


def submit(*content: Any, variant: str = "primary", **props: Any) -> rx.Component:
    """The button that sends its form."""
    return button(*content, variant=variant, type="submit", **props)
