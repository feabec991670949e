"""Listed vehicles, as their vendors submitted them."""

from typing import Any

from sqlalchemy import and_, func, join, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from rental_app.models import TITLE, AssetModel, AssetType, Booking, Location, Manufacturer, User, Vehicle, VehicleFile
from rental_app.services.console.table import (
    WHY,
    Action,
    Column,
    Filter,
    Related,
    RowStanding,
    Table,
    by,
    state_filter,
    state_of,
)
from rental_app.services.console.tables.catalogue import every_type
from rental_app.services.operating import acts


class ListingStanding(RowStanding):
    """How a listing stands."""

    WAITS = "waits", "Waits for you", "waits"
    REFUSED = "refused", "Refused", "bad"
    SHOWN = "shown", "Shown", "good"
    HOME = "home", "On the home page", "good"
    BLOCKED = "blocked", "Vendor blocked", "bad"
    OFF = "off", "Switched off", "plain"
    RETIRED = "retired", "Retired", "plain"


_IS_REFUSED = col(Vehicle.refusal) != ""
_WAITS = and_(col(Vehicle.is_approved).is_(False), col(Vehicle.refusal) == "")
# Of vendors who are blocked, whose vehicles nobody finds.
_Blocked: Any = aliased(User)
_IS_BLOCKED = col(Vehicle.vendor_id).in_(select(_Blocked.id).where(_Blocked.status != "active"))
_MAY_BE_SHOWN = and_(col(Vehicle.is_approved), col(Vehicle.is_active), ~_IS_BLOCKED)
_IS_RETIRED = col(Vehicle.retired_at).is_not(None)
_STATE = state_of(
    (
        (_IS_RETIRED, ListingStanding.RETIRED),
        (_IS_REFUSED, ListingStanding.REFUSED),
        (col(Vehicle.is_approved).is_(False), ListingStanding.WAITS),
        # By the vendor who is joined for the name, at no cost.
        (and_(col(Vehicle.is_active), col(User.status) != "active"), ListingStanding.BLOCKED),
        (and_(col(Vehicle.is_active), col(Vehicle.is_featured)), ListingStanding.HOME),
        (col(Vehicle.is_active), ListingStanding.SHOWN),
    ),
    ListingStanding.OFF,
)
_PLACED = join(Vehicle, User, col(Vehicle.vendor_id) == col(User.id)).join(
    Location, col(Vehicle.location_id) == col(Location.id)
)
_MODELLED = _PLACED.join(AssetModel, col(Vehicle.model_id) == col(AssetModel.id)).join(
    Manufacturer, col(AssetModel.manufacturer_id) == col(Manufacturer.id)
)
_BOOKINGS = (
    select(func.count())
    .select_from(Booking)
    .where(col(Booking.vehicle_id) == Vehicle.id)
    .correlate(Vehicle)
    .scalar_subquery()
)
_PAPERS = (
    select(func.count())
    .select_from(VehicleFile)
    .where(col(VehicleFile.vehicle_id) == Vehicle.id, col(VehicleFile.replaced_at).is_(None))
    .correlate(Vehicle)
    .scalar_subquery()
)


