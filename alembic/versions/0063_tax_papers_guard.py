"""the guard of tax papers in words that PostgreSQL repeats

Revision ID: 0063
Revises: 0062

PostgreSQL writes `IN` with casts that it places elsewhere once a dump was restored, so a backup of a restored database
was taken for unsound. It guards the same papers as before.
"""

from alembic import op

revision = "0063"
down_revision = "0062"
branch_labels = None
depends_on = None

REPEATED = "OLD.kind = 'invoice' OR OLD.kind = 'credit note' OR OLD.kind = 'debit note'"
EARLIER = "OLD.kind IN ('invoice', 'credit note', 'debit note')"


def upgrade() -> None:
    _guard(REPEATED)


def downgrade() -> None:
    _guard(EARLIER)


def _guard(of_these: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        return
    op.execute("DROP TRIGGER tr_issued_paper_tax_papers ON issued_paper")
    op.execute(
        f"""
CREATE TRIGGER tr_issued_paper_tax_papers BEFORE UPDATE ON issued_paper
FOR EACH ROW WHEN ({of_these}) EXECUTE FUNCTION issued_paper_append_only()
"""
    )
    # Also in a session that applies what another server sends.
    op.execute("ALTER TABLE issued_paper ENABLE ALWAYS TRIGGER tr_issued_paper_tax_papers")
