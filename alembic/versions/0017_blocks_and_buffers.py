"""a vendor's blocks, and the buffer between two trips

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

TEXT, UTC = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime
BUFFER = """
ALTER TABLE "user" ADD COLUMN buffer_hours INTEGER DEFAULT 0 NOT NULL
CONSTRAINT ck_user_buffer CHECK (buffer_hours BETWEEN 0 AND 12)
"""
HELD = "NEW.status IN ('pending', 'confirmed') AND NEW.stage IN ('booked', 'out')"
# The padded windows of others against the unpadded new one: the gap is the buffer, on either side. A window that is
# only extended need not respect bookings before it: the buffer may have been set after both.
MEETS = """
SELECT 1 FROM booking
WHERE vehicle_id = NEW.vehicle_id AND id {is_not} NEW.id AND status IN ('pending', 'confirmed')
  AND held_until > NEW.pickup_at AND held_from < NEW.return_at {besides}
"""
EARLIER_ONES = "AND NOT (NEW.pickup_at = OLD.pickup_at AND return_at <= OLD.pickup_at)"
BLOCKED = """
SELECT 1 FROM vehicle_block
WHERE vehicle_id = NEW.vehicle_id AND ends_at > NEW.pickup_at AND begins_at < NEW.return_at
"""
BOOKED = """
SELECT 1 FROM booking
WHERE vehicle_id = NEW.vehicle_id AND status IN ('pending', 'confirmed') AND stage IN ('booked', 'out')
  AND return_at > NEW.begins_at AND pickup_at < NEW.ends_at
"""
OTHER_BLOCK = """
SELECT 1 FROM vehicle_block
WHERE vehicle_id = NEW.vehicle_id AND id IS NOT NEW.id AND ends_at > NEW.begins_at AND begins_at < NEW.ends_at
"""
HOURS_OF = 'SELECT buffer_hours FROM "user" JOIN vehicle ON vehicle.vendor_id = "user".id WHERE vehicle.id = {vehicle}'
CAME_BACK = "SELECT {at} FROM trip_reading WHERE booking_id = {booking} AND kind = 'return'"

# Rebuilding a table (batch mode) drops its triggers: recreate them there.
SQLITE_PADDED = """
UPDATE booking SET held_from = {pickup}, held_until = CASE
    WHEN stage IN ('booked', 'out') THEN {return_at}
    WHEN ({hours}) > 0 THEN ({came_back})
END
"""
SQLITE_REFUSES = "SELECT RAISE(ABORT, '{guard}') WHERE EXISTS ({found});"
SQLITE_TRIGGERS = {
    "tr_booking_held_insert": ("BEFORE INSERT ON booking WHEN {held}", "{meets}"),
    "tr_booking_held_update": ("BEFORE UPDATE OF vehicle_id, pickup_at, return_at ON booking WHEN {held}", "{longer}"),
    "tr_booking_padded_insert": ("AFTER INSERT ON booking", "{padded} WHERE id = NEW.id;"),
    "tr_booking_padded_update": (
        "AFTER UPDATE OF vehicle_id, pickup_at, return_at, stage ON booking",
        "{padded} WHERE id = NEW.id;",
    ),
    "tr_user_buffer": (
        'AFTER UPDATE OF buffer_hours ON "user" WHEN NEW.buffer_hours <> OLD.buffer_hours',
        "{padded} WHERE stage IN ('booked', 'out') AND status <> 'cancelled'"
        " AND vehicle_id IN (SELECT id FROM vehicle WHERE vendor_id = NEW.id);",
    ),
    "tr_vehicle_block_insert": ("BEFORE INSERT ON vehicle_block", "{blocks}"),
    "tr_vehicle_block_update": ("BEFORE UPDATE ON vehicle_block", "{blocks}"),
}
# Each statement of a function sees what was committed before it: one that waited for the vehicle sees the winner.
POSTGRESQL_FUNCTIONS = {
    "booking_held": f"""
DECLARE hours integer;
BEGIN
    PERFORM 1 FROM vehicle WHERE id = NEW.vehicle_id FOR NO KEY UPDATE;
    hours := ({HOURS_OF.format(vehicle="NEW.vehicle_id")});
    NEW.held_from := NEW.pickup_at - make_interval(hours => hours);
    NEW.held_until := CASE
        WHEN NEW.stage IN ('booked', 'out') THEN NEW.return_at + make_interval(hours => hours)
        WHEN hours > 0 THEN ({CAME_BACK.format(at="at + make_interval(hours => hours)", booking="NEW.id")})
    END;
    IF {HELD} AND (
        TG_OP = 'INSERT' AND EXISTS ({MEETS.format(is_not="<>", besides="")})
        OR TG_OP = 'UPDATE' AND (NEW.vehicle_id, NEW.pickup_at, NEW.return_at)
            IS DISTINCT FROM (OLD.vehicle_id, OLD.pickup_at, OLD.return_at)
            AND EXISTS ({MEETS.format(is_not="<>", besides=EARLIER_ONES)})
        OR EXISTS ({BLOCKED})
    ) THEN
        RAISE EXCEPTION 'ex_booking_no_overlap' USING ERRCODE = 'exclusion_violation';
    END IF;
    RETURN NEW;
END
""",
    "user_buffer": """
BEGIN
    PERFORM 1 FROM vehicle WHERE vendor_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
    UPDATE booking SET held_from = pickup_at - make_interval(hours => NEW.buffer_hours),
        held_until = return_at + make_interval(hours => NEW.buffer_hours)
    WHERE stage IN ('booked', 'out') AND status <> 'cancelled'
      AND vehicle_id IN (SELECT id FROM vehicle WHERE vendor_id = NEW.id);
    RETURN NULL;
