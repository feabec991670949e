"""when things happened that were noted later: returns and handovers, money, and bookings at the counter

Revision ID: 0053
Revises: 0052

Empty is what was noted as it happened, as all earlier rows are taken to be, and those of the version before.
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None

COLUMNS = (
    ("ledger_entry", "paid_at"),
    ("booking_event", "happened_at"),
    ("trip_reading", "noted_at"),
    ("commission_payment", "paid_at"),
)


def upgrade() -> None:
    for table, name in COLUMNS:
        op.add_column(table, sa.Column(name, UTCDateTime(), nullable=True))


def downgrade() -> None:
    for table, name in reversed(COLUMNS):
        op.drop_column(table, name)
