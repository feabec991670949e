"""An input for numbers that are not quantities: mobile numbers and pincodes."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("digits.jsx", shared=True)
rx.asset("mobile.js", shared=True)


class _Digits(rx.el.Input):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Digits"

    most: rx.Var[int]


def digits(**props: Any) -> rx.Component:
    """An input that takes at most `most` digits and nothing else; its text belongs to the browser."""
    return _Digits.create(**props)
