"""A vendor's trips, made for today, with photos that can be viewed."""

from datetime import timedelta

from sqlalchemy import update
from sqlmodel import col

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.models import Booking, TripReading
from rental_app.schemas.readings import PAPERS, HandoverData, Noted, ReturnData, SentPhoto
from rental_app.schemas.trips import TripView
from rental_app.seed.fleet import LISTINGS
from rental_app.seed.photos import photos
from rental_app.services.files import storage
from rental_app.services.trips import drafts, readings
from tests.e2e.conftest import PHONE
from tests.support.booking_steps import alter
from tests.support.shop import Shop, actor
from tests.support.trips import confirmed, seen, send

ON_THE_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def due_now(shop: Shop, hours: float = 1) -> TripView:
    """A confirmed booking whose pickup is this many hours ahead."""
    trip = confirmed(shop)
    pickup = clock.now().replace(second=0, microsecond=0) + timedelta(hours=hours)
    alter(Booking, trip.id, pickup_at=pickup, return_at=pickup + timedelta(days=2))
    return seen(shop.vendor, trip.id)


def hand_over(shop: Shop, trip: TripView) -> None:
    """Hand the vehicle over, with photos that can be viewed."""
    read = HandoverData(odometer=1300, fuel_eighths=8, papers_seen=list(PAPERS), helmets=1, unpaid_reason="Pays later")
    taken = photos(LISTINGS[0].plate, 1300)
    with storage.storing(taken):
        write(readings.hand_over, actor(shop.vendor), trip.reference, read, taken)


def to_photos(shop: Shop, trip: TripView) -> None:
    """Save the first two steps of a handover."""
    step = Noted(papers_seen=list(PAPERS), odometer=1300, fuel_eighths=6)
    step.photos = {"Odometer Reading": [SentPhoto.model_validate(send(shop, "Odometer Reading"))]}
    write(drafts.note, actor(shop.vendor), trip.reference, "handover", step)


def come_back(trip: TripView) -> None:
    """Make a vehicle that is out due back an hour ago."""
    back = clock.now() - timedelta(hours=1)
    begun = back - timedelta(days=2)
    alter(Booking, trip.id, pickup_at=begun, return_at=back)
    own = (col(TripReading.booking_id) == trip.id, col(TripReading.kind) == "handover")
    write(lambda session: session.execute(update(TripReading).where(*own).values(at=begun)))


def returned(shop: Shop) -> TripView:
    """A trip that has just ended, with photos that can be viewed."""
    trip = due_now(shop)
    hand_over(shop, trip)
    come_back(trip)
    taken = photos(LISTINGS[0].plate, 1400)
    with storage.storing(taken):
        data = ReturnData.model_validate({"odometer": 1400, "fuelEighths": 8})
        write(readings.take_back, actor(shop.vendor), trip.reference, data, taken)
    return trip
