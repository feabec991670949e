"""A booking's status at a glance."""

import reflex as rx

from rental_app.domain.bookings import BookingStatus


def status_badge(status: rx.Var[str]) -> rx.Component:
    """Green when confirmed, red otherwise."""
    return rx.el.span(
        status,
        class_name=rx.cond(
            status == BookingStatus.CONFIRMED,
            f"{_PILL} bg-(--green-a4) text-(--green-12)",
            f"{_PILL} bg-(--red-a4) text-(--red-12)",
        ),
    )


_PILL = "inline-block shrink-0 whitespace-nowrap rounded-md px-2 py-0.5 text-[13px] font-semibold capitalize"
