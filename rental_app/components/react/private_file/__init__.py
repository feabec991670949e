"""Files that belong to somebody: the browser asks for them with the token it keeps, which no plain link carries."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("private_file.jsx", shared=True)


class _PrivateFile(rx.Component):
    library = _SCRIPT.importable_path
    tag = "PrivateFile"

    url: rx.Var[str]
    name: rx.Var[str]
    label: rx.Var[str]
    again: rx.Var[str]
    failure: rx.Var[str]


class _PrivatePhoto(rx.Component):
    library = _SCRIPT.importable_path
    tag = "PrivatePhoto"

    url: rx.Var[str]
    label: rx.Var[str]
    again: rx.Var[str]
    failure: rx.Var[str]
    button_class: rx.Var[str]


def private_file(
    url: rx.Var[str] | str, name: rx.Var[str] | str, label: str, class_name: rx.Var[str] | str
) -> rx.Component:
    """A button that saves the file at `url` under a name; where that fails it says so and tries again."""
    failure = f"{label}: it could not be fetched."
    return _PrivateFile.create(
        url=url, name=name, label=label, again="Try again", failure=failure, class_name=class_name
    )


def private_photo(url: rx.Var[str], label: rx.Var[str], **props: Any) -> rx.Component:
    """The photo at `url`; `label` says what is on it, `button_class` is the look of the button that tries again."""
    failure = "This photo could not be fetched."
    return _PrivatePhoto.create(url=url, label=label, again="Try again", failure=failure, **props)
