"""How a listed vehicle may change: not into another while it is booked, nor unreviewed if approval is manual."""

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.settings import settings
from rental_app.models import AssetModel, Booking, Manufacturer, Vehicle
from rental_app.schemas.vehicles import EditedFiles, EditedVehicle, VehicleData
from rental_app.services.bookings.rows import is_open

# What the registration certificate and the other papers say, and how long they are valid.
APPROVED = (
    "model_id",
    "year",
    "rc_number",
    "engine_number",
    "chassis_number",
    "owner_name_as_per_rc",
    "insurance_expiry_date",
    "pollution_expiry_date",
)


def require_same_vehicle(session: Session, vehicle: Vehicle, data: VehicleData) -> None:
    """Raise ConflictError naming each of type, maker, model and year that would change despite open bookings."""
    kind, maker = session.execute(
        select(col(Manufacturer.asset_type_id), col(Manufacturer.id))
        .join(AssetModel, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .where(col(AssetModel.id) == vehicle.model_id)
    ).one()
    pairs = {
        "vehicleType": (kind, data.type_id),
        "manufacturer": (maker, data.manufacturer_id),
        "model": (vehicle.model_id, data.model_id),
        "year": (vehicle.year, data.year),
    }
    changed = [name for name, (now, wanted) in pairs.items() if now != wanted]
    if changed and _has_open_bookings(session, vehicle):
        message = "This vehicle has open bookings: its type, manufacturer, model and year stay until they are over"
        text = "This cannot change while the vehicle has open bookings"
        raise ConflictError(message, code="vehicle_booked", fields=dict.fromkeys(changed, text))


def _has_open_bookings(session: Session, vehicle: Vehicle) -> bool:
    own = select(col(Booking.id)).where(col(Booking.vehicle_id) == vehicle.id, is_open(clock.now()))
    return session.execute(own.limit(1)).first() is not None


def needs_approval(vehicle: Vehicle, data: EditedVehicle | EditedFiles, files: bool) -> bool:
    """Whether changes, with new files or without, have to be reviewed before the vehicle is bookable again."""
    if settings().listing_approval == "auto":
        return False
    facts = isinstance(data, EditedVehicle) and any(getattr(vehicle, name) != getattr(data, name) for name in APPROVED)
    return facts or files or bool(data.drop_files)
