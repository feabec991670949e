"""Vehicles: their rows, the kinds of listing they are offered as, and the one join that listings are read by."""

from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cached_property
from typing import Annotated, Any, TypeVar, get_type_hints

from sqlalchemy import CheckConstraint, ColumnElement, Index, Row, Select, String, and_, case, cast, func, select, text
from sqlmodel import Field, SQLModel, col

from rental_app.content.art import picture_path
from rental_app.domain import clock
from rental_app.domain.hours import OpeningHours
from rental_app.domain.ids import slug_of
from rental_app.domain.money import Paise
from rental_app.domain.pictures import SIDES, Photo, Picture, photos
from rental_app.domain.pricing import FULL_DAY
from rental_app.models.catalogue import AssetModel, AssetType, Location, Manufacturer
from rental_app.models.user import User, full_address, opening_hours
from rental_app.models.vehicle_parts import VehicleFile, VehiclePrice

_BLANK = {"server_default": text("''")}
Columns = Select[*tuple[Any, ...]]
Kind = TypeVar("Kind", bound="Listing")
# A vehicle's title, in a SELECT with `titled`.
TITLE = col(Manufacturer.name) + " " + col(AssetModel.name)


class Vehicle(SQLModel, table=True):
    """A listed vehicle. `is_active` is the vendor's decision, `is_approved` the platform's; money is paise.

    It is picked up at its vendor's address if its own is blank.
    """

    __table_args__ = (
        Index("ix_vehicle_search", "location_id", "is_active", "is_approved"),
        # The usual order of the operator's list.
        Index("ix_vehicle_created_at_id", "created_at", "id"),
        # A retired vehicle may be listed anew, by whoever owns it by then.
        Index(
            "uq_vehicle_rc_number",
            "rc_number",
            unique=True,
            sqlite_where=text("retired_at IS NULL"),
            postgresql_where=text("retired_at IS NULL"),
        ),
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
    rc_number: str
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
    # When its vendor gave it up; it is switched off then, and only its past remains.
    retired_at: datetime | None = None
    # Why an operator has refused it or taken it down, blank once its vendor has sent it again; when one last decided.
    refusal: str = Field(default="", sa_column_kwargs=_BLANK)
    decided_at: datetime | None = None
    # Whether operators show it on the home page.
    is_featured: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    created_at: datetime = Field(default_factory=clock.now)
    # Whether bookings of it are confirmed at once; None: as its vendor has it (`ConfirmAtOnce`).
    confirms_at_once: bool | None = None
    # The sum of the stars of the shown reviews by its customers, and the number of those reviews.
    stars_total: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    reviews: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})


_PHOTO = cast(VehicleFile.id, String) + " " + col(VehicleFile.group_name) + " " + col(VehicleFile.key)
# In the format `domain.pictures.photos` reads, without papers and anything else that is not a photo of a side.
SIDE_PHOTOS = (
    select(func.coalesce(func.aggregate_strings(_PHOTO, ","), ""))
    .where(col(VehicleFile.vehicle_id) == Vehicle.id, col(VehicleFile.group_name).in_(SIDES))
    .scalar_subquery()
)


def _at_pickup(own: str, vendors: str) -> ColumnElement[str]:
    """A part of a vehicle's pickup address: every part is its own if it has an address, else its vendor's."""
    return case((col(Vehicle.address) != "", col(own)), else_=col(vendors))


