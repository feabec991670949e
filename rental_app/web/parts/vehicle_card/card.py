"""A vehicle in a grid."""

import reflex as rx

from rental_app.web.parts.favourite_and_compare.buttons import card_marks
from rental_app.web.parts.picture import drawing_mark
from rental_app.web.parts.reviews.part import rated
from rental_app.web.parts.theme import MUTED, PANEL, SKELETON, STAGE
from rental_app.web.parts.vehicle_card.presenter import Card
from rental_app.web.react.photos import GALLERY, ROW

GRID = "grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-3"
# For at most three cards, none of which should be alone in a row.
THREE = "grid gap-3 sm:grid-cols-3 sm:gap-5"
# On a phone a vehicle is a row, of which a screen shows several.
_CARD = f"{PANEL} group flex transition-shadow hover:shadow-lg sm:block"
_PICTURE = f"relative w-28 shrink-0 overflow-hidden rounded-l-2xl sm:w-auto sm:rounded-t-2xl sm:rounded-bl-none {STAGE}"
_BADGE = (
    "absolute left-3 top-3 hidden rounded-full bg-(--surface) px-3 py-1 text-xs font-semibold text-(--ink) shadow-sm"
    " sm:block"
)
_PRICES = "mt-1.5 flex flex-wrap items-baseline justify-between gap-x-3 sm:mt-3 sm:border-t sm:border-(--line) sm:pt-3"

# With a mouse, it is turned by the arrows in the card's marks.
_ROW = (
    "group/row flex h-full snap-x snap-mandatory overflow-x-hidden scroll-smooth pointer-coarse:overflow-x-auto"
    " [scrollbar-width:none]"
)
_PHOTO = "h-full w-full object-contain transition-transform group-hover:scale-105 sm:aspect-[8/5] sm:h-auto"


@rx.memo
def vehicle_card(car: rx.Var[Card]) -> rx.Component:
    """A card that is one link, and the buttons that mark the vehicle, which may not be inside a link."""
    return rx.el.div(_link(car), card_marks(car), class_name="group/card relative", custom_attrs=GALLERY)


def _link(car: rx.Var[Card]) -> rx.Component:
    """Picture, name, place, facts and price; on a phone a row."""
    return rx.el.a(
        rx.el.div(
            _photos(car),
            rx.el.span(car.asset_type, class_name=_BADGE),
            rx.el.div(drawing_mark(car.is_drawing), class_name="hidden sm:block"),
            class_name=_PICTURE,
        ),
        rx.el.div(
            rx.el.h3(car.title, class_name="text-base leading-5 font-bold text-(--ink) sm:text-lg sm:leading-7"),
            rx.el.p(
                rx.icon("map-pin", size=15, class_name="shrink-0"),
                car.location,
                rx.cond(car.distance, rx.el.span(f"· {car.distance}")),
                rx.cond(car.rating, rated(car.rating, "shrink-0 text-(--ink) sm:ml-auto")),
                class_name=f"{MUTED} mt-1 flex flex-wrap items-center gap-1 text-sm",
            ),
            rx.el.p(
                f"{car.year} · {car.transmission} · {car.engine} · {car.seats}",
                # A phone's small picture is full of buttons.
                rx.cond(car.is_drawing, rx.el.span(" · Illustration", class_name="sm:hidden")),
                class_name=f"{MUTED} mt-1 text-xs sm:mt-2 sm:text-sm",
            ),
            rx.el.div(
                rx.cond(
                    car.total,
                    rx.fragment(
                        _price(car.total, f" for {car.duration}"),
                        rx.el.p(f"{car.daily} / day", class_name=f"{MUTED} hidden text-sm sm:block"),
                    ),
                    _price(car.daily, " / day"),
                ),
                class_name=_PRICES,
            ),
            class_name="min-w-0 flex-1 p-3 wrap-anywhere sm:p-4",
        ),
        href=car.href,
        class_name=_CARD,
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
            custom_attrs={"width": "640", "height": "400"},
        ),
        key=src,
        class_name="w-full shrink-0 snap-center",
    )


def _price(rupees: rx.Var[str], of_what: rx.Var[str] | str) -> rx.Component:
    return rx.el.p(
        rx.el.span(rupees, class_name="text-lg font-bold text-(--ink) sm:text-xl"),
        rx.el.span(of_what, class_name=MUTED),
    )


def vehicle_grid(cars: rx.Var[list[Card]], grid: str = GRID) -> rx.Component:
    """Cards side by side."""
    return rx.el.ul(
        rx.foreach(cars, lambda car: rx.el.li(vehicle_card(car=car), key=car.id)),
        class_name=f"{grid} list-none p-0",
    )


def card_skeletons(count: int, grid: str = GRID) -> rx.Component:
    """Placeholders for a grid while it loads, of the same size."""
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} h-30 sm:h-[23rem]") for _ in range(count)],
        class_name=grid,
        custom_attrs={"aria-hidden": "true"},
    )