END
""",
    "vehicle_block_free": f"""
BEGIN
    PERFORM 1 FROM vehicle WHERE id = NEW.vehicle_id FOR NO KEY UPDATE;
    IF EXISTS ({BOOKED}) THEN
        RAISE EXCEPTION 'ex_vehicle_block_booked' USING ERRCODE = 'exclusion_violation';
    END IF;
    RETURN NEW;
END
""",
}
POSTGRESQL_TRIGGERS = {
    "tr_booking_held": "BEFORE INSERT OR UPDATE OF vehicle_id, pickup_at, return_at, stage ON booking"
    " FOR EACH ROW EXECUTE FUNCTION booking_held()",
    "tr_user_buffer": 'AFTER UPDATE OF buffer_hours ON "user" FOR EACH ROW'
    " WHEN (NEW.buffer_hours <> OLD.buffer_hours) EXECUTE FUNCTION user_buffer()",
    "tr_vehicle_block_free": "BEFORE INSERT OR UPDATE ON vehicle_block"
    " FOR EACH ROW EXECUTE FUNCTION vehicle_block_free()",
}
POSTGRESQL_EXCLUDE = """
ALTER TABLE vehicle_block ADD CONSTRAINT ex_vehicle_block_no_overlap EXCLUDE USING gist (
    int8range(vehicle_id, vehicle_id, '[]') WITH &&,
    tstzrange(begins_at, ends_at, '[)') WITH &&
)
"""


def upgrade() -> None:
    op.execute(BUFFER)
    for column in ("held_from", "held_until"):
        op.add_column("booking", sa.Column(column, UTC(), nullable=True))
    op.execute(
        "UPDATE booking SET held_from = pickup_at, held_until = CASE WHEN stage IN ('booked', 'out') THEN return_at END"
    )
    op.create_index("ix_booking_held", "booking", ["vehicle_id", "held_until", "held_from", "status"])
    _create_blocks()
    if _postgresql():
        _guard_postgresql()
    else:
        _guard_sqlite()


def _create_blocks() -> None:
    op.create_table(
        "vehicle_block",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("begins_at", UTC(), nullable=False),
        sa.Column("ends_at", UTC(), nullable=False),
        sa.Column("reason", TEXT(), nullable=False),
        sa.Column("created_at", UTC(), nullable=False),
        sa.CheckConstraint("begins_at < ends_at", name="ck_vehicle_block_window"),
        sa.CheckConstraint("reason IN ('service', 'own use', 'other')", name="ck_vehicle_block_reason"),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_vehicle_block_vehicle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vehicle_block")),
    )
    op.create_index("ix_vehicle_block_held", "vehicle_block", ["vehicle_id", "ends_at", "begins_at"])


def _guard_postgresql() -> None:
    for name, body in POSTGRESQL_FUNCTIONS.items():
        op.execute(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$")
    for name, when in POSTGRESQL_TRIGGERS.items():
        op.execute(f"CREATE TRIGGER {name} {when}")
    op.execute(POSTGRESQL_EXCLUDE)


def _guard_sqlite() -> None:
    parts = {
        "held": HELD,
        "meets": _refuses("ex_booking_no_overlap", MEETS.format(is_not="IS NOT", besides=""), BLOCKED),
        "longer": _refuses("ex_booking_no_overlap", MEETS.format(is_not="IS NOT", besides=EARLIER_ONES), BLOCKED),
        "padded": _sqlite_padded(),
        "blocks": _refuses("ex_vehicle_block_booked", BOOKED) + _refuses("ex_vehicle_block_no_overlap", OTHER_BLOCK),
    }
    for name, (when, body) in SQLITE_TRIGGERS.items():
        op.execute(f"CREATE TRIGGER {name} {when.format(**parts)} BEGIN {body.format(**parts)} END")


def _refuses(guard: str, *found: str) -> str:
    return "".join(SQLITE_REFUSES.format(guard=guard, found=one) for one in found)


def _sqlite_padded() -> str:
    hours = HOURS_OF.format(vehicle="booking.vehicle_id")

    def moved(instant: str, sign: str) -> str:
        """An instant moved by the hours, its fraction of a second unchanged: SQLite's own has only three places."""
        by = f"'{sign}' || ({hours}) || ' hours'"
        return f"strftime('%Y-%m-%d %H:%M:%S', {instant}, {by}) || substr({instant}, 20)"

    return SQLITE_PADDED.format(
        pickup=moved("pickup_at", "-"),
        return_at=moved("return_at", "+"),
        hours=hours,
        came_back=CAME_BACK.format(at=moved("at", "+"), booking="booking.id"),
    )


def downgrade() -> None:
    if _postgresql():
        for name, when in POSTGRESQL_TRIGGERS.items():
            op.execute(f"DROP TRIGGER {name} ON {when.partition(' ON ')[2].split()[0]}")
        for name in POSTGRESQL_FUNCTIONS:
            op.execute(f"DROP FUNCTION {name}()")
    else:
        for name in SQLITE_TRIGGERS:
            op.execute(f"DROP TRIGGER {name}")
    op.drop_table("vehicle_block")
    op.drop_index("ix_booking_held", "booking")
    for column in ("held_from", "held_until"):
        op.drop_column("booking", column)
    op.drop_column("user", "buffer_hours")


def _postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"
