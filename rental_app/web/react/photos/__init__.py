"""Controls for rows of photos. The rows scroll by themselves; this adds controls, keys and full screen."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("photos.jsx", shared=True)


class _PhotoControls(rx.Component):
    library = _SCRIPT.importable_path
    tag = "PhotoControls"


class _PhotoRow(rx.Component):
    library = _SCRIPT.importable_path
    tag = "PhotoRow"


# The attributes of a row, and of what holds a row with its controls.
ROW, GALLERY = {"data-row": "photos"}, {"data-gallery": "photos"}


def photo_controls() -> rx.Component:
    """Once per page: lets controls marked with `steps` and `shows` turn the row of their gallery."""
    return _PhotoControls.create()


def photo_row(*content: rx.Component, **props: Any) -> rx.Component:
    """The row of full screen, which begins with the photo that was pressed and turns by the arrow keys."""
    return _PhotoRow.create(*content, **props)


def steps(by: int) -> dict[str, str]:
    """The attributes of a control that turns to the next photo (1) or the one before (-1)."""
    return {"data-step": str(by)}


def shows(place: rx.Var[int]) -> dict[str, Any]:
    """The attributes of a link that turns to the photo at a place, or opens a dialog with it."""
    return {"data-photo": place}
