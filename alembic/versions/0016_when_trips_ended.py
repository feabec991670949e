"""finding the trips that ended recently

Revision ID: 0016
Revises: 0015
"""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_trip_reading_at", "trip_reading", ["kind", "at"])


def downgrade() -> None:
    op.drop_index("ix_trip_reading_at", "trip_reading")
