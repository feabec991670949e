"""accounts that are erased: when it was asked for and done, the copy their owners had, and the notice they were shown

Revision ID: 0060
Revises: 0059

What was noted about an account may be deleted once it is erased, and in the trail the address, the words and the fields
of its acts may be blanked: the guards let nothing else through. While the version before runs beside this one, it shows
the vehicles of vendors who wait to be erased.
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None

# What the shop shows of vendors, as in 0013 (now with `erase_asked_at`).
OF_VENDORS = (
    "name, address, landmark, city, state, zip_code, google_maps_link, open_time, close_time, closing_days,"
    " delivery_supported, notes, status, is_deleted, stars_total, reviews"
)
SQLITE_EDITION = """
CREATE TRIGGER tr_user_edition_update AFTER UPDATE OF {columns} ON "user"
BEGIN
    UPDATE edition SET name = hex(randomblob(16));
END
"""
POSTGRESQL_EDITION = """
CREATE CONSTRAINT TRIGGER tr_user_edition_update AFTER UPDATE OF {columns} ON "user" DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION new_edition()
"""
# Whether an account is erased, in SQL.
ERASED = 'EXISTS (SELECT 1 FROM "user" WHERE id = {id} AND is_deleted)'
ABOUT_ERASED = f"({ERASED.format(id='OLD.user_id')} OR (OLD.subject = 'user' AND {ERASED.format(id='OLD.subject_id')}))"
FIXED = ("id", "at", "act", "user_id", "role", "subject", "subject_id", "request_id")
# What may be blanked, and to what; all else stays.
BLANKS = {"about": "", "address": "", "before": "{{}}", "after": "{{}}"}
BLANKED = " AND ".join(
    (
        *(f"NEW.{name} {{same}} OLD.{name}" for name in FIXED),
        *(f"NEW.{name} IN ('{blank}', OLD.{name})" for name, blank in BLANKS.items()),
        ABOUT_ERASED,
    )
)
SQLITE_GUARD = """
CREATE TRIGGER tr_{table}_append_only_{event} BEFORE {event} ON {table}
{condition}
BEGIN
    SELECT RAISE(ABORT, '{table} is append-only');
END
"""
# Also a name for functions.
POSTGRESQL_AUDIT = """
CREATE OR REPLACE FUNCTION audit_entry_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.at <= now() - interval '1095 days' THEN
        RETURN OLD;
    END IF;
    {more}
    RAISE EXCEPTION 'audit_entry is append-only';
END
$$
"""
POSTGRESQL_NOTES = """
CREATE OR REPLACE FUNCTION person_note_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {more}
    RAISE EXCEPTION 'person_note is append-only';
END
$$
"""
LET_UPDATE = """IF TG_OP = 'UPDATE' THEN
        IF {condition} THEN
            RETURN NEW;
        END IF;
    END IF;"""
LET_DELETE = """IF TG_OP = 'DELETE' THEN
        IF {condition} THEN
            RETURN OLD;
        END IF;
    END IF;"""


def upgrade() -> None:
    for name in ("erase_asked_at", "erased_at", "exported_at", "noticed_at"):
        op.add_column("user", sa.Column(name, UTCDateTime(), nullable=True))
    op.add_column("user", sa.Column("notice_version", sa.String(), nullable=True))
    op.create_index(op.f("ix_user_erase_asked_at"), "user", ["erase_asked_at"])
    op.add_column("login_session", sa.Column("proved_at", UTCDateTime(), nullable=True))
    _edition(f"{OF_VENDORS}, erase_asked_at")
    if _is_sqlite():
        _sqlite_guard("audit_entry", "UPDATE", f"WHEN NOT ({BLANKED.format(same='IS')})")
        _sqlite_guard("person_note", "DELETE", f"WHEN NOT {ERASED.format(id='OLD.user_id')}")
        return
    blanked = BLANKED.format(same="IS NOT DISTINCT FROM")
    op.execute(POSTGRESQL_AUDIT.format(more=LET_UPDATE.format(condition=blanked)))
    op.execute(POSTGRESQL_NOTES.format(more=LET_DELETE.format(condition=ERASED.format(id="OLD.user_id"))))


def downgrade() -> None:
    if _is_sqlite():
        _sqlite_guard("audit_entry", "UPDATE", "")
        _sqlite_guard("person_note", "DELETE", "")
    else:
        op.execute(POSTGRESQL_AUDIT.format(more=""))
        op.execute(POSTGRESQL_NOTES.format(more=""))
    _edition(OF_VENDORS)
    op.drop_column("login_session", "proved_at")
    op.drop_index(op.f("ix_user_erase_asked_at"), "user")
    for name in ("notice_version", "noticed_at", "exported_at", "erased_at", "erase_asked_at"):
        op.drop_column("user", name)


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _edition(columns: str) -> None:
    """Have changes of these columns of vendors make a new edition."""
    op.execute("DROP TRIGGER tr_user_edition_update" + ("" if _is_sqlite() else ' ON "user"'))
    op.execute((SQLITE_EDITION if _is_sqlite() else POSTGRESQL_EDITION).format(columns=columns))


def _sqlite_guard(table: str, event: str, condition: str) -> None:
    op.execute(f"DROP TRIGGER tr_{table}_append_only_{event}")
    op.execute(SQLITE_GUARD.format(table=table, event=event, condition=condition))
