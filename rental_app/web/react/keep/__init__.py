"""Buttons to copy, save and print a text of the page; nothing of it goes over the server."""

import reflex as rx

# Its way of saving files is used.
from rental_app.web.react import uploads  # noqa: F401

_SCRIPT = rx.asset("keep.jsx", shared=True)

# On what is printed of a page, instead of the rest (assets/site.css).
PRINTS = {"data-prints": "true"}


class _Keep(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Keep"

    text: rx.Var[str]
    save_as: rx.Var[str]
    copied: rx.Var[str] = rx.Var.create("Copied")
    failed: rx.Var[str] = rx.Var.create("Your browser did not let us copy: please mark the text and copy it")


def keep(text: rx.Var[str] | str, save_as: str, class_name: str) -> rx.Component:
    """Copy, Download as a text file of that name, and Print, which prints what is marked `PRINTS`; `class_name` is how
    each button looks."""
    return _Keep.create(text=text, save_as=save_as, class_name=class_name)
