"""a shop that only shows itself for a while, and what vendors no longer choose

Revision ID: 0041
Revises: 0040
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

CHOSEN = ("location", "asset_type", "manufacturer", "asset_model", "offer")


def upgrade() -> None:
    op.add_column("edition", sa.Column("read_only_since", UTCDateTime(), nullable=True))
    op.add_column("edition", sa.Column("read_only_message", sa.String(), nullable=False, server_default=sa.text("''")))
    for table in CHOSEN:
        retired: sa.Column[bool] = sa.Column(
            "is_retired", sa.Boolean(), nullable=False, server_default=sa.text("false")
        )
        op.add_column(table, retired)


def downgrade() -> None:
    for table in CHOSEN:
        op.drop_column(table, "is_retired")
    op.drop_column("edition", "read_only_message")
    op.drop_column("edition", "read_only_since")
