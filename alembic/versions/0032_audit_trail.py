"""the audit trail

Revision ID: 0032
Revises: 0031
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

# Rebuilding the table (batch mode) would drop the triggers: recreate them there. REPLACE fires no DELETE trigger on
# SQLite. Three years are the trail's retention (`domain/acts.py`).
SQLITE_GUARDS = {
    "UPDATE": "",
    "DELETE": "WHEN OLD.at > datetime('now', '-1095 days')",
    "INSERT": "WHEN EXISTS (SELECT 1 FROM audit_entry WHERE id = NEW.id)",
}
SQLITE_GUARD = """
CREATE TRIGGER tr_audit_entry_append_only_{event} BEFORE {event} ON audit_entry
{condition}
BEGIN
    SELECT RAISE(ABORT, 'audit_entry is append-only');
END
"""
POSTGRESQL_GUARDS = (
    """
CREATE FUNCTION audit_entry_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.at <= now() - interval '1095 days' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit_entry is append-only';
END
$$
""",
    """
CREATE TRIGGER tr_audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry
FOR EACH ROW EXECUTE FUNCTION audit_entry_append_only()
""",
    """
CREATE TRIGGER tr_audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry
FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_append_only()
""",
)


def upgrade() -> None:
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("role", "subject")),
        sa.Column("subject_id", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("about", "before", "after", "address", "request_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    op.create_index("ix_audit_entry_at", "audit_entry", ["at"])
    op.create_index("ix_audit_entry_user_id_id", "audit_entry", ["user_id", "id"])
    op.create_index("ix_audit_entry_subject_subject_id_id", "audit_entry", ["subject", "subject_id", "id"])
    if op.get_bind().dialect.name == "sqlite":
        for event, condition in SQLITE_GUARDS.items():
            op.execute(SQLITE_GUARD.format(event=event, condition=condition))
    else:
        for statement in POSTGRESQL_GUARDS:
            op.execute(statement)


def downgrade() -> None:
    op.drop_table("audit_entry")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_entry_append_only()")
