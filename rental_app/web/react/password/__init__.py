"""A password's input, which can show what is typed into it."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("password.jsx", shared=True)


class _Password(rx.el.Input):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Password"


def password(**props: Any) -> rx.Component:
    """An input that hides its text until its own button shows it; its text belongs to the browser."""
    return _Password.create(**props)
