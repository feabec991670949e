"""vehicles that are picked up somewhere other than at their vendor's

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

ADDRESS = ("address", "landmark", "city", "state", "zip_code", "google_maps_link")


def upgrade() -> None:
    for part in ADDRESS:
        blank: sa.Column[str] = sa.Column(
            part, sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=sa.text("''")
        )
        op.add_column("vehicle", blank)


def downgrade() -> None:
    for part in ADDRESS:
        op.drop_column("vehicle", part)
