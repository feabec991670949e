"""which version of the terms a booking's customer accepted, and when

Revision ID: 0032
Revises: 0031

Empty for bookings made before, or over REST, where no terms are shown.
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("booking", sa.Column("terms_version", sa.String(), nullable=True))
    op.add_column("booking", sa.Column("terms_accepted_at", UTCDateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("booking", "terms_accepted_at")
    op.drop_column("booking", "terms_version")
