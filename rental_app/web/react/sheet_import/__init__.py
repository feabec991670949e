"""Sends a spreadsheet of vehicles from the browser, and lists what could not be read of it."""

from typing import Any

import reflex as rx

from rental_app.domain.uploads import MAX_SHEET_BYTES, MEGABYTE
from rental_app.services.fleet import sheet_import as imports
from rental_app.web.parts.theme import BUTTON

# Its way of choosing and sending files is used.
from rental_app.web.react import uploads  # noqa: F401

_SCRIPT = rx.asset("sheet_import.jsx", shared=True)


class _SheetImport(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "SheetImport"

    template: rx.Var[str]
    look: rx.Var[str]
    most_bytes: rx.Var[int]
    too_large: rx.Var[str]
    on_imported: rx.EventHandler[rx.event.no_args_event_spec]


def sheet_import(**props: Any) -> rx.Component:
    """A button that chooses a sheet and sends it, with a template to download; `on_imported` follows new drafts."""
    return _SheetImport.create(
        template=imports.template().decode("utf-8-sig"),
        look=BUTTON["quiet"],
        most_bytes=MAX_SHEET_BYTES,
        too_large=f"A sheet can have at most {MAX_SHEET_BYTES // MEGABYTE} MB",
        **props,
    )
