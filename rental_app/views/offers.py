"""Offers as their page shows them."""

from datetime import date

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.rules import clock
from rental_app.services import offers
from rental_app.services.offers import OfferView
from rental_app.services.throttle import Caller

SOON_DAYS = 7


class OfferCard(BaseModel):
    """An offer in the list; `last_days` is blank unless it ends within the week."""

    code: str
    title: str
    benefit: str
    terms: str
    until: str
    minimum: str
    last_days: str


def in_force(session: Session, caller: Caller) -> list[OfferCard]:
    """The offers of the Indian day."""
    today = clock.indian_today(clock.now())
    return [offer_card(view, today) for view in offers.in_force(session, caller, today)]


def offer_card(view: OfferView, today: date) -> OfferCard:
    """An offer as its card says it on a day."""
    left = (view.ends_on - today).days
    return OfferCard(
        **view.model_dump(include={"code", "title", "benefit", "terms"}),
        until=f"Until {clock.friendly_day(view.ends_on, today)}",
        minimum="Any rental" if view.minimum_days == 1 else f"From {view.minimum_days} days",
        last_days=_countdown(left) if left < SOON_DAYS else "",
    )


def _countdown(left: int) -> str:
    return {0: "Last day", 1: "Ends tomorrow"}.get(left, f"{left} days left")
