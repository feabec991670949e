"""trips: references, stages, the account of a booking, what happened, readings, messages

Revision ID: 0005
Revises: 0004
"""

import secrets

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
KINDS = {"extra": "extra", "discount": "discount"}
TABLES = ("outbox", "receipt_number", "booking_event", "ledger_entry", "trip_photo", "trip_reading")
# No batch mode for the new columns of `booking`: it would rebuild the table and drop SQLite's guards against overlaps.
STAGE = """
ALTER TABLE booking ADD COLUMN stage VARCHAR DEFAULT 'booked' NOT NULL CONSTRAINT ck_booking_stage CHECK (
    stage = 'booked' OR (status = 'confirmed' AND stage IN ('out', 'returned', 'settled', 'no_show'))
)
"""
FULL_DAYS = """
UPDATE booking SET full_day_paise = COALESCE((
    SELECT price_paise FROM vehicle_price
    WHERE vehicle_price.vehicle_id = booking.vehicle_id AND price_name = 'Full Day'
), 0)
"""
# Rebuilding the table (batch mode) would drop the triggers: recreate them there.
SQLITE_APPEND_ONLY = """
CREATE TRIGGER tr_ledger_entry_append_only_{event} BEFORE {event} ON ledger_entry
BEGIN
    SELECT RAISE(ABORT, 'ledger_entry is append-only');
END
"""
POSTGRESQL_APPEND_ONLY = (
    """
CREATE FUNCTION ledger_entry_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger_entry is append-only';
END
$$
""",
    """
CREATE TRIGGER tr_ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
FOR EACH ROW EXECUTE FUNCTION ledger_entry_append_only()
""",
    """
CREATE TRIGGER tr_ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry
FOR EACH STATEMENT EXECUTE FUNCTION ledger_entry_append_only()
""",
)
WHAT_HAPPENED = (
    """
INSERT INTO booking_event (booking_id, what, at, side, who_id, note)
SELECT id, 'requested', created_at, 'customer', customer_id, '' FROM booking
""",
    """
INSERT INTO booking_event (booking_id, what, at, side, who_id, note)
SELECT booking.id, 'confirmed', COALESCE(decided_at, booking.created_at), 'vendor', vehicle.vendor_id, ''
FROM booking JOIN vehicle ON vehicle.id = booking.vehicle_id WHERE status = 'confirmed'
""",
    """
INSERT INTO booking_event (booking_id, what, at, side, who_id, note)
SELECT booking.id, CASE cancelled_by WHEN 'vendor' THEN 'declined' WHEN 'system' THEN 'lapsed' ELSE 'cancelled' END,
       COALESCE(decided_at, booking.created_at), cancelled_by,
       CASE cancelled_by WHEN 'vendor' THEN vehicle.vendor_id WHEN 'customer' THEN customer_id END, cancel_reason
FROM booking JOIN vehicle ON vehicle.id = booking.vehicle_id WHERE status = 'cancelled'
""",
)


