"""the numbers of the shop that a booking was made under

Revision ID: 0062
Revises: 0061

Empty for the bookings there are, and for those that the version before makes while it still runs: they go by the first
numbers, which nobody could change until now.
"""

import sqlalchemy as sa

from alembic import op

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("booking", sa.Column("policies", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Bookings made under other numbers go by the first ones again."""
    op.drop_column("booking", "policies")
