"""what a vendor proposes and the customer has to agree to, and the blocks that hold it meanwhile

Revision ID: 0038
Revises: 0037
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("booking_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("answer_by", UTCDateTime(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.Column("who_id", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('extension', 'move', 'discount')", name="ck_proposal_kind"),
        sa.CheckConstraint(
            "state IN ('open', 'agreed', 'refused', 'lapsed', 'withdrawn') AND (state = 'open') = (ended_at IS NULL)",
            name="ck_proposal_state",
        ),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_proposal_booking_id")),
        sa.ForeignKeyConstraint(["who_id"], ["user.id"], name=op.f("fk_proposal_who_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposal")),
    )
    is_open = sa.text("state = 'open'")
    op.create_index(
        "uq_proposal_open", "proposal", ["booking_id"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.add_column("vehicle_block", sa.Column("proposal_id", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_vehicle_block_proposal_id"), "vehicle_block", ["proposal_id"])


def downgrade() -> None:
    op.execute("DELETE FROM vehicle_block WHERE proposal_id IS NOT NULL")
    op.drop_index(op.f("ix_vehicle_block_proposal_id"), "vehicle_block")
    op.drop_column("vehicle_block", "proposal_id")
    op.drop_table("proposal")
