"""What a profile says, to be read: labelled facts, numbered terms, and what only the product's people change."""

import reflex as rx

from rental_app.components.theme import BLOCK_TITLE, MUTED, PANEL
from rental_app.schemas.cards import Fact
from rental_app.settings import settings

LOCKED = f"Contact {settings().product_name} for modification"


def terms_list(terms: rx.Var[list[str]]) -> rx.Component:
    """Terms, numbered."""
    return rx.cond(
        terms,
        rx.el.ol(
            rx.foreach(terms, lambda term: rx.el.li(term, class_name="pl-1 wrap-anywhere")),
            class_name="list-decimal space-y-2 pl-6",
        ),
        rx.el.p("No terms yet", class_name=MUTED),
    )


def locked_group(title: str, facts: rx.Var[list[Fact]]) -> rx.Component:
    """Fields that only the product's people change."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(title, class_name=BLOCK_TITLE),
            rx.el.p(
                rx.icon("lock", size=15, class_name="shrink-0"),
                LOCKED,
                class_name=f"{MUTED} flex items-center gap-1.5 text-sm",
            ),
            class_name="flex flex-wrap items-center justify-between gap-2",
        ),
        facts_list(facts),
        class_name=f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": title},
    )


def facts_list(facts: rx.Var[list[Fact]]) -> rx.Component:
    """Labelled values side by side."""
    return rx.el.dl(
        rx.foreach(facts, lambda fact: fact_pair(fact.label, fact.value)),
        class_name="mt-4 grid gap-4 sm:grid-cols-2 xl:grid-cols-3",
    )


def fact_pair(label: str, *value: rx.Component | rx.Var[str]) -> rx.Component:
    """One labelled value."""
    return rx.el.div(
        rx.el.dt(label, class_name=f"{MUTED} text-sm"),
        rx.el.dd(*value, class_name="mt-0.5 font-medium wrap-anywhere"),
        class_name="min-w-0",
    )
