"""The localities in which vehicles are listed."""

from functools import partial

from sqlalchemy import func, select
from sqlmodel import col

from rental_app.models import Location, Vehicle
from rental_app.schemas.operating_catalogue import LocationEntry
from rental_app.services.console.deciding import adding, by, retired_columns, retired_filter, retiring
from rental_app.services.console.table import ActionField, Column, Table
from rental_app.services.operating import catalogue

_VEHICLES = (
    select(func.count())
    .select_from(Vehicle)
    .where(col(Vehicle.location_id) == Location.id)
    .correlate(Location)
    .scalar_subquery()
)
_PUT = partial(by, catalogue.put_location, LocationEntry)
_FIELDS = (
    ActionField("name", "What it is called", "text", column="name"),
    ActionField("latitude", "Latitude in degrees", "text", column="latitude"),
    ActionField("longitude", "Longitude in degrees", "text", column="longitude"),
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
        *retired_columns(col(Location.is_retired)),
    ),
    sort="name",
    search=(col(Location.name), col(Location.slug)),
    filters=(retired_filter(col(Location.is_retired)),),
    state="state",
    actions=retiring(_PUT, _FIELDS),
    adding=adding(_PUT, "Add a locality", _FIELDS),
    versioned=True,
)
