"""Where vehicles are: the city's map with what each place has, and the places nearest to one that has none."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from rental_app.domain.city_map import LABEL_HEIGHT, LABEL_WIDTH, WIDTH, Spot, city_map
from rental_app.domain.distance import Point, distance_km
from rental_app.domain.money import counted, format_rupees
from rental_app.schemas.search import NEAR, FacetCount, PageSearch
from rental_app.web.parts.presenters.links import search_url
from rental_app.web.parts.presenters.texts import Link, km_away

NEAREST = 4
# More would not be readable on a phone.
MOST = 16
# The positions of a label's two lines in it.
_NAME, _FIGURES = 14, 28


class MapPlace(BaseModel):
    """A place on the map, in the map's units: its dot, its label, the line between them, and the label's text."""

    name: str
    figures: str
    href: str
    chosen: bool
    x: float
    y: float
    end_x: float
    end_y: float
    left: float
    top: float
    width: int = LABEL_WIDTH
    height: int = LABEL_HEIGHT
    middle: float
    name_y: float
    figures_y: float


class MapView(BaseModel):
    """The map's size in SVG's form, its places, and a note about those it leaves out."""

    box: str
    places: list[MapPlace]
    note: str


def map_view(query: PageSearch, choices: Sequence[FacetCount], points: Mapping[str, Point]) -> MapView:
    """What each place has for a query, on the map; a place links to its vehicles."""
    here = query.location or query.near
    most = sorted(choices, key=lambda choice: (choice.value != here, -choice.count))[:MOST]
    shown = [choice for choice in choices if choice in most]
    city = city_map(tuple(points[choice.value] for choice in shown))
    places = [_map_place(query, choice, spot, here) for choice, spot in zip(shown, city.spots, strict=True)]
    note = f"The map shows the {MOST} places with the most vehicles." if len(shown) < len(choices) else ""
    return MapView(box=f"0 0 {WIDTH} {city.height}", places=places, note=note)


def _map_place(query: PageSearch, choice: FacetCount, spot: Spot, here: str) -> MapPlace:
    return MapPlace(
        name=choice.value,
        figures=f"{choice.count} · {_from(choice)}" if choice.count else "none",
        href=search_url(query.at(choice.value).model_copy(update={"view": ""})),
        chosen=choice.value == here,
        x=spot.dot[0],
        y=spot.dot[1],
        end_x=spot.end[0],
        end_y=spot.end[1],
        left=spot.label.left,
        top=spot.label.top,
        middle=spot.label.left + LABEL_WIDTH / 2,
        name_y=spot.label.top + _NAME,
        figures_y=spot.label.top + _FIGURES,
    )


def nearest(query: PageSearch, choices: Sequence[FacetCount], points: Mapping[str, Point]) -> list[Link]:
    """The places nearest to that of a query which have vehicles for it."""
    having, here = [choice for choice in choices if choice.count], points[query.location]
    away = {choice.value: distance_km(here, points[choice.value]) for choice in having}
    found = sorted(having, key=lambda choice: away[choice.value])
    return [
        Link(
            text=choice.value,
            href=search_url(query.at(choice.value)),
            note=f"{km_away(away[choice.value])} · {_words(query, choice)}",
        )
        for choice in found[:NEAREST]
    ]


def around(query: PageSearch) -> tuple[str, str]:
    """A link's text and address: from the vehicles of a place to those around it too, or back; blank otherwise."""
    if query.near:
        return f"Only in {query.near}", search_url(query.at(query.near))
    if place := query.location:
        return f"Around {place} too", search_url(query.at(f"{NEAR}{place}"))
    return "", ""


def _from(choice: FacetCount) -> str:
    return format_rupees(choice.least_paise or 0)


def _words(query: PageSearch, choice: FacetCount) -> str:
    """What a place has, in words."""
    return f"{counted(choice.count, 'vehicle')} from {_from(choice)}{'' if query.complete else ' a day'}"
