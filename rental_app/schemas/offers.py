"""Offers as services give them and pages show them."""

from datetime import date

from pydantic import BaseModel, ConfigDict


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


class OfferCard(BaseModel):
    """An offer in the list; `last_days` is blank unless it ends within the week."""

    code: str
    title: str
    benefit: str
    terms: str
    until: str
    minimum: str
    last_days: str
