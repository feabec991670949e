"""What a change of mind costs, as a line in time."""

from typing import Any

import reflex as rx

from rental_app.web.parts.block import in_row
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.theme import MUTED


def cancelling(steps: rx.Var[list[Fact]]) -> rx.Component:
    """What is kept and until when, the cheapest first."""
    return rx.fragment(
        rx.el.ol(rx.foreach(steps, _kept), class_name="list-none p-0"),
        rx.el.p("Of a part payment, all is kept. The deposit always comes back.", class_name=f"{MUTED} mt-3 text-sm"),
    )


def cancel_cost(terms: rx.Var[Any], problem: rx.Var[str]) -> rx.Component:
    """What cancelling now keeps and returns, once that is known."""
    known = rx.fragment(
        rx.el.dl(rx.foreach(terms.facts, in_row)),
        rx.el.p(terms.why, class_name="mt-2 text-sm font-semibold"),
        rx.cond(terms.dearer, rx.el.p(terms.dearer, class_name="mt-1 text-sm font-semibold")),
    )
    return rx.cond(
        terms, known, rx.cond(problem, rx.fragment(), rx.el.p("Working out what it costs...", class_name=MUTED))
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
