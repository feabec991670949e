"""retired vehicles, papers that were replaced, maintenance, and price rules of several weekdays

Revision ID: 0056
Revises: 0055

RC numbers are unique among vehicles that are not retired. The version before sees a retired vehicle as one that is
switched off, and a rule of several weekdays as one of the first of them.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None

UNIQUE = ", \n\tCONSTRAINT uq_vehicle_rc_number UNIQUE (rc_number)"
DEFINITIONS = """
SELECT sql FROM sqlite_master WHERE tbl_name = 'vehicle' AND sql IS NOT NULL ORDER BY type = 'table' DESC, name
"""


def upgrade() -> None:
    op.add_column("vehicle", sa.Column("retired_at", UTCDateTime(), nullable=True))
    if _sqlite():
        _rebuild(UNIQUE, "")
    else:
        op.drop_constraint("uq_vehicle_rc_number", "vehicle")
    listed = sa.text("retired_at IS NULL")
    # The name by which the version before knows the refusal.
    op.create_index(
        "uq_vehicle_rc_number", "vehicle", ["rc_number"], unique=True, sqlite_where=listed, postgresql_where=listed
    )
    op.add_column("vehicle_file", sa.Column("replaced_at", UTCDateTime(), nullable=True))
    weekdays = "ALTER TABLE price_rule ADD COLUMN weekdays INTEGER CONSTRAINT ck_price_rule_weekdays CHECK ({check})"
    op.execute(weekdays.format(check="weekdays BETWEEN 1 AND 127"))
    op.create_table(
        "maintenance_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("done_on", sa.Date(), nullable=False),
        sa.Column("odometer_km", sa.Integer(), nullable=True),
        sa.Column("cost_paise", sa.BigInteger(), nullable=False),
        sa.Column("note", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("next_on", sa.Date(), nullable=True),
        sa.Column("next_km", sa.Integer(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.CheckConstraint("cost_paise >= 0", name="ck_maintenance_entry_cost"),
        sa.CheckConstraint("odometer_km >= 0 AND next_km > 0", name="ck_maintenance_entry_kilometres"),
        sa.CheckConstraint("next_on > done_on", name="ck_maintenance_entry_dates_ordered"),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_maintenance_entry_vehicle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_maintenance_entry")),
    )
    op.create_index(op.f("ix_maintenance_entry_vehicle_id"), "maintenance_entry", ["vehicle_id"])


def downgrade() -> None:
    op.drop_table("maintenance_entry")
    op.drop_column("price_rule", "weekdays")
    op.drop_column("vehicle_file", "replaced_at")
    op.drop_index("uq_vehicle_rc_number", "vehicle")
    # What has been listed anew meanwhile keeps its number, and the retired one gets one of its own.
    op.execute(
        "UPDATE vehicle SET rc_number = rc_number || '-' || id WHERE retired_at IS NOT NULL AND EXISTS"
        " (SELECT 1 FROM vehicle AS other WHERE other.rc_number = vehicle.rc_number AND other.id <> vehicle.id)"
    )
    op.drop_column("vehicle", "retired_at")
    if _sqlite():
        _rebuild("\n)", f"{UNIQUE}\n)")
    else:
        op.create_unique_constraint("uq_vehicle_rc_number", "vehicle", ["rc_number"])


def _sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _rebuild(part: str, other: str) -> None:
    """Make the table of vehicles anew with another definition: SQLite can neither drop nor add a constraint.

    Indexes and triggers come back as they were. Nothing is renamed, so that the triggers of other tables, which name
    this one, stay valid; references to its rows are counted until the commit, and are all there again by then.
    """
    connection = op.get_bind()
    table, *others = connection.exec_driver_sql(DEFINITIONS).scalars().all()
    head, found, tail = table.rpartition(part)
    if not found:
        raise RuntimeError("The table of vehicles is not defined as expected")
    for statement in (
        "PRAGMA defer_foreign_keys = ON",
        "CREATE TEMP TABLE vehicle_rows AS SELECT * FROM main.vehicle",
        "DROP TABLE main.vehicle",
        f"{head}{other}{tail}",
        "INSERT INTO main.vehicle SELECT * FROM vehicle_rows",
        "DROP TABLE vehicle_rows",
        *others,
    ):
        connection.exec_driver_sql(statement)
