"""The models of vehicles, with the facts that their pages show."""

from sqlalchemy import func, join, select
from sqlmodel import col

from rental_app.models import AssetModel, AssetType, Manufacturer, Vehicle
from rental_app.services.console.table import Column, Filter, Option, Table

_VEHICLES = (
    select(func.count())
    .select_from(Vehicle)
    .where(col(Vehicle.model_id) == AssetModel.id)
    .correlate(AssetModel)
    .scalar_subquery()
)

TABLE = Table(
    name="models",
    title="Models",
    one="model",
    key=col(AssetModel.id),
    source=join(AssetModel, Manufacturer, col(AssetModel.manufacturer_id) == col(Manufacturer.id)).join(
        AssetType, col(Manufacturer.asset_type_id) == col(AssetType.id)
    ),
    columns=(
        Column("name", "Model", col(AssetModel.name), sortable=True),
        Column("maker", "Manufacturer", col(Manufacturer.name), sortable=True),
        Column("type", "Type", col(AssetType.name)),
        Column("body", "Body", col(AssetModel.body_type)),
        Column("shape", "Drawing", col(AssetModel.shape)),
        Column("vehicles", "Vehicles", _VEHICLES, "number"),
        Column("engine", "Engine", col(AssetModel.engine_type), listed=False),
        Column("gear", "Transmission", col(AssetModel.transmission_type), listed=False),
        Column("seats", "Seats", col(AssetModel.seating_capacity), "number", listed=False),
        Column("cc", "Cubic capacity", col(AssetModel.vehicle_cc), "number", listed=False),
        Column("speed", "Top speed (km/h)", col(AssetModel.top_speed), "number", listed=False),
        Column("tank", "Tank (l) or battery (kWh)", col(AssetModel.fuel_tank_capacity), "number", listed=False),
        Column("mileage", "Mileage", col(AssetModel.mileage), "number", listed=False),
    ),
    sort="name",
    search=(col(AssetModel.name), col(Manufacturer.name)),
    filters=(
        Filter(
            "kind",
            "Type",
            tuple(
                Option(name.lower(), name, col(AssetType.name) == name)
                for name in ("Scooter", "Motorcycle", "Electric", "Car")
            ),
        ),
        Filter("manufacturer", "Manufacturer", owners=(col(AssetModel.manufacturer_id),)),
    ),
)
