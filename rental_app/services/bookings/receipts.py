"""Receipt numbers: a gapless series for each vendor with a GST number and each financial year."""

from datetime import datetime

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.models import Booking, ReceiptNumber, User

FIRST_MONTH = 4


def financial_year(instant: datetime) -> int:
    """The calendar year in which the financial year of an instant began, on 1 April in India."""
    day = clock.indian_today(instant)
    return day.year if day.month >= FIRST_MONTH else day.year - 1


def give_number(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> None:
    """Number the receipt of a trip that is over, if its vendor has a GST number and the receipt has no number yet."""
    # Locking the vendor's row makes trips queue: two settled at once would otherwise get the same number.
    locked = select(col(User.gst_number)).where(col(User.id) == vendor_id).with_for_update(key_share=True)
    if not session.execute(locked).scalar_one() or number_of(session, booking):
        return
    year = financial_year(instant)
    series = (col(ReceiptNumber.vendor_id) == vendor_id, col(ReceiptNumber.year) == year)
    last = session.execute(select(func.max(col(ReceiptNumber.number))).where(*series)).scalar_one() or 0
    session.add(ReceiptNumber(vendor_id=vendor_id, year=year, number=last + 1, booking_id=booking.id or 0))
    session.flush()


def number_of(session: Session, booking: Booking) -> str | None:
    """A receipt's number as printed: '2026-27/0042'."""
    own = select(ReceiptNumber).where(col(ReceiptNumber.booking_id) == booking.id)
    row = session.scalars(own).first()
    return f"{row.year}-{(row.year + 1) % 100:02}/{row.number:04}" if row else None
