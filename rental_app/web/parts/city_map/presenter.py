"""Where vehicles are: the city's map with what each place has, and the places nearest to one that has none."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from rental_app.content.city_map import ZOOM, Drawing, drawing
from rental_app.domain.city_map import LINE_HEIGHT, WIDTH, Frame, Pin, Point, city_map, distance_km, frame_of
from rental_app.domain.ids import slug_of
from rental_app.domain.money import counted, format_rupees
from rental_app.infrastructure.settings import settings
from rental_app.schemas.search import NEAR, FacetCount, PageSearch
from rental_app.web.parts.presenters.links import search_url
from rental_app.web.parts.presenters.texts import Link, km_away

NEAREST = 4
# More would not be readable on a phone.
MOST = 16
# Where a label's first line stands in it, from its top.
_NAME = 14
# About how wide a letter of each line is, and a name that would be wider than half the map.
_NAME_LETTER, _FIGURES_LETTER, _LONGEST_NAME = 6.8, 6.2, 24
# The size of the map of one place, in its own units.
CLOSE_WIDTH, CLOSE_HEIGHT = 328, 144


class MapPlace(BaseModel):
    """A place's name and lowest price on the map, and where they stand, in the map's units.

    `number` is shown where a pin counts several places; `count` and `unit` are for screen readers.
    """

    name: str
    count: str
    number: str
    figures: str
    unit: str
    href: str
    chosen: bool
    x: float
    name_y: float
    anchor: str


class MapPin(BaseModel):
    """A pin with how many vehicles are there, and its spot as SVG moves things; its link is that of its place, or near
    the first of several.
    """

    spot: str
    count: str
    at: str
    href: str
    chosen: bool


class MapView(BaseModel):
    """The map's size in SVG's form, its pins and places from north to south, and a note about those it leaves out.

    `marks` are the rules that mark a pin while a card of its places is pointed at. `ground` and `names` are the
    addresses of the city's drawing, blank without one, and `turn` puts it in its place.
    """

    box: str
    ground: str
    names: str
    turn: str
    marks: str
    pins: list[MapPin]
    places: list[MapPlace]
    note: str


class PlaceMap(BaseModel):
    """The city's drawing around one place, which is in its middle."""

    box: str
    ground: str
    names: str
    turn: str
    place: str


def map_view(query: PageSearch, choices: Sequence[FacetCount], points: Mapping[str, Point]) -> MapView:
    """What each place has for a query, on the map; a place links to its vehicles."""
    here = query.location or query.near
    most = sorted(choices, key=lambda choice: (choice.value != here, -choice.count))[:MOST]
    shown = [choice for choice in choices if choice in most]
    where, drawn = tuple(points[choice.value] for choice in shown), drawing(settings().city)
    frame = drawn.frame.around(where) if drawn else frame_of(where)
    names = drawn.names if drawn and frame == drawn.frame else ()
    city = city_map(frame, where, tuple(_width(choice) for choice in shown), names)
    note = f"The map shows the {MOST} places with the most vehicles." if len(shown) < len(choices) else ""
    return MapView(
        box=f"0 0 {WIDTH} {city.height}",
        ground=_part(drawn, "ground"),
        names=_part(drawn, "names"),
        turn=_turn(drawn, frame),
        marks="".join(_mark(place_key(choice.value)) for choice in shown),
        pins=[_pin(query, [shown[number] for number in pin.places], pin, here) for pin in city.pins],
        places=[
            _place(query, shown[number], pin, row, here) for pin in city.pins for row, number in enumerate(pin.places)
        ],
        note=note,
    )


def place_map(name: str, point: Point) -> PlaceMap | None:
    """The map of one place; None in a city without a drawing, or for a place far outside it."""
    drawn = drawing(settings().city)
    if drawn is None or drawn.frame.around([point]) != drawn.frame:
        return None
    x, y = drawn.frame.dot(point)
    left, top = CLOSE_WIDTH / 2 - x * ZOOM, CLOSE_HEIGHT / 2 - y * ZOOM
    return PlaceMap(
        box=f"0 0 {CLOSE_WIDTH} {CLOSE_HEIGHT}",
        ground=_part(drawn, "ground"),
        names=_part(drawn, "close-names"),
        turn=f"translate({left:.1f} {top:.1f}) scale({ZOOM:g})",
        place=name,
    )


