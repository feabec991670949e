"""calendars of other platforms, read in as blocks

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

TEXT, UTC = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime
# No batch mode: it would rebuild the table and drop SQLite's guards.
COLUMN = """
ALTER TABLE vehicle_block ADD COLUMN import_id INTEGER
CONSTRAINT fk_vehicle_block_import_id REFERENCES ical_import (id)
"""


def upgrade() -> None:
    op.create_table(
        "ical_import",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("url", TEXT(), nullable=False),
        sa.Column("due_at", UTC(), nullable=False),
        sa.Column("fetched_at", UTC(), nullable=True),
        sa.Column("error", TEXT(), nullable=False),
        sa.Column("clashes", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_ical_import_vehicle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ical_import")),
        sa.UniqueConstraint("vehicle_id", "url", name=op.f("uq_ical_import_vehicle_id_url")),
    )
    op.create_index(op.f("ix_ical_import_due_at"), "ical_import", ["due_at"])
    op.execute(COLUMN)
    op.create_index(op.f("ix_vehicle_block_import_id"), "vehicle_block", ["import_id"])


def downgrade() -> None:
    op.execute("DELETE FROM vehicle_block WHERE import_id IS NOT NULL")
    op.drop_index(op.f("ix_vehicle_block_import_id"), "vehicle_block")
    op.drop_column("vehicle_block", "import_id")
    op.drop_table("ical_import")
