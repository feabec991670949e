"""which passkey opened a session, so that it ends with that

Revision ID: 0048
Revises: 0047
"""

import sqlalchemy as sa

from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("login_session", sa.Column("passkey_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("login_session", "passkey_id")
