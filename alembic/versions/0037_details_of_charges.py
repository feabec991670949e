"""what a charge after the return is for, more closely than its kind says

Revision ID: 0037
Revises: 0036

Empty for every line that its kind describes; the kinds themselves stay.
"""

import sqlalchemy as sa

from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ledger_entry", sa.Column("detail", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("ledger_entry", "detail")
