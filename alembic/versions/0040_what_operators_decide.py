"""what operators decide about listings, when e-mails changed, the commission of each booking and what was paid of it

Revision ID: 0040
Revises: 0039

Bookings get the rate that their vendor has now: earlier ones were not noted. The version before still stores none with
new bookings; sums take the vendor's own rate for those.
"""

import sqlalchemy as sa
from sqlmodel.sql.sqltypes import UTCDateTime

from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

OF_VENDORS = """
UPDATE booking SET commission_bps = (
    SELECT vendor.commission_bps FROM vehicle JOIN "user" AS vendor ON vendor.id = vehicle.vendor_id
    WHERE vehicle.id = booking.vehicle_id
) WHERE commission_bps IS NULL
"""
CHANGED_EMAILS = """
UPDATE "user" SET email_changed_at = (
    SELECT max(at) FROM audit_entry
    WHERE subject = 'user' AND subject_id = "user".id AND act IN ('email.changed', 'email.change_undone')
)
"""
# Rebuilding the table (batch mode) would drop the triggers: recreate them there. REPLACE fires no DELETE trigger on
# SQLite.
SQLITE_GUARDS = {
    "UPDATE": "",
    "DELETE": "",
    "INSERT": "WHEN EXISTS (SELECT 1 FROM commission_payment WHERE id = NEW.id)",
}
SQLITE_GUARD = """
CREATE TRIGGER tr_commission_payment_append_only_{event} BEFORE {event} ON commission_payment
{condition}
BEGIN
    SELECT RAISE(ABORT, 'commission_payment is append-only');
END
"""
POSTGRESQL_GUARDS = (
    """
CREATE FUNCTION commission_payment_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'commission_payment is append-only';
END
$$
""",
    """
CREATE TRIGGER tr_commission_payment_append_only BEFORE UPDATE OR DELETE ON commission_payment
FOR EACH ROW EXECUTE FUNCTION commission_payment_append_only()
""",
    """
CREATE TRIGGER tr_commission_payment_no_truncate BEFORE TRUNCATE ON commission_payment
FOR EACH STATEMENT EXECUTE FUNCTION commission_payment_append_only()
""",
    # Also in a session that applies what another server sends.
    "ALTER TABLE commission_payment ENABLE ALWAYS TRIGGER tr_commission_payment_append_only",
    "ALTER TABLE commission_payment ENABLE ALWAYS TRIGGER tr_commission_payment_no_truncate",
)


def upgrade() -> None:
    op.add_column("vehicle", sa.Column("refusal", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("vehicle", sa.Column("decided_at", UTCDateTime(), nullable=True))
    op.add_column("vehicle", sa.Column("is_featured", sa.Boolean(), nullable=False, server_default=sa.text("false")))
    op.add_column("user", sa.Column("email_changed_at", UTCDateTime(), nullable=True))
    op.execute(CHANGED_EMAILS)
    op.execute(OF_VENDORS)
    op.create_table(
        "commission_payment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("month", sa.String(), nullable=False),
        sa.Column("paise", sa.BigInteger(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("who_id", sa.Integer(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.CheckConstraint("paise <> 0", name="ck_commission_payment_paise"),
        sa.CheckConstraint("length(month) = 7", name="ck_commission_payment_month"),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_commission_payment_vendor_id")),
        sa.ForeignKeyConstraint(["who_id"], ["user.id"], name=op.f("fk_commission_payment_who_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_commission_payment")),
    )
    op.create_index("ix_commission_payment_vendor_id_month", "commission_payment", ["vendor_id", "month"])
    if op.get_bind().dialect.name == "sqlite":
        for event, condition in SQLITE_GUARDS.items():
            op.execute(SQLITE_GUARD.format(event=event, condition=condition))
    else:
        for statement in POSTGRESQL_GUARDS:
            op.execute(statement)


def downgrade() -> None:
    op.drop_table("commission_payment")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION commission_payment_append_only()")
    op.execute("UPDATE booking SET commission_bps = NULL WHERE source = 'online'")
    op.drop_column("user", "email_changed_at")
    op.drop_column("vehicle", "is_featured")
    op.drop_column("vehicle", "decided_at")
    op.drop_column("vehicle", "refusal")
