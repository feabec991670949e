"""A vehicle's prices, its papers and photos, and what waits for the form it belongs to."""

from datetime import date, datetime

from sqlalchemy import JSON, BigInteger, CheckConstraint, UniqueConstraint
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
    # When a renewed paper took its place; from then on it is only kept.
    replaced_at: datetime | None = None


class MaintenanceEntry(SQLModel, table=True):
    """What was done to a vehicle on an Indian day, at which reading (km) and cost (paise), and when it is due again."""

    __tablename__ = "maintenance_entry"
    __table_args__ = (
        CheckConstraint("cost_paise >= 0", name="ck_maintenance_entry_cost"),
        CheckConstraint("odometer_km >= 0 AND next_km > 0", name="ck_maintenance_entry_kilometres"),
        CheckConstraint("next_on > done_on", name="ck_maintenance_entry_dates_ordered"),
    )

    id: int | None = Field(default=None, primary_key=True)
    vehicle_id: int = Field(foreign_key="vehicle.id", index=True)
    kind: str
    done_on: date
    odometer_km: int | None = None
    cost_paise: int = Field(sa_type=BigInteger)
    note: str
    next_on: date | None = None
    next_km: int | None = None
    created_at: datetime = Field(default_factory=clock.now)


class ListingDraft(SQLModel, table=True):
    """What a vendor has typed into Add New Vehicle, by field name; blank fields are left out."""

    __tablename__ = "listing_draft"
    __table_args__ = (CheckConstraint("edition > 0", name="ck_listing_draft_edition"),)

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id", index=True)
    # Model and RC number, "" before either is known.
    title: str = ""
    typed: dict[str, str] = Field(sa_type=JSON)
    # Grows with every save: who saves names the one that was read.
    edition: int = 1
    created_at: datetime
    saved_at: datetime = Field(index=True)


class VehicleDraft(SQLModel, table=True):
    """The one draft of a vendor: written and read only by the version before `ListingDraft`, which may still run during
    an upgrade (migration 0057)."""

    __tablename__ = "vehicle_draft"

    vendor_id: int = Field(foreign_key="user.id", primary_key=True)
    typed: dict[str, str] = Field(sa_type=JSON)
    saved_at: datetime = Field(index=True)


class UnclaimedFile(SQLModel, table=True):
    """A file its vendor has uploaded ahead; the form that names it claims it. `key` as in `VehicleFile`.

    Photos for an objection belong to the customer: `vendor_id` is their account then.
    """

    __tablename__ = "unclaimed_file"
    __table_args__ = (CheckConstraint("size > 0", name="ck_unclaimed_file_size"),)

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id", index=True)
    group_name: str
    key: str = Field(unique=True)
    content_type: str
    size: int
    # Of all objects in the store that belong to it; files older than this column have only `size`.
    stored_bytes: int | None = None
    created_at: datetime = Field(default_factory=clock.now, index=True)
    # Of the version before `ListingDraft`.
    draft_of: int | None = Field(default=None, foreign_key="vehicle_draft.vendor_id")
    # If a draft names it, it is kept as long as the draft.
    draft_id: int | None = Field(default=None, foreign_key="listing_draft.id", index=True)
