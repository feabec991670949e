"""Listed vehicles, as their vendors submitted them."""

from sqlalchemy import and_, case, func, join, select
from sqlmodel import col

from rental_app.models import TITLE, AssetModel, AssetType, Booking, Location, Manufacturer, User, Vehicle, VehicleFile
from rental_app.services.console.table import Column, Filter, Option, Related, Table

WAITS, SHOWN, OFF = "Waits for you", "Shown", "Switched off"
_STATE = case(
    (col(Vehicle.is_approved).is_(False), WAITS),
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
    key=col(Vehicle.id),
    source=_MODELLED.join(AssetType, col(Manufacturer.asset_type_id) == col(AssetType.id)),
    columns=(
        Column("vehicle", "Vehicle", TITLE),
        Column("plate", "RC number", col(Vehicle.rc_number), "plate", sortable=True),
        Column("type", "Type", col(AssetType.name)),
        Column("vendor", "Vendor", col(User.name)),
        Column("place", "Locality", col(Location.name)),
        Column("year", "Year", col(Vehicle.year), "number", sortable=True),
        Column("bookings", "Bookings", _BOOKINGS, "number"),
        Column("insured", "Insured until", col(Vehicle.insurance_expiry_date), "day", sortable=True),
        Column("state", "State", _STATE, "state", tones={WAITS: "waits", SHOWN: "good", OFF: "plain"}),
        Column("made", "Submitted", col(Vehicle.created_at), "moment", sortable=True, listed=False),
        Column("color", "Color", col(Vehicle.color), listed=False),
        Column("owner", "Owner name", col(Vehicle.owner_name_as_per_rc), listed=False),
        Column("engine", "Engine number", col(Vehicle.engine_number), listed=False),
        Column("chassis", "Chassis number", col(Vehicle.chassis_number), listed=False),
        Column("odometer", "Odometer (km)", col(Vehicle.odometer_reading), "number", listed=False),
        Column("serviced", "Last serviced", col(Vehicle.last_serviced_date), "day", listed=False),
        Column("pollution", "Pollution until", col(Vehicle.pollution_expiry_date), "day", listed=False),
        Column("deposit", "Deposit", col(Vehicle.deposit_paise), "money", listed=False),
        Column("papers", "Papers and photos", _PAPERS, "number", listed=False),
        Column("phone", "Vendor's mobile", col(User.phone_number), listed=False),
    ),
    sort="-made",
    search=(col(Manufacturer.name), col(AssetModel.name), col(User.name)),
    plates=(col(Vehicle.rc_number),),
    filters=(
        Filter(
            "state",
            "State",
            (
                Option("waits", WAITS, col(Vehicle.is_approved).is_(False)),
                Option("shown", SHOWN, and_(col(Vehicle.is_approved), col(Vehicle.is_active))),
                Option("off", OFF, and_(col(Vehicle.is_approved), col(Vehicle.is_active).is_(False))),
            ),
        ),
        Filter(
            "type",
            "Type",
            tuple(
                Option(name.lower(), name, col(AssetType.name) == name)
                for name in ("Scooter", "Motorcycle", "Electric", "Car")
            ),
        ),
        Filter("vendor", "Vendor", owners=(col(Vehicle.vendor_id),)),
    ),
    state="state",
    figures=("bookings", "deposit", "odometer", "papers"),
    related=(Related("bookings", "vehicle", "Bookings"), Related("reviews", "vehicle", "Reviews")),
)
