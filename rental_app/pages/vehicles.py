"""The list of vehicles and search results."""

import reflex as rx

from rental_app.components.fields.field import typed_input
from rental_app.components.fold import phone_fold
from rental_app.components.frame.shop import layout
from rental_app.components.links import link_button
from rental_app.components.notice import failure, notice
from rental_app.components.react.served import served
from rental_app.components.search_form import search_form
from rental_app.components.theme import BUTTON, CONTAINER, FIELD, MUTED, PAGE_TITLE
from rental_app.components.vehicle_card import card_skeletons, vehicle_grid
from rental_app.states.search import SearchState
from rental_app.states.vehicles import FILTER, VehiclesState


def vehicles() -> rx.Component:
    """Search form, free-text filter, count, and the vehicles."""
    return layout(
        rx.el.div(
            served("title", ~VehiclesState.loading, _title(), _title()),
            rx.el.div(phone_fold(_search_line(), search_form()), class_name="mt-3 sm:mt-5"),
            _toolbar(),
            served(
                "results",
                ~VehiclesState.loading,
                rx.fragment(_nearest(), rx.cond(VehiclesState.cards, _results(), _empty())),
                card_skeletons(6),
            ),
            class_name=f"{CONTAINER} pt-4 sm:pt-8",
        )
    )


def _title() -> rx.Component:
    place = VehiclesState.place
    return rx.el.h1(rx.cond(place, f"Vehicles in {place}", "All vehicles"), class_name=PAGE_TITLE)


def _search_line() -> rx.Component:
    place = VehiclesState.place
    line = rx.el.span(
        rx.el.strong(rx.cond(place, place, "All localities"), class_name="block font-semibold text-(--ink)"),
        SearchState.line,
    )
    return rx.el.span(
        rx.icon("search", size=18, class_name="shrink-0"),
        served("search_line", ~VehiclesState.loading, line, line),
        rx.el.span("Change", class_name="ml-auto font-medium text-(--accent-11)"),
        class_name=f"{MUTED} flex w-full items-center gap-3 text-sm leading-5",
    )


def _toolbar() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.label("Filter vehicles", html_for=FILTER, class_name="sr-only"),
            typed_input(
                id=FILTER,
                text=VehiclesState.text,
                on_type=VehiclesState.filter,
                type="search",
                placeholder="Filter by maker, model or locality",
                class_name=FIELD,
            ),
            class_name="w-full sm:max-w-sm",
        ),
        rx.el.div(
            served(
                "count",
                ~VehiclesState.loading,
                rx.el.span(VehiclesState.count_line),
                rx.el.span("Looking for vehicles…"),
            ),
            role="status",
            class_name=f"{MUTED} text-sm",
        ),
        class_name="my-3 flex flex-wrap items-center justify-between gap-3 sm:my-6",
    )


def _nearest() -> rx.Component:
    return rx.cond(
        VehiclesState.nearest_text,
        rx.el.div(
            rx.el.p(
                "Some vendors are closed at the hours you chose. ",
                VehiclesState.nearest_text,
                ".",
                class_name="min-w-64 flex-1",
            ),
            link_button("Use these hours", VehiclesState.nearest_url, "quiet"),
            class_name="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-2xl bg-(--amber-a3) p-4",
        ),
    )


def _results() -> rx.Component:
    return rx.fragment(
        rx.el.h2("Results", class_name="sr-only"),
        vehicle_grid(VehiclesState.cards),
        rx.cond(
            rx.Var.create(VehiclesState.cards).length() < VehiclesState.total,
            rx.el.div(
                rx.el.button("Show more", type="button", on_click=VehiclesState.show_more, class_name=BUTTON["quiet"]),
                class_name="mt-8 text-center",
            ),
        ),
    )


def _empty() -> rx.Component:
    return rx.cond(
        VehiclesState.problem,
        rx.cond(
            VehiclesState.failed,
            failure("The vehicles could not be loaded", VehiclesState.problem, VehiclesState.load),
            notice(
                "This search is not possible",
                "Change what is marked in the form, or look at all vehicles.",
                _all_places(),
            ),
        ),
        rx.cond(
            VehiclesState.text,
            notice("Nothing fits that filter", "Try fewer words, or look at all vehicles.", _clear_filter()),
            notice(
                "No cars available",
                "Try other dates or another location: most vehicles come back within a few days.",
                _all_places(),
            ),
        ),
    )


def _clear_filter() -> rx.Component:
    return rx.el.button(
        "Clear the filter", type="button", on_click=VehiclesState.clear_filter, class_name=BUTTON["primary"]
    )


def _all_places() -> rx.Component:
    return rx.el.button(
        "See all vehicles", type="button", on_click=VehiclesState.show_all_places, class_name=BUTTON["primary"]
    )
