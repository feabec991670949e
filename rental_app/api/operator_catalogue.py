"""What operators add to the catalogue, or change in it."""

from rental_app.api.dependencies import CallRouter, CurrentOperator, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.api.operator_acts import RowId
from rental_app.infrastructure.db import write
from rental_app.schemas.catalogue import EntryAnswer
from rental_app.services.operating import acts, catalogue
from rental_app.services.operating.acts import CatalogueAct

router = CallRouter(prefix="/api/operator", tags=["operator"])


def _saved(row_id: int) -> EntryAnswer:
    return EntryAnswer(message=catalogue.SAVED, id=row_id)


def _serve(act: CatalogueAct) -> None:
    """Answer the two calls of an entry of the catalogue."""
    shape = act.shape

    def add(actor: CurrentOperator, body: shape, once: OnlyOnce) -> EntryAnswer:  # type: ignore[valid-type]
        return once(_saved, act.service, actor, 0, body)

    def change(actor: CurrentOperator, id: RowId, body: shape) -> EntryAnswer:  # type: ignore[valid-type]
        return _saved(write(act.service, actor, id, body))

    add.__name__, add.__doc__ = f"add_{act.name}", f"Add {act.about}{act.added}."
    change.__name__ = f"change_{act.name}"
    change.__doc__ = f"Change {act.about}; what is in use is retired, never deleted."
    router.post(act.path, responses=refusals(400, 401, 403, 409, 429))(add)
    router.put(f"{act.path}/{{id}}", responses=refusals(400, 401, 403, 404, 409, 429))(change)


for each in acts.CATALOGUE:
    _serve(each)
