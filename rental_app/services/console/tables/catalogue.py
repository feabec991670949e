"""The catalogue: the types, makers and models of vehicles, the localities in which they are listed, and offers."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import get_args

from sqlalchemy import ColumnElement, Date, Integer, String, bindparam, case, cast, func, join, select
from sqlmodel import Session, col

from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.pictures import Shape
from rental_app.models import AssetModel, AssetType, Booking, Location, Manufacturer, Offer, PricePlan, Vehicle
from rental_app.schemas.catalogue import ModelEntry
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.console.table import (
    Action,
    ActionField,
    ActionFunction,
    Column,
    Decision,
    Filter,
    Related,
    RowStanding,
    Sql,
    Table,
    by,
    state_filter,
    state_of,
)
from rental_app.services.operating import acts, catalogue


class EntryStanding(RowStanding):
    """How an entry of the catalogue stands."""

    OFFERED = "offered", "Offered", "good"
    RETIRED = "retired", "Retired", "plain"


_OFFERED, _RETIRED = frozenset({EntryStanding.OFFERED}), frozenset({EntryStanding.RETIRED})


def _buttons(
    make: Callable[..., ActionFunction],
    asks: tuple[ActionField, ...],
    offered: frozenset[RowStanding] = _OFFERED,
    retired: frozenset[RowStanding] = _RETIRED,
) -> tuple[Action, ...]:
    """The actions of an entry: change it, retire it, or offer it again; `make` is `by` of one kind."""
    carried = ActionField("retired", "Retired", column="retired")
    return (
        Action("change", "Change", make("Changed"), offered | retired, asks, (carried,)),
        Action("retire", "Retire", make("Retired", retired="true"), offered, (), asks, True),
        Action("offer", "Offer again", make("Offered", retired="false"), retired, (), asks),
    )


def _adding(make: Callable[..., ActionFunction], label: str, asks: tuple[ActionField, ...]) -> Action:
    """The action that makes a new entry."""
    return Action("add", label, make("Added"), asks=tuple(replace(each, column="") for each in asks))


def _retired_columns(is_retired: Sql) -> tuple[Column, ...]:
    """Whether an entry is offered, as a state and as its form holds it."""
    state = state_of(((is_retired, EntryStanding.RETIRED),), EntryStanding.OFFERED)
    return (
        Column("state", "State", state, "state", states=EntryStanding),
        Column("retired", "Retired", case((is_retired, "true"), else_="false"), listed=False, detailed=False),
    )


def _retired_filter(is_retired: Sql) -> Filter:
    return state_filter({EntryStanding.OFFERED: is_retired.is_(False), EntryStanding.RETIRED: is_retired.is_(True)})


_MAKERS = (
    select(func.count())
    .select_from(Manufacturer)
    .where(col(Manufacturer.asset_type_id) == AssetType.id)
    .correlate(AssetType)
    .scalar_subquery()
)
_TYPE_FIELDS = (ActionField("name", "What it is called", "text", column="name"),)


def every_type(session: Session) -> list[tuple[str, str]]:
    """All types in the order of the catalogue, retired ones too, of which there may be vehicles: ids and names."""
    rows = session.execute(select(col(AssetType.id), col(AssetType.name)).order_by(col(AssetType.id)))
    return [(str(number), name) for number, name in rows]


TYPES = Table(
    name="types",
    title="Types",
    one="type",
    key=col(AssetType.id),
    source=AssetType.__table__,  # type: ignore[attr-defined]
    columns=(
        Column("name", "Name", col(AssetType.name), sortable=True),
        Column("makers", "Manufacturers", _MAKERS, "number"),
        *_retired_columns(col(AssetType.is_retired)),
    ),
    sort="name",
    search=(col(AssetType.name),),
    filters=(_retired_filter(col(AssetType.is_retired)),),
    state="state",
    actions=_buttons(partial(by, acts.TYPES), _TYPE_FIELDS),
    adding=_adding(partial(by, acts.TYPES), "Add a type", _TYPE_FIELDS),
    versioned=True,
    related=(Related("manufacturers", "type", "Manufacturers"),),
)


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


_MAKER_FIELDS = (
    ActionField("name", "What it is called", "text", column="name"),
    ActionField("type", "Type", "choice", column="type_id", choices=_types),
)

MANUFACTURERS = Table(
    name="manufacturers",
    title="Manufacturers",
    one="manufacturer",
    key=col(Manufacturer.id),
    source=join(Manufacturer, AssetType, col(Manufacturer.asset_type_id) == col(AssetType.id)),
    columns=(
        Column("name", "Name", col(Manufacturer.name), sortable=True),
        Column("type", "Type", col(AssetType.name), sortable=True),
        Column("models", "Models", _MODELS, "number"),
        *_retired_columns(col(Manufacturer.is_retired)),
        Column("type_id", "Id of its type", col(Manufacturer.asset_type_id), "number", listed=False, detailed=False),
    ),
    sort="name",
    search=(col(Manufacturer.name), col(AssetType.name)),
    filters=(
        _retired_filter(col(Manufacturer.is_retired)),
        Filter("type", "Type", owners=(col(Manufacturer.asset_type_id),), choices=every_type),
    ),
    state="state",
    actions=_buttons(partial(by, acts.MANUFACTURERS), _MAKER_FIELDS),
    adding=_adding(partial(by, acts.MANUFACTURERS), "Add a manufacturer", _MAKER_FIELDS),
    versioned=True,
    related=(Related("models", "manufacturer", "Models"),),
)


# Counted for all models at once: no index finds the vehicles of one.
_COUNTS = select(col(Vehicle.model_id), func.count().label("many")).group_by(col(Vehicle.model_id)).subquery()
_OF_MODEL = func.coalesce(
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


def _put_model(done: str, **fixed: str) -> ActionFunction:
    """The act that adds or changes a model, whose recommended prices are a line for each plan."""

    def put(session: Session, actor: Actor, chosen: Decision) -> str:
        answers = {name: answer for name, answer in chosen.answers.items() if answer.strip()}
        filled = [field for field in PLANS if field in answers]
        plans = [_plan(PLANS[field], answers.pop(field)) for field in filled]
        try:
            entry = validated(ModelEntry, {**answers, **fixed, "prices": plans, "expected": chosen.seen})
        except InvalidInputError as error:
            raise _at_its_field(error, filled) from None
        catalogue.put_model(session, actor, chosen.row, entry)
        return done

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
_MODEL_FIELDS = (
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

MODELS = Table(
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
        Column("vehicles", "Vehicles", _OF_MODEL, "number"),
        Column("engine", "Engine", col(AssetModel.engine_type), listed=False),
        Column("gear", "Transmission", col(AssetModel.transmission_type), listed=False),
        Column("seats", "Seats", col(AssetModel.seating_capacity), "number", listed=False),
        Column("cc", "Cubic capacity", col(AssetModel.vehicle_cc), "number", listed=False),
        Column("speed", "Top speed (km/h)", col(AssetModel.top_speed), "number", listed=False),
        Column("tank", "Tank (l) or battery (kWh)", col(AssetModel.fuel_tank_capacity), "number", listed=False),
        Column("mileage", "Mileage", col(AssetModel.mileage), "number", listed=False),
        *(Column(field, f"{name} (recommended, most)", _prices(name), listed=False) for field, name in PLANS.items()),
        *_retired_columns(col(AssetModel.is_retired)),
        Column(
            "maker_id",
            "Id of its manufacturer",
            col(AssetModel.manufacturer_id),
            "number",
            listed=False,
            detailed=False,
        ),
    ),
    sort="name",
    search=(col(AssetModel.name), col(Manufacturer.name)),
    state="state",
    actions=_buttons(_put_model, _MODEL_FIELDS),
    adding=_adding(_put_model, "Add a model", _MODEL_FIELDS),
    versioned=True,
    filters=(
        _retired_filter(col(AssetModel.is_retired)),
        Filter("kind", "Type", owners=(col(Manufacturer.asset_type_id),), choices=every_type),
        Filter("manufacturer", "Manufacturer", owners=(col(AssetModel.manufacturer_id),)),
    ),
)


_LOCATED = (
    select(func.count())
    .select_from(Vehicle)
    .where(col(Vehicle.location_id) == Location.id)
    .correlate(Location)
    .scalar_subquery()
)
_LOCATION_FIELDS = (
    ActionField("name", "What it is called", "text", column="name"),
    ActionField("latitude", "Latitude in degrees", "text", column="latitude"),
    ActionField("longitude", "Longitude in degrees", "text", column="longitude"),
)

LOCATIONS = Table(
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
        Column("vehicles", "Vehicles", _LOCATED, "number"),
        *_retired_columns(col(Location.is_retired)),
    ),
    sort="name",
    search=(col(Location.name), col(Location.slug)),
    filters=(_retired_filter(col(Location.is_retired)),),
    state="state",
    actions=_buttons(partial(by, acts.LOCATIONS), _LOCATION_FIELDS),
    adding=_adding(partial(by, acts.LOCATIONS), "Add a locality", _LOCATION_FIELDS),
    versioned=True,
)


class OfferStanding(RowStanding):
    """How an offer stands."""

    AHEAD = "ahead", "Begins later", "waits"
    IN_FORCE = "in_force", "In force", "good"
    OVER = "over", "Over", "plain"
    RETIRED = "retired", "Retired", "plain"


_TODAY = bindparam("today", type_=Date())
_OFFER_STATE = state_of(
    (
        (col(Offer.is_retired), OfferStanding.RETIRED),
        (col(Offer.ends_on) < _TODAY, OfferStanding.OVER),
        (col(Offer.starts_on) > _TODAY, OfferStanding.AHEAD),
    ),
    OfferStanding.IN_FORCE,
)
_USED = (
    select(func.count()).select_from(Booking).where(col(Booking.offer) == Offer.code).correlate(Offer).scalar_subquery()
)
_OFFER_FIELDS = (
    ActionField("code", "Code that customers type", "text", column="code"),
    ActionField("title", "Title", "text", column="title"),
    ActionField("terms", "Its terms, in a sentence", "text", column="terms"),
    ActionField("startsOn", "First day", "day", column="starts"),
    ActionField("endsOn", "Last day", "day", column="ends"),
    ActionField("minimumDays", "Least days of a rental", "text", column="days"),
    ActionField("percent", "Percent off, 0 for rupees", "text", column="percent"),
    ActionField("cap", "At most, in rupees", "rupees", required=False, column="cap"),
    ActionField("off", "Rupees off, 0 for percent", "rupees", column="off"),
    ActionField("uses", "Uses allowed", "text", required=False, column="uses"),
    ActionField("usesEach", "Uses by each customer", "text", required=False, column="each"),
)


def _undone(session: Session, offer_id: int) -> str:
    """What an undo would bring back, or that there is nothing to undo."""
    try:
        return catalogue.what_an_undo_does(session, offer_id)
    except ConflictError as error:
        return error.message


OFFERS = Table(
    name="offers",
    title="Offers",
    one="offer",
    key=col(Offer.id),
    source=Offer.__table__,  # type: ignore[attr-defined]
    columns=(
        Column("code", "Code", col(Offer.code), sortable=True),
        Column("title", "Title", col(Offer.title)),
        Column("starts", "From", col(Offer.starts_on), "day", sortable=True),
        Column("ends", "To", col(Offer.ends_on), "day", sortable=True),
        Column("percent", "Percent", col(Offer.percent), "number"),
        Column("off", "Rupees off", col(Offer.off_paise), "money"),
        Column("used", "Used", _USED, "number"),
        Column("state", "State", _OFFER_STATE, "state", states=OfferStanding),
        Column("terms", "Terms", col(Offer.terms), listed=False),
        Column("days", "Least days", col(Offer.minimum_days), "number", listed=False),
        Column("cap", "At most", col(Offer.cap_paise), "money", listed=False),
        Column("uses", "Uses allowed", col(Offer.uses), "number", listed=False),
        Column("each", "Uses each", col(Offer.uses_each), "number", listed=False),
        Column(
            "retired", "Retired", case((col(Offer.is_retired), "true"), else_="false"), listed=False, detailed=False
        ),
    ),
    sort="-ends",
    search=(col(Offer.code), col(Offer.title)),
    filters=(state_filter({each: each.value == _OFFER_STATE for each in OfferStanding}),),
    state="state",
    subject="offers",
    actions=(
        *_buttons(
            partial(by, acts.OFFERS),
            _OFFER_FIELDS,
            frozenset({OfferStanding.AHEAD, OfferStanding.IN_FORCE, OfferStanding.OVER}),
            frozenset({OfferStanding.RETIRED}),
        ),
        Action("undo", "Undo the last change", by(acts.UNDO_OFFER), frozenset(OfferStanding), means=_undone),
    ),
    adding=_adding(partial(by, acts.OFFERS), "Add an offer", _OFFER_FIELDS),
    versioned=True,
)
