"""price rules

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "price_rule",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=True),
        sa.Column("weekday", sa.Integer(), nullable=True),
        sa.Column("first_day", sa.Date(), nullable=True),
        sa.Column("last_day", sa.Date(), nullable=True),
        sa.Column("percent", sa.Integer(), nullable=False),
        sa.CheckConstraint("percent BETWEEN -50 AND 200 AND percent <> 0", name="ck_price_rule_percent"),
        sa.CheckConstraint("weekday BETWEEN 0 AND 6", name="ck_price_rule_weekday"),
        sa.CheckConstraint("first_day <= last_day", name="ck_price_rule_dates_ordered"),
        sa.CheckConstraint(
            "(weekday IS NULL) = (first_day IS NOT NULL) AND (first_day IS NULL) = (last_day IS NULL)",
            name="ck_price_rule_weekday_or_dates",
        ),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_price_rule_vendor_id")),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_price_rule_vehicle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_price_rule")),
    )
    op.create_index("ix_price_rule_vendor_id", "price_rule", ["vendor_id"])


def downgrade() -> None:
    op.drop_index("ix_price_rule_vendor_id", table_name="price_rule")
    op.drop_table("price_rule")
