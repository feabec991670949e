"""an index of the texts of a day, which are counted before another one is queued

Revision ID: 0044
Revises: 0043
"""

import sqlalchemy as sa

from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    is_text = sa.text("channel = 'sms'")
    op.create_index(
        "ix_outbox_text_created_at", "outbox", ["created_at"], sqlite_where=is_text, postgresql_where=is_text
    )


def downgrade() -> None:
    op.drop_index("ix_outbox_text_created_at", "outbox")
