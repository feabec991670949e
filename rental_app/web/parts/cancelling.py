"""What a change of mind costs, as a line in time."""

import reflex as rx

from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.theme import MUTED


def cancelling(steps: rx.Var[list[Fact]]) -> rx.Component:
    """What is kept and until when, the cheapest first."""
    return rx.fragment(
        rx.el.ol(rx.foreach(steps, _kept), class_name="list-none p-0"),
        rx.el.p("Of a part payment, all is kept. The deposit always comes back.", class_name=f"{MUTED} mt-3 text-sm"),
    )


def _kept(step: rx.Var[Fact]) -> rx.Component:
    return rx.el.li(
        rx.el.p(step.label, class_name="cost font-semibold text-(--ink)"),
        rx.el.p(step.value, class_name=f"{MUTED} text-sm"),
        class_name=(
            "relative pb-4 pl-6 before:absolute before:top-2 before:left-0 before:size-2.5 before:rounded-full"
            " before:bg-(--gray-a8) first:before:bg-(--good) first:[&_.cost]:text-(--good) last:pb-0"
            " after:absolute after:top-5 after:bottom-0 after:left-1 after:w-0.5 after:bg-(--line) last:after:hidden"
        ),
    )
