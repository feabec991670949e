"""photos of objections and of the vendor's answers, and what an event answers

Revision ID: 0042
Revises: 0041
"""

import sqlalchemy as sa

from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None
ABOUT = """
ALTER TABLE booking_event ADD COLUMN about_id INTEGER
CONSTRAINT fk_booking_event_about_id REFERENCES booking_event (id)
"""


def upgrade() -> None:
    # Not in batch mode, which would write the whole table anew.
    op.execute(ABOUT)
    is_about = sa.text("about_id IS NOT NULL")
    op.create_index(
        "uq_booking_event_about",
        "booking_event",
        ["about_id", "what"],
        unique=True,
        sqlite_where=is_about,
        postgresql_where=is_about,
    )
    op.create_table(
        "event_photo",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["booking_event.id"], name=op.f("fk_event_photo_event_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_photo")),
        sa.UniqueConstraint("key", name=op.f("uq_event_photo_key")),
    )
    op.create_index(op.f("ix_event_photo_event_id"), "event_photo", ["event_id"])


def downgrade() -> None:
    op.drop_table("event_photo")
    op.drop_index("uq_booking_event_about", "booking_event")
    op.drop_column("booking_event", "about_id")
