"""bookings keep their vendor's terms and what delivery cost

Revision ID: 0009
Revises: 0008
"""

from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

# Charges that remain stored after a vendor has stopped charging for delivery do not count.
ADDED = """
SELECT booking.id, booking.booked, vendor.notes AS vendor_terms, vendor.delivery_supported,
       CASE WHEN vehicle.drop_off_pick_extra_payment THEN vehicle.drop_off_paise ELSE 0 END AS brought_paise,
       CASE WHEN vehicle.drop_off_pick_extra_payment THEN vehicle.pick_up_paise ELSE 0 END AS fetched_paise
FROM booking
JOIN vehicle ON vehicle.id = booking.vehicle_id
JOIN "user" AS vendor ON vendor.id = vehicle.vendor_id
"""
NAMES = ("vendor_terms", "delivery_supported", "brought_paise", "fetched_paise")
BOOKING = sa.table("booking", sa.column("id", sa.Integer), sa.column("booked", sa.JSON))


def upgrade() -> None:
    typed = sa.text(ADDED).columns(booked=sa.JSON, delivery_supported=sa.Boolean)
    for row in op.get_bind().execute(typed).mappings().all():
        _keep(row["id"], row["booked"] | {name: row[name] for name in NAMES})


def downgrade() -> None:
    for row in op.get_bind().execute(sa.select(BOOKING)).mappings().all():
        _keep(row["id"], {name: value for name, value in row["booked"].items() if name not in NAMES})


def _keep(booking: int, booked: dict[str, Any]) -> None:
    op.get_bind().execute(sa.update(BOOKING).where(BOOKING.c.id == booking).values(booked=booked))
