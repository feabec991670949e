"""The ten upload groups as the forms offer them."""

from typing import Any

# Shown by customers' pages, so photos only; the others are private and may be PDFs.
_PHOTOS = {
    "Front": "Whole vehicle from the front: the picture customers see first",
    "Left": "Whole vehicle from the left",
    "Right": "Whole vehicle from the right",
    "Back": "Whole vehicle from behind, number plate readable",
}
_PAPERS = {
    "RC": "Both sides; photo or PDF",
    "Insurance": "The valid policy; photo or PDF",
    "Pollution": "The valid certificate; photo or PDF",
}
_STATE = {
    "Odometer Reading": "The display, figures readable",
    "Tyre": "The tread of each tyre",
    "Engine": "The engine, or the motor of an electric vehicle",
}


def _group(title: str, hint: str) -> dict[str, Any]:
    return {"title": title, "hint": hint, "photos": title in _PHOTOS}


FORM_GROUPS = [_group(title, hint) for title, hint in (_PAPERS | _PHOTOS | _STATE).items()]
