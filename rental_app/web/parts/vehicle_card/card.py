"""A vehicle in a grid."""

import reflex as rx

from rental_app.web.parts.favourite_and_compare.buttons import card_buttons
from rental_app.web.parts.reviews.part import rated
from rental_app.web.parts.theme import MUTED, SECTION_TITLE, SKELETON, STAGE
from rental_app.web.parts.vehicle_card.presenter import Card
from rental_app.web.react.photos import GALLERY, ROW

# Its one column on a phone is no wider than the screen, whatever a line that is cut would need.
GRID = "grid grid-cols-1 gap-x-5 gap-y-7 sm:grid-cols-2 lg:grid-cols-3"
# For at most three cards: on a phone a row to swipe, of which the next one is seen.
THREE = (
    "flex snap-x snap-mandatory gap-4 overflow-x-auto scroll-px-4 -mx-4 px-4 [scrollbar-width:none] *:w-68 *:shrink-0"
    " *:snap-start sm:mx-0 sm:grid sm:grid-cols-3 sm:gap-5 sm:px-0 sm:*:w-auto"
)
# Neither laid out nor painted, and its pictures not fetched, before it is nearly on the screen (site.css).
LATER = "later-card"
_CARD = "group @container flex flex-col text-(--ink) no-underline"
# One line of parts, of which those at the end are gone, rather than cut, where there is no room for them.
_PARTS = "flex flex-wrap overflow-hidden whitespace-pre"
_PICTURE = f"relative overflow-hidden rounded-2xl {STAGE}"
_LABEL = "absolute left-3 top-3 rounded-md bg-(--surface) px-2 py-1 text-xs font-semibold text-(--ink) shadow-sm"
_FACE = "grid size-6 shrink-0 place-items-center rounded-full bg-(--accent-a3) text-xs font-bold text-(--accent-12)"

# Only fingers turn a card's photos: the link around them is one stop of the keyboard, and its page has them all.
_ROW = (
    "group/row flex h-full snap-x snap-mandatory overflow-hidden pointer-coarse:overflow-x-auto scroll-smooth"
    " [scrollbar-width:none]"
)
_PHOTO = "aspect-[5/3] h-auto w-full object-cover"


@rx.memo
def vehicle_card(car: rx.Var[Card]) -> rx.Component:
    """A card that is one link, and the buttons that mark the vehicle, which may not be inside a link."""
    return rx.el.div(
        rx.el.a(
            rx.el.div(
                _photos(car),
                rx.cond(car.delivers, rx.el.span("Delivers to you", class_name=_LABEL)),
                class_name=_PICTURE,
            ),
            rx.el.div(
                rx.el.div(
                    rx.el.h3(car.title, class_name="min-w-0 text-base leading-6 font-bold wrap-break-word"),
                    rx.cond(car.rating, _rating(car)),
                    class_name="flex items-baseline justify-between gap-3",
                ),
                rx.el.p(
                    rx.foreach(
                        car.facts,
                        lambda fact: rx.el.span(fact, key=fact, class_name="max-w-full overflow-hidden text-ellipsis"),
                    ),
                    class_name=f"{MUTED} {_PARTS} h-5 text-sm leading-5",
                ),
                # Of this line only the host's name may be cut; narrow cards do without the rating, and the trips.
                rx.el.p(
                    rx.el.span(car.host_initials, class_name=_FACE, custom_attrs={"aria-hidden": "true"}),
                    rx.el.span(car.host, class_name="ml-1.5 min-w-0 truncate", custom_attrs={"data-may-be-cut": ""}),
                    rx.el.span(car.host_rating, class_name="shrink-0 whitespace-pre @max-[20rem]:hidden"),
                    rx.el.span(car.host_answers, class_name="shrink-0 whitespace-pre"),
                    rx.el.span(car.host_trips, class_name="shrink-0 whitespace-pre @max-[16rem]:hidden"),
                    class_name=f"{MUTED} card-host mt-1 flex h-6 items-center text-[13px]",
                ),
                # Beside the menu, which comes after the link.
                rx.el.div(_prices(car), class_name="flex min-h-10 items-center pr-11"),
                class_name="pt-2",
            ),
            href=car.href,
            class_name=_CARD,
        ),
        card_buttons(car),
        class_name="relative",
        custom_attrs={**GALLERY, "data-at": car.place_key},
    )


def _rating(car: rx.Var[Card]) -> rx.Component:
    shown = rx.el.span(car.rating_figures, custom_attrs={"aria-hidden": "true"})
    return rated(rx.fragment(shown, rx.el.span(car.rating, class_name="sr-only")), "shrink-0 text-sm")


