"""Writing reviews, reading them, and recounting their sums."""

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from rental_app.infrastructure.db import read, write
from rental_app.models import Outbox, Review, User, Vehicle
from rental_app.schemas.reviews import ReviewRequest, ReviewsAnswer
from rental_app.schemas.trips import TripView
from rental_app.schemas.wire import Page
from rental_app.services.reviews import reading, writing
from tests.conftest import Clock
from tests.support.shop import VISITOR, Shop, actor
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, take_back


def returned(shop: Shop, stopped_clock: Clock) -> TripView:
    """A trip whose vehicle has just come back."""
    odometer = read(lambda session: session.get_one(Vehicle, shop.vehicle.id).odometer_reading)
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id, odometer)
    at_return(stopped_clock, trip)
    return take_back(shop, trip.id, odometer + 50)


def review(user: User, ref: object, stars: int, words: str = "") -> TripView:
    return write(writing.write, actor(user), str(ref), ReviewRequest(stars=stars, text=words))


def public(shop: Shop) -> ReviewsAnswer:
    return read(reading.of_vehicle, VISITOR, shop.vehicle.id or 0, Page())


def only_review(side: str = "customer") -> int:
    newest = select(func.max(Review.id)).where(col(Review.side) == side)
    return int(read(lambda session: session.execute(newest).scalar_one()))


def told(kind: str) -> list[int]:
    """Return who has a message of a kind."""
    wanted = select(col(Outbox.user_id)).where(col(Outbox.kind) == kind).order_by(col(Outbox.id))
    return [person for person in read(lambda session: session.scalars(wanted).all()) if person]


SUMS = text("""
    SELECT 'vehicle', id FROM vehicle WHERE (stars_total, reviews) <>
        (SELECT coalesce(sum(stars), 0), count(*) FROM review
         WHERE vehicle_id = vehicle.id AND side = 'customer' AND shown_at IS NOT NULL AND NOT is_hidden)
    UNION ALL
    SELECT 'user', id FROM "user" WHERE (stars_total, reviews) <>
        (SELECT coalesce(sum(stars), 0), count(*) FROM review
         WHERE vendor_id = "user".id AND side = 'customer' AND shown_at IS NOT NULL AND NOT is_hidden)
""")


def wrong_sums() -> list[tuple[str, int]]:
    """Return the vehicles and vendors whose sums differ from a recount."""
    return [(kind, id_) for kind, id_ in read(Session.execute, SUMS)]
