"""An input for passwords, whose text can be shown."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("secret.jsx", shared=True)


class _Secret(rx.el.Input):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Secret"


def secret(**props: Any) -> rx.Component:
    """A password's input with a button that shows it; it can be pasted into, and filled by a password manager."""
    return _Secret.create(**props)
