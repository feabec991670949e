"""idempotency keys keep what a change has overwritten of their first response

Revision ID: 0023
Revises: 0022
"""

import sqlalchemy as sa

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("idempotency_key", sa.Column("first", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("idempotency_key", "first")
