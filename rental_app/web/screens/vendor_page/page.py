"""A vendor as everybody sees them: vehicles, reviews, hours and terms."""

import reflex as rx

from rental_app.web.frame.public import layout
from rental_app.web.parts.block import block, numbered, stacked
from rental_app.web.parts.button import button
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.reviews.part import rated, report_dialog, review_list
from rental_app.web.parts.theme import CONTAINER, MUTED, PAGE_TITLE, PANEL, SECTION_TITLE, SKELETON
from rental_app.web.parts.vehicle_card.card import vehicle_grid
from rental_app.web.react.here import is_here
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.vendor_page.state import VendorPageState as State

_FACE = "size-20 shrink-0 rounded-full bg-(--accent-a4)"


def vendor_page() -> rx.Component:
    """The vendor of the address, or a way on if there is none."""
    return layout(
        rx.el.div(
            server_rendered(
                "vendor",
                (State.vendor.bool() | State.missing) & is_here(State.asked_url),
                rx.cond(
                    State.vendor,
                    _vendor(),
                    rx.fragment(
                        rx.el.h1("Vendor not found", class_name="sr-only"),
                        notice(
                            "There is no such vendor",
                            "They may no longer rent vehicles out here.",
                            link_button("See all vehicles", "/vehicles"),
                        ),
                    ),
                ),
                rx.cond(
                    State.problem,
                    rx.fragment(
                        rx.el.h1("Vendor", class_name="sr-only"),
                        failure("This page could not be loaded", State.problem, State.load),
                    ),
                    rx.el.div(
                        rx.el.h1("Vendor", class_name="sr-only"),
                        rx.el.div(class_name=f"{SKELETON} h-40"),
                        rx.el.div(class_name=f"{SKELETON} h-96"),
                        class_name="flex min-h-screen flex-col gap-6",
                    ),
                ),
            ),
            class_name=f"{CONTAINER} pt-8",
        ),
        report_dialog(),
    )


def _vendor() -> rx.Component:
    vendor = State.vendor
    return rx.el.div(
        _head(),
        rx.el.section(
            rx.el.h2("Vehicles", class_name=SECTION_TITLE),
            rx.cond(
                vendor.cards,
                _vehicles(),
                rx.el.div(
                    notice(
                        "Nothing to rent here right now",
                        "None of this vendor's vehicles is listed at the moment.",
                        link_button("See all vehicles", "/vehicles"),
                        title_tag=rx.el.h3,
                    ),
                    class_name="mt-3",
                ),
            ),
        ),
        rx.el.div(
            review_list(vendor.reviews, State.show_more),
            rx.cond(vendor.terms, block("Terms & Conditions", numbered(vendor.terms))),
            class_name="grid min-w-0 gap-6 wrap-anywhere lg:grid-cols-2 lg:items-start",
        ),
        class_name="flex min-w-0 flex-col gap-8",
    )


def _vehicles() -> rx.Component:
    vendor = State.vendor
    return rx.fragment(
        rx.el.p(vendor.count_line, class_name=f"{MUTED} mb-5"),
        vehicle_grid(vendor.cards),
        rx.cond(
            vendor.more > 0,
            button(f"Show more vehicles ({State.vendor.more} left)", extra="mt-4", on_click=State.show_more_vehicles),
        ),
    )


def _head() -> rx.Component:
    vendor = State.vendor
    return rx.el.div(
        rx.el.div(
            rx.cond(
                vendor.image,
                rx.el.img(
                    src=vendor.image,
                    alt="",
                    custom_attrs={"width": "80", "height": "80"},
                    class_name=f"{_FACE} object-cover",
                ),
                rx.el.span(
                    vendor.initials,
                    custom_attrs={"aria-hidden": "true"},
                    class_name=f"{_FACE} grid place-items-center text-3xl font-bold text-(--accent-12)",
                ),
            ),
            rx.el.div(
                rx.el.h1(vendor.name, class_name=f"{PAGE_TITLE} wrap-anywhere"),
                rx.el.p(
                    rx.cond(vendor.reviews.rating, rated(vendor.reviews.rating, "mr-2")),
                    rx.el.a(
                        vendor.reviews.count, href="#reviews", class_name="inline-flex min-h-6 items-center underline"
                    ),
                ),
                class_name="min-w-0",
            ),
            class_name="flex items-center gap-4",
        ),
        rx.el.dl(
            rx.foreach(vendor.facts, lambda fact: stacked(fact.label, fact.value, look="font-semibold text-balance")),
            class_name="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-3",
        ),
        class_name=f"{PANEL} p-5 sm:p-6",
    )
