"""A booking that its vendor has confirmed, and its trip, on a clock that stands still until it is moved."""

import pytest

from rental_app.schemas.trips import TripView
from tests.conftest import Clock
from tests.support.shop import Shop
from tests.support.trips import at_pickup, confirmed, hand_over, pay


@pytest.fixture
def trip(shop: Shop, stopped_clock: Clock) -> TripView:
    """Two days from the third day on."""
    return confirmed(shop)


@pytest.fixture
def out(shop: Shop, trip: TripView, stopped_clock: Clock) -> TripView:
    """The same, paid with its deposit and handed over at its pickup."""
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, trip.deposit, "deposit")
    at_pickup(stopped_clock, trip)
    return hand_over(shop, trip.id)
