"""Places: how far they are from each other, and a map of the city with pins."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import asin, cos, dist, radians, sin, sqrt
from typing import Literal, NamedTuple

EARTH_KM = 6371.0
Point = tuple[float, float]


def distance_km(start: Point, end: Point) -> float:
    """The distance between two points, each (latitude, longitude) in degrees, as the crow flies."""
    latitude, longitude = radians(start[0]), radians(start[1])
    other_latitude, other_longitude = radians(end[0]), radians(end[1])
    half = (
        sin((other_latitude - latitude) / 2) ** 2
        + cos(latitude) * cos(other_latitude) * sin((other_longitude - longitude) / 2) ** 2
    )
    return 2 * EARTH_KM * asin(sqrt(min(1.0, half)))


WIDTH = 328
LINE_HEIGHT = 34
# A pin's radius; pins closer together than JOIN become one.
PIN, JOIN = 15, 36
# The space kept free around labels, and between pins and the frame.
GAP, SIDE, TOP = 3, 40, 50
# The least height and width of what is shown, however close together the places are (degrees).
LEAST_SPAN = 0.01
# How far labels are shifted along the side of their pin.
STEP = 8
SHIFTS = tuple(sorted(range(-10 * STEP, 11 * STEP, STEP), key=abs))
# How much worse than one step aside it is to cover a name of the drawing.
NAME_COST = 8
# How many positions are tried before places share a label instead.
MOST_TRIES = 500

Dot = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


class Box(NamedTuple):
    """A rectangle, given by its top left corner and size."""

    left: float
    top: float
    width: float
    height: float

    def overlaps(self, other: "Box") -> bool:
        """Whether it is less than GAP away from another box."""
        return (
            self.left < other.left + other.width + GAP
            and other.left < self.left + self.width + GAP
            and self.top < other.top + other.height + GAP
            and other.top < self.top + self.height + GAP
        )


class Frame(NamedTuple):
    """The part of the earth that a map shows, in degrees."""

    south: float
    west: float
    north: float
    east: float

    @property
    def narrowed(self) -> float:
        """How much shorter a degree of longitude is here than one of latitude."""
        return cos(radians((self.south + self.north) / 2))

    @property
    def scale(self) -> float:
        """Units per degree of latitude, with WIDTH units from west to east."""
        return WIDTH / ((self.east - self.west) * self.narrowed)

    @property
    def height(self) -> float:
        """The height of the map in units."""
        return (self.north - self.south) * self.scale

    def dot(self, point: Point) -> Dot:
        """Where a point (latitude, longitude) is on the map."""
        return (
            round((point[1] - self.west) * self.narrowed * self.scale, 1),
            round((self.north - point[0]) * self.scale, 1),
        )

    def around(self, points: Sequence[Point]) -> "Frame":
        """The same frame, grown where places lie outside it or at its edge."""
        high, wide = TOP / self.scale, SIDE / self.scale / self.narrowed
        outside = [point for point in points if not self._holds(point)]
        return Frame(
            min([self.south, *(lat - high for lat, _ in outside)]),
            min([self.west, *(lon - wide for _, lon in outside)]),
            max([self.north, *(lat + high for lat, _ in outside)]),
            max([self.east, *(lon + wide for _, lon in outside)]),
        )

    def _holds(self, point: Point) -> bool:
        x, y = self.dot(point)
        return PIN <= x <= WIDTH - PIN and PIN <= y <= self.height - PIN


class Pin(NamedTuple):
    """One or several places (their numbers, north to south) at a dot, and the box for their names."""

    places: tuple[int, ...]
    dot: Dot
    label: Box
    anchor: Anchor


class CityMap(NamedTuple):
    """The pins from north to south, and the height of the map."""

    pins: list[Pin]
    height: int


class _Group(NamedTuple):
    places: tuple[int, ...]
    dot: Dot
    width: float

    @property
    def height(self) -> float:
        return LINE_HEIGHT * len(self.places)

    @property
    def box(self) -> Box:
        return Box(self.dot[0] - PIN, self.dot[1] - PIN, 2 * PIN, 2 * PIN)


_Choices = dict[_Group, list[tuple[int, Pin]]]


def frame_of(points: Sequence[Point]) -> Frame:
    """The frame of places in a city of which there is no drawing."""
    lats, lons = [point[0] for point in points], [point[1] for point in points]
    narrowed = cos(radians((min(lats) + max(lats)) / 2))
    wide = max((max(lons) - min(lons)) * narrowed, (max(lats) - min(lats)) / 1.25, LEAST_SPAN)
    high = max(max(lats) - min(lats), LEAST_SPAN)
    unit = wide / (WIDTH - 2 * SIDE)
    lat, lon = (min(lats) + max(lats)) / 2, (min(lons) + max(lons)) / 2
    north, east = high / 2 + TOP * unit, (wide / 2 + SIDE * unit) / narrowed
    return Frame(lat - north, lon - east, lat + north, lon + east)


@lru_cache(maxsize=8)
def city_map(frame: Frame, points: tuple[Point, ...], widths: tuple[float, ...], names: tuple[Box, ...]) -> CityMap:
    """Places given as (latitude, longitude) with the widths of their labels, inside a frame, north up.

    Labels cover what the drawing says (`names`) only where there is no other room for them.
    """
    southwards = sorted(range(len(points)), key=lambda number: -points[number][0])
    groups = _joined([_Group((number,), frame.dot(points[number]), widths[number]) for number in southwards])
    while (pins := _placed(groups, frame.height, names)) is None:
        # Labels without room for all of them: two more places share one.
        groups = _joined(groups, at_once=True)
    # One label for all may be longer than the map is high.
    bottom = max(pin.label.top + pin.label.height + GAP for pin in pins)
    return CityMap(sorted(pins, key=lambda pin: pin.dot[1]), round(max(frame.height, bottom)))


def _joined(groups: list[_Group], *, at_once: bool = False) -> list[_Group]:
    """The groups without those too close together; `at_once` joins the two nearest however far apart they are."""
    while len(groups) > 1:
        one, other = min(combinations(groups, 2), key=lambda pair: dist(pair[0].dot, pair[1].dot))
        if dist(one.dot, other.dot) >= JOIN and not at_once:
            break
        at_once = False
        size, other_size = len(one.places), len(other.places)
        x, y = ((a * size + b * other_size) / (size + other_size) for a, b in zip(one.dot, other.dot, strict=True))
        first, second = sorted((one, other), key=lambda group: group.dot[1])
        both = _Group(first.places + second.places, (round(x, 1), round(y, 1)), max(one.width, other.width))
        groups = [group for group in groups if group not in (one, other)] + [both]
    return groups


def _placed(groups: Sequence[_Group], height: float, names: Sequence[Box]) -> list[Pin] | None:
    """The pins with their labels; None if there is no room for all of them, or none is found within `MOST_TRIES`."""
    boxes = {group: group.box for group in groups}
    choices: _Choices = {
        group: sorted(
            (cost + NAME_COST * _hits(pin.label, names), pin)
            for cost, pin in _choices(group, height)
            if not _hits(pin.label, [box for other, box in boxes.items() if other != group])
        )
        for group in groups
    }
    pins = _fitted(choices, iter(range(MOST_TRIES)))
    return [_alone(groups[0])] if pins is None and len(groups) == 1 else pins


def _fitted(choices: _Choices, tries: Iterator[int]) -> list[Pin] | None:
    """A label for each group so that none overlap: the group with the least choice first, its best position first."""
    if not choices:
        return []
    group = min(choices, key=lambda group: len(choices[group]))
    for _, pin in choices[group]:
        if next(tries, None) is None:
            return None
        left = {
            other: [choice for choice in its if not choice[1].label.overlaps(pin.label)]
            for other, its in choices.items()
            if other != group
        }
        if all(left.values()) and (others := _fitted(left, tries)) is not None:
            return [pin, *others]
    return None


def _hits(box: Box, others: Iterable[Box]) -> int:
    return sum(box.overlaps(other) for other in others)


def _choices(group: _Group, height: float) -> Iterator[tuple[int, Pin]]:
    """Where the label of a group can be, with how far each is from the best: beside, above or below, then shifted."""
    (x, y), wide, high = group.dot, group.width, group.height
    away = PIN + GAP + 1
    for shift in SHIFTS:
        aside, along = y - high / 2 + shift, x - wide / 2 + shift
        turned: Anchor = "middle" if not shift else "start" if shift > 0 else "end"
        spots: list[tuple[Anchor, float, float]] = []
        if abs(shift) <= high / 2:
            spots = [("start", x + away, aside), ("end", x - away - wide, aside)]
        if abs(shift) <= wide / 2:
            spots += [(turned, along, y - away - high), (turned, along, y + away)]
        for cost, (anchor, left, top) in enumerate(spots):
            if GAP <= left <= WIDTH - GAP - wide and GAP <= top <= height - GAP - high:
                yield cost + abs(shift) // STEP, Pin(group.places, group.dot, Box(left, top, wide, high), anchor)


def _alone(group: _Group) -> Pin:
    """The only pin, whose label has no room inside the frame: below it, where the map can grow."""
    left = min(max(group.dot[0] - group.width / 2, GAP), max(GAP, WIDTH - GAP - group.width))
    return Pin(group.places, group.dot, Box(left, group.dot[1] + PIN + GAP + 1, group.width, group.height), "middle")