def upgrade() -> None:
    op.add_column("booking", sa.Column("reference", sqlmodel.sql.sqltypes.AutoString(), nullable=True))
    op.add_column("booking", sa.Column("full_day_paise", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.execute(STAGE)
    op.execute(FULL_DAYS)
    _give_references()
    op.create_index("ix_booking_reference", "booking", ["reference"], unique=True)
    _create_tables()
    _guard_the_ledger()
    for statement in WHAT_HAPPENED:
        op.execute(statement)
    _open_accounts()


def _give_references() -> None:
    booking = sa.table("booking", sa.column("id", sa.Integer), sa.column("reference", sa.String))
    connection = op.get_bind()
    numbers = list(connection.execute(sa.select(booking.c.id)).scalars())
    given: set[str] = set()
    while len(given) < len(numbers):
        given.add("PH-" + "".join(secrets.choice(ALPHABET) for _ in range(6)))
    for number, reference in zip(numbers, given, strict=True):
        connection.execute(sa.update(booking).where(booking.c.id == number).values(reference=reference))


def _open_accounts() -> None:
    """Enter what each confirmed booking costs into its account, where it belongs from the beginning."""
    columns = ("id", "lines", "status", "decided_at", "created_at")
    types = {"id": sa.Integer, "lines": sa.JSON, "status": sa.String}
    utc = sqlmodel.sql.sqltypes.UTCDateTime
    booking = sa.table("booking", *(sa.column(name, types.get(name, utc)) for name in columns))
    entry = sa.table(
        "ledger_entry",
        *(sa.column(name, sa.String) for name in ("kind", "method", "note")),
        sa.column("booking_id", sa.Integer),
        sa.column("paise", sa.BigInteger),
        sa.column("at", utc),
    )
    connection = op.get_bind()
    rows = connection.execute(sa.select(booking).where(booking.c.status == "confirmed")).all()
    entries = [
        {
            "booking_id": row.id,
            "kind": KINDS.get(line.get("kind", ""), "rental"),
            "paise": line["amount"],
            "at": row.decided_at or row.created_at,
            "method": "",
            "note": f"{line['quantity']} × {line['label']}",
        }
        for row in rows
        for line in row.lines
        if line["amount"]
    ]
    if entries:
        connection.execute(sa.insert(entry), entries)


def _guard_the_ledger() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for statement in POSTGRESQL_APPEND_ONLY:
            op.execute(statement)
    else:
        for event in ("UPDATE", "DELETE"):
            op.execute(SQLITE_APPEND_ONLY.format(event=event))


def _create_tables() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("booking_id", sa.Integer(), nullable=True),
        sa.Column("vehicle_id", sa.Integer(), nullable=True),
        sa.Column("note", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("due_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("sent_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("error", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_outbox_booking_id")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_outbox_user_id")),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_outbox_vehicle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbox_booking_id"), ["booking_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_due_at"), ["due_at"], unique=False)

    op.create_table(
        "receipt_number",
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("booking_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_receipt_number_booking_id")),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_receipt_number_vendor_id")),
        sa.PrimaryKeyConstraint("vendor_id", "year", "number", name=op.f("pk_receipt_number")),
        sa.UniqueConstraint("booking_id", name=op.f("uq_receipt_number_booking_id")),
    )
    op.create_table(
        "trip_reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("booking_id", sa.Integer(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("who_id", sa.Integer(), nullable=False),
        sa.Column("odometer", sa.Integer(), nullable=False),
        sa.Column("fuel_eighths", sa.Integer(), nullable=False),
        sa.Column("helmets", sa.Integer(), nullable=False),
        sa.Column("speedings", sa.Integer(), nullable=False),
        sa.Column("papers_seen", sa.JSON(), nullable=False),
        sa.CheckConstraint("kind IN ('handover', 'return')", name="ck_trip_reading_kind"),
        sa.CheckConstraint(
            "odometer >= 0 AND fuel_eighths BETWEEN 0 AND 8 AND helmets >= 0 AND speedings >= 0",
            name="ck_trip_reading_figures",
        ),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_trip_reading_booking_id")),
        sa.ForeignKeyConstraint(["who_id"], ["user.id"], name=op.f("fk_trip_reading_who_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trip_reading")),
        sa.UniqueConstraint("booking_id", "kind", name=op.f("uq_trip_reading_booking_id_kind")),
    )
    op.create_table(
        "trip_photo",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reading_id", sa.Integer(), nullable=False),
        sa.Column("group_name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("content_type", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.CheckConstraint(
            "group_name IN ('Front', 'Left', 'Right', 'Back', 'Odometer Reading', 'Damage')", name="ck_trip_photo_group"
        ),
        sa.ForeignKeyConstraint(["reading_id"], ["trip_reading.id"], name=op.f("fk_trip_photo_reading_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trip_photo")),
        sa.UniqueConstraint("key", name=op.f("uq_trip_photo_key")),
    )
    with op.batch_alter_table("trip_photo", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_trip_photo_reading_id"), ["reading_id"], unique=False)

    op.create_table(
        "ledger_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("booking_id", sa.Integer(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("paise", sa.BigInteger(), nullable=False),
        sa.Column("method", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("who_id", sa.Integer(), nullable=True),
        sa.Column("note", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("reverses", sa.Integer(), nullable=True),
        sa.Column("photo_id", sa.Integer(), nullable=True),
        sa.Column("request_key", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('rental', 'extra', 'discount', 'extension', 'late', 'kilometres', 'speeding', 'damage',"
            " 'cancellation', 'payment', 'refund', 'deposit taken', 'deposit kept', 'deposit returned')",
            name="ck_ledger_entry_kind",
        ),
        sa.CheckConstraint("method IN ('', 'cash', 'upi', 'card')", name="ck_ledger_entry_method"),
        sa.CheckConstraint(
            "reverses IS NOT NULL OR (paise < 0) = (kind = 'discount')", name="ck_ledger_entry_sign_of_its_kind"
        ),
        sa.CheckConstraint("paise <> 0", name="ck_ledger_entry_paise"),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_ledger_entry_booking_id")),
        sa.ForeignKeyConstraint(["photo_id"], ["trip_photo.id"], name=op.f("fk_ledger_entry_photo_id")),
        sa.ForeignKeyConstraint(["reverses"], ["ledger_entry.id"], name=op.f("fk_ledger_entry_reverses")),
        sa.ForeignKeyConstraint(["who_id"], ["user.id"], name=op.f("fk_ledger_entry_who_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_entry")),
        sa.UniqueConstraint("booking_id", "request_key", name=op.f("uq_ledger_entry_booking_id_request_key")),
        sa.UniqueConstraint("reverses", name=op.f("uq_ledger_entry_reverses")),
    )
    with op.batch_alter_table("ledger_entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ledger_entry_booking_id"), ["booking_id"], unique=False)

    op.create_table(
        "booking_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("booking_id", sa.Integer(), nullable=False),
        sa.Column("what", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("side", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("who_id", sa.Integer(), nullable=True),
        sa.Column("note", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("side IN ('customer', 'vendor', 'operator', 'system')", name="ck_booking_event_side"),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_booking_event_booking_id")),
        sa.ForeignKeyConstraint(["entry_id"], ["ledger_entry.id"], name=op.f("fk_booking_event_entry_id")),
        sa.ForeignKeyConstraint(["who_id"], ["user.id"], name=op.f("fk_booking_event_who_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_booking_event")),
    )
    with op.batch_alter_table("booking_event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_booking_event_booking_id"), ["booking_id"], unique=False)


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION ledger_entry_append_only()")
    op.drop_index("ix_booking_reference", "booking")
    for column in ("stage", "full_day_paise", "reference"):
        op.drop_column("booking", column)