LISTINGS = Table(
    name="listings",
    title="Listings",
    one="listing",
    under="plate",
    subject="vehicle",
    versioned=True,
    key=col(Vehicle.id),
    source=_MODELLED.join(AssetType, col(Manufacturer.asset_type_id) == col(AssetType.id)),
    columns=(
        Column("vehicle", "Vehicle", TITLE),
        Column("plate", "RC number", col(Vehicle.rc_number), "plate", sortable=True, proof="RC"),
        Column("type", "Type", col(AssetType.name)),
        Column("vendor", "Vendor", col(User.name)),
        Column("place", "Locality", col(Location.name)),
        Column("year", "Year", col(Vehicle.year), "number", sortable=True, proof="RC"),
        Column("bookings", "Bookings", _BOOKINGS, "number"),
        Column("insured", "Insured until", col(Vehicle.insurance_expiry_date), "day", sortable=True, proof="Insurance"),
        Column(
            "state",
            "State",
            _STATE,
            "state",
            states=ListingStanding,
        ),
        Column("made", "Submitted", col(Vehicle.created_at), "moment", sortable=True, listed=False),
        Column("color", "Color", col(Vehicle.color), listed=False),
        Column("owner", "Owner name", col(Vehicle.owner_name_as_per_rc), listed=False, proof="RC"),
        Column("engine", "Engine number", col(Vehicle.engine_number), listed=False, proof="RC"),
        Column("chassis", "Chassis number", col(Vehicle.chassis_number), listed=False, proof="RC"),
        Column(
            "odometer", "Odometer (km)", col(Vehicle.odometer_reading), "number", listed=False, proof="Odometer Reading"
        ),
        Column("serviced", "Last serviced", col(Vehicle.last_serviced_date), "day", listed=False),
        Column(
            "pollution", "Pollution until", col(Vehicle.pollution_expiry_date), "day", listed=False, proof="Pollution"
        ),
        Column("deposit", "Deposit", col(Vehicle.deposit_paise), "money", listed=False),
        Column("refusal", "Told to the vendor", col(Vehicle.refusal), listed=False),
        Column("papers", "Documents and photos", _PAPERS, "number", listed=False),
        Column("phone", "Vendor's mobile", col(User.phone_number), listed=False),
        Column("photo", "Photo", col(Vehicle.image), listed=False, detailed=False),
        Column("shape", "Drawing", col(AssetModel.shape), "code", listed=False, detailed=False),
    ),
    sort="-made",
    search=(col(Manufacturer.name), col(AssetModel.name), col(User.name)),
    plates=(col(Vehicle.rc_number),),
    filters=(
        state_filter(
            {
                ListingStanding.WAITS: and_(_WAITS, ~_IS_RETIRED),
                ListingStanding.REFUSED: and_(_IS_REFUSED, ~_IS_RETIRED),
                ListingStanding.SHOWN: _MAY_BE_SHOWN,
                ListingStanding.HOME: and_(_MAY_BE_SHOWN, col(Vehicle.is_featured)),
                ListingStanding.BLOCKED: and_(col(Vehicle.is_approved), col(Vehicle.is_active), _IS_BLOCKED),
                ListingStanding.OFF: and_(col(Vehicle.is_approved), col(Vehicle.is_active).is_(False), ~_IS_RETIRED),
                ListingStanding.RETIRED: _IS_RETIRED,
            }
        ),
        Filter("type", "Type", owners=(col(Manufacturer.asset_type_id),), choices=every_type),
        Filter("vendor", "Vendor", owners=(col(Vehicle.vendor_id),)),
    ),
    state="state",
    figures=("bookings", "deposit", "odometer", "papers"),
    actions=(
        Action(
            "approve",
            "Approve",
            by(acts.DECIDE_LISTING, decision="approve"),
            {ListingStanding.WAITS, ListingStanding.REFUSED},
            key="a",
        ),
        Action(
            "refuse",
            "Refuse",
            by(acts.DECIDE_LISTING, decision="refuse"),
            {ListingStanding.WAITS},
            WHY,
            danger=True,
            key="r",
        ),
        Action(
            "take_down",
            "Take down",
            by(acts.DECIDE_LISTING, decision="take_down"),
            {ListingStanding.SHOWN, ListingStanding.HOME, ListingStanding.OFF, ListingStanding.BLOCKED},
            WHY,
            danger=True,
        ),
        Action("feature", "Show on the home page", by(acts.FEATURE_LISTING, on="true"), {ListingStanding.SHOWN}),
        Action("unfeature", "Take off the home page", by(acts.FEATURE_LISTING, on="false"), {ListingStanding.HOME}),
    ),
    related=(
        Related("bookings", "vehicle", "Bookings"),
        Related("reviews", "vehicle", "Reviews"),
        Related("audit", "vehicle", "Audit"),
    ),
)
