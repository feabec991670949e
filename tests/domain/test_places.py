"""Distances between places, and the city's map: counted pins whose names cover neither one another nor pins."""

import xml.etree.ElementTree as ET
from math import dist

import brotli
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rental_app.content.city_map import drawing
from rental_app.domain.city_map import JOIN, PIN, WIDTH, Box, CityMap, Point, city_map, distance_km, frame_of
from rental_app.seed.places import PLACES

CITY = tuple((place.latitude, place.longitude) for place in PLACES)
POINTS = st.tuples(st.floats(17.2, 17.6), st.floats(78.2, 78.7))


def check(found: CityMap, points: tuple[Point, ...]) -> None:
    pins = [Box(pin.dot[0] - PIN, pin.dot[1] - PIN, 2 * PIN, 2 * PIN) for pin in found.pins]
    for number, pin in enumerate(found.pins):
        label = pin.label
        assert min(label.left, label.top) >= 0
        assert label.left + label.width <= WIDTH
        assert label.top + label.height <= found.height
        assert not any(label.overlaps(other.label) for other in found.pins[:number])
        assert not any(label.overlaps(other) for at, other in enumerate(pins) if at != number)
    assert all(0 <= pin.dot[0] <= WIDTH and 0 <= pin.dot[1] <= found.height for pin in found.pins)
    assert sorted(place for pin in found.pins for place in pin.places) == list(range(len(points)))
    assert [pin.dot[1] for pin in found.pins] == sorted(pin.dot[1] for pin in found.pins), "north to south"


def drawn(points: tuple[Point, ...]) -> CityMap:
    found = city_map(frame_of(points), points, (80.0,) * len(points), ())
    check(found, points)
    return found


def test_our_places_stand_where_they_are_and_only_close_ones_share_a_pin() -> None:
    hyderabad = drawing("Hyderabad")
    assert hyderabad
    assert hyderabad.frame.around(CITY) == hyderabad.frame
    widths = tuple(len(place.name) * 6.8 for place in PLACES)
    found = city_map(hyderabad.frame, CITY, widths, hyderabad.names)
    check(found, CITY)
    shared = [{PLACES[number].name for number in pin.places} for pin in found.pins if len(pin.places) > 1]
    assert sorted(shared, key=sorted) == [{"Ameerpet", "Begumpet"}, {"HITEC City", "Madhapur"}]
    at = {PLACES[number].name: pin.dot for pin in found.pins for number in pin.places}
    assert at["Gachibowli"][0] < at["Ameerpet"][0] < at["Uppal"][0]
    assert at["Kukatpally"][1] < at["Madhapur"][1] < at["Shamshabad"][1]
    assert min(dist(a, b) for a in at.values() for b in at.values() if a != b) >= JOIN


# Places whose labels do not all fit.
CROWDED = [
    *((17.5, lon) for lon in (78.5, 78.25, 78.375, 78.6875)),
    *((17.25, lon) for lon in (78.5, 78.25, 78.21875)),
    *((17.4375, 78.5), (17.21875, 78.5), (17.21875, 78.25), (17.5078125, 78.5)),
]


@settings(max_examples=15, deadline=None)
@example(CROWDED)
@given(st.lists(POINTS, min_size=1, max_size=12, unique=True))
def test_labels_never_collide(points: list[Point]) -> None:
    drawn(tuple(points))


def test_one_place_or_sixteen_in_one_spot_are_a_map_too() -> None:
    drawn(CITY[:1])
    assert [pin.places for pin in drawn((CITY[0],) * 16).pins] == [tuple(range(16))]


def test_a_place_outside_the_drawing_makes_the_map_larger() -> None:
    hyderabad = drawing("Hyderabad")
    assert hyderabad
    points = (*CITY, (17.7, 78.9))
    frame = hyderabad.frame.around(points)
    assert frame != hyderabad.frame
    check(city_map(frame, points, (60.0,) * len(points), ()), points)


def test_the_drawing_is_ours_small_and_in_the_pages_colours() -> None:
    hyderabad = drawing(" hyderabad ")
    assert hyderabad
    assert len(brotli.compress(hyderabad.svg.encode())) < 20_000
    assert {part.get("id") for part in ET.fromstring(hyderabad.svg)} == {"ground", "names", "close-names"}  # noqa: S314
    for name in ("Musi", "Hussain Sagar", "ORR", "NH 44", "NH 65"):
        assert f">{name}</text>" in hyderabad.svg
    assert "url(" not in hyderabad.svg
    assert drawing("Pune") is None
    assert drawing("../posts") is None


PLACE = {place.name: (place.latitude, place.longitude) for place in PLACES}
points = st.tuples(st.floats(-90, 90), st.floats(-180, 180))


@pytest.mark.parametrize(
    ("start", "end", "km"),
    [
        (PLACE["Gachibowli"], PLACE["Secunderabad"], 15.85),
        ((17.385, 78.4867), (28.6139, 77.209), 1255),
        ((0.0, 179.5), (0.0, -179.5), 111.2),
    ],
)
def test_known_distances(start: tuple[float, float], end: tuple[float, float], km: float) -> None:
    assert distance_km(start, end) == pytest.approx(km, rel=0.01)


@given(points, points)
def test_there_and_back_are_equally_far(start: tuple[float, float], end: tuple[float, float]) -> None:
    assert distance_km(start, end) == pytest.approx(distance_km(end, start), abs=1e-6)
    assert 0 <= distance_km(start, end) <= 20_016
    assert distance_km(start, start) == 0
