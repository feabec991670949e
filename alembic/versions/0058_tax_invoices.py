"""tax invoices with credit and debit notes: a rate for each vendor, and papers whose snapshots never change

Revision ID: 0058
Revises: 0057

The papers stand in `issued_paper`, whose guards refuse everything but a new snapshot; of these kinds they refuse that
as well. The version before issues none, and reads none.
"""

import sqlalchemy as sa

from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

OF_THESE = "OLD.kind IN ('invoice', 'credit note', 'debit note')"
# Rebuilding the table (batch mode) would drop the trigger: recreate it there.
SQLITE = f"""
CREATE TRIGGER tr_issued_paper_tax_papers BEFORE UPDATE ON issued_paper WHEN {OF_THESE}
BEGIN SELECT RAISE(ABORT, 'issued_paper is append-only'); END
"""
POSTGRESQL = (
    f"""
CREATE TRIGGER tr_issued_paper_tax_papers BEFORE UPDATE ON issued_paper
FOR EACH ROW WHEN ({OF_THESE}) EXECUTE FUNCTION issued_paper_append_only()
""",
    # Also in a session that applies what another server sends.
    "ALTER TABLE issued_paper ENABLE ALWAYS TRIGGER tr_issued_paper_tax_papers",
)


def upgrade() -> None:
    op.add_column("user", sa.Column("gst_rate_bps", sa.Integer(), nullable=False, server_default=sa.text("1800")))
    for statement in (SQLITE,) if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    """The papers stay, as they have to for eight years; the version before has no use for them."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    op.execute(f"DROP TRIGGER tr_issued_paper_tax_papers{'' if is_sqlite else ' ON issued_paper'}")
    op.drop_column("user", "gst_rate_bps")
