"""versions of the words and numbers of the shop, which are only added to

Revision ID: 0061
Revises: 0060
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None

IS_THERE = "EXISTS (SELECT 1 FROM content_version WHERE id = NEW.id OR (key = NEW.key AND version = NEW.version))"
REFUSED = "SELECT RAISE(ABORT, 'content_version is append-only');"
# Rebuilding the table (batch mode) would drop the triggers: recreate them there. REPLACE fires no DELETE trigger on
# SQLite.
SQLITE = (
    *(
        f"CREATE TRIGGER tr_content_version_append_only_{event} BEFORE {event} ON content_version {which}"
        f" BEGIN {REFUSED} END"
        for event, which in (("UPDATE", ""), ("DELETE", ""), ("INSERT", f"WHEN {IS_THERE}"))
    ),
    """
CREATE TRIGGER tr_content_version_edition_insert AFTER INSERT ON content_version
BEGIN
    UPDATE edition SET name = hex(randomblob(16));
END
""",
)
POSTGRESQL = (
    """
CREATE FUNCTION content_version_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'content_version is append-only';
END
$$
""",
    """
CREATE TRIGGER tr_content_version_append_only BEFORE UPDATE OR DELETE ON content_version
FOR EACH ROW EXECUTE FUNCTION content_version_append_only()
""",
    """
CREATE TRIGGER tr_content_version_no_truncate BEFORE TRUNCATE ON content_version
FOR EACH STATEMENT EXECUTE FUNCTION content_version_append_only()
""",
    # Also in a session that applies what another server sends.
    "ALTER TABLE content_version ENABLE ALWAYS TRIGGER tr_content_version_append_only",
    "ALTER TABLE content_version ENABLE ALWAYS TRIGGER tr_content_version_no_truncate",
    # As of everything that the shop shows (migration 0011).
    """
CREATE CONSTRAINT TRIGGER tr_content_version_edition_insert AFTER INSERT ON content_version
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION new_edition()
""",
)


def upgrade() -> None:
    op.create_table(
        "content_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("read_as", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("who_id", sa.Integer(), nullable=True),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.CheckConstraint("version > 0", name="ck_content_version_version"),
        sa.ForeignKeyConstraint(["who_id"], ["user.id"], name=op.f("fk_content_version_who_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_content_version")),
        sa.UniqueConstraint("key", "version", name=op.f("uq_content_version_key_version")),
    )
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    """What was edited is lost: the version before shows the words that come with it."""
    op.drop_table("content_version")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION content_version_append_only()")
