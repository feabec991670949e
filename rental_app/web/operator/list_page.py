"""A list of the console: search, filters, rows, and the pages around these."""

import reflex as rx

from rental_app.web.operator.list_presenter import FilterView, ListView
from rental_app.web.operator.parts import BUTTON, CARD, FILLED, grid_of
from rental_app.web.operator.shell import CATALOGUE, KEY, console_page
from rental_app.web.operator.state import ConsoleState as State
from rental_app.web.parts.notice import failure
from rental_app.web.parts.theme import MUTED, PAGE_TITLE
from rental_app.web.react.own_files import download
from rental_app.web.react.shortcuts import on_key

_CHIP = (
    "relative inline-flex min-h-10 max-md:min-h-11 items-center gap-1.5 rounded-[10px] border px-3 text-sm"
    " font-semibold no-underline"
)
_OPEN, _SET = (
    f"{_CHIP} border-(--gray-a6) text-(--ink)",
    f"{_CHIP} border-(--accent-a6) bg-(--accent-a3) text-(--accent-12)",
)


def list_page() -> rx.Component:
    """A table of the console: search, filters, rows, and the pages around these."""
    return console_page(
        State.listed,
        _list(State.listed),
        missing=("There is no such list", "The menu has all of them."),
        failed=failure("This list could not be loaded", State.problem, State.load_list),
    )


def _list(listed: rx.Var[ListView]) -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.el.h1(listed.title, class_name=PAGE_TITLE),
            rx.el.p(listed.many, class_name=f"{MUTED} tabular-nums", role="status"),
            rx.el.div(
                rx.cond(
                    listed.adding,
                    rx.el.button(
                        listed.adding, type="button", on_click=State.ask(listed.adding_name), class_name=FILLED
                    ),
                ),
                rx.cond(
                    listed.csv_label,
                    download(
                        rx.icon("download", size=16),
                        listed.csv_label,
                        url=listed.csv,
                        save_as=listed.name + ".csv",
                        class_name=BUTTON,
                    ),
                ),
                class_name="ml-auto flex flex-wrap gap-2",
            ),
            class_name="mb-4 flex flex-wrap items-baseline gap-x-4 gap-y-2",
        ),
        rx.cond(_is_catalogue(listed), _catalogue(listed)),
        rx.cond(listed.name == "money", _money()),
        rx.el.div(
            _tools(listed),
            rx.cond(
                listed.empty,
                rx.el.div(
                    rx.el.p(listed.empty, class_name="text-lg font-semibold"),
                    rx.cond(listed.advice, rx.el.p(listed.advice, class_name=f"{MUTED} mt-1")),
                    rx.cond(listed.drop, rx.el.a(listed.drop_label, href=listed.drop, class_name=f"{BUTTON} mt-4")),
                    class_name="border-t border-(--line) px-6 py-14 text-center",
                ),
                grid_of(listed.title, listed.grid),
            ),
            rx.cond(listed.empty, rx.fragment(), _foot(listed)),
            class_name=f"{CARD} overflow-hidden",
        ),
    )


def _is_catalogue(listed: rx.Var[ListView]) -> rx.Var[bool]:
    is_one = rx.Var.create(False)
    for name in CATALOGUE:
        is_one = is_one | (listed.name == name)
    return is_one


def _catalogue(listed: rx.Var[ListView]) -> rx.Component:
    """The five lists of the catalogue, beside each other."""
    return rx.el.nav(
        *[
            rx.el.a(
                label,
                href=f"/operator/{name}",
                class_name=rx.cond(listed.name == name, _SET, _OPEN),
                custom_attrs={"aria-current": rx.cond(listed.name == name, "page", "false")},
            )
            for name, label in CATALOGUE.items()
        ],
        class_name="mb-4 flex flex-wrap gap-2",
        custom_attrs={"aria-label": "Catalogue"},
    )


