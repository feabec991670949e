"""what vendors have typed about vehicles to be listed, and the files that wait for that

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

UTC = sqlmodel.sql.sqltypes.UTCDateTime
# In one statement, as in 0019: SQLite could not add the constraint later without rebuilding the table.
COLUMN = """
ALTER TABLE unclaimed_file ADD COLUMN draft_of INTEGER
CONSTRAINT fk_unclaimed_file_draft_of REFERENCES vehicle_draft (vendor_id)
"""


def upgrade() -> None:
    op.create_table(
        "vehicle_draft",
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("typed", sa.JSON(), nullable=False),
        sa.Column("saved_at", UTC(), nullable=False),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_vehicle_draft_vendor_id")),
        sa.PrimaryKeyConstraint("vendor_id", name=op.f("pk_vehicle_draft")),
    )
    op.create_index(op.f("ix_vehicle_draft_saved_at"), "vehicle_draft", ["saved_at"])
    op.execute(COLUMN)


def downgrade() -> None:
    op.drop_column("unclaimed_file", "draft_of")
    op.drop_table("vehicle_draft")
