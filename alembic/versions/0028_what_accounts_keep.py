"""what an account keeps in files, and since when it is approved

Revision ID: 0028
Revises: 0027

Files stored by the version before have no `stored_bytes`, and count with their `size`.
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("unclaimed_file", "vehicle_file"):
        op.add_column(table, sa.Column("stored_bytes", sa.Integer(), nullable=True))
    op.add_column("user", sa.Column("image_bytes", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.add_column("user", sa.Column("trip_bytes", sa.BigInteger(), nullable=False, server_default=sa.text("0")))
    op.add_column("user", sa.Column("approved_at", UTCDateTime(), nullable=True))


def downgrade() -> None:
    for name in ("approved_at", "trip_bytes", "image_bytes"):
        op.drop_column("user", name)
    for table in ("vehicle_file", "unclaimed_file"):
        op.drop_column(table, "stored_bytes")