def _money() -> rx.Component:
    """The lists of money: what vendors owe us, and what they owe their customers."""
    others = (
        ("Deposits and refunds overdue", "/operator/bookings?money=overdue"),
        ("Rent owed", "/operator/bookings?money=rent"),
        ("Account lines", "/operator/ledger"),
    )
    return rx.el.nav(
        rx.el.a("Commission", href="/operator/money", class_name=_SET, custom_attrs={"aria-current": "page"}),
        *[rx.el.a(label, href=href, class_name=_OPEN) for label, href in others],
        class_name="mb-4 flex flex-wrap gap-2",
        custom_attrs={"aria-label": "Money"},
    )


def _tools(listed: rx.Var[ListView]) -> rx.Component:
    return rx.el.div(
        rx.el.form(
            rx.icon("search", size=18, class_name="absolute left-3 text-(--muted)"),
            rx.el.input(
                id="list-search",
                name="q",
                type="search",
                default_value=listed.q,
                key=listed.name + listed.q,
                placeholder="Search this list",
                auto_complete="off",
                max_length=200,
                class_name=(
                    "h-10 max-md:h-11 w-full rounded-[10px] border border-(--gray-a7) bg-(--surface) pr-3 pl-10"
                    " text-(--ink)"
                ),
                custom_attrs={"aria-label": "Search this list"},
            ),
            on_submit=State.search,
            class_name="relative flex w-full items-center sm:w-72",
        ),
        rx.foreach(listed.filters, _filter),
        rx.cond(listed.owner, rx.el.span(listed.owner, class_name=_SET)),
        rx.cond(
            listed.cleared,
            rx.el.a(
                "Clear",
                href=listed.cleared,
                class_name=(
                    "ml-auto inline-flex min-h-10 items-center px-2 text-sm font-semibold text-(--accent-11)"
                    " no-underline"
                ),
            ),
        ),
        class_name="flex flex-wrap items-center gap-2 p-4",
    )


def _filter(chosen: rx.Var[FilterView]) -> rx.Component:
    """A filter: a list to choose from, or what it is set to, with a cross."""
    set_to = rx.el.a(
        chosen.label + ": " + chosen.shown,
        rx.icon("x", size=14),
        rx.el.span("Remove this filter", class_name="sr-only"),
        href=chosen.without,
        class_name=_SET,
    )
    choosing = rx.el.select(
        rx.el.option(chosen.label, value=""),
        rx.foreach(chosen.options, lambda option: rx.el.option(option.label, value=option.value)),
        value="",
        on_change=lambda value: State.choose(chosen.name, value),
        # As wide as its own name, not as the longest of what may be chosen.
        class_name=f"{_OPEN} field-sizing-content cursor-pointer bg-(--surface)",
        custom_attrs={"aria-label": chosen.label},
    )
    return rx.el.div(rx.cond(chosen.value, set_to, choosing), key=chosen.name)


def _foot(listed: rx.Var[ListView]) -> rx.Component:
    return rx.el.div(
        rx.el.p(listed.span, class_name=f"{MUTED} text-sm tabular-nums"),
        rx.el.p(
            rx.el.kbd("J", class_name=KEY),
            rx.el.kbd("K", class_name=KEY),
            "move",
            rx.el.kbd("↵", class_name=f"{KEY} ml-2"),
            "open",
            class_name=f"{MUTED} ml-auto flex items-center gap-1.5 text-sm max-md:hidden",
        ),
        rx.el.nav(
            _turn("Back", listed.back, "chevron-left", on_key("arrowleft")),
            _turn("Next", listed.next, "chevron-right", on_key("arrowright")),
            class_name="flex gap-2 max-[17.5rem]:flex-wrap max-md:ml-auto",
            custom_attrs={"aria-label": "Pages"},
        ),
        class_name="flex flex-wrap items-center gap-4 border-t border-(--line) p-3 px-4",
    )


def _turn(label: str, href: rx.Var[str], icon: str, key: dict[str, str]) -> rx.Component:
    sign = rx.icon(icon, size=16)
    face = (sign, label) if label == "Back" else (label, sign)
    return rx.cond(
        href,
        rx.el.a(*face, href=href, class_name=BUTTON, custom_attrs=key),
        rx.el.button(*face, type="button", disabled=True, class_name=BUTTON),
    )
