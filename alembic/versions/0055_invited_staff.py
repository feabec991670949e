"""what members may do, and who made a calendar's secret address

Revision ID: 0055
Revises: 0054

Members there are already work at the counter, as they did. Whose act an address was that is there already is not known:
it was the vendor's, who alone could make one.
"""

import sqlalchemy as sa

from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


ROLE = "role VARCHAR NOT NULL DEFAULT 'counter' CONSTRAINT ck_member_role CHECK (role IN ('counter', 'manager'))"


def upgrade() -> None:
    # A column's own constraint: SQLite would copy the table for one of the table's.
    op.execute(f"ALTER TABLE member ADD COLUMN {ROLE}")
    op.add_column("ical_feed", sa.Column("made_by", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("ical_feed", "made_by")
    op.drop_column("member", "role")
