"""Months of a vendor that are settled: what was received in them is fixed, whatever is noted later."""

from datetime import date, datetime

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError
from rental_app.infrastructure import db
from rental_app.models import CommissionPayment, User
from rental_app.models.issued_paper import STATEMENT
from rental_app.services import issued_papers


def require_open(session: Session, vendor_id: int, paid_at: datetime | None, instant: datetime) -> None:
    """Require that a payment of an earlier day, if one is given, may still count in its month.

    What is paid today always may. Until the transaction ends, no commission of the vendor is noted as paid. Raises
    InvalidInputError (`month_settled`).
    """
    if paid_at is None or paid_at >= clock.month_bounds(instant)[0]:
        return
    # Whoever notes a payment of commission holds the same row (services/operating/commission.py).
    db.lock_row(session, select(col(User.id)).where(col(User.id) == vendor_id).with_for_update(key_share=True))
    day = clock.indian_today(paid_at)
    if is_settled(session, vendor_id, day):
        message = f"{day:%B %Y} is settled, and its statement stays as it is: note it for today"
        raise InvalidInputError(message, code="month_settled", fields={"paidOn": message})


def is_settled(session: Session, vendor_id: int, day: date) -> bool:
    """Whether the month of a day is closed: its statement is frozen, or the vendor has paid commission for it."""
    month = f"{day:%Y-%m}"
    if issued_papers.find(session, vendor_id, STATEMENT, month):
        return True
    own = (col(CommissionPayment.vendor_id) == vendor_id, col(CommissionPayment.month) == month)
    paid = select(func.coalesce(func.sum(CommissionPayment.paise), 0)).where(*own)
    return bool(session.execute(paid).scalar_one() > 0)
