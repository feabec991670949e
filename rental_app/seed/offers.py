"""Offers around the day they are seeded: three in force, one over."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from rental_app.models import Offer
from rental_app.rules import clock


@dataclass(frozen=True, slots=True)
class Campaign:
    """What an offer says."""

    code: str
    title: str
    benefit: str
    terms: str
    minimum_days: int


# Days from the day of seeding to the first and the last day of each.
CAMPAIGNS = (
    (
        -12,
        60,
        Campaign(
            "PILLION",
            "Riding two up",
            "Second helmet free, worth ₹200 per trip",
            "Any scooter or motorcycle, while the vendor has a helmet in your size.",
            2,
        ),
    ),
    (
        -3,
        25,
        Campaign(
            "WEEKLONG",
            "A week on two wheels",
            "₹300 off at the pickup",
            "Scooters and motorcycles, one code a booking.",
            7,
        ),
    ),
    (
        0,
        9,
        Campaign(
            "EVWEEK",
            "Try electric",
            "Return it at any charge level",
            "Electric scooters and cars: the vendor charges it up again and asks nothing for it.",
            1,
        ),
    ),
    (
        -45,
        -6,
        Campaign(
            "FESTIVE26",
            "Festival weekend",
            "₹500 off at the pickup",
            "Cars with pickup on a festival weekend.",
            3,
        ),
    ),
)


def add_offers(session: Session, now: datetime) -> None:
    """Insert the offers."""
    today = clock.indian_today(now)
    session.add_all(
        Offer(starts_on=today + timedelta(days=first), ends_on=today + timedelta(days=last), **asdict(campaign))
        for first, last, campaign in CAMPAIGNS
    )
