"""calendars that vendors share with other programs

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ical_feed",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=True),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_ical_feed_vehicle_id")),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_ical_feed_vendor_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ical_feed")),
        sa.UniqueConstraint("digest", name=op.f("uq_ical_feed_digest")),
    )
    op.create_index(op.f("ix_ical_feed_vendor_id"), "ical_feed", ["vendor_id"])


def downgrade() -> None:
    op.drop_table("ical_feed")
