"""what vendors confirm at once, and which bookings were

Revision ID: 0054
Revises: 0053

A vehicle whose column is empty does as its shop.
"""

import sqlalchemy as sa

from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None

TABLE = "confirm_at_once"
EVENTS = ("INSERT", "UPDATE", "DELETE")
# As in migration 0011: quotes and cached rentals say whether a booking would be confirmed at once.
SQLITE_TRIGGER = """
CREATE TRIGGER {name} AFTER {event} ON "{table}"
BEGIN
    UPDATE edition SET name = hex(randomblob(16));
END
"""
POSTGRESQL_TRIGGER = """
CREATE CONSTRAINT TRIGGER {name} AFTER {event} ON "{table}" DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION new_edition()
"""


def upgrade() -> None:
    op.create_table(
        TABLE,
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("verified_phone", sa.Boolean(), nullable=False),
        sa.Column("hours_ahead", sa.Integer(), nullable=False),
        sa.Column("most_open", sa.Integer(), nullable=False),
        sa.CheckConstraint("hours_ahead BETWEEN 0 AND 168", name="ck_confirm_at_once_hours"),
        sa.CheckConstraint("most_open BETWEEN 1 AND 20", name="ck_confirm_at_once_open"),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_confirm_at_once_vendor_id")),
        sa.PrimaryKeyConstraint("vendor_id", name=op.f("pk_confirm_at_once")),
    )
    op.add_column("vehicle", sa.Column("confirms_at_once", sa.Boolean(), nullable=True))
    op.add_column("booking", sa.Column("confirmed_at_once", sa.Boolean(), nullable=False, server_default=sa.false()))
    statement = POSTGRESQL_TRIGGER if op.get_bind().dialect.name == "postgresql" else SQLITE_TRIGGER
    for event in EVENTS:
        op.execute(statement.format(name=f"tr_{TABLE}_edition_{event.lower()}", event=event, table=TABLE))


def downgrade() -> None:
    op.drop_column("booking", "confirmed_at_once")
    op.drop_column("vehicle", "confirms_at_once")
    op.drop_table(TABLE)
