"""papers that stay as they are: receipts by their numbers, statements by their months

Revision ID: 0051
Revises: 0049

Receipts numbered so far belong to the series of their vendor's present GST number; they are frozen when they are first
read. The version before, which may still run, goes on counting in `receipt_number`: triggers tell each table what
the other one has numbered.
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0051"
down_revision = "0049"
branch_labels = None
depends_on = None

# When the account of a booking was settled, or its trip ended otherwise.
NUMBERED_SO_FAR = """
INSERT INTO issued_paper (vendor_id, kind, about, gst_number, year, number, made_at)
SELECT given.vendor_id, 'receipt', booking.reference, vendor.gst_number, given.year, given.number,
       coalesce((SELECT max(at) FROM booking_event WHERE booking_id = booking.id AND what IN
                 ('settled', 'cancelled', 'vendor_cancelled', 'operator_cancelled', 'no_show')), booking.return_at)
FROM receipt_number AS given
JOIN booking ON booking.id = given.booking_id
JOIN "user" AS vendor ON vendor.id = given.vendor_id
"""
OF_THE_VERSION_BEFORE = """
INSERT INTO issued_paper (vendor_id, kind, about, gst_number, year, number, made_at)
SELECT NEW.vendor_id, 'receipt', booking.reference, vendor.gst_number, NEW.year, NEW.number, {now}
FROM booking JOIN "user" AS vendor ON vendor.id = NEW.vendor_id
WHERE booking.id = NEW.booking_id
  AND NOT EXISTS (SELECT 1 FROM issued_paper WHERE vendor_id = NEW.vendor_id AND kind = 'receipt'
                  AND about = booking.reference);
"""
# Of a second series it cannot know: the version before would give the numbers of the first one again.
FOR_THE_VERSION_BEFORE = """
INSERT INTO receipt_number (vendor_id, year, number, booking_id)
SELECT NEW.vendor_id, NEW.year, NEW.number, booking.id FROM booking
WHERE NEW.kind = 'receipt' AND booking.reference = NEW.about
  AND NOT EXISTS (SELECT 1 FROM receipt_number AS given
                  WHERE given.booking_id = booking.id
                     OR (given.vendor_id = NEW.vendor_id AND given.year = NEW.year AND given.number = NEW.number));
"""
FIXED = "id, vendor_id, kind, about, gst_number, year, number, made_at"
IS_THERE = """EXISTS (
    SELECT 1 FROM issued_paper WHERE id = NEW.id OR (vendor_id = NEW.vendor_id AND kind = NEW.kind AND
        (about = NEW.about OR (gst_number = NEW.gst_number AND year = NEW.year AND number = NEW.number)))
)"""
REFUSED = "SELECT RAISE(ABORT, 'issued_paper is append-only');"
# Rebuilding the table (batch mode) would drop the triggers: recreate them there. REPLACE fires no DELETE trigger on
# SQLite.
SQLITE = (
    *(
        f"CREATE TRIGGER tr_issued_paper_append_only_{event} BEFORE {event} {which} BEGIN {REFUSED} END"
        for event, which in (
            ("UPDATE", f"OF {FIXED} ON issued_paper"),
            ("DELETE", "ON issued_paper"),
            ("INSERT", f"ON issued_paper WHEN {IS_THERE}"),
        )
    ),
    f"""
CREATE TRIGGER tr_receipt_number_issued_paper AFTER INSERT ON receipt_number
BEGIN {OF_THE_VERSION_BEFORE.format(now="strftime('%Y-%m-%d %H:%M:%f000', 'now')")} END
""",
    f"CREATE TRIGGER tr_issued_paper_receipt_number AFTER INSERT ON issued_paper BEGIN {FOR_THE_VERSION_BEFORE} END",
)
POSTGRESQL = (
    """
CREATE FUNCTION issued_paper_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'issued_paper is append-only';
END
$$
""",
    f"""
CREATE TRIGGER tr_issued_paper_append_only BEFORE UPDATE OF {FIXED} OR DELETE ON issued_paper
FOR EACH ROW EXECUTE FUNCTION issued_paper_append_only()
""",
    """
CREATE TRIGGER tr_issued_paper_no_truncate BEFORE TRUNCATE ON issued_paper
FOR EACH STATEMENT EXECUTE FUNCTION issued_paper_append_only()
""",
    # Also in a session that applies what another server sends.
    "ALTER TABLE issued_paper ENABLE ALWAYS TRIGGER tr_issued_paper_append_only",
    "ALTER TABLE issued_paper ENABLE ALWAYS TRIGGER tr_issued_paper_no_truncate",
    *(
        statement
        for table, other, told in (
            ("receipt_number", "issued_paper", OF_THE_VERSION_BEFORE.format(now="now()")),
            ("issued_paper", "receipt_number", FOR_THE_VERSION_BEFORE),
        )
        for statement in (
            f"""
CREATE FUNCTION {table}_to_{other}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {told}
    RETURN NULL;
END
$$
""",
            f"""
CREATE TRIGGER tr_{table}_{other} AFTER INSERT ON {table}
FOR EACH ROW EXECUTE FUNCTION {table}_to_{other}()
""",
        )
    ),
)


def upgrade() -> None:
    op.create_table(
        "issued_paper",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("gst_number", sa.String(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.Column("snapshot", sa.JSON(), nullable=True),
        sa.CheckConstraint("(year IS NULL) = (number IS NULL)", name="ck_issued_paper_number"),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_issued_paper_vendor_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_issued_paper")),
        sa.UniqueConstraint("vendor_id", "kind", "about", name=op.f("uq_issued_paper_vendor_id_kind_about")),
        sa.UniqueConstraint("vendor_id", "kind", "gst_number", "year", "number", name="uq_issued_paper_number"),
    )
    unfrozen = sa.text("snapshot IS NULL")
    op.create_index(
        "ix_issued_paper_not_frozen", "issued_paper", ["id"], sqlite_where=unfrozen, postgresql_where=unfrozen
    )
    op.execute(NUMBERED_SO_FAR)
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER tr_receipt_number_issued_paper")
        op.drop_table("issued_paper")
        return
    op.execute("DROP TRIGGER tr_receipt_number_issued_paper ON receipt_number")
    op.drop_table("issued_paper")
    for function in ("issued_paper_append_only", "issued_paper_to_receipt_number", "receipt_number_to_issued_paper"):
        op.execute(f"DROP FUNCTION {function}()")
