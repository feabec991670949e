"""A vehicle: everything about it, and the form to book it."""

import reflex as rx

from rental_app.domain.contacts import phone_link
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.public import layout
from rental_app.web.parts.block import in_row, numbered, part, stacked
from rental_app.web.parts.city_map.part import place_map
from rental_app.web.parts.favourite_and_compare.buttons import ROUND, compare_icon, heart
from rental_app.web.parts.gallery import full_screen, gallery
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.picture import illustration_label
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.reviews.part import rated, report_dialog, review_list
from rental_app.web.parts.reviews.state import VehicleReviewsState
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.parts.theme import CONTAINER, LINK, MUTED, PAGE_TITLE, SCRIPTED, STAGE
from rental_app.web.parts.vehicle_card.card import card_section
from rental_app.web.react.here import is_here
from rental_app.web.react.map import map_on_demand
from rental_app.web.react.results import back_link
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.react.share import share
from rental_app.web.screens.vehicle_details.booking_form import booking_form
from rental_app.web.screens.vehicle_details.presenter import FIELDS
from rental_app.web.screens.vehicle_details.state import DetailState


def vehicle_details() -> rx.Component:
    """The vehicle, a spinner while it loads, or a way on when it is not listed."""
    return layout(
        rx.el.div(
            back_link(
                rx.icon("chevron-left", size=18),
                rx.cond(SearchState.back_url, "Back to results", "Back to all vehicles"),
                href=rx.cond(SearchState.back_url, SearchState.back_url, "/vehicles"),
                class_name=_BACK,
            ),
            server_rendered(
                "vehicle",
                (DetailState.car.bool() | DetailState.missing) & is_here(DetailState.asked_url),
                rx.cond(
                    DetailState.car,
                    _vehicle(),
                    rx.fragment(
                        rx.el.h1("Vehicle not found", class_name="sr-only"),
                        rx.el.div(
                            notice(
                                "This vehicle is not listed",
                                "It may have been taken off the platform.",
                                link_button("See all vehicles", "/vehicles"),
                            ),
                            class_name=_BELOW_BACK,
                        ),
                        _instead(),
                    ),
                ),
                rx.cond(DetailState.problem, _failed(), _loading()),
                DetailState.take_over,
                {
                    "pickupDate": DetailState.chosen_pickup,
                    "returnDate": DetailState.return_at,
                    "extras": DetailState.chosen_extras,
                    "offer": DetailState.offer,
                },
                {"offer": FIELDS["offer"]},
            ),
            class_name=f"{CONTAINER} relative sm:pt-6 lg:max-w-[83rem]",
        ),
        full_screen(DetailState.car.photos, DetailState.car.title),
        report_dialog(),
    )


# What vendors write may have no spaces in it.
_COLUMN = "flex min-w-0 flex-col gap-6 wrap-anywhere"
# It stays in sight; in a lower window it scrolls by itself, save while the calendar hangs over its edge.
_BESIDE = (
    "lg:sticky lg:top-20 lg:max-h-[calc(100vh-6rem)] lg:overflow-y-auto lg:overscroll-contain lg:rounded-2xl"
    " lg:has-[.dtp-panel]:overflow-visible"
)
# On a phone it lies over the picture, which reaches from edge to edge.
_BACK = (
    "absolute left-3 top-3 z-10 inline-flex min-h-10 items-center gap-1 rounded-full bg-(--surface) px-3 text-sm"
    " font-medium shadow-sm sm:static sm:mb-4 sm:bg-transparent sm:px-0 sm:shadow-none"
)

# Where there is no picture.
_BELOW_BACK = "max-sm:pt-16"


def _failed() -> rx.Component:
    return rx.fragment(
        rx.el.h1("Vehicle", class_name="sr-only"),
        rx.el.div(
            failure("This vehicle could not be loaded", DetailState.problem, DetailState.load), class_name=_BELOW_BACK
        ),
    )


def _loading() -> rx.Component:
    return rx.el.div(
        rx.el.span(class_name="size-8 animate-spin rounded-full border-3 border-(--gray-a5) border-t-(--accent-9)"),
        rx.el.span("Loading the vehicle", class_name="sr-only"),
        role="status",
        class_name="flex min-h-[60vh] items-center justify-center",
    )


def _vehicle() -> rx.Component:
    # On a phone the form follows the picture; elsewhere it is beside the rest.
    car = DetailState.car
    shown = VehicleReviewsState.shown
    return rx.fragment(
        rx.el.div(
            rx.el.div(
                rx.cond(car.photos, gallery(car.photos, car.title), _drawing()),
                rx.el.div(
                    share(
                        rx.icon("share-2", size=20),
                        path=car.path,
                        title=car.title,
                        label=f"Share {car.title}",
                        class_name=f"{ROUND} {SCRIPTED}",
                    ),
                    rx.el.span(compare_icon(car.id, car.title), class_name=SCRIPTED),
                    heart(car.id, car.title),
                    class_name="absolute right-3 top-3 flex gap-2",
                ),
                class_name="relative -mx-4 min-w-0 sm:mx-0 lg:col-span-2",
            ),
            rx.el.div(_head(), class_name=_COLUMN),
            rx.el.aside(booking_form(), class_name=f"{_BESIDE} lg:row-span-2 lg:self-start"),
            rx.el.div(
                _host(),
                what_is_covered(),
                rx.el.div(
                    part("Renting Info", rx.el.dl(rx.foreach(DetailState.car.renting, in_row))),
                    part(
                        "Vehicle Features",
                        rx.el.dl(rx.foreach(DetailState.car.features, _tile), class_name="grid grid-cols-2 gap-2"),
                    ),
                    class_name="grid gap-6 sm:grid-cols-2 sm:gap-10",
                ),
                _terms(),
                _pickup_place(),
                rx.cond(shown, review_list(shown, VehicleReviewsState.show_more)),
                class_name=f"{_COLUMN} after-first-paint lg:gap-8",
            ),
            class_name="grid gap-6 lg:grid-cols-[minmax(0,1fr)_24.75rem] lg:grid-rows-[auto_auto_1fr] lg:gap-x-10",
        ),
        _instead(),
    )


