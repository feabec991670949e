"""a new edition with everything that changes in the shop

Revision ID: 0011
Revises: 0010
"""

from uuid import uuid4

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

WHOLE = ("vehicle", "vehicle_price", "price_rule", "offer", "location", "asset_type", "manufacturer", "asset_model")
# What the shop shows of vendors. Vendors without vehicles are not shown, and a vehicle never changes its vendor.
OF_VENDORS = (
    "name, address, landmark, city, state, zip_code, google_maps_link, open_time, close_time, closing_days,"
    " delivery_supported, notes, status, is_deleted"
)
CHANGES = [(event, table) for table in WHOLE for event in ("INSERT", "UPDATE", "DELETE")]
CHANGES.append((f"UPDATE OF {OF_VENDORS}", "user"))
# Rebuilding a table (batch mode) drops its triggers: recreate them there.
SQLITE_TRIGGER = """
CREATE TRIGGER {name} AFTER {event} ON "{table}"
BEGIN
    UPDATE edition SET name = hex(randomblob(16));
END
"""
# Once per transaction, however many rows it changes.
POSTGRESQL_FUNCTION = """
CREATE FUNCTION new_edition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE edition SET name = gen_random_uuid() WHERE xmin <> pg_current_xact_id()::xid;
    RETURN NULL;
END
$$
"""
# At the end of the transaction: one that waits for this row holds up no other, and waits for nothing else.
POSTGRESQL_TRIGGER = """
CREATE CONSTRAINT TRIGGER {name} AFTER {event} ON "{table}" DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION new_edition()
"""


def upgrade() -> None:
    edition = op.create_table(
        "edition",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.CheckConstraint("id = 1", name="ck_edition_only_one"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_edition")),
    )
    op.bulk_insert(edition, [{"id": 1, "name": uuid4().hex}])
    if _postgresql():
        op.execute(POSTGRESQL_FUNCTION)
    statement = POSTGRESQL_TRIGGER if _postgresql() else SQLITE_TRIGGER
    for event, table in CHANGES:
        op.execute(statement.format(name=_name(event, table), event=event, table=table))


def downgrade() -> None:
    for event, table in CHANGES:
        op.execute(f"DROP TRIGGER {_name(event, table)}" + (f' ON "{table}"' if _postgresql() else ""))
    if _postgresql():
        op.execute("DROP FUNCTION new_edition()")
    op.drop_table("edition")


def _postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _name(event: str, table: str) -> str:
    return f"tr_{table}_edition_{event.split()[0].lower()}"
