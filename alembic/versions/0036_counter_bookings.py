"""bookings made at the counter, in place of another one, and for guests

Revision ID: 0036
Revises: 0035

All earlier bookings were made online, and all earlier accounts are people's own.
"""

import sqlalchemy as sa

from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user", sa.Column("is_guest", sa.Boolean(), nullable=False, server_default=sa.text("false")))
    op.add_column("booking", sa.Column("source", sa.String(), nullable=False, server_default=sa.text("'online'")))
    op.add_column("booking", sa.Column("follows_id", sa.Integer(), nullable=True))
    op.add_column("booking", sa.Column("commission_bps", sa.Integer(), nullable=True))
    op.add_column("booking", sa.Column("guest_email", sa.String(), nullable=True))
    op.create_index(op.f("ix_booking_follows_id"), "booking", ["follows_id"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f("ix_booking_follows_id"), "booking")
    op.drop_column("booking", "guest_email")
    op.drop_column("booking", "commission_bps")
    op.drop_column("booking", "follows_id")
    op.drop_column("booking", "source")
    op.drop_column("user", "is_guest")
