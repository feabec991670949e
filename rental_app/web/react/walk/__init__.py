"""A task of several steps that fills a phone's screen: one step is shown, and the address says which (`#photos`)."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("walk.jsx", shared=True)
rx.asset("walk.css", shared=True)
# What the saved state says while the server cannot be reached.
KEPT_HERE = "Kept on this phone"


class _Walk(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Walk"

    title: rx.Var[str]
    steps: rx.Var[list[dict[str, str]]]
    done: rx.Var[list[str]]
    to: rx.Var[str]
    turn: rx.Var[int]
    saved: rx.Var[str]
    dark: rx.Var[list[str]]
    kept: rx.Var[str] = rx.Var.create(KEPT_HERE)


def walk(*content: rx.Component, **props: Any) -> rx.Component:
    """Content whose parts are marked by `part_of`, below the heading and a segment for each of `steps` (id and label).

    `done` are the steps that can be gone back to. The page goes to the step `to` whenever `turn` grows; its title
    gets the focus. `saved` says when something was last saved. Those of the steps that are `dark` are so in light, too.
    """
    return _Walk.create(*content, **props)


def part_of(step: str) -> dict[str, str]:
    """The attributes of the part that is a step; its first heading gets the focus when it is shown."""
    return {"data-part": step}
