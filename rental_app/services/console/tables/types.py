"""The types of vehicles."""

from functools import partial

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.models import AssetType, Manufacturer
from rental_app.schemas.operating_catalogue import TypeEntry
from rental_app.services.console.deciding import adding, by, retired_columns, retired_filter, retiring
from rental_app.services.console.table import ActionField, Column, Related, Table
from rental_app.services.operating import catalogue

_MAKERS = (
    select(func.count())
    .select_from(Manufacturer)
    .where(col(Manufacturer.asset_type_id) == AssetType.id)
    .correlate(AssetType)
    .scalar_subquery()
)
_PUT = partial(by, catalogue.put_type, TypeEntry)
_FIELDS = (ActionField("name", "What it is called", "text", column="name"),)


def every_type(session: Session) -> list[tuple[str, str]]:
    """All types in the order of the catalogue, retired ones too, of which there may be vehicles: ids and names."""
    rows = session.execute(select(col(AssetType.id), col(AssetType.name)).order_by(col(AssetType.id)))
    return [(str(number), name) for number, name in rows]


TABLE = Table(
    name="types",
    title="Types",
    one="type",
    key=col(AssetType.id),
    source=AssetType.__table__,  # type: ignore[attr-defined]
    columns=(
        Column("name", "Name", col(AssetType.name), sortable=True),
        Column("makers", "Manufacturers", _MAKERS, "number"),
        *retired_columns(col(AssetType.is_retired)),
    ),
    sort="name",
    search=(col(AssetType.name),),
    filters=(retired_filter(col(AssetType.is_retired)),),
    state="state",
    actions=retiring(_PUT, _FIELDS),
    adding=adding(_PUT, "Add a type", _FIELDS),
    versioned=True,
    related=(Related("manufacturers", "type", "Manufacturers"),),
)
