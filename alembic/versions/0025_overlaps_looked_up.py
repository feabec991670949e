"""the guard against overlaps looks bookings up by their end, whatever the number of a vehicle's past bookings

Revision ID: 0025
Revises: 0024

On SQLite it read all bookings of a vehicle, twice for each new one: no index has both ends of the plain window since
0022, and writing the padding of a booking was a change too. A padded window contains the plain one, so what holds the
vehicle past the new pickup is found in the index of what holds it. New bookings have their guard since 0017.
"""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

GUARD = """
CREATE TRIGGER tr_booking_no_overlap_{name} BEFORE {change} ON booking
WHEN NEW.status IN ('pending', 'confirmed') AND NEW.stage IN ('booked', 'out')
BEGIN
    SELECT RAISE(ABORT, 'ex_booking_no_overlap') WHERE EXISTS (
        SELECT 1 FROM booking
        WHERE vehicle_id = NEW.vehicle_id AND id IS NOT NEW.id AND status IN ('pending', 'confirmed')
          AND stage IN ('booked', 'out') AND return_at > NEW.pickup_at AND pickup_at < NEW.return_at {indexed}
    );
END
"""
MOVED = "UPDATE OF vehicle_id, pickup_at, return_at, status, stage"
INDEXED = "AND held_until > NEW.pickup_at"


def upgrade() -> None:
    _replace({"UPDATE": (MOVED, INDEXED)})


def downgrade() -> None:
    _replace({"UPDATE": ("UPDATE", ""), "INSERT": ("INSERT", "")})


def _replace(guards: dict[str, tuple[str, str]]) -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    for name in ("INSERT", "UPDATE"):
        op.execute(f"DROP TRIGGER IF EXISTS tr_booking_no_overlap_{name}")
    for name, (change, indexed) in guards.items():
        op.execute(GUARD.format(name=name, change=change, indexed=indexed))
