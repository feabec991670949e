"""The list of vehicles and search results."""

import reflex as rx

from rental_app.schemas.search import LONGEST_QUERY
from rental_app.web.frame.public import layout
from rental_app.web.parts.button import button
from rental_app.web.parts.city_map.part import city_map
from rental_app.web.parts.field import typed_input
from rental_app.web.parts.links import link_button, link_panel
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.search_form.form import OPENS_SEARCH, search_form, search_words
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.parts.theme import BLOCK_TITLE, CONTAINER, FIELD, MUTED, NOTE, PAGE_TITLE, PANEL, SCRIPTED
from rental_app.web.parts.vehicle_card.card import card_skeletons, small_vehicle_row, vehicle_grid
from rental_app.web.react.here import is_here
from rental_app.web.react.results import restored_scroll
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.vehicles.filters import (
    chips,
    fewer,
    filter_button,
    filters_again,
    kinds,
    plain_filters,
    sort_select,
)
from rental_app.web.screens.vehicles.state import FILTER, VehiclesState

_RESULTS = VehiclesState.results
_GRID = "grid grid-cols-1 gap-x-5 gap-y-7 sm:grid-cols-2 min-[73.75rem]:grid-cols-3"
_BESIDE = (
    "gap-6 min-[56.25rem]:grid min-[56.25rem]:grid-cols-[minmax(0,1fr)_20rem]"
    " min-[73.75rem]:grid-cols-[minmax(0,1fr)_26.5rem]"
)
# On a phone the summary is part of the dark bar.
_SUMMARY = "below-bar summary sm:mt-5"
_LINK = "inline-flex min-h-6 items-center text-sm font-medium text-(--accent-11) underline"
_NO_MORE = "This is as far as one search goes. Narrow it to see the other vehicles."
_ELSEWHERE = f"{PANEL} p-4 no-underline hover:shadow-lg"
_RIGHT = "flex items-center gap-1"
# Vehicles link to the dates they were found for: results of the previous search must not appear under the next one.
_FOUND = ~VehiclesState.loading & is_here(VehiclesState.asked_url, SearchState.back_url)
# On a phone it stays at the foot of the screen, over the map.
_CHOSEN = (
    "chosen mt-4 max-sm:sticky max-sm:bottom-0 max-sm:z-10 max-sm:-mx-4 max-sm:rounded-t-3xl max-sm:border-t"
    " max-sm:border-(--line) max-sm:bg-(--surface) max-sm:px-4 max-sm:py-4"
)
_VIEW = (
    "inline-flex min-h-10 items-center gap-2 rounded-full px-3 text-sm font-semibold text-(--ink) no-underline"
    " hover:bg-(--gray-a3) aria-[current=true]:bg-(--accent-9) aria-[current=true]:text-(--accent-contrast)"
)


def vehicles() -> rx.Component:
    """Search form, free-text filter, count, and the vehicles."""
    # A phone's summary of the search, which opens the form; on the way down it stays, with a way to the filters.
    near = _RESULTS.near
    words = search_words(rx.cond(near, f"Near {near}", _RESULTS.place), _RESULTS.line, _RESULTS.duration)
    summary = button(
        rx.icon("search", size=20, class_name="shrink-0 text-(--accent-11)"),
        server_rendered("search_line", ~VehiclesState.loading, words, words),
        rx.el.span("Change", class_name="sr-only"),
        class_name=f"{PANEL} flex min-h-15 min-w-0 flex-1 items-center gap-3 px-4 text-left",
        custom_attrs=OPENS_SEARCH,
    )
    return layout(
        rx.el.div(
            server_rendered("title", ~VehiclesState.loading, _title(), _title()),
            rx.el.div(
                search_form(rx.el.div(summary, filters_again(), class_name=f"flex gap-2 sm:hidden {SCRIPTED}")),
                class_name=_SUMMARY,
            ),
            _toolbar(),
            plain_filters(),
            chips(),
            rx.el.div(class_name="mb-3 sm:mb-4"),
            server_rendered(
                "results",
                _FOUND,
                rx.fragment(_nearest(), rx.cond(_RESULTS.on_map & _RESULTS.city_map.bool(), _map(), _list_and_map())),
                card_skeletons(6, _GRID),
            ),
            restored_scroll(_FOUND),
            class_name=f"{CONTAINER} relative sm:pt-5 min-[56.25rem]:max-w-[88rem]",
        )
    )


