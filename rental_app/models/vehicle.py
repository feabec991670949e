"""Vehicles, what a vendor asks for them, and their papers and photos."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from rental_app.rules import clock

_BLANK = {"server_default": text("''")}


class Vehicle(SQLModel, table=True):
    """A listed vehicle. `is_active` is the vendor's wish, `is_approved` the platform's; money is paise.

    It is picked up at its vendor's address where its own is blank.
    """

    __table_args__ = (
        Index("ix_vehicle_search", "location_id", "is_active", "is_approved"),
        CheckConstraint("year BETWEEN 1980 AND 2100", name="ck_vehicle_year"),
        CheckConstraint("odometer_reading >= 0 AND speed_limit_kmph > 0", name="ck_vehicle_readings"),
        CheckConstraint(
            "late_penalty_paise >= 0 AND distance_penalty_paise >= 0 AND deposit_paise >= 0"
            " AND drop_off_paise >= 0 AND pick_up_paise >= 0",
            name="ck_vehicle_money",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id", index=True)
    model_id: int = Field(foreign_key="asset_model.id")
    location_id: int = Field(foreign_key="location.id")
    address: str = Field(default="", sa_column_kwargs=_BLANK)
    landmark: str = Field(default="", sa_column_kwargs=_BLANK)
    city: str = Field(default="", sa_column_kwargs=_BLANK)
    state: str = Field(default="", sa_column_kwargs=_BLANK)
    zip_code: str = Field(default="", sa_column_kwargs=_BLANK)
    google_maps_link: str = Field(default="", sa_column_kwargs=_BLANK)
    year: int
    color: str
    rc_number: str = Field(unique=True)
    engine_number: str
    chassis_number: str
    owner_name_as_per_rc: str
    odometer_reading: int
    last_serviced_date: date
    insurance_expiry_date: date
    pollution_expiry_date: date
    speed_limit_kmph: int
    late_penalty_paise: int
    distance_penalty_paise: int
    deposit_paise: int
    drop_off_pick_extra_payment: bool = False
    drop_off_paise: int = 0
    pick_up_paise: int = 0
    terms: str = ""
    image: str = ""
    is_active: bool = True
    is_approved: bool = True
    created_at: datetime = Field(default_factory=clock.now)
    # Of the shown reviews by its customers: the sum of their stars, and how many they are.
    stars_total: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    reviews: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})


class VehiclePrice(SQLModel, table=True):
    """What a vendor asks for one plan (paise); `kms_limit` per plan period, 0 for unlimited."""

    __tablename__ = "vehicle_price"
    __table_args__ = (
        UniqueConstraint("vehicle_id", "price_name"),
        CheckConstraint("price_paise >= 0 AND kms_limit >= 0", name="ck_vehicle_price_figures"),
        CheckConstraint("status IN ('Active', 'Inactive')", name="ck_vehicle_price_status"),
        CheckConstraint("price_name IN ('Half Day', 'Full Day', 'Week', 'Month')", name="ck_vehicle_price_price_name"),
    )

    id: int | None = Field(default=None, primary_key=True)
    vehicle_id: int = Field(foreign_key="vehicle.id")
    price_name: str
    price_paise: int
    kms_limit: int = 0
    status: str = "Active"


class VehicleFile(SQLModel, table=True):
    """One uploaded paper or photo; `key` is its random name in the file store."""

    __tablename__ = "vehicle_file"
    __table_args__ = (
        CheckConstraint("size > 0", name="ck_vehicle_file_size"),
        CheckConstraint(
            "group_name IN ('RC', 'Insurance', 'Pollution', 'Front', 'Left', 'Right', 'Back',"
            " 'Odometer Reading', 'Tyre', 'Engine')",
            name="ck_vehicle_file_group",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    vehicle_id: int = Field(foreign_key="vehicle.id", index=True)
    group_name: str
    key: str = Field(unique=True)
    content_type: str
    size: int
    created_at: datetime = Field(default_factory=clock.now)
