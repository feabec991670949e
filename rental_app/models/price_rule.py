"""How much more or less vendors charge on certain days."""

from datetime import date

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel


class PriceRule(SQLModel, table=True):
    """A percentage on Half and Full Days, for one vehicle or all of its vendor's, by weekday or by Indian dates."""

    __tablename__ = "price_rule"
    __table_args__ = (
        CheckConstraint("percent BETWEEN -50 AND 200 AND percent <> 0", name="ck_price_rule_percent"),
        CheckConstraint("weekday BETWEEN 0 AND 6", name="ck_price_rule_weekday"),
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
    first_day: date | None = None
    last_day: date | None = None
    percent: int
