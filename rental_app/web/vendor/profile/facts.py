"""A profile for reading: labelled facts, numbered terms, and what only the operator can change."""

import reflex as rx

from rental_app.web.parts.block import LOCKED, facts_list
from rental_app.web.parts.button import button
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.theme import BLOCK_TITLE, MUTED, PANEL
from rental_app.web.vendor.profile.state import ProfileState


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


def locked_group(title: str, facts: rx.Var[list[Fact]], *more: rx.Component) -> rx.Component:
    """Fields that only the operator can change."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(title, class_name=BLOCK_TITLE),
            # Asked for on the account's page.
            rx.el.a(
                rx.icon("lock", size=15, class_name="shrink-0"),
                LOCKED,
                href="/account",
                class_name=f"{MUTED} flex min-h-6 items-center gap-1.5 text-sm underline underline-offset-2",
            ),
            class_name="flex flex-wrap items-center justify-between gap-2",
        ),
        facts_list(facts),
        *more,
        class_name=f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": title},
    )


def bank_names() -> rx.Component:
    """All banks that vendors can be paid through, to look one up before asking for it."""
    names = rx.el.p(
        ProfileState.banks,
        tab_index=0,
        class_name="mt-2 max-h-60 overflow-y-auto text-sm",
        custom_attrs={"aria-label": "Bank names"},
        role="region",
    )
    listed = rx.el.details(
        rx.el.summary(f"Banks we pay into ({ProfileState.bank_count})", class_name="w-fit cursor-pointer"), names
    )
    failed = rx.el.p(
        "The banks we pay into could not be listed. ",
        button("Try again", on_click=ProfileState.load, class_name="cursor-pointer underline"),
        class_name=f"{MUTED} text-sm",
    )
    return rx.el.div(
        rx.cond(ProfileState.banks, listed, rx.cond(ProfileState.banks_failed, failed)), class_name="mt-4 min-h-6"
    )
