"""Listed vehicles, as their vendors submitted them."""

from typing import Any

from sqlalchemy import and_, case, func, join, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from rental_app.models import TITLE, AssetModel, AssetType, Booking, Location, Manufacturer, User, Vehicle, VehicleFile
from rental_app.schemas.operating import FeatureRequest, ListingDecision
from rental_app.services.console.deciding import WHY, by
from rental_app.services.console.table import Action, Column, Filter, Option, Related, Table
from rental_app.services.console.tables.types import every_type
from rental_app.services.operating import listings

WAITS, REFUSED, SHOWN, OFF = "Waits for you", "Refused", "Shown", "Switched off"
HOME, BLOCKED = "On the home page", "Vendor blocked"
_IS_REFUSED = col(Vehicle.refusal) != ""
_WAITS = and_(col(Vehicle.is_approved).is_(False), col(Vehicle.refusal) == "")
# Of vendors who are blocked, whose vehicles nobody finds.
_Blocked: Any = aliased(User)
_IS_BLOCKED = col(Vehicle.vendor_id).in_(select(_Blocked.id).where(_Blocked.status != "active"))
_MAY_BE_SHOWN = and_(col(Vehicle.is_approved), col(Vehicle.is_active), ~_IS_BLOCKED)
_STATE = case(
    (_IS_REFUSED, REFUSED),
    (col(Vehicle.is_approved).is_(False), WAITS),
    # By the vendor who is joined for the name, at no cost.
    (and_(col(Vehicle.is_active), col(User.status) != "active"), BLOCKED),
    (and_(col(Vehicle.is_active), col(Vehicle.is_featured)), HOME),
    (col(Vehicle.is_active), SHOWN),
    else_=OFF,
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
    .where(col(VehicleFile.vehicle_id) == Vehicle.id)
    .correlate(Vehicle)
    .scalar_subquery()
)


TABLE = Table(
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
            tones={WAITS: "waits", REFUSED: "bad", BLOCKED: "bad", SHOWN: "good", HOME: "good", OFF: "plain"},
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
        Column("photo", "Photo", col(Vehicle.image), listed=False, told=False),
        Column("shape", "Drawing", col(AssetModel.shape), "code", listed=False, told=False),
    ),
    sort="-made",
    search=(col(Manufacturer.name), col(AssetModel.name), col(User.name)),
    plates=(col(Vehicle.rc_number),),
    filters=(
        Filter(
            "state",
            "State",
            (
                Option("waits", WAITS, _WAITS),
                Option("refused", REFUSED, _IS_REFUSED),
                Option("shown", SHOWN, _MAY_BE_SHOWN),
                Option("home", HOME, and_(_MAY_BE_SHOWN, col(Vehicle.is_featured))),
                Option("blocked", BLOCKED, and_(col(Vehicle.is_approved), col(Vehicle.is_active), _IS_BLOCKED)),
                Option("off", OFF, and_(col(Vehicle.is_approved), col(Vehicle.is_active).is_(False))),
            ),
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
            by(listings.decide, ListingDecision, decision="approve"),
            frozenset({WAITS, REFUSED}),
            key="a",
        ),
        Action(
            "refuse",
            "Refuse",
            by(listings.decide, ListingDecision, decision="refuse"),
            frozenset({WAITS}),
            WHY,
            danger=True,
            key="r",
        ),
        Action(
            "take_down",
            "Take down",
            by(listings.decide, ListingDecision, decision="take_down"),
            frozenset({SHOWN, HOME, OFF, BLOCKED}),
            WHY,
            danger=True,
        ),
        Action("feature", "Show on the home page", by(listings.feature, FeatureRequest, on="true"), frozenset({SHOWN})),
        Action(
            "unfeature", "Take off the home page", by(listings.feature, FeatureRequest, on="false"), frozenset({HOME})
        ),
    ),
    related=(
        Related("bookings", "vehicle", "Bookings"),
        Related("reviews", "vehicle", "Reviews"),
        Related("audit", "vehicle", "Audit"),
    ),
)
