"""offers

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("title", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("benefit", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("terms", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=False),
        sa.Column("ends_on", sa.Date(), nullable=False),
        sa.Column("minimum_days", sa.Integer(), nullable=False),
        sa.CheckConstraint("code = upper(code) AND length(code) BETWEEN 3 AND 20", name="ck_offer_code"),
        sa.CheckConstraint("ends_on >= starts_on", name="ck_offer_dates_ordered"),
        sa.CheckConstraint("minimum_days BETWEEN 1 AND 30", name="ck_offer_minimum_days"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offer")),
        sa.UniqueConstraint("code", name=op.f("uq_offer_code")),
    )
    op.create_index("ix_offer_ends_on", "offer", ["ends_on"])


def downgrade() -> None:
    op.drop_index("ix_offer_ends_on", table_name="offer")
    op.drop_table("offer")
