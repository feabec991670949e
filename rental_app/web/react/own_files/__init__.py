"""Files of a booking that only its two sides can load: photos of handovers and returns, receipts, calendar files."""

from typing import Any

import reflex as rx

# Its way of loading files is used.
from rental_app.web.react import uploads  # noqa: F401

_SCRIPT = rx.asset("own_files.jsx", shared=True)
_FAILED, _AGAIN = "This could not be loaded.", "Try again"


class _OwnFile(rx.Component):
    """The React side of both."""

    library = _SCRIPT.importable_path

    url: rx.Var[str]
    failure: rx.Var[str] = rx.Var.create(_FAILED)
    again: rx.Var[str] = rx.Var.create(_AGAIN)


class _Photo(_OwnFile):
    tag = "Photo"

    name: rx.Var[str]


class _Download(_OwnFile):
    tag = "Download"

    save_as: rx.Var[str]
    on_ended: rx.EventHandler[rx.event.no_args_event_spec]


def photo(url: rx.Var[str], name: rx.Var[str] | str) -> rx.Component:
    """The photo at a path of ours; screen readers read out its name. If it cannot be loaded, a button tries again."""
    return _Photo.create(url=url, name=name)


def download(
    *content: rx.Component | str, url: rx.Var[str] | str, save_as: rx.Var[str] | str, **props: Any
) -> rx.Component:
    """A button that saves the file at a path of ours; if that fails, it says so and can be pressed to try again.

    `on_ended` happens once it is saved, or was not.
    """
    return _Download.create(*content, url=url, save_as=save_as, **props)
