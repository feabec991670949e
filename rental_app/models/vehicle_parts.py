"""A vehicle's prices, and its papers and photos."""

from datetime import datetime

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class VehiclePrice(SQLModel, table=True):
    """What a vendor charges for one plan (paise); `kms_limit` is per plan period, 0 for unlimited."""

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
    """One uploaded paper or photo; `key`, its name in the file store, cannot be guessed and is never used again."""

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
    # As in `UnclaimedFile`.
    stored_bytes: int | None = None
    created_at: datetime = Field(default_factory=clock.now)