def _title() -> rx.Component:
    place, near, around = _RESULTS.place, _RESULTS.near, _RESULTS.around_text
    elsewhere = rx.cond(near, f"Vehicles near {near}", "All vehicles")
    return rx.el.div(
        rx.el.h1(rx.cond(place, f"Vehicles in {place}", elsewhere), class_name=f"{PAGE_TITLE} max-sm:sr-only"),
        rx.cond(around, rx.el.a(around, href=_RESULTS.around_url, class_name=_LINK)),
        class_name="below-bar flex flex-wrap items-baseline gap-x-4",
    )


def _views() -> rx.Component:
    """The list or the map: the same vehicles either way."""
    on_map = _RESULTS.on_map
    return rx.el.nav(
        _view("list", "List", _RESULTS.list_url, ~on_map),
        _view("map", "Map", _RESULTS.map_url, on_map),
        # Beside the list there is a map already; over no vehicles it would only cover the way on.
        class_name=rx.cond(
            on_map,
            "floating flex gap-1",
            rx.cond(
                _RESULTS.cards,
                "floating flex gap-1 min-[56.25rem]:hidden",
                "floating flex gap-1 min-[56.25rem]:hidden max-sm:hidden",
            ),
        ),
        custom_attrs={"aria-label": "View"},
    )


def _view(icon: str, text: str, href: rx.Var[str], is_here: rx.Var[bool]) -> rx.Component:
    current = {"aria-current": rx.cond(is_here, "true", "false")}
    return rx.el.a(rx.icon(icon, size=18), text, href=href, class_name=_VIEW, custom_attrs=current)


def _toolbar() -> rx.Component:
    return rx.el.div(
        kinds("w-full min-w-0 min-[87.5rem]:w-auto"),
        rx.el.div(
            rx.el.div(
                rx.fragment(
                    rx.el.label("Filter vehicles", html_for=FILTER, class_name="sr-only"),
                    typed_input(
                        id=FILTER,
                        text=VehiclesState.text,
                        on_type=VehiclesState.filter,
                        type="search",
                        max_length=LONGEST_QUERY,
                        placeholder="Maker, model or locality",
                        class_name=f"{FIELD} text-ellipsis",
                    ),
                ),
                class_name=f"beside-search min-w-0 flex-1 {SCRIPTED}",
            ),
            filter_button(),
            class_name="flex w-full items-center gap-2 sm:w-auto sm:min-w-104 min-[87.5rem]:min-w-0",
        ),
        rx.el.div(
            rx.el.div(
                server_rendered(
                    "count",
                    _FOUND,
                    rx.el.span(_RESULTS.count_line),
                    rx.el.span("Looking for vehicles…"),
                ),
                role="status",
                class_name=f"{MUTED} text-sm",
            ),
            rx.el.div(
                server_rendered("views", ~VehiclesState.loading, _views(), _views()), sort_select(), class_name=_RIGHT
            ),
            class_name="flex w-full items-center justify-between gap-x-4 sm:w-auto sm:flex-1",
        ),
        class_name="mt-1 flex flex-wrap items-center gap-2 sm:mt-2",
    )


