"""where vendors are paid by UPI, and drafts of readings

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString


def upgrade() -> None:
    op.add_column("user", sa.Column("upi_id", TEXT(), nullable=False, server_default=sa.text("''")))
    op.create_table(
        "trip_draft",
        sa.Column("booking_id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT(), nullable=False),
        sa.Column("noted", sa.JSON(), nullable=False),
        sa.CheckConstraint("kind IN ('handover', 'return')", name="ck_trip_draft_kind"),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_trip_draft_booking_id")),
        sa.PrimaryKeyConstraint("booking_id", "kind", name=op.f("pk_trip_draft")),
    )


def downgrade() -> None:
    op.drop_table("trip_draft")
    op.drop_column("user", "upi_id")
