"""A locality: what can be rented there, on what terms, and the questions people have on the day."""

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.frame.public import layout
from rental_app.web.parts.fold import faq
from rental_app.web.parts.links import link_button, link_panel
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.picture import picture
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.search_form.form import search_form
from rental_app.web.parts.theme import CONTAINER, HEADLINE, MUTED, PANEL, SECTION_TITLE, SKELETON, STAGE
from rental_app.web.parts.vehicle_card.card import card_skeletons, vehicle_grid
from rental_app.web.react.here import is_here
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.city.state import CityState

_SECTION = f"{CONTAINER} mt-14 sm:mt-20"
_NEIGHBOUR = f"h-full rounded-2xl p-5 transition-shadow hover:shadow-md {STAGE}"
_HERE = is_here(CityState.asked_url)
_KNOWN = CityState.city.bool() & _HERE
_GONE = CityState.missing & _HERE


def city() -> rx.Component:
    """The locality of the address, or where else to look."""
    return layout(
        server_rendered("missing", _GONE | _KNOWN, rx.cond(CityState.missing, _missing())),
        rx.cond(
            CityState.problem,
            rx.el.div(
                rx.el.h1(heads.of_place(settings().city), class_name=f"{HEADLINE} mb-6"),
                failure("This page could not be loaded", CityState.problem, CityState.load),
                class_name=f"{CONTAINER} pt-10",
            ),
            rx.el.div(_page(), id="locality", class_name="contents"),
        ),
    )


def _missing() -> rx.Component:
    return rx.el.div(
        # Not left out: the served page has it too.
        rx.el.style("#locality { display: none }"),
        rx.el.h1(heads.name("/404"), class_name=f"{HEADLINE} mb-6"),
        notice(
            f"We don't have that locality in {settings().city}",
            "The link may be mistyped. All our localities are listed at the bottom of the home page.",
            link_button("See all vehicles", "/vehicles"),
            link_button("Go to the home page", "/", "quiet"),
        ),
        class_name=f"{CONTAINER} pt-10",
    )


def _page() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.el.div(
                server_rendered("head", _KNOWN, _head(), _until_known(_head_loading())),
                picture("scooter", "yellow", "hidden h-44 w-auto md:block", loading="eager"),
                class_name=f"{CONTAINER} flex items-center justify-between gap-8 pt-8 pb-16 md:pt-2 md:pb-12",
            ),
            class_name=STAGE,
        ),
        rx.el.div(search_form(), class_name=f"{CONTAINER} relative -mt-10"),
        rx.el.section(
            server_rendered(
                "vehicles",
                _KNOWN,
                rx.cond(
                    CityState.city.cards,
                    rx.fragment(
                        rx.el.div(
                            rx.el.h2(f"Vehicles in {CityState.city.name}", class_name=SECTION_TITLE),
                            link_button("See all and filter", CityState.city.all_url, "quiet"),
                            class_name="mb-5 flex flex-wrap items-center justify-between gap-3",
                        ),
                        vehicle_grid(CityState.city.cards),
                    ),
                    _nothing_here(),
                ),
                _until_known(card_skeletons(3)),
            ),
            class_name=f"{CONTAINER} mt-12",
        ),
        rx.el.div(
            rx.el.section(
                server_rendered("terms", _KNOWN, _terms(), _until_known(rx.el.div(class_name=f"{SKELETON} h-80"))),
                class_name="lg:sticky lg:top-24 lg:self-start",
            ),
            rx.el.section(
                rx.el.h2("Before you ride", class_name=f"{SECTION_TITLE} mb-6"),
                server_rendered(
                    "before_ride",
                    _KNOWN,
                    faq(CityState.city.questions),
                    _until_known(rx.el.div(class_name=f"{SKELETON} h-80")),
                ),
            ),
            class_name=f"{_SECTION} grid gap-12 lg:grid-cols-[2fr_3fr]",
        ),
        server_rendered("nearby", _KNOWN, _nearby()),
    )


def _until_known(skeleton: rx.Component) -> rx.Component:
    # As the server leaves these places empty where there is no such locality.
    return rx.cond(_GONE, rx.fragment(), skeleton)


def _head() -> rx.Component:
    return rx.el.div(
        rx.el.h1(heads.of_place(CityState.city.name), class_name=HEADLINE),
        rx.el.p(
            rx.cond(
                CityState.city.from_price,
                rx.fragment(
                    "From ",
                    rx.el.strong(CityState.city.from_price, class_name="text-(--ink)"),
                    f" a day, {CityState.city.count_line}.",
                ),
                f"Scooters, bikes and cars in {settings().city}.",
            ),
            class_name=f"{MUTED} mt-3 text-lg",
        ),
    )


def _head_loading() -> rx.Component:
    return rx.el.div(
        rx.el.div(class_name=f"{SKELETON} h-9 w-80 max-w-full sm:h-10"),
        rx.el.div(class_name=f"{SKELETON} mt-3 h-7 w-64 max-w-full"),
        rx.el.span("Loading", role="status", class_name="sr-only"),
        class_name="w-full",
    )


def _nothing_here() -> rx.Component:
    return notice(
        "No vehicles here right now",
        f"Nothing can be rented in {CityState.city.name} right now. These are the nearest localities with vehicles.",
        rx.foreach(CityState.city.nearest, lambda link: link_button(f"{link.text}, {link.note}", link.href, "quiet")),
    )


def _terms() -> rx.Component:
    return rx.fragment(
        rx.el.h2(f"The terms in {CityState.city.name}", class_name=SECTION_TITLE),
        rx.el.div(
            rx.el.dl(rx.foreach(CityState.city.policies, _term), class_name="m-0"),
            rx.el.ul(
                rx.foreach(
                    CityState.city.rules,
                    lambda rule: rx.el.li(
                        rx.icon("check", size=18, class_name="mt-1 shrink-0 text-(--accent-11)"),
                        rule,
                        class_name="flex gap-3",
                    ),
                ),
                class_name="m-0 flex list-none flex-col gap-3 p-0 pt-5",
            ),
            class_name=f"{PANEL} mt-6 p-6",
        ),
    )


def _term(fact: rx.Var[Fact]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(fact.label, class_name=MUTED),
        rx.el.dd(fact.value, class_name="m-0 text-right font-semibold"),
        class_name="flex justify-between gap-4 border-b border-(--line) py-3 first:pt-0",
    )


def _nearby() -> rx.Component:
    return rx.cond(
        CityState.city.cards,
        rx.el.section(
            rx.el.h2("Close by", class_name=SECTION_TITLE),
            rx.el.ul(
                rx.foreach(CityState.city.nearest, lambda link: link_panel(link, _NEIGHBOUR)),
                class_name="mt-6 grid list-none gap-4 p-0 sm:grid-cols-2 lg:grid-cols-4",
            ),
            class_name=_SECTION,
        ),
    )
