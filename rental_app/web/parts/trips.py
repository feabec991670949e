"""What several pages of a trip show: what is proposed, account, readings, objections, and what cancelling costs."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rental_app.web.parts.block import block, in_row
from rental_app.web.parts.field import field
from rental_app.web.parts.presenters.texts import Fact, Link
from rental_app.web.parts.presenters.trip import AccountLine, Objection, Reading, TripFacts
from rental_app.web.parts.theme import MUTED
from rental_app.web.react.own_files import photo

_MARK = "rounded-md px-2 py-0.5 text-[13px] font-semibold"
_PHOTOS = "mt-2 grid list-none grid-cols-3 gap-2 p-0 sm:grid-cols-4"
# How a photo is shown, by its address and name: a guest has no session by which ours could be loaded.
Show = Callable[[rx.Var[str], rx.Var[str] | str], rx.Component]


def proposal(facts: rx.Var[TripFacts], agree: rx.Component, refuse: rx.Component) -> rx.Component:
    """What the vendor proposes, with the buttons for both answers."""
    offer = facts.proposal
    return rx.cond(
        offer,
        block(
            f"{facts.vendor} proposes a change",
            rx.el.p(offer.text, class_name="font-semibold wrap-anywhere"),
            rx.el.p(offer.cost),
            rx.el.p(f"Answer by {offer.until}; without an answer your booking stays as it is.", class_name=MUTED),
            rx.el.div(agree, refuse, class_name="mt-3 flex flex-wrap gap-3"),
        ),
    )


def reading(noted: rx.Var[Reading], photos: rx.Component) -> rx.Component:
    """What was read at the vehicle and when, above its photos."""
    return rx.fragment(
        rx.el.p(noted.at, class_name=f"{MUTED} text-sm"),
        rx.el.dl(rx.foreach(noted.facts, in_row), class_name="mt-2"),
        photos,
    )


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
        rx.cond(line.may_act, objecting),
        class_name="border-t border-(--line) py-3 first:border-t-0",
    )


def objection(one: rx.Var[Objection], *below: rx.Component, show: Show = photo) -> rx.Component:
    """What is wrong and what was answered; `below` is what can be done about it."""
    return rx.el.li(
        rx.el.div(
            rx.el.p(one.about, class_name="font-semibold"),
            rx.el.span(
                rx.cond(one.open, "Open", "Line reversed"),
                class_name=rx.cond(
                    one.open,
                    f"{_MARK} bg-(--amber-a3) text-(--amber-12)",
                    f"{_MARK} bg-(--green-a4) text-(--green-12)",
                ),
            ),
            class_name="flex flex-wrap items-center justify-between gap-2",
        ),
        rx.el.p(one.note, class_name="whitespace-pre-line wrap-anywhere"),
        rx.el.p(one.when, class_name=f"{MUTED} text-sm"),
        _photos(one.photos, show),
        rx.cond(
            one.answer,
            rx.el.div(
                rx.el.p("The vendor's answer", class_name="text-sm font-semibold"),
                rx.el.p(one.answer, class_name="whitespace-pre-line wrap-anywhere"),
                rx.el.p(one.answered, class_name=f"{MUTED} text-sm"),
                _photos(one.answer_photos, show),
                class_name="mt-3 border-l-2 border-(--line) pl-3",
            ),
            rx.fragment(*below),
        ),
        key=one.id,
        class_name="py-3",
    )


def _photos(photos: rx.Var[list[Link]], show: Show) -> rx.Component:
    taken = rx.foreach(photos, lambda each: rx.el.li(show(each.href, each.text), key=each.href))
    return rx.cond(photos, rx.el.ul(taken, class_name=_PHOTOS))


def code_field(label: str, id: str, error: rx.Var[str], fills: str = "off") -> rx.Component:
    """Where a code that was texted is typed; `fills` is what the browser may fill in."""
    return field(label, "code", id=id, input_mode="numeric", auto_complete=fills, max_length=10, error=error)


def cancelling(steps: rx.Var[list[Fact]]) -> rx.Component:
    """What is kept and until when, the cheapest first."""
    return rx.fragment(
        rx.el.ol(rx.foreach(steps, _cost_step), class_name="list-none p-0"),
        rx.el.p("The deposit always comes back.", class_name=f"{MUTED} mt-3 text-sm"),
    )


def cancel_cost(terms: rx.Var[Any], problem: rx.Var[str]) -> rx.Component:
    """What cancelling now keeps and returns, once that is known."""
    costs = rx.fragment(
        rx.el.dl(rx.foreach(terms.facts, in_row)),
        rx.el.p(terms.why, class_name="mt-2 text-sm font-semibold"),
        rx.cond(terms.dearer, rx.el.p(terms.dearer, class_name="mt-1 text-sm font-semibold")),
    )
    return rx.cond(
        terms, costs, rx.cond(problem, rx.fragment(), rx.el.p("Working out what it costs...", class_name=MUTED))
    )


def _cost_step(step: rx.Var[Fact]) -> rx.Component:
    return rx.el.li(
        rx.el.p(step.label, class_name="cost font-semibold text-(--ink)"),
        rx.el.p(step.value, class_name=f"{MUTED} text-sm"),
        class_name=(
            "relative pb-4 pl-6 before:absolute before:top-2 before:left-0 before:size-2.5 before:rounded-full"
            " before:bg-(--gray-a8) first:before:bg-(--good) first:[&_.cost]:text-(--good) last:pb-0"
            " after:absolute after:top-5 after:bottom-0 after:left-1 after:w-0.5 after:bg-(--line) last:after:hidden"
        ),
    )
