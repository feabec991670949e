"""Offers as their page shows them."""

from datetime import date

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.money import format_rupees
from rental_app.services.pricing import promotions
from rental_app.services.pricing.promotions import OfferView
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters import words
from rental_app.web.parts.presenters.words import PointView

SOON_DAYS = 7


class OfferCard(BaseModel):
    """An offer in the list; `limits` is blank unless uses are counted, `last_days` unless it ends within the week."""

    code: str
    title: str
    benefit: str
    terms: str
    until: str
    minimum: str
    limits: str
    last_days: str


def in_force(session: Session, caller: Caller) -> list[OfferCard]:
    """The offers of the current Indian day."""
    today = clock.indian_today(clock.now())
    return [offer_card(view, today) for view in promotions.in_force(session, caller, today)]


def steps(session: Session) -> list[PointView]:
    """How an offer works."""
    return words.points(session, "offer_steps")


def offer_card(view: OfferView, today: date) -> OfferCard:
    """An offer as its card shows it on a day."""
    left = (view.ends_on - today).days
    each = {None: "", 1: "Once per customer"}.get(view.uses_each, f"{view.uses_each} times per customer")
    first = {0: "", 1: "The first booking"}.get(view.uses or 0, f"The first {view.uses} bookings")
    return OfferCard(
        **view.model_dump(include={"code", "title", "terms"}),
        benefit=_benefit(view),
        until=f"Until {clock.friendly_day(view.ends_on, today)}",
        minimum="Any rental" if view.minimum_days == 1 else f"From {view.minimum_days} days",
        limits=" · ".join(text for text in (first, each) if text),
        last_days={0: "Last day", 1: "Ends tomorrow"}.get(left, f"{left} days left") if left < SOON_DAYS else "",
    )


def _benefit(view: OfferView) -> str:
    if view.off_paise:
        return f"{format_rupees(view.off_paise)} off"
    cap = "" if view.cap_paise is None else f", up to {format_rupees(view.cap_paise)}"
    return f"{view.percent}% off{cap}"
