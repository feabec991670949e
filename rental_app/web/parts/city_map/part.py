"""The map of the city, a drawing of our own: with what each place has, or close around one place."""

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.parts.city_map.presenter import MapPin, MapPlace, MapView, PlaceMap
from rental_app.web.parts.theme import MUTED, PANEL
from rental_app.web.react.zoom import zoom

# The drawing inherits these. They come with a map: the style sheet of all pages does without.
_LIGHT = (
    "--map-land:#e5ece9;--map-city:#f4f7f5;--map-edge:#cdd8d4;--map-water:#abd3e2;"
    "--map-water-name:#27667e;--map-name:#4a5957;--map-road:#fff;--map-ring:#f6d994;"
    "--map-ring-edge:#d9b25c;--map-sign:#2b6e3f;--map-ring-sign:#0b3b39;--map-count:#fff"
)
_DARK = (
    "--map-land:#101918;--map-city:#18221f;--map-edge:#2f3d39;--map-water:#1d4252;"
    "--map-water-name:#8cc3da;--map-name:#a9b6b3;--map-road:#3d4b47;--map-ring:#6b5628;"
    "--map-ring-edge:#8f7338;--map-sign:#24583a;--map-ring-sign:#1b5a55;--map-count:#06302d"
)
_COLOURS = f".city-map{{{_LIGHT}}}.dark .city-map{{{_DARK}}}"
# A rim in the ground's colour keeps the words readable where lines run under them.
_TEXT = "fill-(--ink) stroke-(--map-city) stroke-3 [paint-order:stroke] group-hover:underline"
# Font sizes in the map's own units: at 360 px one unit is a pixel.
_NAME, _FIGURES = f"{_TEXT} text-[13px] font-semibold", f"{_TEXT} text-[12px]"
_PIN = "fill-(--brand) stroke-(--surface) stroke-2 group-aria-[current=true]:fill-(--marigold)"
_COUNT = "text-[13px] font-bold [text-anchor:middle] fill-(--map-count) group-aria-[current=true]:fill-[#12201e]"
# A phone has it from edge to edge.
_FULL = "max-sm:-mx-4 max-sm:rounded-none max-sm:border-0 max-sm:shadow-none"
_tspan = rx.el.svg.tspan
_SHEET = "city-map block h-auto w-full max-w-none bg-(--map-land) sm:rounded-xl"


@rx.memo
def city_map(view: rx.Var[MapView], dated: rx.Var[bool]) -> rx.Component:
    """How many vehicles each place has, and from which price."""
    return rx.el.figure(
        rx.el.figcaption(
            "Vehicles that fit, and the lowest price ",
            rx.cond(dated, "for your dates", "a day"),
            ". Choose a place to see them. ",
            view.note,
            class_name=f"{MUTED} px-4 pb-2 text-sm sm:px-1",
        ),
        rx.el.div(
            rx.el.svg(
                rx.el.style(_COLOURS),
                rx.el.style(view.marks),
                _drawn(view.ground, view.turn),
                _drawn(view.names, view.turn),
                rx.foreach(view.pins, _pin),
                rx.foreach(view.places, _place),
                class_name=f"{_SHEET} min-h-full",
                custom_attrs={"viewBox": view.box, "role": "group", "aria-label": f"Map of {settings().city}"},
            ),
            class_name="max-h-[80vh] min-h-0 flex-1 overflow-auto sm:rounded-xl",
            tab_index=0,
            role="region",
            custom_attrs={"aria-label": "Map"},
        ),
        zoom("absolute right-4 bottom-4 sm:right-7 sm:bottom-8"),
        class_name=f"{PANEL} {_FULL} relative mx-auto flex h-full max-w-lg flex-col sm:p-4",
    )


def place_map(view: rx.Var[PlaceMap]) -> rx.Component:
    """Where in the city a place is."""
    middle = {"cx": "50%", "cy": "50%"}
    label = f"Map: {view.place} in {settings().city}"
    return rx.el.svg(
        rx.el.style(_COLOURS),
        _drawn(view.ground, view.turn),
        _drawn(view.names, view.turn),
        # The place, not the door: vehicles stand somewhere in this part of the city.
        rx.el.svg.circle(custom_attrs=middle | {"r": "22", "opacity": "0.3"}, class_name="fill-(--marigold)"),
        rx.el.svg.circle(custom_attrs=middle | {"r": "9"}, class_name="fill-(--marigold) stroke-(--surface) stroke-2"),
        rx.el.svg.text(
            view.place,
            custom_attrs={"x": "50%", "y": "50%", "dy": "-18"},
            class_name=f"{_NAME} [text-anchor:middle]",
        ),
        class_name=f"{_SHEET} mt-3 rounded-xl",
        custom_attrs={"viewBox": view.box, "role": "img", "aria-label": label},
    )


def _drawn(part: rx.Var[str], turn: rx.Var[str]) -> rx.Component:
    return rx.cond(part, rx.el.svg.use(custom_attrs={"href": part, "transform": turn}))


def _pin(pin: rx.Var[MapPin]) -> rx.Component:
    """A pin, which the names beside it say in words."""
    return rx.el.a(
        rx.el.svg.circle(custom_attrs={"r": "22"}, class_name="fill-transparent"),
        rx.el.svg.circle(custom_attrs={"r": "15"}, class_name=_PIN),
        rx.el.svg.text(pin.count, custom_attrs={"dy": ".35em"}, class_name=_COUNT),
        href=pin.href,
        tab_index=-1,
        class_name="group no-underline",
        custom_attrs={
            "aria-hidden": "true",
            "aria-current": rx.cond(pin.chosen, "true", "false"),
            "data-pin": pin.at,
            "transform": pin.spot,
        },
    )


def _place(place: rx.Var[MapPlace]) -> rx.Component:
    aside = rx.cond(place.anchor == "end", "[text-anchor:end]", "[text-anchor:middle]")
    anchor = rx.cond(place.anchor == "start", "[text-anchor:start]", aside)
    return rx.el.a(
        rx.el.svg.text(
            place.name,
            _spoken(place.count),
            custom_attrs={"x": place.x, "y": place.name_y},
            class_name=f"{_NAME} {anchor}",
        ),
        rx.el.svg.text(
            rx.cond(place.number, _tspan(place.number, " ", custom_attrs={"aria-hidden": "true"})),
            place.figures,
            _spoken(place.unit),
            custom_attrs={"x": place.x, "y": place.name_y, "dy": "15"},
            class_name=f"{_FIGURES} {anchor}",
        ),
        href=place.href,
        class_name="group no-underline",
        custom_attrs={"aria-current": rx.cond(place.chosen, "true", "false")},
    )


def _spoken(text: rx.Var[str]) -> rx.Component:
    """What only screen readers say: `sr-only` is no use inside a drawing."""
    return _tspan(text, class_name="[font-size:0]")
