"""The controls that narrow and sort the results: chips, sheet, order. Without scripts: links and a plain form."""

from typing import Any

import reflex as rx

from rental_app.schemas.search import LONGEST_QUERY
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field
from rental_app.web.parts.presenters.texts import Choice
from rental_app.web.parts.theme import BUTTON, CHECKBOX, FIELD, MUTED, PANEL, SCRIPTED
from rental_app.web.react.modal import modal, opens
from rental_app.web.react.server_rendered import server_rendered, without_scripts
from rental_app.web.screens.vehicles.filters_presenter import SORTS, Menu
from rental_app.web.screens.vehicles.state import DIALOG, VehiclesState

_FILTERS = VehiclesState.results.filters
_CHIP = (
    "inline-flex min-h-10 items-center gap-1.5 rounded-full border border-(--gray-a7) bg-(--surface) px-3.5 text-sm"
    " font-medium whitespace-nowrap text-(--ink) no-underline hover:bg-(--gray-a3)"
)
_CHOSEN = (
    " aria-[current=true]:border-(--accent-9) aria-[current=true]:bg-(--accent-a3)"
    " aria-[current=true]:text-(--accent-12)"
)
_CHOICE = (
    "flex min-h-11 items-center gap-6 rounded-lg px-3 text-(--ink) no-underline hover:bg-(--gray-a3)"
    " aria-[current=true]:font-semibold"
)
_CHOSEN_COUNT = rx.Var.create(_FILTERS.chips).length()
_COUNT = "grid size-5 place-items-center rounded-full bg-(--accent-9) text-xs text-(--accent-contrast)"
# The router keeps the scroll position.
_STAYS = {"preventScrollReset": True}


def kinds(look: str) -> rx.Component:
    """The types of vehicles, each with how many results it would give; pressing one again deselects it."""
    row = rx.el.ul(
        rx.foreach(
            _FILTERS.kinds,
            lambda kind: rx.el.li(
                rx.el.a(
                    kind.name,
                    rx.cond(kind.count, rx.el.span(kind.count, class_name=f"{MUTED} font-normal")),
                    rx.cond(kind.chosen, rx.icon("x", size=16)),
                    href=kind.href,
                    class_name=_CHIP + _CHOSEN,
                    custom_attrs={"aria-current": rx.cond(kind.chosen, "true", "false"), **_STAYS},
                ),
                key=kind.name,
            ),
        ),
        rx.foreach(_FILTERS.menus, _menu),
        tab_index=0,
        class_name="-mx-4 flex list-none gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:px-0",
        custom_attrs={"aria-label": "Type of vehicle"},
    )
    return rx.el.nav(
        server_rendered("kinds", ~VehiclesState.loading, row, row),
        class_name=f"min-h-12 {look}",
        custom_attrs={"aria-label": "Types of vehicles"},
    )


def _menu(menu: rx.Var[Menu]) -> rx.Component:
    """A chip that opens its choices, which are links; the browser closes them by Esc and by a press elsewhere."""
    return rx.el.li(
        button(
            menu.label,
            rx.icon("chevron-down", size=16),
            class_name=f"{_CHIP}{_CHOSEN} cursor-pointer",
            custom_attrs={"popoverTarget": menu.name, "aria-current": rx.cond(menu.chosen, "true", "false")},
        ),
        rx.el.ul(
            rx.foreach(
                menu.choices,
                lambda choice: rx.el.li(
                    rx.el.a(
                        choice.name,
                        rx.cond(choice.count, rx.el.span(choice.count, class_name=f"{MUTED} ml-auto font-normal")),
                        href=choice.href,
                        class_name=_CHOICE,
                        custom_attrs={"aria-current": rx.cond(choice.chosen, "true", "false"), **_STAYS},
                    ),
                    key=choice.name,
                ),
            ),
            id=menu.name,
            class_name="chip-menu",
            custom_attrs={"popover": "auto", "aria-label": menu.label},
        ),
        # Closed once something is chosen, by being another one.
        key=menu.label,
        class_name="hidden lg:block",
    )


