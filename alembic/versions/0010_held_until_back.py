"""a booking holds its vehicle until it is back, or its customer did not come

Revision ID: 0010
Revises: 0009
"""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

HELD = "{row}status IN ('pending', 'confirmed')"
HELD_UNTIL_BACK = HELD + " AND {row}stage IN ('booked', 'out')"
POSTGRESQL_GUARD = """
ALTER TABLE booking DROP CONSTRAINT ex_booking_no_overlap, ADD CONSTRAINT ex_booking_no_overlap EXCLUDE USING gist (
    int8range(vehicle_id, vehicle_id, '[]') WITH &&,
    tstzrange(pickup_at, return_at, '[)') WITH &&
) WHERE ({held})
"""
SQLITE_GUARD = """
CREATE TRIGGER tr_booking_no_overlap_{event} BEFORE {event} ON booking
WHEN {new}
BEGIN
    SELECT RAISE(ABORT, 'ex_booking_no_overlap') WHERE EXISTS (
        SELECT 1 FROM booking
        WHERE vehicle_id = NEW.vehicle_id AND id IS NOT NEW.id AND {held}
          AND return_at > NEW.pickup_at AND pickup_at < NEW.return_at
    );
END
"""


def upgrade() -> None:
    _guard(HELD_UNTIL_BACK)


def downgrade() -> None:
    # PostgreSQL refuses this if a vehicle that came back early was let again: both bookings would hold it.
    _guard(HELD)


def _guard(condition: str) -> None:
    held = condition.format(row="")
    if op.get_bind().dialect.name == "postgresql":
        op.execute(POSTGRESQL_GUARD.format(held=held))
        return
    for event in ("INSERT", "UPDATE"):
        op.execute(f"DROP TRIGGER tr_booking_no_overlap_{event}")
        op.execute(SQLITE_GUARD.format(event=event, new=condition.format(row="NEW."), held=held))
