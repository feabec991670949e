"""The localities in which vehicles are listed."""

from sqlalchemy import func, select
from sqlmodel import col

from rental_app.models import Location, Vehicle
from rental_app.services.console.table import Column, Table

_VEHICLES = (
    select(func.count())
    .select_from(Vehicle)
    .where(col(Vehicle.location_id) == Location.id)
    .correlate(Location)
    .scalar_subquery()
)

TABLE = Table(
    name="locations",
    title="Localities",
    one="locality",
    key=col(Location.id),
    source=Location.__table__,  # type: ignore[attr-defined]
    columns=(
        Column("name", "Name", col(Location.name), sortable=True),
        Column("slug", "Address of its page", col(Location.slug), sortable=True),
        Column("latitude", "Latitude", col(Location.latitude), "number"),
        Column("longitude", "Longitude", col(Location.longitude), "number"),
        Column("vehicles", "Vehicles", _VEHICLES, "number"),
    ),
    sort="name",
    search=(col(Location.name), col(Location.slug)),
)
