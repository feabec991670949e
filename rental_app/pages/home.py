"""The home page."""

import reflex as rx

from rental_app.components.city_links import city_links
from rental_app.components.frame.shop import layout
from rental_app.components.links import link_button
from rental_app.components.notice import failure
from rental_app.components.react.served import served
from rental_app.components.search_form import search_form
from rental_app.components.theme import CONTAINER, MUTED, SECTION_TITLE
from rental_app.components.vehicle_card import card_skeletons, vehicle_grid
from rental_app.pages.home_guide import how_to, questions
from rental_app.pages.home_sections import lister, services, testimonials, why
from rental_app.settings import settings
from rental_app.states.search import HomeState
from rental_app.views.vehicles import FEATURED


def home() -> rx.Component:
    """Hero with the search form, featured vehicles, why to rent here, and how it works."""
    return layout(
        _hero(),
        _featured(),
        why(),
        lister(),
        how_to(),
        services(),
        testimonials(),
        questions(),
        light=True,
        footer_top=city_links(),
    )


def _hero() -> rx.Component:
    city = settings().city
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h1(
                    f"Rent a ride in {city}, by the day",
                    class_name="text-4xl font-extrabold tracking-tight text-balance sm:text-5xl",
                ),
                rx.el.p(
                    "Scooters, motorcycles, electric and cars from vendors near you. See the full price before you"
                    " book, pay the deposit at pickup.",
                    class_name=f"{MUTED} mt-4 max-w-xl text-lg",
                ),
            ),
            rx.el.img(
                src="/hero.svg",
                alt=f"A scooter and a car on a road through {city}",
                class_name="h-auto w-full",
                custom_attrs={"fetchpriority": "high", "width": "1200", "height": "540"},
            ),
            class_name=f"{CONTAINER} grid items-center gap-8 pt-10 lg:grid-cols-2",
        ),
        rx.el.div(search_form(), class_name=f"{CONTAINER} mt-8"),
    )


def _featured() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Featured vehicles", class_name=SECTION_TITLE),
            link_button("See all vehicles", "/vehicles", "quiet"),
            class_name="mb-5 flex flex-wrap items-center justify-between gap-3",
        ),
        served(
            "featured",
            rx.Var.create(HomeState.featured).length() > 0,
            vehicle_grid(HomeState.featured),
            rx.cond(
                HomeState.problem,
                failure("The vehicles could not be loaded", HomeState.problem, HomeState.load),
                card_skeletons(FEATURED),
            ),
        ),
        class_name=f"{CONTAINER} mt-14",
    )
