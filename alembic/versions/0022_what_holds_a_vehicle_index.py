"""one index for what holds a vehicle, which PostgreSQL's planner uses whatever the number of bookings

Revision ID: 0022
Revises: 0021

PostgreSQL 18 considers comparisons of two columns of an index expensive: with a million bookings it read all of a
vehicle's by the index meant for pickups and returns, which nothing uses any more, or the whole of the other index.
"""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_booking_overlap", "booking")
    if op.get_bind().dialect.name == "postgresql":
        op.drop_index("ix_booking_held", "booking")
        more = ["held_from", "status", "answer_by"]
        op.create_index("ix_booking_held_until", "booking", ["vehicle_id", "held_until"], postgresql_include=more)
        op.drop_index("ix_vehicle_block_held", "vehicle_block")
        ends = ["vehicle_id", "ends_at"]
        op.create_index("ix_vehicle_block_ends", "vehicle_block", ends, postgresql_include=["begins_at"])


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.drop_index("ix_vehicle_block_ends", "vehicle_block")
        op.create_index("ix_vehicle_block_held", "vehicle_block", ["vehicle_id", "ends_at", "begins_at"])
        op.drop_index("ix_booking_held_until", "booking")
        op.create_index("ix_booking_held", "booking", ["vehicle_id", "held_until", "held_from", "status"])
    op.create_index("ix_booking_overlap", "booking", ["vehicle_id", "return_at", "pickup_at", "status"])
