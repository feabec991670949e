"""The distance between places."""

from math import asin, cos, radians, sin, sqrt

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
