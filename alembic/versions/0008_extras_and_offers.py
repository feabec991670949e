"""extras of bookings, and offers that reduce their price

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString


def upgrade() -> None:
    # No batch mode: it would rebuild the table and drop SQLite's guards against overlaps.
    op.add_column("booking", sa.Column("extras", sa.JSON(), nullable=True))
    op.add_column("booking", sa.Column("address", TEXT(), nullable=False, server_default=sa.text("''")))
    op.add_column("booking", sa.Column("offer", TEXT(), nullable=True))
    op.create_index("ix_booking_offer", "booking", ["offer"])
    # A benefit that was given at the counter, and is described in words alone, cannot reduce a price.
    _make_offers_anew(
        sa.Column("percent", sa.Integer(), nullable=False),
        sa.Column("cap_paise", sa.Integer(), nullable=True),
        sa.Column("off_paise", sa.Integer(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=True),
        sa.Column("uses_each", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "(percent BETWEEN 1 AND 100 AND off_paise = 0) OR (percent = 0 AND off_paise > 0 AND cap_paise IS NULL)",
            name="ck_offer_percent_or_rupees",
        ),
        sa.CheckConstraint("cap_paise > 0 AND uses > 0 AND uses_each > 0", name="ck_offer_limits"),
    )


def downgrade() -> None:
    _make_offers_anew(sa.Column("benefit", TEXT(), nullable=False))
    op.drop_index("ix_booking_offer", table_name="booking")
    for column in ("offer", "address", "extras"):
        op.drop_column("booking", column)


def _make_offers_anew(*what_they_give: sa.schema.SchemaItem) -> None:
    op.drop_index("ix_offer_ends_on", table_name="offer")
    op.drop_table("offer")
    op.create_table(
        "offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", TEXT(), nullable=False),
        sa.Column("title", TEXT(), nullable=False),
        sa.Column("terms", TEXT(), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=False),
        sa.Column("ends_on", sa.Date(), nullable=False),
        sa.Column("minimum_days", sa.Integer(), nullable=False),
        *what_they_give,
        sa.CheckConstraint("code = upper(code) AND length(code) BETWEEN 3 AND 20", name="ck_offer_code"),
        sa.CheckConstraint("ends_on >= starts_on", name="ck_offer_dates_ordered"),
        sa.CheckConstraint("minimum_days BETWEEN 1 AND 30", name="ck_offer_minimum_days"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offer")),
        sa.UniqueConstraint("code", name=op.f("uq_offer_code")),
    )
    op.create_index("ix_offer_ends_on", "offer", ["ends_on"])