def _nearest() -> rx.Component:
    return rx.cond(
        _RESULTS.nearest_text,
        rx.el.div(
            rx.el.p(
                "Some vendors are closed at the hours you chose. ",
                _RESULTS.nearest_text,
                ".",
                class_name="min-w-[min(16rem,100%)] flex-1",
            ),
            link_button("Use these hours", _RESULTS.nearest_url, "quiet"),
            class_name=f"mb-6 flex flex-wrap items-center justify-between gap-3 {NOTE}",
        ),
    )


def _map() -> rx.Component:
    """The map and, below it, the vehicles of the place that is chosen on it."""
    chosen = rx.el.section(
        rx.el.h2(
            f"{_RESULTS.total} {_RESULTS.chosen}",
            rx.cond(_RESULTS.searched, rx.el.span(" free for your dates", class_name=f"{MUTED} font-normal")),
            class_name=f"{BLOCK_TITLE} mb-3",
        ),
        small_vehicle_row(_RESULTS.cards, "Vehicles at the chosen place"),
        class_name=_CHOSEN,
    )
    return rx.fragment(
        city_map(view=_RESULTS.city_map, dated=_RESULTS.searched),
        rx.cond(_RESULTS.chosen & (_RESULTS.total > 0), chosen),
    )


def _list_and_map() -> rx.Component:
    """The list, and on a wide desk the map beside it."""
    beside = rx.el.aside(
        city_map(view=_RESULTS.city_map, dated=_RESULTS.searched),
        class_name="sticky top-20 hidden h-[calc(100dvh-6rem)] self-start min-[56.25rem]:block",
        custom_attrs={"aria-label": "Map"},
    )
    return rx.el.div(
        rx.el.div(rx.cond(_RESULTS.cards, _results(), rx.fragment(_empty(), _elsewhere())), class_name="min-w-0"),
        rx.cond(_RESULTS.city_map, beside),
        class_name=_BESIDE,
    )


def _elsewhere() -> rx.Component:
    """The nearest places that have what this one lacks."""
    return rx.cond(
        _RESULTS.elsewhere,
        rx.el.section(
            rx.el.h2("Nearest with vehicles for this search", class_name=BLOCK_TITLE),
            rx.el.ul(
                rx.foreach(_RESULTS.elsewhere, lambda link: link_panel(link, _ELSEWHERE)),
                class_name="mt-3 grid list-none gap-3 p-0 sm:grid-cols-2",
            ),
            class_name="mx-auto mt-8 max-w-3xl",
        ),
    )


def _results() -> rx.Component:
    return rx.fragment(
        rx.el.h2("Results", class_name="sr-only"),
        vehicle_grid(_RESULTS.cards, _GRID),
        rx.cond(
            rx.Var.create(_RESULTS.cards).length() < _RESULTS.total,
            rx.el.div(rx.cond(_RESULTS.filters.more_url, _more(), _NO_MORE), class_name="mt-8 text-center"),
        ),
    )


def _more() -> rx.Component:
    return rx.fragment(
        button("Show more", on_click=VehiclesState.show_more, extra=SCRIPTED),
        rx.el.noscript(link_button("Show more", _RESULTS.filters.more_url, "quiet")),
    )


def _empty() -> rx.Component:
    return rx.cond(
        _RESULTS.problem,
        rx.cond(
            _RESULTS.failed,
            failure("The vehicles could not be loaded", _RESULTS.problem, VehiclesState.load),
            notice(
                "This search is not possible",
                rx.cond(
                    _RESULTS.note,
                    _RESULTS.note,
                    "Change what is marked in the form, or look at all vehicles.",
                ),
                _all_places(),
            ),
        ),
        notice(
            _RESULTS.nothing_title,
            _RESULTS.nothing_text,
            fewer(),
            rx.cond(
                _RESULTS.any_listed,
                rx.cond(
                    VehiclesState.text,
                    button("Clear the filter", variant="primary", on_click=VehiclesState.clear_filter),
                    _all_places(),
                ),
            ),
        ),
    )


def _all_places() -> rx.Component:
    return button("See all vehicles", variant="primary", on_click=VehiclesState.show_all_places)
