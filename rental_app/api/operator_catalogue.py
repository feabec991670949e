"""What operators add to the catalogue, or change in it."""

from rental_app.api.dependencies import CurrentOperator, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.api.operator_acts import RowId
from rental_app.api.routing import CallRouter
from rental_app.infrastructure.db import write
from rental_app.schemas.operating_catalogue import (
    EntryAnswer,
    LocationEntry,
    ManufacturerEntry,
    ModelEntry,
    OfferEntry,
    TypeEntry,
)
from rental_app.services.operating import catalogue

router = CallRouter(prefix="/api/operator", tags=["operator"])
_REFUSALS, _ADDS = refusals(400, 401, 403, 404, 409, 429), refusals(400, 401, 403, 409, 429)


def _saved(row_id: int) -> EntryAnswer:
    return EntryAnswer(message=catalogue.SAVED, id=row_id)


@router.post("/types", responses=_ADDS)
def add_type(actor: CurrentOperator, body: TypeEntry, once: OnlyOnce) -> EntryAnswer:
    """Add a type of vehicle."""
    return once(_saved, catalogue.put_type, actor, 0, body)


@router.put("/types/{id}", responses=_REFUSALS)
def change_type(actor: CurrentOperator, id: RowId, body: TypeEntry) -> EntryAnswer:
    """Change a type of vehicle; what is in use is retired, never deleted."""
    return _saved(write(catalogue.put_type, actor, id, body))


@router.post("/manufacturers", responses=_ADDS)
def add_manufacturer(actor: CurrentOperator, body: ManufacturerEntry, once: OnlyOnce) -> EntryAnswer:
    """Add a maker of vehicles of one type."""
    return once(_saved, catalogue.put_manufacturer, actor, 0, body)


@router.put("/manufacturers/{id}", responses=_REFUSALS)
def change_manufacturer(actor: CurrentOperator, id: RowId, body: ManufacturerEntry) -> EntryAnswer:
    """Change a maker of vehicles of one type; what is in use is retired, never deleted."""
    return _saved(write(catalogue.put_manufacturer, actor, id, body))


@router.post("/models", responses=_ADDS)
def add_model(actor: CurrentOperator, body: ModelEntry, once: OnlyOnce) -> EntryAnswer:
    """Add a model with its facts and recommended prices."""
    return once(_saved, catalogue.put_model, actor, 0, body)


@router.put("/models/{id}", responses=_REFUSALS)
def change_model(actor: CurrentOperator, id: RowId, body: ModelEntry) -> EntryAnswer:
    """Change a model with its facts and recommended prices; what is in use is retired, never deleted."""
    return _saved(write(catalogue.put_model, actor, id, body))


@router.post("/locations", responses=_ADDS)
def add_location(actor: CurrentOperator, body: LocationEntry, once: OnlyOnce) -> EntryAnswer:
    """Add a locality; the address of its page is made from its first name, and stays."""
    return once(_saved, catalogue.put_location, actor, 0, body)


@router.put("/locations/{id}", responses=_REFUSALS)
def change_location(actor: CurrentOperator, id: RowId, body: LocationEntry) -> EntryAnswer:
    """Change a locality; what is in use is retired, never deleted."""
    return _saved(write(catalogue.put_location, actor, id, body))


@router.post("/offers", responses=_ADDS)
def add_offer(actor: CurrentOperator, body: OfferEntry, once: OnlyOnce) -> EntryAnswer:
    """Add an offer."""
    return once(_saved, catalogue.put_offer, actor, 0, body)


@router.put("/offers/{id}", responses=_REFUSALS)
def change_offer(actor: CurrentOperator, id: RowId, body: OfferEntry) -> EntryAnswer:
    """Change an offer; what is in use is retired, never deleted."""
    return _saved(write(catalogue.put_offer, actor, id, body))
