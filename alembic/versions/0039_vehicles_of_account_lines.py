"""which vehicle each line of an account is about, as a booking may be moved to another one

Revision ID: 0039
Revises: 0038

Lines written before are about the vehicle that their booking has now, as all statements counted them. The version
before leaves the column empty, which means the same. The account's guard is away only while the column is filled.
"""

import sqlalchemy as sa

from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

FILL = "UPDATE ledger_entry SET vehicle_id = (SELECT vehicle_id FROM booking WHERE booking.id = booking_id)"
# SQLite has no way to switch a trigger off: it is the one of the fifth migration.
SQLITE_GUARD = """
CREATE TRIGGER tr_ledger_entry_append_only_UPDATE BEFORE UPDATE ON ledger_entry
BEGIN
    SELECT RAISE(ABORT, 'ledger_entry is append-only');
END
"""


def upgrade() -> None:
    op.add_column("ledger_entry", sa.Column("vehicle_id", sa.Integer(), nullable=True))
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER tr_ledger_entry_append_only_UPDATE")
        op.execute(FILL)
        op.execute(SQLITE_GUARD)
    else:
        op.execute("ALTER TABLE ledger_entry DISABLE TRIGGER tr_ledger_entry_append_only")
        op.execute(FILL)
        op.execute("ALTER TABLE ledger_entry ENABLE TRIGGER tr_ledger_entry_append_only")


def downgrade() -> None:
    op.drop_column("ledger_entry", "vehicle_id")
