"""Vehicles drawn for decoration."""

import reflex as rx


def picture(shape: str, tint: str, class_name: str, loading: str = "lazy") -> rx.Component:
    """A shape in a tint, both as in `content/art.py`; screen readers skip it."""
    # As attributes: Reflex would turn props of these names into styles, and no space would be kept for the picture.
    return rx.el.img(
        src=f"/media/art/{shape}/{tint}.svg",
        alt="",
        loading=loading,
        class_name=class_name,
        custom_attrs={"width": "640", "height": "400"},
    )


def illustration_label(is_drawing: rx.Var[bool]) -> rx.Component:
    """Says in the corner of a picture that it shows the model, not the vehicle itself."""
    return rx.cond(
        is_drawing,
        rx.el.span(
            "Illustration",
            class_name="absolute bottom-2 right-3 rounded-full bg-(--surface) px-2 py-0.5 text-xs text-(--muted)",
        ),
    )
