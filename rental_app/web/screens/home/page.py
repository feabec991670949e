"""The home page."""

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.frame.public import layout
from rental_app.web.parts.links import link_button, link_panel, vendor_link
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.search_form.form import search_form
from rental_app.web.parts.theme import BUTTON, CONTAINER, MUTED, PANEL, SECTION_TITLE
from rental_app.web.parts.vehicle_card.card import THREE, card_skeletons, vehicle_row
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.home.city_links import city_links
from rental_app.web.screens.home.guide import how_to, questions
from rental_app.web.screens.home.presenter import FEATURED
from rental_app.web.screens.home.sections import leaves, lister, services, testimonials, why
from rental_app.web.screens.home.state import HomeState

_MODEL = f"{PANEL} h-full px-4 py-3 transition-shadow hover:shadow-lg"


def home() -> rx.Component:
    """Hero with the search form, featured vehicles, why to rent here, and how it works."""
    return layout(
        _hero(),
        _featured(),
        _popular(),
        why(),
        lister(),
        how_to(),
        services(),
        testimonials(),
        questions(),
        light=True,
        footer_top=city_links(),
    )


# A phone shows the search first, a desktop the introduction.
_HERO = (
    f"{CONTAINER} grid gap-x-8 pt-5 sm:pt-10 lg:grid-cols-2 lg:grid-rows-[1fr_auto_auto_1fr]"
    " [grid-template-areas:'title'_'search'_'text'_'picture']"
    " lg:[grid-template-areas:'._picture'_'title_picture'_'text_picture'_'._picture'_'search_search']"
    # Keeps the picture's space while the form, which comes before it, is on the screen and the picture is not yet.
    " lg:before:w-full lg:before:aspect-[20/9] lg:before:[grid-area:picture]"
)


def _hero() -> rx.Component:
    city = settings().city
    return rx.el.section(
        rx.el.h1(
            f"Rent a ride in {city}, by the day",
            class_name="text-3xl font-extrabold tracking-tight text-balance [grid-area:title] sm:text-5xl",
        ),
        rx.el.div(search_form(), class_name="mt-4 min-w-0 [grid-area:search] sm:mt-8"),
        rx.el.p(
            "Scooters, motorcycles, electric vehicles and cars from vendors near you. See the full price before you"
            " book, pay the deposit at pickup.",
            class_name=f"{MUTED} mt-5 max-w-xl [grid-area:text] sm:mt-4 sm:text-lg",
        ),
        rx.el.img(
            src="/hero.svg",
            alt=f"A scooter and a car on a road through {city}",
            class_name="mt-4 hidden h-auto w-full [grid-area:picture] sm:block lg:mt-0",
            custom_attrs={"fetchpriority": "high", "width": "1200", "height": "540"},
        ),
        class_name=_HERO,
    )


def _featured() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Featured vehicles", class_name=SECTION_TITLE),
            link_button("See all vehicles", "/vehicles", "quiet"),
            class_name="mb-5 flex flex-wrap items-center justify-between gap-3",
        ),
        server_rendered(
            "featured",
            ~HomeState.loading,
            rx.cond(HomeState.featured, vehicle_row(HomeState.featured, "Featured vehicles"), _instead()),
            card_skeletons(FEATURED, THREE),
        ),
        class_name=f"{CONTAINER} mt-10 sm:mt-14",
    )


def _instead() -> rx.Component:
    return rx.cond(
        HomeState.problem,
        failure("The vehicles could not be loaded", HomeState.problem, HomeState.load),
        notice(
            "No vehicles yet",
            "They are shown here as soon as vendors have listed them.",
            vendor_link("List your vehicle", BUTTON["primary"]),
        ),
    )


def _popular() -> rx.Component:
    models = leaves(
        rx.foreach(HomeState.models, lambda link: link_panel(link, _MODEL)),
        label="Popular models",
        class_name="min-h-18 md:grid-cols-4",
        width="*:w-48",
    )
    section = rx.el.section(
        rx.el.h2("Popular models", class_name=SECTION_TITLE), models, class_name=f"{CONTAINER} mt-8 sm:mt-14"
    )
    return server_rendered("models", ~HomeState.loading, rx.cond(HomeState.models, section), section)
