"""files that wait for the form they belong to

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unclaimed_file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("group_name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("content_type", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.CheckConstraint("size > 0", name="ck_unclaimed_file_size"),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_unclaimed_file_vendor_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unclaimed_file")),
        sa.UniqueConstraint("key", name=op.f("uq_unclaimed_file_key")),
    )
    op.create_index(op.f("ix_unclaimed_file_vendor_id"), "unclaimed_file", ["vendor_id"])
    op.create_index(op.f("ix_unclaimed_file_created_at"), "unclaimed_file", ["created_at"])


def downgrade() -> None:
    op.drop_table("unclaimed_file")
