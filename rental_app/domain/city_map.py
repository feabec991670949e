"""A map of places drawn from their coordinates: where each is, and labels that cover neither each other nor places.

Lengths are in the map's own units; a phone's screen shows one unit per pixel.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations, count
from math import cos, hypot, radians
from typing import NamedTuple

from rental_app.domain.distance import Point

WIDTH = 328
LABEL_WIDTH, LABEL_HEIGHT = 92, 34
# The space kept free around labels and dots, and between places and the frame.
GAP, DOT, SIDE, TOP = 3, 7, 24, 50
STEP = 6
# The smallest span, however close together the places are (degrees).
LEAST_SPAN = 0.01
# How far from a place to look for a label position that no line crosses.
FAR = 120
# The directions on the map in which labels are assigned one after the other.
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1))

Dot = tuple[float, float]


class Box(NamedTuple):
    """A rectangle, given by its top left corner and size."""

    left: float
    top: float
    width: float = LABEL_WIDTH
    height: float = LABEL_HEIGHT

    def overlaps(self, other: "Box") -> bool:
        """Whether it is less than GAP away from another box."""
        return (
            self.left < other.left + other.width + GAP
            and other.left < self.left + self.width + GAP
            and self.top < other.top + other.height + GAP
            and other.top < self.top + self.height + GAP
        )

    def nearest(self, dot: Dot) -> Dot:
        """The point of the box nearest to a dot."""
        return min(max(dot[0], self.left), self.left + self.width), min(max(dot[1], self.top), self.top + self.height)


class Spot(NamedTuple):
    """A place on the map, its label, and where the line from the place to the label ends."""

    dot: Dot
    label: Box
    end: Dot

    @property
    def length(self) -> float:
        """The length of the line."""
        return hypot(self.end[0] - self.dot[0], self.end[1] - self.dot[1])

    def crosses(self, box: Box) -> bool:
        """Whether the line runs through a box."""
        enters, leaves = 0.0, 1.0
        for at, to, least, size in zip(self.dot, self.end, box[:2], box[2:], strict=True):
            if to == at and not least <= at <= least + size:
                return False
            if to != at:
                sides = sorted(((least - at) / (to - at), (least + size - at) / (to - at)))
                enters, leaves = max(enters, sides[0]), min(leaves, sides[1])
        return enters <= leaves


class CityMap(NamedTuple):
    """The places in the order they were given, and the height of the map."""

    spots: list[Spot]
    height: int


@lru_cache(maxsize=8)
def city_map(points: tuple[Point, ...]) -> CityMap:
    """The map of places given as (latitude, longitude) in degrees, north up; the same places give the same map."""
    # Each label in turn takes the best position left, so the last may find none: then the map grows.
    return next(found for more in count() if not _collide(found := _drawn(points, more * LABEL_HEIGHT)))


def _collide(found: CityMap) -> bool:
    return any(one.label.overlaps(other.label) for one, other in combinations(found.spots, 2))


def _drawn(points: Sequence[Point], more: int) -> CityMap:
    """The map, `more` units higher than it needs to be."""
    dots, height = _projected(points, more)
    ground = _free_ground(dots, height)
    choices = [sorted((Spot(dot, box, box.nearest(dot)) for box in ground), key=_distance) for dot in dots]
    # The label assigned first gets the best position: take the order that leaves all of them with short lines.
    orders = [sorted(range(len(dots)), key=partial(_along, dots, way)) for way in WAYS]
    return CityMap(min((_placed(choices, order) for order in orders), key=_cost), height)


def _projected(points: Sequence[Point], more: int) -> tuple[list[Dot], int]:
    """The places as dots inside the frame, and the resulting height of the map."""
    lats, lons = [point[0] for point in points], [point[1] for point in points]
    narrowed = cos(radians((min(lats) + max(lats)) / 2))
    span = max((max(lons) - min(lons)) * narrowed, (max(lats) - min(lats)) / 1.25, LEAST_SPAN)
    scale = (WIDTH - 2 * SIDE) / span
    inset = (WIDTH - (max(lons) - min(lons)) * narrowed * scale) / 2
    # High enough for two labels per row, wherever the places are.
    rows = -(-len(points) // 2) * (LABEL_HEIGHT + 2 * GAP)
    height = round(max((max(lats) - min(lats)) * scale, rows) + 2 * TOP) + more
    above = (height - (max(lats) - min(lats)) * scale) / 2
    dots = [
        (round(inset + (lon - min(lons)) * narrowed * scale, 1), round(above + (max(lats) - lat) * scale, 1))
        for lat, lon in points
    ]
    return dots, height


def _free_ground(dots: Sequence[Dot], height: int) -> list[Box]:
    """The boxes where a label covers no dot."""
    around = [Box(x - DOT, y - DOT, 2 * DOT, 2 * DOT) for x, y in dots]
    boxes = [
        Box(left, top)
        for top in range(GAP, height - LABEL_HEIGHT - GAP, STEP)
        for left in range(GAP, WIDTH - LABEL_WIDTH - GAP, STEP)
    ]
    return [box for box in boxes if not any(box.overlaps(other) for other in around)] or boxes


def _distance(spot: Spot) -> tuple[int, float]:
    """A sort key: the length of the line; of equally long lines, one to the middle of a label is best."""
    return round(spot.length / 2), abs(spot.label.left + LABEL_WIDTH / 2 - spot.dot[0])


def _along(dots: Sequence[Dot], way: Dot, number: int) -> float:
    """How far along a direction a place lies."""
    return dots[number][0] * way[0] + dots[number][1] * way[1]


def _placed(choices: Sequence[Sequence[Spot]], order: Sequence[int]) -> list[Spot]:
    """The places with their labels, chosen one after the other."""
    spots: dict[int, Spot] = {}
    for number in order:
        spots[number] = _chosen(choices[number], [*spots.values()])
    return [spots[number] for number in range(len(choices))]


def _chosen(choices: Sequence[Spot], others: Sequence[Spot]) -> Spot:
    """The first free spot, preferably one nearby with no line running through a label."""
    free = (spot for spot in choices if not any(spot.label.overlaps(other.label) for other in others))
    first = None
    for spot in free:
        if not any(spot.crosses(other.label) or other.crosses(spot.label) for other in others):
            return spot
        first = first or spot
        if spot.length > FAR:
            break
    return first or choices[0]


def _cost(spots: Sequence[Spot]) -> float:
    hidden = sum(spot.crosses(other.label) for spot in spots for other in spots if other is not spot)
    return hidden * WIDTH**2 + sum(spot.length**2 for spot in spots)
