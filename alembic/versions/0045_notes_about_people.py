"""what operators note about people

Revision ID: 0045
Revises: 0044
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

# Rebuilding the table (batch mode) would drop the triggers: recreate them there. REPLACE fires no DELETE trigger on
# SQLite.
SQLITE_GUARDS = {
    "UPDATE": "",
    "DELETE": "",
    "INSERT": "WHEN EXISTS (SELECT 1 FROM person_note WHERE id = NEW.id)",
}
SQLITE_GUARD = """
CREATE TRIGGER tr_person_note_append_only_{event} BEFORE {event} ON person_note
{condition}
BEGIN
    SELECT RAISE(ABORT, 'person_note is append-only');
END
"""
POSTGRESQL_GUARDS = (
    """
CREATE FUNCTION person_note_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'person_note is append-only';
END
$$
""",
    """
CREATE TRIGGER tr_person_note_append_only BEFORE UPDATE OR DELETE ON person_note
FOR EACH ROW EXECUTE FUNCTION person_note_append_only()
""",
    """
CREATE TRIGGER tr_person_note_no_truncate BEFORE TRUNCATE ON person_note
FOR EACH STATEMENT EXECUTE FUNCTION person_note_append_only()
""",
    # Also in a session that applies what another server sends.
    "ALTER TABLE person_note ENABLE ALWAYS TRIGGER tr_person_note_append_only",
    "ALTER TABLE person_note ENABLE ALWAYS TRIGGER tr_person_note_no_truncate",
)


def upgrade() -> None:
    op.create_table(
        "person_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("who_id", sa.Integer(), nullable=True),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_person_note_user_id")),
        sa.ForeignKeyConstraint(["who_id"], ["user.id"], name=op.f("fk_person_note_who_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person_note")),
    )
    op.create_index("ix_person_note_user_id_id", "person_note", ["user_id", "id"])
    if op.get_bind().dialect.name == "sqlite":
        for event, condition in SQLITE_GUARDS.items():
            op.execute(SQLITE_GUARD.format(event=event, condition=condition))
    else:
        for statement in POSTGRESQL_GUARDS:
            op.execute(statement)


def downgrade() -> None:
    op.drop_table("person_note")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION person_note_append_only()")
