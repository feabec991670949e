"""documents by which customers prove who they are: one of each kind a person, with its files

Revision ID: 0059
Revises: 0058

Only adds: the version before knows nothing of them. Going back to it deletes them, and the files in the store
are then in no row (services/files/orphans.py). Ids are never used again, so that no decision is about another document
than the one that was looked at.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None

UTC = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "identity_paper",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
        sa.Column("number_ends", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("classes", sa.JSON(), nullable=False),
        sa.Column("valid_until", sa.Date(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("sent_at", UTC(), nullable=False),
        sa.Column("decided_at", UTC(), nullable=True),
        sa.CheckConstraint("kind IN ('id', 'licence', 'work', 'residence')", name="ck_identity_paper_kind"),
        sa.CheckConstraint("document IN ('', 'pan', 'aadhaar')", name="ck_identity_paper_document"),
        sa.CheckConstraint("state IN ('sent', 'accepted', 'refused', 'expired')", name="ck_identity_paper_state"),
        sa.CheckConstraint("length(number_ends) <= 4", name="ck_identity_paper_number_ends"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_identity_paper_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identity_paper")),
        sa.UniqueConstraint("user_id", "kind", name=op.f("uq_identity_paper_user_id_kind")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_identity_paper_sent_at"), "identity_paper", ["sent_at"])
    op.create_table(
        "identity_paper_file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("paper_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("stored_bytes", sa.Integer(), nullable=False),
        sa.CheckConstraint("size > 0", name="ck_identity_paper_file_size"),
        sa.ForeignKeyConstraint(["paper_id"], ["identity_paper.id"], name=op.f("fk_identity_paper_file_paper_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identity_paper_file")),
        sa.UniqueConstraint("key", name=op.f("uq_identity_paper_file_key")),
    )
    op.create_index(op.f("ix_identity_paper_file_paper_id"), "identity_paper_file", ["paper_id"])
    op.add_column("trip_reading", sa.Column("papers_checked", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("trip_reading", "papers_checked")
    op.drop_table("identity_paper_file")
    op.drop_table("identity_paper")
