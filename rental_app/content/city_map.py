"""The drawing of a city behind its places: outline, water, roads and names, from a file of coordinates.

A city without such a file has no drawing: its map shows the places alone.
"""

import hashlib
import tomllib
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from rental_app.domain.city_map import Box, Dot, Frame

FOLDER = Path(__file__).parent / "city_maps"
# How much closer the map of one place is than that of the city.
ZOOM = 2.5
# In the order they are drawn: a road is a wide line under a narrow one of another colour.
_LAYERS = ("city", "lake", "river", "road", "highway", "ring")
_CLOSED = frozenset({"city", "lake"})
# The size of the names in units, and about how wide one of their letters is.
_NAME_SIZE, _LETTER = 11, 5.8
_SHIELD_HEIGHT = 15
# The colours are the page's: an SVG that a page uses inherits its custom properties.
_STYLES = {
    "city": "fill:var(--map-city);stroke:var(--map-edge);stroke-width:1.5;stroke-dasharray:5 4",
    "lake": "fill:var(--map-water)",
    "river": "stroke:var(--map-water);stroke-width:4.5",
    "road": "stroke:var(--map-road);stroke-width:2",
    "highway": "stroke:var(--map-road);stroke-width:4",
    "ring": "stroke:var(--map-ring);stroke-width:4",
}
# The wider line under a road.
_EDGES = {kind: f"stroke:var(--map-edge);stroke-width:{width}" for kind, width in (("road", 3.4), ("highway", 6))}
_EDGES["ring"] = "stroke:var(--map-ring-edge);stroke-width:5.6"
_TEXT_STYLES = {
    "water": "fill:var(--map-water-name);font-style:italic",
    "landmark": "fill:var(--map-name)",
    "shield": "fill:#fff;font-weight:600",
}


class Drawing(NamedTuple):
    """A city's drawing: the frame whose width is that of the map, the boxes of its names there, and the SVG."""

    frame: Frame
    names: tuple[Box, ...]
    svg: str

    @property
    def version(self) -> str:
        """Changes with the drawing."""
        return hashlib.sha256(self.svg.encode()).hexdigest()[:12]


@cache
def drawing(city: str) -> Drawing | None:
    """The drawing of a city by its name; None if there is none."""
    path = FOLDER / f"{city.strip().lower()}.toml"
    if not path.is_file():
        return None
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    frame = Frame(given["south"], given["west"], given["north"], given["east"])
    far = [name for name in given["name"] if not name.get("near")]
    close = [name for name in given["name"] if "shield" not in name["kind"] or name["kind"] == "ring shield"]
    ground = _ground(frame, given["shape"])
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg">'
        f'<g id="ground" fill="none" stroke-linecap="round" stroke-linejoin="round">{ground}</g>'
        f'<g id="names">{_names(frame, far, 1)}</g><g id="close-names">{_names(frame, close, 1 / ZOOM)}</g>'
        "</svg>"
    )
    return Drawing(frame, tuple(_box(frame, name) for name in far), svg)


def _ground(frame: Frame, shapes: Sequence[dict[str, Any]]) -> str:
    return "".join(_layer(frame, kind, [shape for shape in shapes if shape["kind"] == kind]) for kind in _LAYERS)


def _layer(frame: Frame, kind: str, shapes: Sequence[dict[str, Any]]) -> str:
    """All shapes of a kind as one path, under which its edge is drawn if it has one."""
    path = "".join(
        _curve([frame.dot((lat, lon)) for lat, lon in shape["points"]], kind in _CLOSED or shape.get("closed", False))
        for shape in shapes
    )
    return "".join(
        f'<path style="{style};vector-effect:non-scaling-stroke" d="{path}"/>'
        for style in (_EDGES.get(kind), _STYLES[kind])
        if style
    )


def _curve(dots: Sequence[Dot], closed: bool) -> str:
    """A smooth line through dots (a Catmull-Rom spline), as SVG's path data."""
    last = len(dots) - 1
    around = [dots[-1], *dots, dots[0], dots[1]] if closed else [dots[0], *dots, dots[last]]
    path = f"M{_pair(dots[0])}"
    for before, start, end, after in zip(around, around[1:], around[2:], around[3:], strict=False):
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        path += f"C{_pair(first)} {_pair(second)} {_pair(end)}"
    return path + ("Z" if closed else "")


def _pair(dot: Dot) -> str:
    return f"{dot[0]:.1f},{dot[1]:.1f}"


def _names(frame: Frame, names: Sequence[dict[str, Any]], size: float) -> str:
    return "".join(_name(frame.dot(tuple(name["at"])), name["text"], name["kind"], size) for name in names)


def _name(at: Dot, text: str, kind: str, size: float) -> str:
    """A name in the middle of its dot, or on a sign for a road; with a light rim where lines run under it."""
    is_sign = "shield" in kind
    style = _TEXT_STYLES["shield" if is_sign else kind]
    if not is_sign:
        style += ";paint-order:stroke;stroke:var(--map-city);stroke-width:3px;stroke-linejoin:round"
    written = f'<text y=".35em" text-anchor="middle" font-size="{_NAME_SIZE}" style="{style}">{escape(text)}</text>'
    return f'<g transform="translate({_pair(at)}) scale({size:g})">{_sign(text, kind) if is_sign else ""}{written}</g>'


def _sign(text: str, kind: str) -> str:
    width, colour = len(text) * 7 + 8, "--map-ring-sign" if "ring" in kind else "--map-sign"
    return (
        f'<rect x="{-width / 2:g}" y="{-_SHIELD_HEIGHT / 2:g}" width="{width}" height="{_SHIELD_HEIGHT}" rx="4"'
        f' style="fill:var({colour})"/>'
    )


def _box(frame: Frame, name: dict[str, Any]) -> Box:
    x, y = frame.dot(tuple(name["at"]))
    width = len(name["text"]) * _LETTER + 4
    return Box(x - width / 2, y - _SHIELD_HEIGHT / 2, width, _SHIELD_HEIGHT)
