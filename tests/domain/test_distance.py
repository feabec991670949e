"""Distances between places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.distance import distance_km
from rental_app.seed.places import PLACES

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
