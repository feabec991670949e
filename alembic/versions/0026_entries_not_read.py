"""what a calendar of another platform took when it was last read, and what of it could not be read

Revision ID: 0026
Revises: 0025
"""

import sqlalchemy as sa

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The version before this one adds calendars without it.
    op.add_column("ical_import", sa.Column("unread", sa.JSON(), nullable=True))
    op.add_column("ical_import", sa.Column("taken", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("ical_import", "taken")
    op.drop_column("ical_import", "unread")
