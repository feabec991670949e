"""where an account was last logged in from

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "user",
        sa.Column("last_login_from", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=sa.text("''")),
    )


def downgrade() -> None:
    op.drop_column("user", "last_login_from")