@dataclass(frozen=True)
class Listing:
    """A vehicle as it is offered, each field with the column it is read from.

    `daily_paise` and `kms_limit` are those of its Full Day price, 0 if it has none.
    """

    id: Annotated[int, Vehicle.id]
    vendor_id: Annotated[int, Vehicle.vendor_id]
    asset_type: Annotated[str, AssetType.name]
    maker: Annotated[str, Manufacturer.name]
    model_id: Annotated[int, Vehicle.model_id]
    model_name: Annotated[str, AssetModel.name]
    vehicle_cc: Annotated[int | None, AssetModel.vehicle_cc]
    top_speed: Annotated[int, AssetModel.top_speed]
    fuel_tank_capacity: Annotated[float, AssetModel.fuel_tank_capacity]
    mileage: Annotated[float, AssetModel.mileage]
    shape: Annotated[str, AssetModel.shape]
    body_type: Annotated[str, AssetModel.body_type]
    engine_type: Annotated[str, AssetModel.engine_type]
    transmission_type: Annotated[str, AssetModel.transmission_type]
    seating_capacity: Annotated[int, AssetModel.seating_capacity]
    image: Annotated[str, Vehicle.image]
    color: Annotated[str, Vehicle.color]
    year: Annotated[int, Vehicle.year]
    service_location: Annotated[str, Location.name]
    vendor_name: Annotated[str, User.name]
    address: Annotated[str, _at_pickup(Vehicle.address, User.address)]
    landmark: Annotated[str, _at_pickup(Vehicle.landmark, User.landmark)]
    city: Annotated[str, _at_pickup(Vehicle.city, User.city)]
    state: Annotated[str, _at_pickup(Vehicle.state, User.state)]
    zip_code: Annotated[str, _at_pickup(Vehicle.zip_code, User.zip_code)]
    google_maps_link: Annotated[str, _at_pickup(Vehicle.google_maps_link, User.google_maps_link)]
    open_time: Annotated[time | None, User.open_time]
    close_time: Annotated[time | None, User.close_time]
    closing_days: Annotated[list[str], User.closing_days]
    delivery_supported: Annotated[bool, User.delivery_supported]
    deposit_paise: Annotated[Paise, Vehicle.deposit_paise]
    odometer_reading: Annotated[int, Vehicle.odometer_reading]
    speed_limit_kmph: Annotated[int, Vehicle.speed_limit_kmph]
    late_penalty_paise: Annotated[Paise, Vehicle.late_penalty_paise]
    distance_penalty_paise: Annotated[Paise, Vehicle.distance_penalty_paise]
    terms: Annotated[str, Vehicle.terms]
    drop_off_pick_extra_payment: Annotated[bool, Vehicle.drop_off_pick_extra_payment]
    drop_off_paise: Annotated[Paise, Vehicle.drop_off_paise]
    pick_up_paise: Annotated[Paise, Vehicle.pick_up_paise]
    daily_paise: Annotated[Paise, func.coalesce(VehiclePrice.price_paise, 0)]
    kms_limit: Annotated[int, func.coalesce(VehiclePrice.kms_limit, 0)]
    stars_total: Annotated[int, Vehicle.stars_total]
    reviews: Annotated[int, Vehicle.reviews]
    vendor_stars_total: Annotated[int, User.stars_total]
    vendor_reviews: Annotated[int, User.reviews]
    noted_photos: Annotated[str, SIDE_PHOTOS]

    @property
    def title(self) -> str:
        """What the vehicle is called: maker and model."""
        return f"{self.maker} {self.model_name}"

    @cached_property
    def photos(self) -> list[Photo]:
        """Its photos from all sides, the one shown on cards first."""
        return photos(self.noted_photos, self.image)

    @property
    def vendor_slug(self) -> str:
        """The last part of the URL of its vendor's page."""
        return slug_of(self.vendor_name, self.vendor_id)

    @property
    def drawing(self) -> str:
        """The path of its model's illustration in its colour."""
        return picture_path(self.shape, self.color, self.title)

    @property
    def picture(self) -> Picture:
        """Its Front photo, else the drawing."""
        return Picture(self.image or self.drawing)

    @property
    def hours(self) -> OpeningHours:
        """Its vendor's business hours."""
        return opening_hours(self.open_time, self.close_time, self.closing_days)

    @property
    def brought_paise(self) -> Paise:
        """What delivery to the customer costs; an amount left over after the vendor stopped charging is ignored."""
        return self.drop_off_paise if self.drop_off_pick_extra_payment else Paise(0)

    @property
    def fetched_paise(self) -> Paise:
        """What collection from the customer costs."""
        return self.pick_up_paise if self.drop_off_pick_extra_payment else Paise(0)

    @property
    def pickup_address(self) -> str:
        """Where it is handed over, on one line."""
        return full_address(self.address, self.landmark, self.city, self.state, self.zip_code)


