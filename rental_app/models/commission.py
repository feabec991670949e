"""What vendors have paid of the commission they owe."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Index
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class CommissionPayment(SQLModel, table=True):
    """Commission (paise) that a vendor paid for a month such as 2026-11, with what names the payment at the bank.

    The database refuses to change or delete it: a wrong one is answered by its opposite.
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
