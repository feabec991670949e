"""The makers of vehicles."""

from sqlalchemy import func, join, select
from sqlmodel import col

from rental_app.models import AssetModel, AssetType, Manufacturer
from rental_app.services.console.table import Column, Filter, Related, Table

_MODELS = (
    select(func.count())
    .select_from(AssetModel)
    .where(col(AssetModel.manufacturer_id) == Manufacturer.id)
    .correlate(Manufacturer)
    .scalar_subquery()
)

TABLE = Table(
    name="manufacturers",
    title="Manufacturers",
    one="manufacturer",
    key=col(Manufacturer.id),
    source=join(Manufacturer, AssetType, col(Manufacturer.asset_type_id) == col(AssetType.id)),
    columns=(
        Column("name", "Name", col(Manufacturer.name), sortable=True),
        Column("type", "Type", col(AssetType.name), sortable=True),
        Column("models", "Models", _MODELS, "number"),
    ),
    sort="name",
    search=(col(Manufacturer.name), col(AssetType.name)),
    filters=(Filter("type", "Type", owners=(col(Manufacturer.asset_type_id),)),),
    related=(Related("models", "manufacturer", "Models"),),
)
