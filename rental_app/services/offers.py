"""Offers in force."""

from datetime import date

from pydantic import BaseModel, ConfigDict
from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.models import Offer
from rental_app.services import throttle
from rental_app.services.throttle import Caller


class OfferView(BaseModel):
    """An offer in force; both days are Indian days and included."""

    model_config = ConfigDict(from_attributes=True)

    code: str
    title: str
    benefit: str
    terms: str
    starts_on: date
    ends_on: date
    minimum_days: int


def in_force(session: Session, caller: Caller, day: date) -> list[OfferView]:
    """The offers in force on an Indian day, those that end first in front."""
    throttle.count("look", caller)
    statement = (
        select(Offer)
        .where(col(Offer.starts_on) <= day, col(Offer.ends_on) >= day)
        .order_by(col(Offer.ends_on), col(Offer.id))
    )
    return [OfferView.model_validate(offer) for offer in session.scalars(statement)]
