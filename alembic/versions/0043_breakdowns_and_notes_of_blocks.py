"""why a vehicle came back as it did, and what a block is for in its vendor's words

Revision ID: 0043
Revises: 0042

All earlier returns were ordinary ones, and earlier blocks have no note.
"""

import sqlalchemy as sa

from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("trip_reading", sa.Column("reason", sa.String(), nullable=True))
    op.add_column("vehicle_block", sa.Column("note", sa.String(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    op.drop_column("vehicle_block", "note")
    op.drop_column("trip_reading", "reason")
