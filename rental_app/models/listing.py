"""Vehicles as they are offered: what is read of them, the one join behind it, and listings made from its rows."""

from dataclasses import dataclass
from datetime import date, time
from functools import cached_property
from typing import Annotated, Any, TypeVar, get_type_hints

from sqlalchemy import ColumnElement, Row, Select, String, and_, case, cast, func, select
from sqlmodel import col

from rental_app.content.art import picture_path
from rental_app.models.catalogue import AssetModel, AssetType, Location, Manufacturer
from rental_app.models.user import User, full_address, opening_hours
from rental_app.models.vehicle import Vehicle, VehicleFile, VehiclePrice
from rental_app.rules.hours import OpeningHours
from rental_app.rules.money import Paise
from rental_app.rules.pictures import SIDES, Photo, Picture, photos
from rental_app.rules.pricing import FULL_DAY
from rental_app.rules.slugs import slug_of

_PHOTO = cast(VehicleFile.id, String) + " " + col(VehicleFile.group_name) + " " + col(VehicleFile.key)
# As `rules.pictures.photos` reads them: the papers and what else is no photo of a side are not among them.
_PHOTOS = (
    select(func.coalesce(func.aggregate_strings(_PHOTO, ","), ""))
    .where(col(VehicleFile.vehicle_id) == Vehicle.id, col(VehicleFile.group_name).in_(SIDES))
    .scalar_subquery()
)


def _at_pickup(own: str, vendors: str) -> ColumnElement[str]:
    """A part of the address a vehicle is picked up at: of its own as a whole, where it has one."""
    return case((col(Vehicle.address) != "", col(own)), else_=col(vendors))


@dataclass(frozen=True)
class Listing:
    """A vehicle as it is offered, each field with the column it is read from.

    `daily_paise` and `kms_limit` are its Full Day price's, 0 where it has none.
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
    noted_photos: Annotated[str, _PHOTOS]

    @property
    def title(self) -> str:
        """What the vehicle is called: maker and model."""
        return f"{self.maker} {self.model_name}"

    @cached_property
    def photos(self) -> list[Photo]:
        """Its photos from all sides, the one that cards show first."""
        return photos(self.noted_photos, self.image)

    @property
    def vendor_slug(self) -> str:
        """The end of the address of its vendor's page."""
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
        """When its vendor hands over."""
        return opening_hours(self.open_time, self.close_time, self.closing_days)

    @property
    def brought_paise(self) -> Paise:
        """What it costs to have it brought; what stays behind when the vendor charges nothing any more is not asked."""
        return self.drop_off_paise if self.drop_off_pick_extra_payment else Paise(0)

    @property
    def fetched_paise(self) -> Paise:
        """What it costs to have it fetched."""
        return self.pick_up_paise if self.drop_off_pick_extra_payment else Paise(0)

    @property
    def pickup_address(self) -> str:
        """Where it is handed over, on one line."""
        return full_address(self.address, self.landmark, self.city, self.state, self.zip_code)


@dataclass(frozen=True)
class ListingInFull(Listing):
    """With what lists leave out: the terms its vendor has for all vehicles."""

    vendor_terms: Annotated[str, User.notes]


@dataclass(frozen=True)
class OwnListing(Listing):
    """As its own vendor sees it. The last two fields are the platform's verdicts of a day."""

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
    is_available: bool
    is_priced: bool


Columns = Select[*tuple[Any, ...]]
Kind = TypeVar("Kind", bound=Listing)


def _columns(kind: type[Listing]) -> list[ColumnElement[Any]]:
    """The columns that a kind of listing names, under the names of its fields."""
    hints = get_type_hints(kind, include_extras=True)
    named = {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}
    # A label takes its time with every statement.
    return [column if column.key == name else column.label(name) for name, column in named.items()]


# Made once: it takes longer than the database does.
_COLUMNS = {kind: _columns(kind) for kind in (Listing, ListingInFull, OwnListing)}


def offers(*columns: Any) -> Columns:
    """SELECT of columns of vehicles with their vendors (User) and, where they have one, their Full Day price."""
    of_a_day = and_(col(VehiclePrice.vehicle_id) == Vehicle.id, col(VehiclePrice.price_name) == FULL_DAY)
    joined = select(*columns).select_from(Vehicle).join(User, col(Vehicle.vendor_id) == User.id)
    return joined.outerjoin(VehiclePrice, of_a_day)


def listings(kind: type[Listing] = Listing, *verdicts: ColumnElement[Any]) -> Columns:
    """SELECT of one row a vehicle, for `listing`: what a kind of listing names, then the `verdicts` it ends with."""
    return (
        offers(*_COLUMNS[kind], *verdicts)
        .join(AssetModel, col(Vehicle.model_id) == AssetModel.id)
        .join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .join(AssetType, col(Manufacturer.asset_type_id) == AssetType.id)
        .join(Location, col(Vehicle.location_id) == Location.id)
    )


def listing(row: Row[Any], kind: type[Kind]) -> Kind:
    """A row of `listings` of the same kind; columns added to it are ignored."""
    made = kind.__new__(kind)
    # What the constructor does too, field by field, in ten times the time.
    vars(made).update(zip(kind.__match_args__, row, strict=False))
    return made
