"""A part of a page that a phone shows as a sheet over it; the browser opens it, before scripts run too."""

import reflex as rx

_SCRIPT = rx.asset("sheet.jsx", shared=True)


class _PhoneSheet(rx.Component):
    library = _SCRIPT.importable_path
    tag = "Sheet"

    label: rx.Var[str]


def sheet(*content: rx.Component, id: str, label: str) -> rx.Component:
    """Content that is part of the page from 640 px on, and on a phone over it once a control `opens_sheet(id)`.

    It begins with an `h2`, which gets the focus. Without scripts it is part of a phone's page as well.
    """
    return _PhoneSheet.create(*content, id=id, label=label, class_name="sheet-of-phone")


def opens_sheet(id: str) -> dict[str, str]:
    """The attributes of a button that opens a sheet; a press repeated once scripts run does not close it again."""
    return {"popoverTarget": id, "popoverTargetAction": "show", "aria-haspopup": "dialog"}


def closes_sheet(id: str) -> dict[str, str]:
    """The attributes of a button that closes a sheet."""
    return {"popoverTarget": id, "popoverTargetAction": "hide"}
