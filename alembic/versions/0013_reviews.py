"""reviews, and their sums on vehicles and vendors

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
UTC = sqlmodel.sql.sqltypes.UTCDateTime
SUMS = ("stars_total", "reviews")
SUMMED = ("vehicle", "user")
# What the shop shows of vendors, as in 0011 (now with `SUMS`).
OF_VENDORS = (
    "name, address, landmark, city, state, zip_code, google_maps_link, open_time, close_time, closing_days,"
    " delivery_supported, notes, status, is_deleted"
)
EVENTS = ("INSERT", "UPDATE", "DELETE")
SQLITE_TRIGGER = """
CREATE TRIGGER {name} AFTER {event} ON "{table}"
BEGIN
    UPDATE edition SET name = hex(randomblob(16));
END
"""
POSTGRESQL_TRIGGER = """
CREATE CONSTRAINT TRIGGER {name} AFTER {event} ON "{table}" DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION new_edition()
"""


def upgrade() -> None:
    for table in SUMMED:
        for name in SUMS:
            op.add_column(table, sa.Column(name, sa.Integer(), nullable=False, server_default=sa.text("0")))
    _make_table()
    for event in EVENTS:
        _on_change(event, "review")
    _drop_trigger("user")
    _on_change(f"UPDATE OF {OF_VENDORS}, {', '.join(SUMS)}", "user")


def _make_table() -> None:
    op.create_table(
        "review",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("booking_id", sa.Integer(), nullable=False),
        sa.Column("side", TEXT(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("stars", sa.Integer(), nullable=False),
        sa.Column("text", TEXT(), nullable=False),
        sa.Column("written_at", UTC(), nullable=False),
        sa.Column("edited_at", UTC(), nullable=True),
        sa.Column("show_by", UTC(), nullable=False),
        sa.Column("shown_at", UTC(), nullable=True),
        sa.Column("answer", TEXT(), nullable=False),
        sa.Column("answered_at", UTC(), nullable=True),
        sa.Column("reported_at", UTC(), nullable=True),
        sa.Column("reported_by", sa.Integer(), nullable=True),
        sa.Column("report_note", TEXT(), nullable=False),
        sa.Column("judged_at", UTC(), nullable=True),
        sa.Column("is_hidden", sa.Boolean(), nullable=False),
        sa.CheckConstraint("side IN ('customer', 'vendor')", name="ck_review_side"),
        sa.CheckConstraint("stars BETWEEN 1 AND 5", name="ck_review_stars"),
        sa.CheckConstraint("(answer = '') = (answered_at IS NULL)", name="ck_review_answer"),
        sa.CheckConstraint("answered_at IS NULL OR side = 'customer'", name="ck_review_answered_by_vendor"),
        sa.CheckConstraint("(reported_at IS NULL) = (reported_by IS NULL)", name="ck_review_reported_by_someone"),
        sa.CheckConstraint("NOT is_hidden OR judged_at IS NOT NULL", name="ck_review_hidden_by_judgement"),
        sa.CheckConstraint(
            "shown_at IS NOT NULL OR (answered_at IS NULL AND reported_at IS NULL AND judged_at IS NULL)",
            name="ck_review_nothing_before_shown",
        ),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_review_booking_id")),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_review_vehicle_id")),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_review_vendor_id")),
        sa.ForeignKeyConstraint(["customer_id"], ["user.id"], name=op.f("fk_review_customer_id")),
        sa.ForeignKeyConstraint(["reported_by"], ["user.id"], name=op.f("fk_review_reported_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review")),
        sa.UniqueConstraint("booking_id", "side", name=op.f("uq_review_booking_id_side")),
    )
    for whose in ("vehicle", "vendor", "customer"):
        op.create_index(f"ix_review_{whose}", "review", [f"{whose}_id", "side", "shown_at"])
    op.create_index("ix_review_waiting", "review", ["shown_at", "show_by"])
    op.create_index(op.f("ix_review_reported_at"), "review", ["reported_at"])


def downgrade() -> None:
    _drop_trigger("user")
    _on_change(f"UPDATE OF {OF_VENDORS}", "user")
    op.drop_table("review")
    for table in SUMMED:
        for name in SUMS:
            op.drop_column(table, name)


def _postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _on_change(event: str, table: str) -> None:
    statement = POSTGRESQL_TRIGGER if _postgresql() else SQLITE_TRIGGER
    op.execute(statement.format(name=f"tr_{table}_edition_{event.split()[0].lower()}", event=event, table=table))


def _drop_trigger(table: str) -> None:
    op.execute(f"DROP TRIGGER tr_{table}_edition_update" + (f' ON "{table}"' if _postgresql() else ""))
