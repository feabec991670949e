"""first tables

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


# Pending and confirmed bookings hold their vehicle over the half-open window [pickup_at, return_at).
POSTGRESQL_GUARD = """
ALTER TABLE booking ADD CONSTRAINT ex_booking_no_overlap EXCLUDE USING gist (
    int8range(vehicle_id, vehicle_id, '[]') WITH &&,
    tstzrange(pickup_at, return_at, '[)') WITH &&
) WHERE (status IN ('pending', 'confirmed'))
"""
# SQLite has no exclusion constraint. Rebuilding the table (batch mode) drops triggers: recreate them there.
SQLITE_GUARD = """
CREATE TRIGGER tr_booking_no_overlap_{event} BEFORE {event} ON booking
WHEN NEW.status IN ('pending', 'confirmed')
BEGIN
    SELECT RAISE(ABORT, 'ex_booking_no_overlap') WHERE EXISTS (
        SELECT 1 FROM booking
        WHERE vehicle_id = NEW.vehicle_id AND id IS NOT NEW.id AND status IN ('pending', 'confirmed')
          AND return_at > NEW.pickup_at AND pickup_at < NEW.return_at
    );
END
"""


def _guard_against_overlaps() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(POSTGRESQL_GUARD)
    else:
        for event in ("INSERT", "UPDATE"):
            op.execute(SQLITE_GUARD.format(event=event))


def upgrade() -> None:
    op.create_table(
        "asset_type",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_asset_type")),
        sa.UniqueConstraint("name", name=op.f("uq_asset_type_name")),
    )
    op.create_table(
        "bank",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bank")),
        sa.UniqueConstraint("name", name=op.f("uq_bank_name")),
    )
    op.create_table(
        "location",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("slug", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_location")),
        sa.UniqueConstraint("name", name=op.f("uq_location_name")),
        sa.UniqueConstraint("slug", name=op.f("uq_location_slug")),
    )
    op.create_table(
        "manufacturer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("asset_type_id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(["asset_type_id"], ["asset_type.id"], name=op.f("fk_manufacturer_asset_type_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_manufacturer")),
        sa.UniqueConstraint("asset_type_id", "name", name=op.f("uq_manufacturer_asset_type_id_name")),
    )
    op.create_table(
        "user",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("email", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("password_hash", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("phone_number", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("role", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("is_deleted", sa.Boolean(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("image", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("address", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("landmark", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("zip_code", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("city", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("state", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("county", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("wallet_paise", sa.Integer(), nullable=False),
        sa.Column("bank_name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("bank_account_no", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("bank_ifsc", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("commission_bps", sa.Integer(), nullable=False),
        sa.Column("commission_settle", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("gst_name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("gst_number", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("booking_contact_no", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("booking_whatsapp_no", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("no_of_staff", sa.Integer(), nullable=False),
        sa.Column("no_of_years", sa.Integer(), nullable=False),
        sa.Column("location_id", sa.Integer(), nullable=True),
        sa.Column("delivery_supported", sa.Boolean(), nullable=False),
        sa.Column("open_time", sa.Time(), nullable=True),
        sa.Column("close_time", sa.Time(), nullable=True),
        sa.Column("closing_days", sa.JSON(), nullable=False),
        sa.Column("website", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("google_maps_link", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("notes", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.CheckConstraint("role IN ('Customer', 'Vendor', 'Operator')", name="ck_user_role"),
        sa.CheckConstraint("status IN ('active', 'blocked')", name="ck_user_status"),
        sa.CheckConstraint("commission_bps BETWEEN 0 AND 10000", name="ck_user_commission"),
        sa.CheckConstraint("email = lower(email)", name="ck_user_email_lower"),
        sa.CheckConstraint("length(phone_number) = 10", name="ck_user_phone_number"),
        sa.CheckConstraint("length(zip_code) = 6", name="ck_user_zip_code"),
        sa.CheckConstraint("open_time IS NULL OR close_time IS NULL OR open_time < close_time", name="ck_user_hours"),
        sa.ForeignKeyConstraint(["location_id"], ["location.id"], name=op.f("fk_user_location_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user")),
        sa.UniqueConstraint("email", name=op.f("uq_user_email")),
    )
    op.create_table(
        "asset_model",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("manufacturer_id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("body_type", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("engine_type", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("transmission_type", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("seating_capacity", sa.Integer(), nullable=False),
        sa.Column("vehicle_cc", sa.Integer(), nullable=True),
        sa.Column("top_speed", sa.Integer(), nullable=False),
        sa.Column("fuel_tank_capacity", sa.Float(), nullable=False),
        sa.Column("mileage", sa.Float(), nullable=False),
        sa.Column("shape", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.CheckConstraint("seating_capacity BETWEEN 1 AND 12", name="ck_asset_model_seating"),
        sa.CheckConstraint(
            "top_speed > 0 AND fuel_tank_capacity > 0 AND mileage > 0", name="ck_asset_model_figures_positive"
        ),
        sa.CheckConstraint("vehicle_cc IS NULL OR vehicle_cc > 0", name="ck_asset_model_cc"),
        sa.ForeignKeyConstraint(["manufacturer_id"], ["manufacturer.id"], name=op.f("fk_asset_model_manufacturer_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_asset_model")),
        sa.UniqueConstraint("manufacturer_id", "name", name=op.f("uq_asset_model_manufacturer_id_name")),
    )
    op.create_table(
        "login_session",
        sa.Column("jti", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("expires_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("revoked_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_login_session_user_id")),
        sa.PrimaryKeyConstraint("jti", name=op.f("pk_login_session")),
    )
    with op.batch_alter_table("login_session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_login_session_user_id"), ["user_id"], unique=False)

    op.create_table(
        "price_plan",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("price_name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("recommended_paise", sa.Integer(), nullable=False),
        sa.Column("max_paise", sa.Integer(), nullable=False),
        sa.CheckConstraint("price_name IN ('Half Day', 'Full Day', 'Week', 'Month')", name="ck_price_plan_price_name"),
        sa.CheckConstraint(
            "recommended_paise > 0 AND max_paise >= recommended_paise", name="ck_price_plan_bounds_ordered"
        ),
        sa.ForeignKeyConstraint(["model_id"], ["asset_model.id"], name=op.f("fk_price_plan_model_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_price_plan")),
        sa.UniqueConstraint("model_id", "price_name", name=op.f("uq_price_plan_model_id_price_name")),
    )
    op.create_table(
        "vehicle",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vendor_id", sa.Integer(), nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("location_id", sa.Integer(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("color", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("rc_number", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("engine_number", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("chassis_number", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("owner_name_as_per_rc", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("odometer_reading", sa.Integer(), nullable=False),
        sa.Column("last_serviced_date", sa.Date(), nullable=False),
        sa.Column("insurance_expiry_date", sa.Date(), nullable=False),
        sa.Column("pollution_expiry_date", sa.Date(), nullable=False),
        sa.Column("speed_limit_kmph", sa.Integer(), nullable=False),
        sa.Column("late_penalty_paise", sa.Integer(), nullable=False),
        sa.Column("distance_penalty_paise", sa.Integer(), nullable=False),
        sa.Column("deposit_paise", sa.Integer(), nullable=False),
        sa.Column("drop_off_pick_extra_payment", sa.Boolean(), nullable=False),
        sa.Column("drop_off_paise", sa.Integer(), nullable=False),
        sa.Column("pick_up_paise", sa.Integer(), nullable=False),
        sa.Column("terms", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("image", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("is_approved", sa.Boolean(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.CheckConstraint(
            "late_penalty_paise >= 0 AND distance_penalty_paise >= 0 AND deposit_paise >= 0"
            " AND drop_off_paise >= 0 AND pick_up_paise >= 0",
            name="ck_vehicle_money",
        ),
        sa.CheckConstraint("odometer_reading >= 0 AND speed_limit_kmph > 0", name="ck_vehicle_readings"),
        sa.CheckConstraint("year BETWEEN 1980 AND 2100", name="ck_vehicle_year"),
        sa.ForeignKeyConstraint(["location_id"], ["location.id"], name=op.f("fk_vehicle_location_id")),
        sa.ForeignKeyConstraint(["model_id"], ["asset_model.id"], name=op.f("fk_vehicle_model_id")),
        sa.ForeignKeyConstraint(["vendor_id"], ["user.id"], name=op.f("fk_vehicle_vendor_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vehicle")),
        sa.UniqueConstraint("rc_number", name=op.f("uq_vehicle_rc_number")),
    )
    with op.batch_alter_table("vehicle", schema=None) as batch_op:
        batch_op.create_index("ix_vehicle_search", ["location_id", "is_active", "is_approved"], unique=False)
        batch_op.create_index(batch_op.f("ix_vehicle_vendor_id"), ["vendor_id"], unique=False)

    op.create_table(
        "booking",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("pickup_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("return_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("price_paise", sa.Integer(), nullable=False),
        sa.Column("deposit_paise", sa.Integer(), nullable=False),
        sa.Column("kms_included", sa.Integer(), nullable=True),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("answer_by", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("decided_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("cancelled_by", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("cancel_reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.CheckConstraint(
            "(status = 'cancelled') = (cancelled_by IS NOT NULL)", name="ck_booking_cancelled_by_someone"
        ),
        sa.CheckConstraint(
            "cancelled_by IN ('customer', 'vendor', 'operator', 'system')", name="ck_booking_cancelled_by"
        ),
        sa.CheckConstraint("status IN ('pending', 'confirmed', 'cancelled')", name="ck_booking_status"),
        sa.CheckConstraint("pickup_at < return_at", name="ck_booking_window"),
        sa.CheckConstraint("price_paise >= 0 AND deposit_paise >= 0", name="ck_booking_money"),
        sa.ForeignKeyConstraint(["customer_id"], ["user.id"], name=op.f("fk_booking_customer_id")),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_booking_vehicle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_booking")),
    )
    with op.batch_alter_table("booking", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_booking_customer_id"), ["customer_id"], unique=False)
        batch_op.create_index("ix_booking_overlap", ["vehicle_id", "return_at", "pickup_at", "status"], unique=False)

    op.create_table(
        "vehicle_file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("group_name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("content_type", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.CheckConstraint(
            "group_name IN ('RC', 'Insurance', 'Pollution', 'Front', 'Left', 'Right', 'Back',"
            " 'Odometer Reading', 'Tyre', 'Engine')",
            name="ck_vehicle_file_group",
        ),
        sa.CheckConstraint("size > 0", name="ck_vehicle_file_size"),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_vehicle_file_vehicle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vehicle_file")),
        sa.UniqueConstraint("key", name=op.f("uq_vehicle_file_key")),
    )
    with op.batch_alter_table("vehicle_file", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_vehicle_file_vehicle_id"), ["vehicle_id"], unique=False)

    op.create_table(
        "vehicle_price",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("price_name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("price_paise", sa.Integer(), nullable=False),
        sa.Column("kms_limit", sa.Integer(), nullable=False),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.CheckConstraint(
            "price_name IN ('Half Day', 'Full Day', 'Week', 'Month')", name="ck_vehicle_price_price_name"
        ),
        sa.CheckConstraint("status IN ('Active', 'Inactive')", name="ck_vehicle_price_status"),
        sa.CheckConstraint("price_paise >= 0 AND kms_limit >= 0", name="ck_vehicle_price_figures"),
        sa.ForeignKeyConstraint(["vehicle_id"], ["vehicle.id"], name=op.f("fk_vehicle_price_vehicle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vehicle_price")),
        sa.UniqueConstraint("vehicle_id", "price_name", name=op.f("uq_vehicle_price_vehicle_id_price_name")),
    )
    op.create_table(
        "idempotency_key",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("body_digest", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("booking_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_idempotency_key_booking_id")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_idempotency_key_user_id")),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_idempotency_key")),
    )
    _guard_against_overlaps()


def downgrade() -> None:
    op.drop_table("idempotency_key")
    op.drop_table("vehicle_price")
    with op.batch_alter_table("vehicle_file", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_vehicle_file_vehicle_id"))

    op.drop_table("vehicle_file")
    with op.batch_alter_table("booking", schema=None) as batch_op:
        batch_op.drop_index("ix_booking_overlap")
        batch_op.drop_index(batch_op.f("ix_booking_customer_id"))

    op.drop_table("booking")
    with op.batch_alter_table("vehicle", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_vehicle_vendor_id"))
        batch_op.drop_index("ix_vehicle_search")

    op.drop_table("vehicle")
    op.drop_table("price_plan")
    with op.batch_alter_table("login_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_login_session_user_id"))

    op.drop_table("login_session")
    op.drop_table("asset_model")
    op.drop_table("user")
    op.drop_table("manufacturer")
    op.drop_table("location")
    op.drop_table("bank")
    op.drop_table("asset_type")