def chips() -> rx.Component:
    """The chosen filters; pressing one removes it."""
    content = rx.cond(
        _FILTERS.chips,
        rx.el.ul(
            rx.foreach(
                _FILTERS.chips,
                lambda chip: rx.el.li(
                    rx.el.a(
                        chip.text,
                        rx.icon("x", size=16),
                        href=chip.href,
                        class_name=f"{_CHIP} wrap-anywhere whitespace-normal",
                        custom_attrs={"aria-label": f"Remove {chip.text}", **_STAYS},
                    ),
                    key=chip.text,
                ),
            ),
            rx.el.li(rx.el.a("Clear all", href=_FILTERS.bare_url, class_name=_CLEAR, custom_attrs=_STAYS)),
            class_name="mt-3 flex list-none flex-wrap gap-2 p-0",
            custom_attrs={"aria-label": "Chosen filters"},
        ),
    )
    return server_rendered("chips", ~VehiclesState.loading, content, content)


_SORT = "select h-10 max-w-40 cursor-pointer border-0 bg-transparent px-3 text-sm font-semibold text-(--ink)"
_CLEAR = "inline-flex min-h-10 items-center px-2 text-sm font-medium text-(--accent-11) underline"


def fewer() -> rx.Component:
    """When nothing is left: which filters could be removed, and how many results there would be."""
    return rx.fragment(
        rx.foreach(
            _FILTERS.fewer,
            lambda chip: rx.el.a(
                f"{chip.text}: {chip.note}",
                href=chip.href,
                class_name=BUTTON["quiet"],
                key=chip.text,
                custom_attrs=_STAYS,
            ),
        )
    )


def sort_select() -> rx.Component:
    """The order of the vehicles; one that this search cannot have is disabled, since all are served."""
    barred = rx.Var.create(_FILTERS.barred)
    return rx.el.div(
        rx.el.label("Sort", html_for="sort", class_name="sr-only"),
        rx.el.select(
            rx.el.option("Sort", value=""),
            *[rx.el.option(label, value=name, disabled=barred.contains(name)) for name, label in SORTS.items()],
            id="sort",
            value=_FILTERS.held["sort"],
            on_change=VehiclesState.sort_by,
            class_name=_SORT,
        ),
        class_name=SCRIPTED,
    )


def filter_button() -> rx.Component:
    """Opens the sheet; without scripts the same form is folded in its place."""
    count = rx.cond(_FILTERS.chips, rx.el.span(_CHOSEN_COUNT, class_name=_COUNT, custom_attrs={"aria-hidden": "true"}))
    opener = button(
        rx.icon("sliders-horizontal", size=18),
        "Filters",
        server_rendered("filter_count", ~VehiclesState.loading, count, count),
        extra=SCRIPTED,
        custom_attrs={"aria-haspopup": "dialog", **opens(DIALOG)},
    )
    return rx.fragment(
        opener, modal(_form(), name=DIALOG, title="Filters", max_width="32rem", on_open=VehiclesState.open_sheet)
    )


def filters_again() -> rx.Component:
    """The sheet's button in the summary that stays while a phone's list is gone through (site.css shows it then)."""
    look = f"{PANEL} again size-15 shrink-0 cursor-pointer place-items-center text-(--accent-11)"
    attributes = {"aria-haspopup": "dialog", "aria-label": "Change filters", **opens(DIALOG)}
    return button(rx.icon("sliders-horizontal", size=20), class_name=look, custom_attrs=attributes)


