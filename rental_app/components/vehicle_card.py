"""A vehicle in a grid."""

import reflex as rx

from rental_app.components.picture import drawing_mark
from rental_app.components.theme import MUTED, PANEL, SKELETON, STAGE
from rental_app.views.vehicles import Card

GRID = "grid gap-5 sm:grid-cols-2 lg:grid-cols-3"
_BADGE = "absolute left-3 top-3 rounded-full bg-(--surface) px-3 py-1 text-xs font-semibold text-(--ink) shadow-sm"


@rx.memo
def vehicle_card(car: rx.Var[Card]) -> rx.Component:
    """Picture, name, place, facts and price; the whole card is one link."""
    return rx.el.a(
        rx.el.div(
            rx.el.img(
                src=car.image,
                alt="",
                loading="lazy",
                class_name="aspect-[8/5] h-auto w-full object-contain transition-transform group-hover:scale-105",
                custom_attrs={"width": "640", "height": "400"},
            ),
            rx.el.span(car.asset_type, class_name=_BADGE),
            drawing_mark(car.is_drawing),
            class_name=f"relative overflow-hidden rounded-t-2xl {STAGE}",
        ),
        rx.el.div(
            rx.el.h3(car.title, class_name="text-lg font-bold text-(--ink)"),
            rx.el.p(
                rx.icon("map-pin", size=15, class_name="shrink-0"),
                car.location,
                class_name=f"{MUTED} mt-1 flex items-center gap-1 text-sm",
            ),
            rx.el.p(
                f"{car.year} · {car.transmission} · {car.engine} · {car.seats}", class_name=f"{MUTED} mt-2 text-sm"
            ),
            rx.el.div(
                rx.cond(
                    car.total,
                    rx.fragment(
                        _price(car.total, f" for {car.duration}"),
                        rx.el.p(f"{car.daily} / day", class_name=f"{MUTED} text-sm"),
                    ),
                    _price(car.daily, " / day"),
                ),
                class_name="mt-3 flex flex-wrap items-baseline justify-between gap-x-3 border-t border-(--line) pt-3",
            ),
            class_name="p-4",
        ),
        href=car.href,
        class_name=f"{PANEL} group block transition-shadow hover:shadow-lg",
    )


def _price(rupees: rx.Var[str], of_what: rx.Var[str] | str) -> rx.Component:
    return rx.el.p(
        rx.el.span(rupees, class_name="text-xl font-bold text-(--ink)"), rx.el.span(of_what, class_name=MUTED)
    )


def vehicle_grid(cars: rx.Var[list[Card]]) -> rx.Component:
    """Cards side by side."""
    return rx.el.ul(
        rx.foreach(cars, lambda car: rx.el.li(vehicle_card(car=car), key=car.id)),
        class_name=f"{GRID} list-none p-0",
    )


def card_skeletons(count: int) -> rx.Component:
    """What a grid looks like while it loads, of the same size."""
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} h-[23rem]") for _ in range(count)],
        class_name=GRID,
        custom_attrs={"aria-hidden": "true"},
    )
