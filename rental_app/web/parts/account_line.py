"""A line of a booking's account, as its customer sees it."""

import reflex as rx

from rental_app.web.parts.objection import Show
from rental_app.web.parts.presenters.customer_account import AccountLine
from rental_app.web.parts.theme import MUTED
from rental_app.web.react.own_files import photo


def account_line(line: rx.Var[AccountLine], objecting: rx.Component, show: Show = photo) -> rx.Component:
    """What was charged or paid, with its photo; `objecting` is the button while the line may be objected to."""
    return rx.el.li(
        rx.el.div(
            rx.el.div(
                rx.el.p(line.label, class_name="font-medium"),
                rx.el.p(line.about, class_name=f"{MUTED} text-sm"),
                class_name="min-w-0 flex-1",
            ),
            rx.el.p(line.amount, class_name="font-semibold tabular-nums"),
            class_name="flex justify-between gap-4",
        ),
        rx.cond(line.photo, rx.el.div(show(line.photo, f"Photo: {line.label}"), class_name="mt-2 sm:w-64")),
        rx.cond(line.objected, rx.el.p("You object to this.", class_name="mt-1 text-sm")),
        rx.cond(line.may_object, objecting),
        class_name="border-t border-(--line) py-3 first:border-t-0",
    )
