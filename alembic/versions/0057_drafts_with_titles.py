"""drafts with titles: as many as a vendor has begun, and the files that wait for each

Revision ID: 0057
Revises: 0056

The version before, which may still run, goes on with its one draft of a vendor. What it has saved until now is taken
over; its marks on files stay, so that it removes none that wait for a draft of this version.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None

UTC = sqlmodel.sql.sqltypes.UTCDateTime
TAKEN_OVER = """
INSERT INTO listing_draft (vendor_id, title, typed, edition, created_at, saved_at)
SELECT vendor_id, '', typed, 1, saved_at, saved_at FROM vehicle_draft
"""
# In one statement, as in 0019: SQLite could not add the constraint later without rebuilding the table.
COLUMN = """
ALTER TABLE unclaimed_file ADD COLUMN draft_id INTEGER
CONSTRAINT fk_unclaimed_file_draft_id REFERENCES listing_draft (id)
"""
MARKED = """
UPDATE unclaimed_file
SET draft_id = (SELECT id FROM listing_draft WHERE listing_draft.vendor_id = unclaimed_file.draft_of)
WHERE draft_of IS NOT NULL
"""


def upgrade() -> None:
    op.create_table(
        "listing_draft",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("typed", sa.JSON(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("created_at", UTC(), nullable=False),
        sa.Column("saved_at", UTC(), nullable=False),
        sa.CheckConstraint("edition > 0", name="ck_listing_draft_edition"),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_listing_draft_vendor_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_listing_draft")),
    )
    op.create_index(op.f("ix_listing_draft_vendor_id"), "listing_draft", ["vendor_id"])
    op.create_index(op.f("ix_listing_draft_saved_at"), "listing_draft", ["saved_at"])
    op.execute(COLUMN)
    op.create_index(op.f("ix_unclaimed_file_draft_id"), "unclaimed_file", ["draft_id"])
    op.execute(TAKEN_OVER)
    op.execute(MARKED)


def downgrade() -> None:
    op.drop_index(op.f("ix_unclaimed_file_draft_id"), "unclaimed_file")
    op.drop_column("unclaimed_file", "draft_id")
    op.drop_table("listing_draft")
