"""favourites, and a new edition with every change of a vehicle's photos

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

EVENTS = ("INSERT", "UPDATE", "DELETE")
# As in 0011.
SQLITE_TRIGGER = """
CREATE TRIGGER {name} AFTER {event} ON vehicle_file
BEGIN
    UPDATE edition SET name = hex(randomblob(16));
END
"""
POSTGRESQL_TRIGGER = """
CREATE CONSTRAINT TRIGGER {name} AFTER {event} ON vehicle_file DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION new_edition()
"""


def upgrade() -> None:
    op.create_table(
        "favourite",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("added_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_favourite_user_id")),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_favourite_vehicle_id")),
        sa.PrimaryKeyConstraint("user_id", "vehicle_id", name=op.f("pk_favourite")),
    )
    op.create_index(op.f("ix_favourite_vehicle_id"), "favourite", ["vehicle_id"])
    statement = POSTGRESQL_TRIGGER if _postgresql() else SQLITE_TRIGGER
    for event in EVENTS:
        op.execute(statement.format(name=_name(event), event=event))


def downgrade() -> None:
    for event in EVENTS:
        op.execute(f"DROP TRIGGER {_name(event)}" + (" ON vehicle_file" if _postgresql() else ""))
    op.drop_table("favourite")


def _postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _name(event: str) -> str:
    return f"tr_vehicle_file_edition_{event.lower()}"
