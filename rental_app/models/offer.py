"""Offers: what vendors give to those who show a code at the pickup."""

from datetime import date

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel


class Offer(SQLModel, table=True):
    """An offer, in force from `starts_on` to `ends_on`, both Indian days included, for rentals of `minimum_days` up."""

    __table_args__ = (
        CheckConstraint("code = upper(code) AND length(code) BETWEEN 3 AND 20", name="ck_offer_code"),
        CheckConstraint("ends_on >= starts_on", name="ck_offer_dates_ordered"),
        CheckConstraint("minimum_days BETWEEN 1 AND 30", name="ck_offer_minimum_days"),
    )

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(unique=True)
    title: str
    benefit: str
    terms: str
    starts_on: date
    ends_on: date = Field(index=True)
    minimum_days: int = 1
