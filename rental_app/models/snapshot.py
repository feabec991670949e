"""What a booking keeps of its vehicle: whatever becomes of the listing later, this is what was booked."""

from typing import Any

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Row, select
from sqlmodel import Session, col

from rental_app.models.catalogue import AssetModel, AssetType, Location, Manufacturer
from rental_app.models.user import User, full_address
from rental_app.models.vehicle import Vehicle


class Snapshot(BaseModel):
    """A vehicle, its terms, place and charges (paise) at an instant; price and deposit are the booking's own.

    `image` is the path of its Front photo, '' where it had none; `pickup_address` is one line.
    """

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
    late_penalty_paise: int
    distance_penalty_paise: int
    speed_limit_kmph: int

    @property
    def title(self) -> str:
        """What the vehicle is called: maker and model."""
        return f"{self.maker} {self.model_name}"


def snapshots(session: Session, *which: ColumnElement[bool]) -> dict[int, dict[str, Any]]:
    """What bookings made now keep in `Booking.booked`, by vehicle, for the vehicles that meet the conditions."""
    rows = session.execute(
        select(
            col(Vehicle.id),
            col(AssetType.name).label("asset_type"),
            col(Manufacturer.name).label("maker"),
            col(AssetModel.name).label("model_name"),
            col(AssetModel.body_type),
            col(AssetModel.shape),
            col(Vehicle.year),
            col(Vehicle.color),
            col(Vehicle.image),
            col(Location.name).label("service_location"),
            col(User.address),
            col(User.landmark),
            col(User.city),
            col(User.state),
            col(User.zip_code),
            col(User.google_maps_link),
            col(Vehicle.terms),
            col(Vehicle.late_penalty_paise),
            col(Vehicle.distance_penalty_paise),
            col(Vehicle.speed_limit_kmph),
        )
        .join(AssetModel, col(Vehicle.model_id) == AssetModel.id)
        .join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .join(AssetType, col(Manufacturer.asset_type_id) == AssetType.id)
        .join(Location, col(Vehicle.location_id) == Location.id)
        .join(User, col(Vehicle.vendor_id) == User.id)
        .where(*which)
    ).all()
    return {row.id: _snapshot(row).model_dump() for row in rows}


def _snapshot(row: Row[Any]) -> Snapshot:
    address = full_address(row.address, row.landmark, row.city, row.state, row.zip_code)
    return Snapshot(
        **{name: getattr(row, name) for name in row._fields if name in Snapshot.model_fields}, pickup_address=address
    )
