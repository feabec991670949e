"""codes sent to a mobile number, and the second step of a login

Revision ID: 0034
Revises: 0033

Numbers of accounts from before count as unverified, and their sessions as opened with the password.
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("proof", sa.Column("about", sa.String(), nullable=False, server_default=sa.text("''")))
    op.create_index("ix_proof_about_purpose", "proof", ["about", "purpose"])
    op.add_column("user", sa.Column("verified_phone", sa.String(), nullable=True))
    op.add_column("user", sa.Column("phone_used_at", UTCDateTime(), nullable=True))
    op.create_index("uq_user_verified_phone", "user", ["verified_phone"], unique=True)
    op.add_column("login_session", sa.Column("by_code", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("login_session", sa.Column("stepped_at", UTCDateTime(), nullable=True))
    is_text = sa.text("channel = 'sms'")
    op.create_index("ix_outbox_text_sent_at", "outbox", ["sent_at"], sqlite_where=is_text, postgresql_where=is_text)
    op.create_table(
        "second_step",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("nonce", sa.String(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("confirmed_at", UTCDateTime(), nullable=True),
        sa.Column("last_used", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_second_step_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_second_step")),
    )
    op.create_table(
        "recovery_code",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("used_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_recovery_code_user_id")),
        sa.PrimaryKeyConstraint("user_id", "digest", name=op.f("pk_recovery_code")),
    )


def downgrade() -> None:
    op.drop_table("recovery_code")
    op.drop_table("second_step")
    op.drop_index("ix_outbox_text_sent_at", "outbox")
    # The version before would send texts as e-mails.
    op.execute("DELETE FROM outbox WHERE channel <> 'email'")
    # The version before would take them for sessions of somebody who knows the password.
    op.execute("DELETE FROM login_session WHERE by_code")
    op.drop_column("login_session", "stepped_at")
    op.drop_column("login_session", "by_code")
    op.drop_index("uq_user_verified_phone", "user")
    op.drop_column("user", "phone_used_at")
    op.drop_column("user", "verified_phone")
    op.drop_index("ix_proof_about_purpose", "proof")
    op.drop_column("proof", "about")
