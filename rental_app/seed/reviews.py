"""What both sides say about the demo's returned trips."""

import itertools
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import func, select, update
from sqlmodel import Session, col

from rental_app.domain.bookings import TripStage
from rental_app.domain.policies import FIRST
from rental_app.domain.reviews import review_until
from rental_app.models import Booking, Review, TripReading, User, Vehicle
from rental_app.seed.tables import row_id

TEXTS: dict[str, dict[str, list[str]]] = tomllib.loads(Path(__file__).with_name("reviews.toml").read_text())
# In percent: who writes, how many stars they give, and how many good reviews are answered.
CUSTOMERS_WRITE, VENDORS_WRITE, WITH_WORDS, ANSWERED = 85, 75, 80, 35
STARS, WEIGHTS = (5, 4, 3, 2), (55, 31, 10, 4)
REPORT = "This is about somebody else's vehicle"


def add_reviews(session: Session, now: datetime) -> None:
    """Insert reviews of the returned trips, shown if both sides have written or the time is over."""
    back = (
        select(Booking, col(Vehicle.vendor_id), col(TripReading.at))
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .join(TripReading, col(TripReading.booking_id) == Booking.id)
        .where(col(TripReading.kind) == "return", col(Booking.stage).in_((TripStage.RETURNED, TripStage.SETTLED)))
        .order_by(col(TripReading.at), col(Booking.id))
    )
    critic = _Critic(now)
    for booking, vendor_id, at in session.execute(back).all():
        session.add_all(critic.of_trip(booking, vendor_id, at))
    session.flush()
    for kind, whose in ((Vehicle, Review.vehicle_id), (User, Review.vendor_id)):
        own = (col(whose) == kind.id, col(Review.side) == "customer", col(Review.shown_at).is_not(None))
        total: Any = select(func.coalesce(func.sum(Review.stars), 0)).where(*own).scalar_subquery()
        many: Any = select(func.count()).select_from(Review).where(*own).scalar_subquery()
        session.execute(update(kind).values(stars_total=total, reviews=many))
    worst = select(Review).where(col(Review.shown_at).is_not(None), col(Review.side) == "customer")
    if review := session.scalars(worst.order_by(col(Review.stars), col(Review.id)).limit(1)).first():
        review.reported_at, review.reported_by, review.report_note = now, review.vendor_id, REPORT


class _Critic:
    """Gives every trip its reviews, using each text in turn."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.texts: dict[tuple[str, str], Iterator[str]] = {
            (kind, stars): itertools.cycle(texts)
            for kind, by_stars in TEXTS.items()
            for stars, texts in by_stars.items()
        }
        self.trips: defaultdict[int, int] = defaultdict(int)

    def of_trip(self, booking: Booking, vendor_id: int, back: datetime) -> list[Review]:
        """The reviews of a trip that came back at an instant."""
        self.trips[booking.vehicle_id] += 1
        chance = Random(f"{booking.vehicle_id} {self.trips[booking.vehicle_id]} review")  # noqa: S311 - variety
        kinds = {"customer": (booking.booked["asset_type"], CUSTOMERS_WRITE), "vendor": ("customers", VENDORS_WRITE)}
        made = [
            self._review(booking, vendor_id, back, side, kind, chance)
            for side, (kind, share) in kinds.items()
            if chance.randrange(100) < share
        ]
        written = [one for one in made if one.written_at <= self.now]
        self._show(written, back, chance)
        return written

    def _review(self, booking: Booking, vendor_id: int, back: datetime, side: str, kind: str, chance: Random) -> Review:
        stars = chance.choices(STARS, WEIGHTS)[0]
        stars = stars if (kind, str(stars)) in self.texts else 3
        return Review(
            booking_id=row_id(booking),
            side=side,
            vehicle_id=booking.vehicle_id,
            vendor_id=vendor_id,
            customer_id=booking.customer_id,
            stars=stars,
            text=next(self.texts[kind, str(stars)]) if chance.randrange(100) < WITH_WORDS or stars < 4 else "",
            written_at=back + timedelta(hours=chance.randint(1, 60)),
            show_by=review_until(back, FIRST),
        )

    def _show(self, written: list[Review], back: datetime, chance: Random) -> None:
        over = review_until(back, FIRST)
        shown_at = max(one.written_at for one in written) if len(written) > 1 else over
        for one in written if shown_at <= self.now else []:
            one.shown_at = shown_at
            at = shown_at + timedelta(hours=chance.randint(2, 30))
            if one.side == "customer" and at <= self.now and (one.stars < 4 or chance.randrange(100) < ANSWERED):
                one.answer = next(self.texts["answers", "good" if one.stars > 3 else "bad"])
                one.answered_at = at
