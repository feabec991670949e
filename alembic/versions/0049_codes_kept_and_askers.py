"""recovery codes that can be shown until they are kept, and who asked for a code to log in with

Revision ID: 0049
Revises: 0048

Codes from before are shown no more, and codes under way count as asked for by nobody in particular.
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("second_step", sa.Column("codes_nonce", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("second_step", sa.Column("codes_made_at", UTCDateTime(), nullable=True))
    op.add_column("proof", sa.Column("asked_by", sa.String(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    op.drop_column("proof", "asked_by")
    op.drop_column("second_step", "codes_made_at")
    op.drop_column("second_step", "codes_nonce")
