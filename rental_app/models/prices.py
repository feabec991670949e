"""Money besides bookings: prices of certain days, offers, and what vendors have paid of the commission they owe."""

from datetime import date, datetime

from sqlalchemy import BigInteger, CheckConstraint, Index, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class PriceRule(SQLModel, table=True):
    """A percentage on Half and Full Days, for one vehicle or all of its vendor's, by weekdays or by Indian dates.

    `weekdays` has a bit for each of several weekdays, 1 for Monday; `weekday` is the first, or the only one.
    """

    __tablename__ = "price_rule"
    __table_args__ = (
        CheckConstraint("percent BETWEEN -50 AND 200 AND percent <> 0", name="ck_price_rule_percent"),
        CheckConstraint("weekday BETWEEN 0 AND 6", name="ck_price_rule_weekday"),
        CheckConstraint("weekdays BETWEEN 1 AND 127", name="ck_price_rule_weekdays"),
        CheckConstraint("first_day <= last_day", name="ck_price_rule_dates_ordered"),
        CheckConstraint(
            "(weekday IS NULL) = (first_day IS NOT NULL) AND (first_day IS NULL) = (last_day IS NULL)",
            name="ck_price_rule_weekday_or_dates",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id", index=True)
    vehicle_id: int | None = Field(default=None, foreign_key="vehicle.id")
    # 0 is Monday.
    weekday: int | None = None
    weekdays: int | None = None
    first_day: date | None = None
    last_day: date | None = None
    percent: int


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


class CommissionPayment(SQLModel, table=True):
    """Commission (paise) that a vendor paid for a month such as 2026-11, with what names the payment at the bank.

    The database refuses to change or delete it: a wrong one is answered by its opposite. `at` is when it was noted,
    `paid_at` the start of the Indian day on which it was paid, if that was an earlier one.
    """

    __tablename__ = "commission_payment"
    __table_args__ = (
        CheckConstraint("paise <> 0", name="ck_commission_payment_paise"),
        CheckConstraint("length(month) = 7", name="ck_commission_payment_month"),
        Index("ix_commission_payment_vendor_id_month", "vendor_id", "month"),
    )

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id")
    month: str
    paise: int = Field(sa_type=BigInteger)
    reference: str
    who_id: int = Field(foreign_key="user.id")
    at: datetime = Field(default_factory=clock.now)
    paid_at: datetime | None = None
