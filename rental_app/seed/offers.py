"""Offers around the day they are seeded: three in force, one over."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from rental_app.domain import clock
from rental_app.models import Offer, User
from rental_app.seed.people import CUSTOMER_EMAIL


@dataclass(frozen=True, slots=True)
class Campaign:
    """What an offer says and gives; money is in paise."""

    code: str
    title: str
    terms: str
    minimum_days: int = 1
    percent: int = 0
    cap_paise: int | None = None
    off_paise: int = 0
    uses: int | None = None
    uses_each: int | None = None


# Days from the day of seeding to the first and the last day of each.
CAMPAIGNS = (
    (
        -12,
        60,
        Campaign(
            "FIRSTRIDE",
            "Your first ride with us",
            "Off the price of any scooter, motorcycle or car. Extras and the deposit stay as they are.",
            percent=10,
            cap_paise=200_00,
            uses_each=1,
        ),
    ),
    (
        -3,
        25,
        Campaign("WEEKLONG", "A week on the road", "One code a booking, on any vehicle.", 7, off_paise=300_00),
    ),
    (
        0,
        9,
        Campaign(
            "EARLYBIRDS",
            "Quick off the mark",
            "For those who are quick. A cancelled booking makes room for another one.",
            2,
            percent=15,
            cap_paise=500_00,
            uses=100,
            uses_each=2,
        ),
    ),
    (
        -45,
        -6,
        Campaign("FESTIVE26", "Festival weekend", "On any vehicle over the festival.", 3, off_paise=500_00),
    ),
)


def add_offers(session: Session, now: datetime) -> None:
    """Insert the offers."""
    today = clock.indian_today(now)
    session.add_all(
        Offer(starts_on=today + timedelta(days=first), ends_on=today + timedelta(days=last), **asdict(campaign))
        for first, last, campaign in CAMPAIGNS
    )


def put_offers_back(session: Session, now: datetime) -> None:
    """Insert the offers into a demo that has none at all."""
    is_demo = session.exec(select(User.id).where(col(User.email) == CUSTOMER_EMAIL)).first() is not None
    if is_demo and session.exec(select(Offer.id).limit(1)).first() is None:
        add_offers(session, now)
