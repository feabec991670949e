"""the account refuses being replaced: REPLACE fires no DELETE trigger on SQLite

Revision ID: 0024
Revises: 0023
"""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

# Whatever an INSERT OR REPLACE could replace: the conditions are the table's keys. Rebuilding the table (batch mode)
# would drop the trigger: recreate it there.
SQLITE_APPEND_ONLY = """
CREATE TRIGGER tr_ledger_entry_append_only_INSERT BEFORE INSERT ON ledger_entry
WHEN EXISTS (
    SELECT 1 FROM ledger_entry WHERE id = NEW.id OR reverses = NEW.reverses
    OR (booking_id = NEW.booking_id AND request_key = NEW.request_key)
)
BEGIN
    SELECT RAISE(ABORT, 'ledger_entry is append-only');
END
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(SQLITE_APPEND_ONLY)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER tr_ledger_entry_append_only_INSERT")
