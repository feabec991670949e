"""The map of the city: a drawing of our own, in which each place links to its vehicles."""

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.parts.theme import MUTED, PANEL
from rental_app.web.screens.vehicles.map_presenter import MapPlace

_BOX = "fill-(--surface) stroke-(--gray-a7) group-hover:fill-(--gray-a3) group-aria-[current=true]:fill-(--accent-9)"
_TEXT = "[text-anchor:middle] fill-(--ink) group-aria-[current=true]:fill-(--accent-contrast)"
# Font sizes in the map's own units: at 360 px one unit is a pixel.
_NAME, _FIGURES = f"{_TEXT} text-[13px] font-semibold", f"{_TEXT} text-[12.5px]"


def city_map(places: rx.Var[list[MapPlace]], box: rx.Var[str], note: rx.Var[str], dated: rx.Var[bool]) -> rx.Component:
    """How many vehicles each place has, and from which price."""
    return rx.el.figure(
        rx.el.figcaption(
            "Vehicles that fit, and the lowest price ",
            rx.cond(dated, "for your dates", "a day"),
            ". Choose a place to see them. ",
            note,
            class_name=f"{MUTED} px-1 pb-2 text-sm",
        ),
        rx.el.svg(
            rx.foreach(places, _line),
            rx.foreach(places, _place),
            class_name="block h-auto w-full",
            custom_attrs={"viewBox": box, "role": "group", "aria-label": f"Map of {settings().city}"},
        ),
        class_name=f"{PANEL} mx-auto max-w-lg bg-(image:--stage) px-1 py-3 sm:p-4",
    )


def _line(place: rx.Var[MapPlace]) -> rx.Component:
    ends = {"x1": place.x, "y1": place.y, "x2": place.end_x, "y2": place.end_y}
    return rx.el.svg.line(custom_attrs=ends, class_name="stroke-(--ink)/50")


def _place(place: rx.Var[MapPlace]) -> rx.Component:
    label = {"x": place.left, "y": place.top, "width": place.width, "height": place.height, "rx": "9"}
    return rx.el.a(
        rx.el.svg.circle(custom_attrs={"cx": place.x, "cy": place.y, "r": "5"}, class_name="fill-(--brand)"),
        rx.el.svg.rect(custom_attrs=label, class_name=_BOX),
        rx.el.svg.text(place.name, " ", custom_attrs={"x": place.middle, "y": place.name_y}, class_name=_NAME),
        rx.el.svg.text(place.figures, custom_attrs={"x": place.middle, "y": place.figures_y}, class_name=_FIGURES),
        href=place.href,
        class_name="group no-underline",
        custom_attrs={"aria-current": rx.cond(place.chosen, "true", "false")},
    )
