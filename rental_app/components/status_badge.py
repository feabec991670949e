"""A booking's status at a glance."""

import reflex as rx


def status_badge(status: rx.Var[str]) -> rx.Component:
    """Green when confirmed, red otherwise."""
    # Radix's ordinary text on green reaches 4.3:1 only.
    return rx.badge(
        status,
        color_scheme=rx.cond(status == "confirmed", "green", "red"),
        size="2",
        high_contrast=True,
        class_name="capitalize",
    )