def _instead() -> rx.Component:
    """Alternatives to a vehicle that is taken or gone."""
    return rx.fragment(
        card_section("Free on your dates", DetailState.free_instead),
        card_section("Similar vehicles", DetailState.similar),
    )


def _drawing() -> rx.Component:
    return rx.el.div(
        rx.el.img(
            src=DetailState.car.image,
            alt=DetailState.car.image_alt,
            custom_attrs={"width": "640", "height": "400", "fetchpriority": "high"},
            class_name="aspect-[5/3] h-auto w-full object-contain lg:aspect-[5/2]",
        ),
        illustration_label(DetailState.car.is_drawing),
        class_name=f"relative overflow-hidden sm:rounded-2xl {STAGE}",
    )


def _head() -> rx.Component:
    car = DetailState.car
    return rx.el.div(
        rx.el.h1(car.title, class_name=PAGE_TITLE),
        rx.cond(
            car.rating,
            rx.el.a(rated(car.rating), href="#reviews", class_name="mt-1 flex min-h-9 w-fit items-center"),
        ),
        rx.el.p(
            rx.icon("map-pin", size=16, class_name="mt-1 shrink-0"),
            car.address,
            class_name=f"{MUTED} mt-2 hidden gap-1 sm:flex",
        ),
        rx.el.p(car.summary_line, class_name=f"{MUTED} text-sm sm:text-base"),
    )


def _tile(fact: rx.Var[Fact]) -> rx.Component:
    return stacked(fact.label, fact.value, look="font-semibold", around="rounded-xl bg-(--gray-a3) px-3.5 py-2.5")


def _host() -> rx.Component:
    """Whose vehicle it is: a link to the vendor's page."""
    car = DetailState.car
    return rx.el.a(
        rx.el.span(
            car.vendor_initials,
            class_name=(
                "grid size-12 shrink-0 place-items-center rounded-full bg-(--accent-a3) font-bold text-(--accent-12)"
            ),
            custom_attrs={"aria-hidden": "true"},
        ),
        rx.el.span(
            rx.el.span(car.vendor_name, class_name="block font-semibold text-(--ink) underline"),
            rx.el.span(car.vendor_facts, class_name=f"{MUTED} text-sm"),
            class_name="min-w-0 flex-1",
        ),
        rx.icon("chevron-right", size=20),
        href=car.vendor_href,
        class_name="flex items-center gap-3 border-t border-(--line) pt-5 no-underline text-(--ink)",
    )


def what_is_covered() -> rx.Component:
    """What cancelling costs, what is covered, and whom to call."""
    phone, cover = settings().support_phone, DetailState.car.cover
    return part(
        "Cancelling and cover",
        rx.el.ul(
            _point("check", cover.free, look="font-semibold text-(--green-12)"),
            _point("calendar-days", cover.kept),
            _point("check", cover.covered),
            _point("x", cover.not_covered),
            _point("phone", f"{cover.breakdown} ", rx.el.a(phone, href=phone_link(phone), class_name=LINK)),
            class_name="flex list-none flex-col gap-2 p-0",
        ),
    )


def _point(icon: str, *text: rx.Component | rx.Var[str] | str, look: str = MUTED) -> rx.Component:
    return rx.el.li(
        rx.icon(icon, size=20, class_name="mt-0.5 shrink-0"), rx.el.span(*text), class_name=f"{look} flex gap-3"
    )


def _terms() -> rx.Component:
    """The first of the terms; the others, and those of the vendor, unfold in place."""
    car = DetailState.car
    more = rx.el.details(
        rx.el.summary(f"All {car.terms_count} terms", class_name=f"{LINK} cursor-pointer text-(--accent-11)"),
        rx.cond(car.more_terms, numbered(car.more_terms, start=car.terms.length() + 1)),
        rx.cond(
            car.vendor_terms,
            rx.fragment(
                rx.el.h3(f"Terms of {car.vendor_name}", class_name="mt-3 mb-1 font-semibold"),
                numbered(car.vendor_terms),
            ),
        ),
        class_name="mt-2",
    )
    return rx.cond(
        car.terms_count > 0, part("Terms & Conditions", numbered(car.terms), rx.cond(car.has_more_terms, more))
    )


def _pickup_place() -> rx.Component:
    car = DetailState.car
    return part(
        "Pickup Location",
        rx.cond(car.place_map, place_map(car.place_map)),
        rx.el.p(car.address, class_name=f"{MUTED} mt-3"),
        rx.el.p(
            rx.icon("calendar-days", size=16, class_name="mt-1 shrink-0"),
            f"Open {car.hours}. {car.closed}.",
            class_name="mt-2 flex gap-2",
        ),
        rx.el.a(
            rx.icon("map-pin", size=16),
            "Open in Google Maps",
            href=car.map_link,
            target="_blank",
            rel="noopener",
            class_name="mt-2 inline-flex min-h-9 items-center gap-2 font-medium text-(--accent-11) underline",
        ),
        map_on_demand(car.map_embed, car.map_link, f"Map of {car.location}"),
    )
