"""Days on which demo vehicles are not available, and one vendor who keeps time free between trips."""

from datetime import datetime, time, timedelta

from sqlmodel import Session

from rental_app.domain import clock
from rental_app.models import Block, User, Vehicle
from rental_app.seed import tables
from rental_app.seed.tables import row_id

# Hours by vendor.
BUFFERS = {"srinivas": 2}


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
    for vendor, hours in BUFFERS.items():
        vendors[vendor].buffer_hours = hours
    session.flush()
