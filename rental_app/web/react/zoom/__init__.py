"""Plus and minus for a drawing, which keep in sight what was there."""

import reflex as rx

from rental_app.web.parts.theme import SCRIPTED

_SCRIPT = rx.asset("zoom.jsx", shared=True)
_BOX = "flex flex-col divide-y divide-(--line) rounded-xl border border-(--line) bg-(--surface) shadow-md"
_LOOK = (
    "grid size-11 cursor-pointer place-items-center text-2xl hover:bg-(--gray-a3) aria-disabled:cursor-default"
    " aria-disabled:text-(--gray-a8)"
)


class _Zoom(rx.Component):
    library = _SCRIPT.importable_path
    tag = "Zoom"

    look: rx.Var[str]


def zoom(class_name: str) -> rx.Component:
    """The two buttons for the one drawing in the element before them, which scrolls."""
    return _Zoom.create(look=_LOOK, class_name=f"{class_name} {_BOX} {SCRIPTED}")


def plain_zoom(props: dict[str, str]) -> str:
    """What takes its place until scripts run: the same buttons, whose press is repeated then."""
    button = f'<button type="button" class="{props["look"]}" aria-label="{{}}" aria-disabled="{{}}">{{}}</button>'
    buttons = button.format("Zoom in", "false", "+") + button.format("Zoom out", "true", "−")
    return f'<div class="{props["className"]}">{buttons}</div>'
