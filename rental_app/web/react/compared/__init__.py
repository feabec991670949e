"""Two photos that are compared: the handover's beside the one taken now, in full screen with one zoom for both."""

import reflex as rx

# Its way of loading files is used.
from rental_app.web.react import uploads  # noqa: F401

_SCRIPT = rx.asset("compared.jsx", shared=True)
for _part in ("view.js", "compared.css"):
    rx.asset(_part, shared=True)


class _Compared(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Compared"

    name: rx.Var[str]
    before: rx.Var[str]
    now: rx.Var[str]
    before_when: rx.Var[str]
    now_when: rx.Var[str]
    failure: rx.Var[str] = rx.Var.create("This could not be loaded.")
    again: rx.Var[str] = rx.Var.create("Try again")


def compared(
    name: rx.Var[str], *, before: rx.Var[str], before_when: rx.Var[str] | str, now: rx.Var[str], now_when: str
) -> rx.Component:
    """The photos at two of our paths, each with when it was taken; those of a missing one say that it is not there."""
    return _Compared.create(name=name, before=before, before_when=before_when, now=now, now_when=now_when)
