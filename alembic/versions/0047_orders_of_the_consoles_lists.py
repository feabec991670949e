"""indexes in which the operator's lists are read: their usual order, and what waits

Revision ID: 0047
Revises: 0043
"""

from alembic import op

revision = "0047"
down_revision = "0043"
branch_labels = None
depends_on = None

ORDERS = (
    ("ix_user_name_id", "user", ("name", "id")),
    ("ix_booking_created_at_id", "booking", ("created_at", "id")),
    ("ix_booking_stage_created_at_id", "booking", ("stage", "created_at", "id")),
    ("ix_vehicle_created_at_id", "vehicle", ("created_at", "id")),
    ("ix_review_written_at_id", "review", ("written_at", "id")),
    ("ix_outbox_created_at_id", "outbox", ("created_at", "id")),
    ("ix_outbox_user_id", "outbox", ("user_id", "id")),
    ("ix_change_request_created_at_id", "change_request", ("created_at", "id")),
    ("ix_booking_event_what_at_id", "booking_event", ("what", "at", "id")),
)


def upgrade() -> None:
    for name, table, columns in ORDERS:
        op.create_index(name, table, list(columns))


def downgrade() -> None:
    for name, table, _ in ORDERS:
        op.drop_index(name, table)
