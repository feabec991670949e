"""The makers of vehicles."""

from functools import partial

from sqlalchemy import func, join, select
from sqlmodel import Session, col

from rental_app.models import AssetModel, AssetType, Manufacturer
from rental_app.schemas.operating_catalogue import ManufacturerEntry
from rental_app.services.console.deciding import adding, by, retired_columns, retired_filter, retiring
from rental_app.services.console.table import ActionField, Column, Filter, Related, Table
from rental_app.services.console.tables.types import every_type
from rental_app.services.operating import catalogue

_MODELS = (
    select(func.count())
    .select_from(AssetModel)
    .where(col(AssetModel.manufacturer_id) == Manufacturer.id)
    .correlate(Manufacturer)
    .scalar_subquery()
)


def _types(session: Session) -> list[tuple[str, str]]:
    """The types that a maker may make."""
    offered = select(col(AssetType.id), col(AssetType.name)).where(col(AssetType.is_retired).is_(False))
    return [(str(number), name) for number, name in session.execute(offered.order_by(col(AssetType.name)))]


_PUT = partial(by, catalogue.put_manufacturer, ManufacturerEntry)
_FIELDS = (
    ActionField("name", "What it is called", "text", column="name"),
    ActionField("type", "Type", "choice", column="type_id", choices=_types),
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
        *retired_columns(col(Manufacturer.is_retired)),
        Column("type_id", "Id of its type", col(Manufacturer.asset_type_id), "number", listed=False, told=False),
    ),
    sort="name",
    search=(col(Manufacturer.name), col(AssetType.name)),
    filters=(
        retired_filter(col(Manufacturer.is_retired)),
        Filter("type", "Type", owners=(col(Manufacturer.asset_type_id),), choices=every_type),
    ),
    state="state",
    actions=retiring(_PUT, _FIELDS),
    adding=adding(_PUT, "Add a manufacturer", _FIELDS),
    versioned=True,
    related=(Related("models", "manufacturer", "Models"),),
)
