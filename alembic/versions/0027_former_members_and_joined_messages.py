"""members who left, who are not added again; and messages that are sent in one e-mail

Revision ID: 0027
Revises: 0026
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "former_member",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("left_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_former_member_user_id")),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_former_member_vendor_id")),
        sa.PrimaryKeyConstraint("user_id", "vendor_id", name=op.f("pk_former_member")),
    )
    op.add_column("outbox", sa.Column("joined_to", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("outbox", "joined_to")
    op.drop_table("former_member")
