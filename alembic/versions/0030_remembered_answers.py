"""answers to calls that may be repeated are remembered

Revision ID: 0030
Revises: 0029
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "remembered_answer",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_remembered_answer_user_id")),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_remembered_answer")),
    )
    op.create_index(op.f("ix_remembered_answer_created_at"), "remembered_answer", ["created_at"])


def downgrade() -> None:
    op.drop_table("remembered_answer")
