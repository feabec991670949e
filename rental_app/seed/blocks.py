"""Days on which demo vehicles are not available, a vendor's holiday, and one who keeps time free between trips."""

from datetime import datetime, time, timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.models import Block, User, Vehicle
from rental_app.seed import tables
from rental_app.seed.tables import row_id

# Hours by vendor.
BUFFERS = {"srinivas": 2}
# A vendor, the first day from that of seeding, how many days, and why.
HOLIDAY = ("kiran", 45, 2, "Closed for a wedding")


def add_blocks(session: Session, now: datetime, fleet: dict[str, Vehicle], vendors: dict[str, User]) -> None:
    """Insert the rows of blocks.csv, whose days count from the day of seeding, and set the buffers."""
    today = clock.indian_today(now)
    for row in tables.rows("blocks.csv"):
        first = today + timedelta(days=int(row["day"]))
        last = first + timedelta(days=int(row["days"]))
        block = Block(
            vehicle_id=row_id(fleet[row["plate"]]),
            begins_at=clock.at(first, time()),
            ends_at=clock.at(last, time()),
            reason=row["reason"],
            created_at=now,
        )
        session.add(block)
    _close(session, now, vendors[HOLIDAY[0]])
    for vendor, hours in BUFFERS.items():
        vendors[vendor].buffer_hours = hours
    session.flush()


def _close(session: Session, now: datetime, vendor: User) -> None:
    """Block all vehicles of a vendor for a holiday, as one press of theirs does."""
    _, ahead, days, note = HOLIDAY
    first = clock.indian_today(now) + timedelta(days=ahead)
    begin, end = clock.at(first, time()), clock.at(first + timedelta(days=days), time())
    fleet = session.scalars(select(Vehicle).where(col(Vehicle.vendor_id) == vendor.id)).all()
    session.add_all(
        Block(vehicle_id=row_id(each), begins_at=begin, ends_at=end, reason="other", note=note, created_at=now)
        for each in fleet
    )
