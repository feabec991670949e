"""The labels of the city's map cover neither one another nor the places, wherever these are."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from rental_app.domain.city_map import DOT, WIDTH, Box, city_map
from rental_app.domain.distance import Point
from rental_app.seed.places import PLACES

CITY = tuple((place.latitude, place.longitude) for place in PLACES)
POINTS = st.tuples(st.floats(17.2, 17.6), st.floats(78.2, 78.7))


def check(points: tuple[Point, ...]) -> None:
    spots, height = city_map(points)
    labels, dots = [spot.label for spot in spots], [spot.dot for spot in spots]
    for number, label in enumerate(labels):
        assert min(label.left, label.top) >= 0
        assert label.left + label.width <= WIDTH
        assert label.top + label.height <= height
        assert not any(label.overlaps(other) for other in labels[:number])
        assert not any(label.overlaps(Box(x - DOT, y - DOT, 2 * DOT, 2 * DOT)) for x, y in dots)
    assert all(0 <= x <= WIDTH and 0 <= y <= height for x, y in dots)


def test_the_labels_of_our_places_are_all_readable_and_near() -> None:
    check(CITY)
    spots = city_map(CITY).spots
    assert not any(one.crosses(other.label) for one in spots for other in spots if one is not other)
    assert max(spot.length for spot in spots) < WIDTH / 2
    named = {place.name: spot for place, spot in zip(PLACES, spots, strict=True)}
    assert named["Gachibowli"].dot[0] < named["Ameerpet"].dot[0] < named["Uppal"].dot[0]
    assert named["Kukatpally"].dot[1] < named["Madhapur"].dot[1] < named["Shamshabad"].dot[1]


# Places whose labels do not all fit on the lowest map in any order.
CROWDED = [
    *((17.5, lon) for lon in (78.5, 78.25, 78.375, 78.6875)),
    *((17.25, lon) for lon in (78.5, 78.25, 78.21875)),
    *((17.4375, 78.5), (17.21875, 78.5), (17.21875, 78.25), (17.5078125, 78.5)),
]


@settings(max_examples=15, deadline=None)
@example(CROWDED)
@given(st.lists(POINTS, min_size=1, max_size=12, unique=True))
def test_labels_never_collide(points: list[Point]) -> None:
    check(tuple(points))


def test_one_place_or_twelve_in_one_spot_are_a_map_too() -> None:
    check(CITY[:1])
    check((CITY[0],) * 3)