def plain_filters() -> rx.Component:
    """The sheet and the order for browsers without scripts."""
    typed: dict[str, Any] = {"max_length": LONGEST_QUERY, "default_value": VehiclesState.text}
    form = rx.el.form(
        rx.foreach(
            _FILTERS.carried,
            lambda it: rx.el.input(type="hidden", name=it.label, default_value=it.value, key=it.label + it.value),
        ),
        field("Filter by maker, model or locality", "q", id="plain-q", **typed),
        *_fields(plain=True),
        _select("Sort", "sort", _options(_FILTERS.sorts), plain=True),
        submit("Show vehicles"),
        action="/vehicles",
        method="get",
        class_name="mt-3 grid items-end gap-4 rounded-2xl border border-(--line) bg-(--surface) p-4 sm:grid-cols-2",
        custom_attrs={"aria-label": "Filters"},
    )
    folded = rx.el.details(rx.el.summary("Filters", class_name="cursor-pointer py-2 font-semibold"), form)
    return without_scripts("plain_filters", folded)


def _form() -> rx.Component:
    return rx.el.form(
        *_fields(plain=False),
        rx.el.div(
            button("Clear all", on_click=VehiclesState.clear_filters),
            submit("Show vehicles"),
            class_name=(
                "mt-2 flex justify-between gap-3 max-sm:sticky max-sm:-bottom-6 max-sm:-mx-6 max-sm:-mb-6"
                " max-sm:border-t max-sm:border-(--line) max-sm:bg-(--surface) max-sm:px-6 max-sm:py-4 sm:col-span-2"
            ),
        ),
        on_submit=VehiclesState.narrow,
        reset_on_submit=False,
        class_name="grid gap-4 sm:grid-cols-2",
        custom_attrs={"aria-label": "Filters"},
    )


def _fields(*, plain: bool) -> list[rx.Component]:
    return [
        rx.el.fieldset(
            rx.el.legend(_FILTERS.price_label, " (₹)", class_name="mb-1 text-sm font-medium"),
            rx.el.div(
                _number("min_price", "Lowest", plain=plain),
                _number("max_price", "Highest", plain=plain),
                class_name="grid grid-cols-2 gap-3",
            ),
            class_name="sm:col-span-2",
        ),
        _select("Gear", "transmission", _options(_FILTERS.transmissions), plain=plain),
        _select("Fuel", "fuel", _options(_FILTERS.fuels), plain=plain),
        _select("Seats", "seats", _options(_FILTERS.seats), plain=plain),
        _select("Model", "model", _options(_FILTERS.models), plain=plain),
        _select("Rating", "rating", _options(_FILTERS.ratings), plain=plain),
        _number("max_deposit", "Highest deposit (₹)", plain=plain),
        rx.el.div(
            _tick("delivery", _FILTERS.delivery, plain=plain),
            _tick("unlimited", _FILTERS.unlimited, plain=plain),
            class_name="flex flex-col justify-end gap-3",
        ),
    ]


def _id(name: str, plain: bool) -> str:
    return f"{'plain' if plain else 'filter'}-{name}"


def _number(name: str, label: str, *, plain: bool) -> rx.Component:
    return field(
        label,
        name,
        id=_id(name, plain),
        error=VehiclesState.faults[name],
        type="number",
        min="0",
        step="1",
        input_mode="numeric",
        default_value=_FILTERS.held[name],
        class_name=FIELD,
    )


def _options(choices: rx.Var[list[Choice]]) -> rx.Component:
    return rx.foreach(choices, lambda choice: rx.el.option(choice.label, value=choice.value, key=choice.value))


def _select(label: str, name: str, *choices: rx.Component, plain: bool) -> rx.Component:
    chosen: dict[str, Any] = {"value" if plain else "default_value": _FILTERS.held[name]}
    return field(
        label,
        name,
        rx.el.option("Any", value=""),
        *choices,
        control=rx.el.select,
        id=_id(name, plain),
        **chosen,
    )


def _tick(name: str, label: rx.Var[str], *, plain: bool) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="checkbox",
            id=_id(name, plain),
            name=name,
            # As a prop, Reflex would require a controlled input.
            custom_attrs={"value": "1"},
            default_checked=rx.cond(_FILTERS.held[name], True, False),
            class_name=CHECKBOX,
        ),
        label,
        class_name="flex min-h-6 items-center gap-2",
    )