@dataclass(frozen=True)
class ListingInFull(Listing):
    """A listing with what lists leave out: its vendor's terms for all vehicles, and where its locality is (degrees)."""

    vendor_terms: Annotated[str, User.notes]
    latitude: Annotated[float, Location.latitude]
    longitude: Annotated[float, Location.longitude]


@dataclass(frozen=True)
class OwnListing(Listing):
    """A listing as its own vendor sees it. The last two fields are the platform's verdicts on a given day."""

    own_address: Annotated[str, Vehicle.address]
    own_landmark: Annotated[str, Vehicle.landmark]
    own_zip_code: Annotated[str, Vehicle.zip_code]
    own_maps_link: Annotated[str, Vehicle.google_maps_link]
    type_id: Annotated[int, Manufacturer.asset_type_id]
    manufacturer_id: Annotated[int, AssetModel.manufacturer_id]
    rc_number: Annotated[str, Vehicle.rc_number]
    engine_number: Annotated[str, Vehicle.engine_number]
    chassis_number: Annotated[str, Vehicle.chassis_number]
    owner_name_as_per_rc: Annotated[str, Vehicle.owner_name_as_per_rc]
    last_serviced_date: Annotated[date, Vehicle.last_serviced_date]
    insurance_expiry_date: Annotated[date, Vehicle.insurance_expiry_date]
    pollution_expiry_date: Annotated[date, Vehicle.pollution_expiry_date]
    is_active: Annotated[bool, Vehicle.is_active]
    is_approved: Annotated[bool, Vehicle.is_approved]
    retired_at: Annotated[datetime | None, Vehicle.retired_at]
    refusal: Annotated[str, Vehicle.refusal]
    is_available: bool
    is_priced: bool


def _columns(kind: type[Listing]) -> list[ColumnElement[Any]]:
    """The columns that a kind of listing declares, labelled with the names of its fields."""
    hints = get_type_hints(kind, include_extras=True)
    named = {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}
    # A label costs time in every statement.
    return [column if column.key == name else column.label(name) for name, column in named.items()]


# Built once: building takes longer than the query.
_COLUMNS = {kind: _columns(kind) for kind in (Listing, ListingInFull, OwnListing)}


def offers(*columns: Any) -> Columns:
    """SELECT of columns of vehicles with their vendors (User) and, where they have one, their Full Day price."""
    of_a_day = and_(col(VehiclePrice.vehicle_id) == Vehicle.id, col(VehiclePrice.price_name) == FULL_DAY)
    joined = select(*columns).select_from(Vehicle).join(User, col(Vehicle.vendor_id) == User.id)
    return joined.outerjoin(VehiclePrice, of_a_day)


def titled(statement: Columns) -> Columns:
    """A SELECT from vehicles with their models and makers, which make up their titles."""
    modelled = statement.join(AssetModel, col(Vehicle.model_id) == AssetModel.id)
    return modelled.join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)


def listings(kind: type[Listing] = Listing, *verdicts: ColumnElement[Any]) -> Columns:
    """SELECT of one row per vehicle, for `listing`: the columns of a kind of listing, then its final `verdicts`."""
    return (
        titled(offers(*_COLUMNS[kind], *verdicts))
        .join(AssetType, col(Manufacturer.asset_type_id) == AssetType.id)
        .join(Location, col(Vehicle.location_id) == Location.id)
    )


def listing(row: Row[Any], kind: type[Kind]) -> Kind:
    """A listing from a row of `listings` of the same kind; additional columns are ignored."""
    made = kind.__new__(kind)
    # The constructor does the same, field by field, in ten times the time.
    vars(made).update(zip(kind.__match_args__, row, strict=False))
    return made