def place_key(name: str) -> str:
    """A place's name as attributes and style rules can have it."""
    return f"p-{slug_of(name, 0)}"


def _mark(key: str) -> str:
    # Without quotes or angle brackets, which the served page would escape.
    return f"body:has([data-at={key}]:is(:hover,:focus-within)) [data-pin~={key}] circle+circle{{fill:var(--marigold)}}"


def _part(drawn: Drawing | None, part: str) -> str:
    return f"/media/city/{drawn.version}.svg#{part}" if drawn else ""


def _turn(drawn: Drawing | None, frame: Frame) -> str:
    """What puts the drawing in its place in a frame: nothing, unless the frame has grown."""
    if drawn is None or frame == drawn.frame:
        return "translate(0 0)"
    x, y = frame.dot((drawn.frame.north, drawn.frame.west))
    return f"translate({x:g} {y:g}) scale({frame.scale / drawn.frame.scale:.4f})"


def _width(choice: FacetCount) -> float:
    """About how wide a place's label is."""
    return max(len(_short(choice.value)) * _NAME_LETTER, len(f"{choice.count} {_figures(choice)}") * _FIGURES_LETTER)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1].rstrip()}…"


def _figures(choice: FacetCount) -> str:
    """What stands below a place's name."""
    return f"from {_from(choice)}" if choice.count else "none"


def _pin(query: PageSearch, choices: Sequence[FacetCount], pin: Pin, here: str) -> MapPin:
    first = max(choices, key=lambda choice: choice.count).value
    return MapPin(
        spot=f"translate({pin.dot[0]:g} {pin.dot[1]:g})",
        count=f"{sum(choice.count for choice in choices)}",
        at=" ".join(place_key(choice.value) for choice in choices),
        href=_there(query, first if len(choices) == 1 else f"{NEAR}{first}"),
        chosen=here in {choice.value for choice in choices},
    )


def _place(query: PageSearch, choice: FacetCount, pin: Pin, row: int, here: str) -> MapPlace:
    label, top = pin.label, pin.label.top + row * LINE_HEIGHT
    ends = {"start": label.left, "middle": label.left + label.width / 2, "end": label.left + label.width}
    return MapPlace(
        name=_short(choice.value),
        count=f": {counted(choice.count, 'vehicle')} " if choice.count else ": ",
        number=f"{choice.count}" if choice.count and len(pin.places) > 1 else "",
        figures=_figures(choice),
        unit=" a day" if choice.count and not query.complete else "",
        href=_there(query, choice.value),
        chosen=choice.value == here,
        x=round(ends[pin.anchor], 1),
        name_y=round(top + _NAME, 1),
        anchor=pin.anchor,
    )


def _there(query: PageSearch, place: str) -> str:
    """A place on the same map, with its vehicles below."""
    return search_url(query.at(place))


def nearest(query: PageSearch, choices: Sequence[FacetCount], points: Mapping[str, Point]) -> list[Link]:
    """The places nearest to that of a query which have vehicles for it."""
    having, here = [choice for choice in choices if choice.count], points[query.location]
    away = {choice.value: distance_km(here, points[choice.value]) for choice in having}
    whole = "" if query.complete else " a day"
    by_distance = sorted(having, key=lambda choice: away[choice.value])
    return [
        Link(
            text=choice.value,
            href=search_url(query.at(choice.value)),
            note=f"{km_away(away[choice.value])} · {counted(choice.count, 'vehicle')} from {_from(choice)}{whole}",
        )
        for choice in by_distance[:NEAREST]
    ]


def around(query: PageSearch) -> tuple[str, str]:
    """A link's text and address: from the vehicles of a place to those around it too, or back; blank otherwise."""
    if query.near:
        return f"Only in {query.near}", search_url(query.at(query.near))
    if place := query.location:
        return "Include nearby areas", search_url(query.at(f"{NEAR}{place}"))
    return "", ""


def _from(choice: FacetCount) -> str:
    return format_rupees(choice.least_paise or 0)
