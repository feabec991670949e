"""A titled part of a page, and what is in it: terms, labelled values."""

from typing import Any

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.theme import BARE_ON_PHONE, BLOCK_TITLE, MUTED, PANEL, PART_TITLE

# What is said beside what only the operator changes.
LOCKED = f"Contact {settings().product_name} for modification"


_NUMBERED = (
    "list-none space-y-2 p-0 *:relative *:pl-9 *:before:absolute *:before:top-0 *:before:left-0 *:before:grid"
    " *:before:size-6 *:before:place-items-center *:before:rounded-full *:before:bg-(--gray-a3) *:before:text-xs"
    " *:before:font-semibold *:before:content-[counter(list-item)]"
)


def numbered(lines: rx.Var[list[str]], start: rx.Var[int] | None = None) -> rx.Component:
    """Terms, one per line, counted from `start`."""
    return rx.el.ol(
        rx.foreach(lines, lambda line: rx.el.li(line)),
        class_name=_NUMBERED,
        custom_attrs={} if start is None else {"start": start},
    )


def bullets(points: rx.Var[list[str]]) -> rx.Component:
    """Points of a list without an order."""
    return rx.el.ul(rx.foreach(points, lambda point: rx.el.li(point)), class_name="list-disc space-y-1 pl-5")


def part(title: str, *content: rx.Component) -> rx.Component:
    """A part of a page under its title, set off from the one before by a line."""
    return rx.el.section(
        rx.el.h2(title, class_name=f"{PART_TITLE} mb-2"), *content, class_name="border-t border-(--line) pt-5"
    )


def block(title: rx.Var[str] | str, *content: rx.Component) -> rx.Component:
    """A panel under its title."""
    return rx.el.section(
        rx.el.h2(title, class_name=f"{PART_TITLE} mb-3"), *content, class_name=f"{PANEL} {BARE_ON_PHONE} p-5"
    )


def panel(
    title: str, *content: rx.Component, label: str = "", gap: str = "", extra: str = "", **props: Any
) -> rx.Component:
    """A panel of a vendor's page under its title, which names it, too, unless a `label` does."""
    return rx.el.section(
        rx.el.h2(title, class_name=f"{BLOCK_TITLE} {gap}".rstrip()),
        *content,
        class_name=f"{PANEL} {extra} p-4 sm:p-6" if extra else f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": label or title},
        **props,
    )


_LOOK = "font-semibold text-balance"


def stacked(label: str, *value: rx.Component | rx.Var[str], look: str = _LOOK, around: str = "") -> rx.Component:
    """A label with its value below."""
    return rx.el.div(
        rx.el.dt(label, class_name=f"{MUTED} text-sm"),
        rx.el.dd(*value, class_name=look),
        class_name=around or None,
    )


def in_row(fact: rx.Var[Fact]) -> rx.Component:
    """A label and its value at the two ends of a line."""
    return row(fact.label, fact.value)


def row(label: rx.Var[str], value: rx.Var[str]) -> rx.Component:
    """The same of two texts."""
    return rx.el.div(
        rx.el.dt(label, class_name=MUTED),
        rx.el.dd(value, class_name="text-right font-semibold"),
        class_name="flex justify-between gap-4 border-t border-(--line) py-2 first:border-t-0",
    )


def facts_list(facts: rx.Var[list[Fact]], columns: str = "grid-cols-2") -> rx.Component:
    """Labelled values side by side; a phone has them in these `columns`."""
    return rx.el.dl(
        rx.foreach(facts, lambda fact: fact_pair(fact.label, fact.value)),
        class_name=f"mt-4 grid gap-4 {columns} sm:grid-cols-2 xl:grid-cols-3",
    )


def fact_pair(label: str, *value: rx.Component | rx.Var[str]) -> rx.Component:
    """One labelled value."""
    return stacked(label, *value, look="mt-0.5 font-medium text-balance wrap-anywhere", around="min-w-0")