def _prices(car: rx.Var[Card]) -> rx.Component:
    """The total for the dates, or that the vehicle is taken then, or the price of a day."""
    return rx.cond(
        car.taken,
        rx.el.p(car.taken, class_name="text-sm font-semibold text-(--red-11)"),
        # An amount and what it is for, then the price of a day and the kilometres as far as there is room.
        rx.el.p(
            rx.el.span(
                rx.el.strong(rx.cond(car.total, car.total, car.daily), class_name="text-xl leading-6 font-bold"),
                rx.el.span(f" {car.price_for}", class_name="text-sm font-semibold"),
            ),
            rx.cond(car.price_day, rx.el.span(car.price_day, class_name=f"{MUTED} text-sm")),
            rx.el.span(car.price_kms, class_name=f"{MUTED} text-sm"),
            class_name=f"{_PARTS} h-6 min-w-0 items-baseline",
        ),
    )


def _photos(car: rx.Var[Card]) -> rx.Component:
    """The first photo, and beside it the others, which are loaded once somebody swipes."""
    return rx.el.div(
        _photo(car.image, "block"),
        rx.foreach(car.more, lambda src: _photo(src, "hidden group-data-[swiped]/row:block noscript:block")),
        class_name=_ROW,
        custom_attrs=ROW,
    )


def _photo(src: rx.Var[str], shown: str) -> rx.Component:
    return rx.el.span(
        rx.el.img(
            src=src,
            alt="",
            loading="lazy",
            class_name=f"{shown} {_PHOTO}",
            custom_attrs={"width": "640", "height": "384"},
        ),
        key=src,
        class_name="w-full shrink-0 snap-center",
    )


def vehicle_grid(cars: rx.Var[list[Card]], grid: str = GRID) -> rx.Component:
    """Cards side by side."""
    return rx.el.ul(_items(cars, LATER), class_name=f"{grid} list-none p-0")


def vehicle_row(cars: rx.Var[list[Card]], label: str) -> rx.Component:
    """At most three cards, which a phone goes through sideways, by swiping or by keyboard."""
    look = f"{THREE} list-none p-0 max-sm:[&_.card-host]:hidden"
    return rx.el.ul(_items(cars), tab_index=0, class_name=look, custom_attrs={"aria-label": label})


def small_vehicle_row(cars: rx.Var[list[Card]], label: str) -> rx.Component:
    """Small cards in one row, to go through sideways: below a map they leave it in sight."""
    items = rx.foreach(
        cars, lambda car: rx.el.li(_small_card(car=car), key=car.id, class_name="w-78 shrink-0 snap-start")
    )
    look = (
        "relative -mx-4 flex list-none snap-x snap-mandatory scroll-px-4 gap-3 overflow-x-auto px-4 py-0.5"
        " [scrollbar-width:none] sm:mx-0 sm:scroll-px-0 sm:px-0"
    )
    return rx.el.ul(items, tab_index=0, class_name=look, custom_attrs={"aria-label": label})


@rx.memo
def _small_card(car: rx.Var[Card]) -> rx.Component:
    """Picture, name, rating and gears, and the price."""
    return rx.el.a(
        rx.el.img(
            src=car.image,
            alt="",
            loading="lazy",
            class_name=f"h-18 w-24 shrink-0 rounded-xl object-cover {STAGE}",
            custom_attrs={"width": "640", "height": "400"},
        ),
        rx.el.div(
            rx.el.h3(car.title, class_name="truncate font-bold", custom_attrs={"data-may-be-cut": ""}),
            rx.el.p(
                rx.cond(car.rating, _rating(car)),
                rx.el.span(rx.cond(car.rating, "· ", ""), car.transmission),
                class_name=f"{MUTED} flex items-center gap-1 text-sm",
            ),
            _prices(car),
            class_name="min-w-0",
        ),
        href=car.href,
        class_name="flex h-full items-center gap-3 rounded-2xl border border-(--line) p-2 text-(--ink) no-underline",
    )


def _items(cars: rx.Var[list[Card]], look: str = "") -> rx.Component:
    return rx.foreach(cars, lambda car: rx.el.li(vehicle_card(car=car), key=car.id, class_name=look))


def card_section(title: str, cars: rx.Var[list[Card]]) -> rx.Component:
    """Cards below a title; nothing without any."""
    return rx.cond(
        cars,
        rx.el.section(
            rx.el.h2(title, class_name=f"{SECTION_TITLE} mb-4"), vehicle_row(cars, title), class_name="mt-12"
        ),
    )


def card_skeletons(count: int, grid: str = GRID) -> rx.Component:
    """Placeholders for a grid while it loads, of the same size."""
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} aspect-[6/5]") for _ in range(count)],
        class_name=grid,
        custom_attrs={"aria-hidden": "true"},
    )
