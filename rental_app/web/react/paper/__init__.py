"""A page of a paper, or a photo, that an operator reads closely."""

import reflex as rx

# Its way of loading files is used.
from rental_app.web.react import uploads  # noqa: F401

_SCRIPT = rx.asset("paper.jsx", shared=True)
_LOOK = "block w-full min-h-40 rounded-xl bg-(--gray-a3)"


class _Paper(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Paper"

    url: rx.Var[str]
    name: rx.Var[str]
    is_picture: rx.Var[bool]
    look: rx.Var[str] = rx.Var.create(_LOOK)
    button: rx.Var[str]
    failure: rx.Var[str] = rx.Var.create("This could not be loaded.")
    again: rx.Var[str] = rx.Var.create("Try again")


def paper(url: rx.Var[str], name: rx.Var[str], is_picture: rx.Var[bool], button: str) -> rx.Component:
    """The picture or PDF at a path of ours: pictures get larger by a press, or by Z; `button` is how buttons look."""
    return _Paper.create(url=url, name=name, is_picture=is_picture, button=button)
