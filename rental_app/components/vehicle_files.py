"""The ten upload groups as the forms offer them."""

from typing import Any

from rental_app.rules.uploads import FILE_GROUPS, PUBLIC_GROUPS

_HINTS = {
    "RC": "Both sides; photo or PDF",
    "Insurance": "The valid policy; photo or PDF",
    "Pollution": "The valid certificate; photo or PDF",
    "Front": "Whole vehicle from the front: the picture customers see first",
    "Left": "Whole vehicle from the left",
    "Right": "Whole vehicle from the right",
    "Back": "Whole vehicle from behind, number plate readable",
    "Odometer Reading": "The display, figures readable",
    "Tyre": "The tread of each tyre",
    "Engine": "The engine, or the motor of an electric vehicle",
}
FORM_GROUPS: list[dict[str, Any]] = [
    {"title": title, "hint": _HINTS[title], "photos": title in PUBLIC_GROUPS} for title in FILE_GROUPS
]
