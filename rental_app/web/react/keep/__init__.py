"""Buttons to copy, save and print a text of the page; nothing of it goes over the server."""

import reflex as rx

# Its way of saving files is used.
from rental_app.web.react import uploads  # noqa: F401

_SCRIPT = rx.asset("keep.jsx", shared=True)

# On what is printed of a page, instead of the rest (assets/site.css).
PRINTS = {"data-prints": "true"}
_FAILED = "Your browser did not let us copy: please mark the text and copy it"


class _Keep(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Keep"

    text: rx.Var[str]
    save_as: rx.Var[str]
    copied: rx.Var[str] = rx.Var.create("Copied")
    failed: rx.Var[str] = rx.Var.create(_FAILED)


class _Copy(rx.Component):
    """The button that copies alone."""

    library = _SCRIPT.importable_path
    tag = "Copy"

    text: rx.Var[str]
    label: rx.Var[str]
    copied: rx.Var[str] = rx.Var.create("Copied")
    failed: rx.Var[str] = rx.Var.create(_FAILED)


def copy(label: str, text: rx.Var[str] | str, class_name: str) -> rx.Component:
    """A button that copies a text of the page."""
    return _Copy.create(label=label, text=text, class_name=class_name)


def keep(text: rx.Var[str] | str, save_as: str, class_name: str) -> rx.Component:
    """Copy, Download as a text file of that name, and Print, which prints what is marked `PRINTS`; `class_name` is how
    each button looks."""
    return _Keep.create(text=text, save_as=save_as, class_name=class_name)
