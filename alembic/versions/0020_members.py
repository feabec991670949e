"""people who answer requests and hand vehicles over for a vendor

Revision ID: 0020
Revises: 0019
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "member",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("added_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_member_user_id")),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_member_vendor_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_member")),
    )
    op.create_index(op.f("ix_member_vendor_id"), "member", ["vendor_id"])


def downgrade() -> None:
    op.drop_table("member")
