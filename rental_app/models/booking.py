"""Bookings. The database itself refuses overlapping ones (see the first, tenth and seventeenth migration)."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict
from sqlalchemy import JSON, CheckConstraint, ColumnElement, Index, false, text
from sqlmodel import Field, Session, SQLModel

from rental_app.content.art import picture_path
from rental_app.domain import clock
from rental_app.domain.bookings import BookingSource, BookingStatus, TripStage, new_reference
from rental_app.domain.clock import Window
from rental_app.domain.pictures import Picture
from rental_app.models.vehicle import ListingInFull, listing, listings

_HELD = ("held_from", "status", "answer_by")


class Booking(SQLModel, table=True):
    """A request for a vehicle over [pickup_at, return_at) and what became of it. Money is paise, instants UTC."""

    __table_args__ = (
        # held_until before held_from: most rows are in the past and are skipped by the first comparison.
        Index("ix_booking_held", "vehicle_id", "held_until", "held_from", "status").ddl_if("sqlite"),
        # PostgreSQL's planner overestimates the cost of comparing a second column (migration 0022).
        Index("ix_booking_held_until", "vehicle_id", "held_until", postgresql_include=_HELD).ddl_if("postgresql"),
        # The usual order of the operator's list.
        Index("ix_booking_created_at_id", "created_at", "id"),
        Index("ix_booking_stage_created_at_id", "stage", "created_at", "id"),
        CheckConstraint("pickup_at < return_at", name="ck_booking_window"),
        CheckConstraint("status IN ('pending', 'confirmed', 'cancelled')", name="ck_booking_status"),
        CheckConstraint("price_paise >= 0 AND deposit_paise >= 0", name="ck_booking_money"),
        CheckConstraint("(status = 'cancelled') = (cancelled_by IS NOT NULL)", name="ck_booking_cancelled_by_someone"),
        CheckConstraint("cancelled_by IN ('customer', 'vendor', 'operator', 'system')", name="ck_booking_cancelled_by"),
        CheckConstraint(
            "stage = 'booked' OR (status = 'confirmed' AND stage IN ('out', 'returned', 'settled', 'no_show'))",
            name="ck_booking_stage",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    # Always set: nullable only because SQLite would have to rebuild the table to add it otherwise.
    reference: str = Field(default_factory=new_reference, unique=True, index=True, nullable=True)
    vehicle_id: int = Field(foreign_key="vehicle.id")
    customer_id: int = Field(foreign_key="user.id", index=True)
    pickup_at: datetime
    return_at: datetime
    # The window with its vendor's buffer around it, maintained by the database: nobody else can book the vehicle in
    # it. After an early return it ends with the buffer; the end is empty once nothing is held any more.
    held_from: datetime | None = None
    held_until: datetime | None = None
    status: str = BookingStatus.PENDING
    stage: str = Field(default=TripStage.BOOKED, sa_column_kwargs={"server_default": text("'booked'")})
    price_paise: int
    deposit_paise: int
    kms_included: int | None = None
    lines: list[dict[str, Any]] = Field(sa_type=JSON)
    # The vehicle's Full Day price when it was booked: it caps the cost of late hours. 0 for bookings older than this
    # column if their vehicle no longer had one when it was added.
    full_day_paise: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    # Nullable for the same reason as `reference`; bookings made before there were extras have none.
    extras: list[str] = Field(default_factory=list, sa_type=JSON, nullable=True)
    # Where the vehicle is delivered to, or collected from.
    address: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    # The code of an offer; indexed to count how often it was used.
    offer: str | None = Field(default=None, index=True)
    # A Snapshot, always set; nullable for the same reason as `reference`.
    booked: dict[str, Any] = Field(sa_type=JSON, nullable=True)
    created_at: datetime = Field(default_factory=clock.now)
    answer_by: datetime
    decided_at: datetime | None = None
    cancelled_by: str | None = None
    cancel_reason: str = ""
    # The version of our terms that the customer accepted, and when; empty for bookings over REST, which shows none.
    terms_version: str | None = None
    terms_accepted_at: datetime | None = None
    source: str = Field(default=BookingSource.ONLINE, sa_column_kwargs={"server_default": text("'online'")})
    # The booking this one takes the place of, or continues; each is followed by one at most.
    follows_id: int | None = Field(default=None, unique=True, index=True)
    # The platform's share in hundredths of a percent, as it was when the booking was made; empty for bookings of
    # versions that did not note it.
    commission_bps: int | None = None
    # Whether it was confirmed as it was made, by its vendor's rule (services/bookings/confirm_at_once.py).
    confirmed_at_once: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    # Where a guest wants to be written to; their account has no address.
    guest_email: str | None = None
    # `Policies.booked` of when it was made; empty for bookings made before numbers could be changed, which go by the
    # first ones.
    policies: dict[str, int] | None = Field(default=None, sa_type=JSON(none_as_null=True))

    @property
    def daily_paise(self) -> int:
        """The vehicle's Full Day price when it was booked; if none was recorded, what a day of the booking cost."""
        return self.full_day_paise or self.price_paise // Window(self.pickup_at, self.return_at).days


class Snapshot(BaseModel):
    """A vehicle, its terms, place and charges (paise) at an instant; price and deposit are the booking's own.

    `image` is the path of its Front photo, '' if it had none; `pickup_address` is one line. `vendor_terms` are its
    vendor's terms for all vehicles; `brought_paise` and `fetched_paise` are 0 if delivery costs nothing.
    """

    model_config = ConfigDict(from_attributes=True)

    asset_type: str
    maker: str
    model_name: str
    body_type: str
    shape: str
    year: int
    color: str
    image: str
    service_location: str
    pickup_address: str
    google_maps_link: str
    terms: str
    vendor_terms: str
    late_penalty_paise: int
    distance_penalty_paise: int
    speed_limit_kmph: int
    delivery_supported: bool
    brought_paise: int
    fetched_paise: int

    @property
    def title(self) -> str:
        """What the vehicle is called: maker and model."""
        return f"{self.maker} {self.model_name}"

    @property
    def picture(self) -> Picture:
        """Its Front photo, else its model's illustration in its colour."""
        return Picture(self.image or picture_path(self.shape, self.color, self.title))


def snapshots(session: Session, *which: ColumnElement[bool]) -> dict[int, Snapshot]:
    """What bookings made now copy into `Booking.booked`, by vehicle id, for the vehicles that meet the conditions."""
    cars = [listing(row, ListingInFull) for row in session.execute(listings(ListingInFull).where(*which))]
    return {car.id: snapshot(car) for car in cars}


def snapshot(car: ListingInFull) -> Snapshot:
    """The copy of its vehicle that a booking made now stores."""
    return Snapshot.model_validate(car)
