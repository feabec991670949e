"""indexes in the order of the operator's lists, and guards that no session turns off

Revision ID: 0047
Revises: 0045
"""

from alembic import op

revision = "0047"
down_revision = "0045"
branch_labels = None
depends_on = None

ORDERS = (
    ("ix_user_name_id", "user", ("name", "id")),
    ("ix_booking_created_at_id", "booking", ("created_at", "id")),
    ("ix_booking_stage_created_at_id", "booking", ("stage", "created_at", "id")),
    ("ix_vehicle_created_at_id", "vehicle", ("created_at", "id")),
    ("ix_review_written_at_id", "review", ("written_at", "id")),
    ("ix_outbox_created_at_id", "outbox", ("created_at", "id")),
    ("ix_outbox_user_id", "outbox", ("user_id", "id")),
    ("ix_change_request_created_at_id", "change_request", ("created_at", "id")),
    ("ix_ledger_entry_at_id", "ledger_entry", ("at", "id")),
    ("ix_booking_event_what_at_id", "booking_event", ("what", "at", "id")),
)


# A session that applies what another server sends fires no other triggers on PostgreSQL.
GUARDED = ("audit_entry", "ledger_entry")
GUARDS = ("append_only", "no_truncate")


def upgrade() -> None:
    for name, table, columns in ORDERS:
        op.create_index(name, table, list(columns))
    _guard("ENABLE ALWAYS")


def _guard(how: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table in GUARDED:
            for guard in GUARDS:
                op.execute(f"ALTER TABLE {table} {how} TRIGGER tr_{table}_{guard}")


def downgrade() -> None:
    _guard("ENABLE")
    for name, table, _ in ORDERS:
        op.drop_index(name, table)
