"""links and codes that prove who somebody is, and the devices of an account

Revision ID: 0033
Revises: 0032
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

# By hand, because batch mode would write the constraints in another order each time. No trigger is on this table.
SQLITE_OUTBOX = """
CREATE TABLE outbox (
    id INTEGER NOT NULL,
    "key" VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    user_id INTEGER{required},
    booking_id INTEGER,
    vehicle_id INTEGER,
    note VARCHAR NOT NULL,
    created_at DATETIME NOT NULL,
    due_at DATETIME,
    tries INTEGER NOT NULL,
    sent_at DATETIME,
    error VARCHAR NOT NULL,
    joined_to INTEGER,
    channel VARCHAR DEFAULT 'email' NOT NULL,
    "to" VARCHAR DEFAULT '' NOT NULL,
    proof_id INTEGER,
    CONSTRAINT pk_outbox PRIMARY KEY (id),
    CONSTRAINT uq_outbox_key UNIQUE ("key"),
    CONSTRAINT fk_outbox_booking_id FOREIGN KEY(booking_id) REFERENCES booking (id),
    CONSTRAINT fk_outbox_user_id FOREIGN KEY(user_id) REFERENCES user (id),
    CONSTRAINT fk_outbox_vehicle_id FOREIGN KEY(vehicle_id) REFERENCES vehicle (id)
)
"""
OUTBOX_INDEXES = ("booking_id", "due_at")


def _let_messages_be_nobodys() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_outbox("")
    else:
        op.alter_column("outbox", "user_id", existing_type=sa.Integer(), nullable=True)


def _let_messages_be_somebodys() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_outbox(" NOT NULL")
    else:
        op.alter_column("outbox", "user_id", existing_type=sa.Integer(), nullable=False)


def _rebuild_outbox(required: str) -> None:
    columns = (
        'id, "key", kind, user_id, booking_id, vehicle_id, note, created_at, due_at, tries, sent_at, error, joined_to,'
        ' channel, "to", proof_id'
    )
    op.execute("ALTER TABLE outbox RENAME TO outbox_before")
    for name in OUTBOX_INDEXES:
        op.drop_index(f"ix_outbox_{name}", "outbox_before")
    op.execute(SQLITE_OUTBOX.format(required=required))
    op.execute(f"INSERT INTO outbox ({columns}) SELECT {columns} FROM outbox_before")  # noqa: S608 - our own names
    op.execute("DROP TABLE outbox_before")
    for name in OUTBOX_INDEXES:
        op.create_index(f"ix_outbox_{name}", "outbox", [name])


def upgrade() -> None:
    op.create_table(
        "proof",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("nonce", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("expires_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("used_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.CheckConstraint("tries >= 0", name="ck_proof_tries"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_proof_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proof")),
        sa.UniqueConstraint("digest", name=op.f("uq_proof_digest")),
    )
    op.create_index("ix_proof_user_id_purpose", "proof", ["user_id", "purpose"])
    op.create_index(op.f("ix_proof_expires_at"), "proof", ["expires_at"])
    op.add_column("outbox", sa.Column("channel", sa.String(), nullable=False, server_default=sa.text("'email'")))
    op.add_column("outbox", sa.Column("to", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("outbox", sa.Column("proof_id", sa.Integer(), nullable=True))
    _let_messages_be_nobodys()
    # They go before all others, which may be many.
    has_proof = sa.text("proof_id IS NOT NULL")
    op.create_index("ix_outbox_proof_id", "outbox", ["proof_id"], sqlite_where=has_proof, postgresql_where=has_proof)
    op.create_table(
        "known_device",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("seen_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_known_device_user_id")),
        sa.PrimaryKeyConstraint("user_id", "digest", name=op.f("pk_known_device")),
    )
    op.create_table(
        "change_request",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("field", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("decided_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("decided_by", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.CheckConstraint("field IN ('name', 'email', 'phone', 'bank')", name="ck_change_request_field"),
        sa.CheckConstraint(
            "decision IN ('', 'granted', 'refused', 'withdrawn') AND (decision = '') = (decided_at IS NULL)",
            name="ck_change_request_decision",
        ),
        sa.ForeignKeyConstraint(["decided_by"], ["user.id"], name=op.f("fk_change_request_decided_by")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_change_request_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change_request")),
    )
    op.create_index(op.f("ix_change_request_user_id"), "change_request", ["user_id"])
    is_open = sa.text("decision = ''")
    op.create_index(
        "uq_change_request_open",
        "change_request",
        ["user_id", "field"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
    op.add_column("login_session", sa.Column("device", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("login_session", sa.Column("last_seen_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))
    op.add_column("user", sa.Column("email_verified_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))
    op.execute('UPDATE "user" SET email_verified_at = created_at')
    op.add_column("user", sa.Column("password_changed_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("user", "password_changed_at")
    op.drop_column("user", "email_verified_at")
    op.drop_column("login_session", "last_seen_at")
    op.drop_column("login_session", "device")
    op.drop_table("change_request")
    op.drop_table("known_device")
    op.drop_index("ix_outbox_proof_id", "outbox")
    op.execute("DELETE FROM outbox WHERE user_id IS NULL OR channel <> 'email' OR proof_id IS NOT NULL")
    _let_messages_be_somebodys()
    op.drop_column("outbox", "proof_id")
    op.drop_column("outbox", "to")
    op.drop_column("outbox", "channel")
    op.drop_table("proof")
