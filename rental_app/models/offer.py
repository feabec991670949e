"""Offers: what a code takes off the price of a booking."""

from datetime import date

from sqlalchemy import CheckConstraint, text
from sqlmodel import Field, SQLModel


class Offer(SQLModel, table=True):
    """An offer for bookings of at least `minimum_days`, made from `starts_on` to `ends_on` (Indian days, inclusive).

    It takes `percent` off the plans, at most `cap_paise` if there is a cap, or `off_paise`. If given, `uses` limits
    it in all and `uses_each` per customer.
    """

    __table_args__ = (
        CheckConstraint("code = upper(code) AND length(code) BETWEEN 3 AND 20", name="ck_offer_code"),
        CheckConstraint("ends_on >= starts_on", name="ck_offer_dates_ordered"),
        CheckConstraint("minimum_days BETWEEN 1 AND 30", name="ck_offer_minimum_days"),
        CheckConstraint(
            "(percent BETWEEN 1 AND 100 AND off_paise = 0) OR (percent = 0 AND off_paise > 0 AND cap_paise IS NULL)",
            name="ck_offer_percent_or_rupees",
        ),
        CheckConstraint("cap_paise > 0 AND uses > 0 AND uses_each > 0", name="ck_offer_limits"),
    )

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(unique=True)
    title: str
    terms: str
    starts_on: date
    ends_on: date = Field(index=True)
    minimum_days: int = 1
    percent: int = 0
    cap_paise: int | None = None
    off_paise: int = 0
    uses: int | None = None
    uses_each: int | None = None
    is_retired: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
