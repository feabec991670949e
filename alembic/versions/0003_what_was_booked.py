"""bookings keep what was booked

Revision ID: 0003
Revises: 0002
"""

from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

VEHICLES = """
SELECT vehicle.id, asset_type.name AS asset_type, manufacturer.name AS maker, asset_model.name AS model_name,
       asset_model.body_type, asset_model.shape, vehicle.year, vehicle.color, vehicle.image,
       location.name AS service_location, vendor.address, vendor.landmark, vendor.city, vendor.state, vendor.zip_code,
       vendor.google_maps_link, vehicle.terms, vehicle.late_penalty_paise, vehicle.distance_penalty_paise,
       vehicle.speed_limit_kmph
FROM vehicle
JOIN asset_model ON asset_model.id = vehicle.model_id
JOIN manufacturer ON manufacturer.id = asset_model.manufacturer_id
JOIN asset_type ON asset_type.id = manufacturer.asset_type_id
JOIN location ON location.id = vehicle.location_id
JOIN "user" AS vendor ON vendor.id = vehicle.vendor_id
"""
ADDRESS = ("address", "landmark", "city", "state", "zip_code")


def _snapshot(vehicle: dict[str, Any]) -> dict[str, Any]:
    address, landmark, city, state, zip_code = (vehicle[part] for part in ADDRESS)
    parts = (address, landmark, city, f"{state} {zip_code}".strip())
    kept = {name: value for name, value in vehicle.items() if name not in ("id", *ADDRESS)}
    return kept | {"pickup_address": ", ".join(part for part in parts if part)}


def upgrade() -> None:
    # No batch mode: it would rebuild the table and drop SQLite's guards against overlaps.
    op.add_column("booking", sa.Column("booked", sa.JSON(), nullable=True))
    booking = sa.table("booking", sa.column("vehicle_id", sa.Integer), sa.column("booked", sa.JSON))
    connection = op.get_bind()
    for row in connection.execute(sa.text(VEHICLES)).mappings().all():
        own = sa.update(booking).where(booking.c.vehicle_id == row["id"])
        connection.execute(own.values(booked=_snapshot(dict(row))))


def downgrade() -> None:
    op.drop_column("booking", "booked")
