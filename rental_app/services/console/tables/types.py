"""The types of vehicles."""

from sqlalchemy import func, select
from sqlmodel import col

from rental_app.models import AssetType, Manufacturer
from rental_app.services.console.table import Column, Related, Table

_MAKERS = (
    select(func.count())
    .select_from(Manufacturer)
    .where(col(Manufacturer.asset_type_id) == AssetType.id)
    .correlate(AssetType)
    .scalar_subquery()
)

TABLE = Table(
    name="types",
    title="Types",
    one="type",
    key=col(AssetType.id),
    source=AssetType.__table__,  # type: ignore[attr-defined]
    columns=(
        Column("name", "Name", col(AssetType.name), sortable=True),
        Column("makers", "Manufacturers", _MAKERS, "number"),
    ),
    sort="name",
    search=(col(AssetType.name),),
    related=(Related("manufacturers", "type", "Manufacturers"),),
)
