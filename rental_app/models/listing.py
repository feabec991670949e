"""Listings from the database: the one join behind them, and how they are built from its rows."""

from typing import Any, TypeVar, get_type_hints

from sqlalchemy import ColumnElement, Row, Select, and_, select
from sqlmodel import col

from rental_app.domain.pricing import FULL_DAY
from rental_app.models.catalogue import AssetModel, AssetType, Location, Manufacturer
from rental_app.models.user import User
from rental_app.models.vehicle import Listing, ListingInFull, OwnListing, Vehicle
from rental_app.models.vehicle_parts import VehiclePrice

Columns = Select[*tuple[Any, ...]]
Kind = TypeVar("Kind", bound=Listing)


def _columns(kind: type[Listing]) -> list[ColumnElement[Any]]:
    """The columns that a kind of listing declares, labelled with the names of its fields."""
    hints = get_type_hints(kind, include_extras=True)
    named = {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}
    # A label costs time in every statement.
    return [column if column.key == name else column.label(name) for name, column in named.items()]


# A vehicle's title, in a SELECT with `titled`.
TITLE = col(Manufacturer.name) + " " + col(AssetModel.name)
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
