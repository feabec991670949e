"""Keys that press what the page shows: a control says which by its `data-key`."""

import reflex as rx

_SCRIPT = rx.asset("shortcuts.jsx", shared=True)


class _Shortcuts(rx.Component):
    """The React side; it renders nothing."""

    library = _SCRIPT.importable_path
    tag = "Shortcuts"


def shortcuts() -> rx.Component:
    """Let keys press the controls that name them, and J and K walk through the rows of a list; off while typing."""
    return _Shortcuts.create()


class _Follows(rx.Component):
    """The React side; it renders nothing."""

    library = _SCRIPT.importable_path
    tag = "Follows"
    at: rx.Var[str]


def follows(at: rx.Var[str]) -> rx.Component:
    """Keep the row that is looked at in sight as `at`, which names it, changes."""
    return _Follows.create(at=at)


def on_key(key: str) -> dict[str, str]:
    """The attribute of a control that a key presses, or of a field that it moves the focus to."""
    return {"data-key": key}


# Of a list's rows, or of the link in each.
ROW = {"data-row": "true"}
