"""The home page."""

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.frame.public import layout
from rental_app.web.parts.links import vendor_link
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.picture import picture
from rental_app.web.parts.search_form.form import search_form
from rental_app.web.parts.theme import BUTTON, CONTAINER, LINK, MUTED
from rental_app.web.parts.vehicle_card.card import THREE, card_skeletons, vehicle_row
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.home.city_links import city_links
from rental_app.web.screens.home.guide import how_to, questions
from rental_app.web.screens.home.presenter import FEATURED, ModelLink
from rental_app.web.screens.home.sections import SECTION, TITLE, leaves, lister, services, testimonials, why
from rental_app.web.screens.home.state import HomeState

SHOWN = HomeState.shown
_MODEL = (
    "flex h-full items-center gap-2.5 rounded-2xl border border-(--line) bg-(--surface) px-2.5 py-1.5 no-underline"
    " hover:bg-(--gray-a3) sm:px-4 sm:py-3"
)
_MODEL_NAME = "block text-sm leading-5 font-semibold text-(--ink) max-md:whitespace-nowrap"
_HEADLINE = "text-[28px] leading-8 font-extrabold tracking-tight text-balance sm:text-5xl sm:leading-tight"
_TYPES = (
    ("Scooter", "Scooters", "scooter", "blue"),
    ("Motorcycle", "Motorcycles", "classic", "red"),
    ("Electric", "Electric", "ather", "grey"),
    ("Car", "Cars", "hatchback", "teal"),
)


def home() -> rx.Component:
    """Hero with the search form, featured vehicles, why to rent here, and how it works."""
    city = settings().city
    tiles = rx.el.ul(
        *[_type(*each) for each in _TYPES],
        class_name="grid list-none grid-cols-4 gap-2 p-0 max-[17.5rem]:grid-cols-2 sm:gap-5",
    )
    return layout(
        rx.el.section(
            rx.el.h1(
                f"Rent a ride in {city}, by the day",
                class_name=_HEADLINE,
            ),
            rx.el.img(
                src="/hero.svg",
                alt=f"A scooter and a car on a road through {city}",
                class_name="hidden h-auto w-full lg:block",
                # Lazy: a phone, which does not show it, does not fetch it either.
                loading="lazy",
                custom_attrs={"fetchpriority": "high", "width": "1200", "height": "540"},
            ),
            rx.el.div(search_form(), class_name="mt-3 min-w-0 sm:mt-8 lg:col-span-2"),
            class_name=f"{CONTAINER} grid items-center gap-x-8 pt-4 sm:pt-10 lg:grid-cols-2",
        ),
        rx.el.nav(
            server_rendered("types", ~HomeState.loading, tiles, tiles),
            class_name=f"{CONTAINER} mt-4 sm:mt-10",
            custom_attrs={"aria-label": "Types of vehicles"},
        ),
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


def _type(name: str, label: str, shape: str, tint: str) -> rx.Component:
    tile = rx.el.li(
        rx.el.a(
            picture(shape, tint, "h-10 w-auto sm:h-24"),
            rx.el.span(label, class_name="text-xs font-semibold text-(--ink) sm:text-base"),
            rx.el.span(SHOWN.counts[name], class_name=f"{MUTED} h-4 text-xs leading-4"),
            href=f"/vehicles?type={name}",
            class_name=(
                "flex flex-col items-center rounded-xl bg-(--gray-a2) px-1 py-2 no-underline hover:bg-(--gray-a3)"
                " sm:p-4"
            ),
        )
    )
    # The catalogue's types can be renamed, and nothing is found by a name that is gone.
    return rx.cond(HomeState.loading | (SHOWN.counts[name] != ""), tile)


def _featured() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Featured vehicles", class_name=TITLE),
            rx.el.a("See all vehicles", href="/vehicles", class_name=LINK),
            class_name="mb-2 flex flex-wrap items-baseline justify-between gap-x-3 sm:mb-5",
        ),
        server_rendered(
            "featured",
            ~HomeState.loading,
            rx.cond(
                SHOWN.featured,
                vehicle_row(SHOWN.featured, "Featured vehicles"),
                rx.cond(
                    HomeState.problem,
                    failure("The vehicles could not be loaded", HomeState.problem, HomeState.load),
                    notice(
                        "No vehicles yet",
                        "They are shown here as soon as vendors have listed them.",
                        vendor_link("List your vehicle", BUTTON["primary"]),
                    ),
                ),
            ),
            card_skeletons(FEATURED, THREE),
        ),
        class_name=SECTION,
    )


def _popular() -> rx.Component:
    models = leaves(
        rx.foreach(SHOWN.models, _model),
        label="Popular models",
        class_name="min-h-15 md:grid-cols-4",
        width="*:w-auto",
    )
    section = rx.el.section(rx.el.h2("Popular models", class_name=TITLE), models, class_name=SECTION)
    shown = rx.cond(HomeState.loading | rx.Var.create(SHOWN.models).bool(), section)
    return server_rendered("models", ~HomeState.loading, shown, shown)


def _model(model: rx.Var[ModelLink]) -> rx.Component:
    """A model with its drawing and the lowest price of a day."""
    drawing = {"width": "960", "height": "600"}
    return rx.el.li(
        rx.el.a(
            rx.el.img(src=model.drawing, alt="", loading="lazy", class_name="h-10 w-16 shrink-0", custom_attrs=drawing),
            rx.el.span(
                rx.el.span(model.text, class_name=_MODEL_NAME),
                rx.el.span(model.note, class_name=f"{MUTED} text-[13px] leading-5 whitespace-nowrap"),
                class_name="min-w-0",
            ),
            href=model.href,
            class_name=_MODEL,
        ),
        key=model.href,
    )
