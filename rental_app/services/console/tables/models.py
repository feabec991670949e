"""The models of vehicles, with the facts that their pages show."""

from typing import get_args

from sqlalchemy import ColumnElement, Integer, String, cast, func, join, select
from sqlmodel import Session, col

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.pictures import Shape
from rental_app.models import AssetModel, AssetType, Manufacturer, PricePlan, Vehicle
from rental_app.schemas.operating_catalogue import ModelEntry
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.console.deciding import adding, retired_columns, retired_filter, retiring
from rental_app.services.console.table import ActionField, Column, Decision, Done, Filter, Table
from rental_app.services.console.tables.types import every_type
from rental_app.services.operating import catalogue

# Counted for all models at once: no index finds the vehicles of one.
_COUNTS = select(col(Vehicle.model_id), func.count().label("many")).group_by(col(Vehicle.model_id)).subquery()
_VEHICLES = func.coalesce(
    select(_COUNTS.c.many).where(_COUNTS.c.model_id == AssetModel.id).correlate(AssetModel).scalar_subquery(), 0
)


def _prices(plan: str) -> ColumnElement[str]:
    """SQL: what is recommended for a plan and the most that is usual, in rupees: '500, 700'."""
    recommended = cast(cast(col(PricePlan.recommended_paise) / PAISE_PER_RUPEE, Integer), String)
    most = cast(cast(col(PricePlan.max_paise) / PAISE_PER_RUPEE, Integer), String)
    of_plan = select(recommended + ", " + most).where(
        col(PricePlan.model_id) == AssetModel.id, col(PricePlan.price_name) == plan
    )
    return func.coalesce(of_plan.correlate(AssetModel).scalar_subquery(), "")


def _put(told: str, **fixed: str) -> Done:
    """The act that adds or changes a model, whose recommended prices are a line for each plan."""

    def put(session: Session, actor: Actor, chosen: Decision) -> str:
        given = {name: answer for name, answer in chosen.answers.items() if answer.strip()}
        filled = [field for field in PLANS if field in given]
        plans = [_plan(PLANS[field], given.pop(field)) for field in filled]
        try:
            entry = validated(ModelEntry, {**given, **fixed, "prices": plans, "expected": chosen.seen})
        except InvalidInputError as error:
            raise _at_its_field(error, filled) from None
        catalogue.put_model(session, actor, chosen.row, entry)
        return told

    return put


def _plan(name: str, line: str) -> dict[str, str]:
    recommended, _, most = (part.strip() for part in line.partition(","))
    return {"price_name": name, "recommended": recommended, "most": most or recommended}


def _at_its_field(error: InvalidInputError, filled: list[str]) -> InvalidInputError:
    """A refusal that names the fields of the form: 'week' for the second price if a day's and a week's are filled."""

    def field_of(name: str) -> str:
        first, *rest = name.split(".")
        if first != "prices":
            return name
        return filled[int(rest[0])] if rest else "full_day"

    return InvalidInputError(error.message, fields={field_of(name): text for name, text in error.fields.items()})


def _makers(session: Session) -> list[tuple[str, str]]:
    """The makers that a model may be of, with their types, because some make several."""
    called = select(col(Manufacturer.id), col(Manufacturer.name) + ", " + col(AssetType.name)).join(
        AssetType, col(Manufacturer.asset_type_id) == AssetType.id
    )
    offered = called.where(col(Manufacturer.is_retired).is_(False), col(AssetType.is_retired).is_(False))
    rows = session.execute(offered.order_by(col(Manufacturer.name), col(AssetType.name)))
    return [(str(number), name) for number, name in rows]


def _shapes(_session: Session) -> list[tuple[str, str]]:
    """The drawings that there are."""
    return [(shape, _INITIALS.get(shape) or shape.replace("-", " ").capitalize()) for shape in get_args(Shape)]


_INITIALS = {"suv": "SUV", "mpv": "MPV"}
PLANS = {"half_day": "Half Day", "full_day": "Full Day", "week": "Week", "month": "Month"}
_FIELDS = (
    ActionField("manufacturer", "Manufacturer", "choice", column="maker_id", choices=_makers),
    ActionField("name", "What it is called", "text", column="name"),
    ActionField("bodyType", "Body, such as Hatchback", "text", column="body"),
    ActionField("engineType", "Engine, such as Petrol", "text", column="engine"),
    ActionField("transmissionType", "Transmission", "text", column="gear"),
    ActionField("seats", "Seats", "text", column="seats"),
    ActionField("vehicleCc", "Cubic capacity", "text", required=False, column="cc"),
    ActionField("topSpeed", "Top speed in km/h", "text", column="speed"),
    ActionField("fuelTankCapacity", "Litres of fuel, or kWh", "text", column="tank"),
    ActionField("mileage", "Kilometres per litre, or per charge", "text", column="mileage"),
    ActionField("shape", "Drawing", "choice", column="shape", choices=_shapes),
    *(
        ActionField(field, f"{name} in rupees: recommended, most", "text", name == "Full Day", field)
        for field, name in PLANS.items()
    ),
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
        Column("shape", "Drawing", col(AssetModel.shape), "code"),
        Column("vehicles", "Vehicles", _VEHICLES, "number"),
        Column("engine", "Engine", col(AssetModel.engine_type), listed=False),
        Column("gear", "Transmission", col(AssetModel.transmission_type), listed=False),
        Column("seats", "Seats", col(AssetModel.seating_capacity), "number", listed=False),
        Column("cc", "Cubic capacity", col(AssetModel.vehicle_cc), "number", listed=False),
        Column("speed", "Top speed (km/h)", col(AssetModel.top_speed), "number", listed=False),
        Column("tank", "Tank (l) or battery (kWh)", col(AssetModel.fuel_tank_capacity), "number", listed=False),
        Column("mileage", "Mileage", col(AssetModel.mileage), "number", listed=False),
        *(Column(field, f"{name} (recommended, most)", _prices(name), listed=False) for field, name in PLANS.items()),
        *retired_columns(col(AssetModel.is_retired)),
        Column(
            "maker_id",
            "Id of its manufacturer",
            col(AssetModel.manufacturer_id),
            "number",
            listed=False,
            told=False,
        ),
    ),
    sort="name",
    search=(col(AssetModel.name), col(Manufacturer.name)),
    state="state",
    actions=retiring(_put, _FIELDS),
    adding=adding(_put, "Add a model", _FIELDS),
    versioned=True,
    filters=(
        retired_filter(col(AssetModel.is_retired)),
        Filter("kind", "Type", owners=(col(Manufacturer.asset_type_id),), choices=every_type),
        Filter("manufacturer", "Manufacturer", owners=(col(AssetModel.manufacturer_id),)),
    ),
)
