"""A long form in steps: each says how much is still to fill in, and one is shown at a time, or all of them."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("steps.jsx", shared=True)
rx.asset("steps.css", shared=True)
rx.asset("words.js", shared=True)
# steps.css names them, too.
VEHICLE, PAPERS, PRICES, PHOTOS = "vehicle", "papers", "prices", "photos"
_LABELS = {VEHICLE: "Vehicle", PAPERS: "Documents", PRICES: "Prices", PHOTOS: "Photos"}


class _Steps(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Steps"

    steps: rx.Var[list[dict[str, str]]]


def steps(*content: rx.Component, **props: Any) -> rx.Component:
    """Wraps a form whose parts are marked by `of_step`. The address says which step is shown (`#papers`).

    The inputs with `aria-required` and the groups of files count as to be filled in.
    """
    named = [{"id": step, "label": label} for step, label in _LABELS.items()]
    return _Steps.create(*content, steps=named, **props)


def of_step(step: str) -> str:
    """The class of a part that belongs to a step; outside of `steps` it means nothing."""
    return f"step-{step}"
