"""What operators add to the catalogue or change in it. Nothing is deleted: what is in use is retired."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, TypeVar

import orjson
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, SQLModel, col

from rental_app.domain.acts import Act, changes
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.domain.money import format_rupees
from rental_app.models import AssetModel, AssetType, AuditEntry, Location, Manufacturer, Offer, PricePlan
from rental_app.schemas.catalogue import (
    CatalogueEntry,
    LocationEntry,
    ManufacturerEntry,
    ModelEntry,
    OfferEntry,
    PlanAdvice,
    TypeEntry,
)
from rental_app.schemas.operating import UndoRequest
from rental_app.services import audit
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.operators import enter
from rental_app.services.operating.versions import require_seen

SAVED, UNDONE = "Saved", "The last change is undone"
# What people call an offer's columns.
_CALLED = {
    "starts_on": "from",
    "ends_on": "to",
    "off_paise": "off",
    "cap_paise": "at most",
    "minimum_days": "least days",
    "uses_each": "uses each",
    "is_retired": "retired",
}
_NOT_COLUMNS = {"retired", "expected", "type", "manufacturer", "prices"}
Entry = TypeVar("Entry", bound=SQLModel)
_TABLES: Mapping[str, type[SQLModel]] = {
    "types": AssetType,
    "manufacturers": Manufacturer,
    "models": AssetModel,
    "locations": Location,
    "offers": Offer,
}


def put_type(session: Session, actor: Actor, row_id: int, entry: TypeEntry) -> int:
    """Add a type of vehicle (`row_id` 0), or change one; returns its id. Raises as `_put` does."""
    enter(actor)
    return _put(session, actor, "types", row_id, entry, {})


def put_manufacturer(session: Session, actor: Actor, row_id: int, entry: ManufacturerEntry) -> int:
    """Add a maker, or change one; returns its id. Raises InvalidInputError (unknown type), and as `_put` does."""
    enter(actor)
    _require_there(session, AssetType, entry.type, "type")
    return _put(session, actor, "manufacturers", row_id, entry, {"asset_type_id": entry.type})


def put_model(session: Session, actor: Actor, row_id: int, entry: ModelEntry) -> int:
    """Add a model with its recommended prices, or change one; returns its id.

    Raises InvalidInputError (unknown maker), and as `_put` does.
    """
    enter(actor)
    _require_there(session, Manufacturer, entry.manufacturer, "manufacturer")
    model_id = _put(session, actor, "models", row_id, entry, {"manufacturer_id": entry.manufacturer})
    session.execute(delete(PricePlan).where(col(PricePlan.model_id) == model_id))
    session.add_all(_plan(model_id, plan) for plan in entry.prices)
    session.flush()
    return model_id


def put_location(session: Session, actor: Actor, row_id: int, entry: LocationEntry) -> int:
    """Add a locality, or change one; returns its id. The name of its page is made from its first name, and stays.

    Raises InvalidInputError (a name without Latin letters), ConflictError (`slug_taken`), and as `_put` does.
    """
    enter(actor)
    return _put(session, actor, "locations", row_id, entry, {} if row_id else {"slug": _slug(session, entry.name)})


def put_offer(session: Session, actor: Actor, row_id: int, entry: OfferEntry) -> int:
    """Add an offer, or change one; returns its id. Raises as `_put` does."""
    enter(actor)
    return _put(session, actor, "offers", row_id, entry, {})


def undo_offer(session: Session, actor: Actor, row_id: int, request: UndoRequest) -> str:
    """Take back the last change of an offer, as the audit trail has it; undone once more, it is as it was changed.

    Raises NotFoundError, and ConflictError (`nothing_to_undo`, `name_taken`, `changed_meanwhile`).
    """
    enter(actor)
    row = _held(session, Offer, row_id)
    require_seen(session, "offers", row_id, request.expected)
    before = row.model_dump(mode="json")
    row.sqlmodel_update(Offer.model_validate(before | _last_change(session, row_id)).model_dump())
    _store(session, row, "code")
    was, now = changes(before, row.model_dump(mode="json"))
    audit.record(session, actor, Act.CATALOGUE_CHANGED, ("offers", row_id), before=was, after=now)
    return UNDONE


def what_an_undo_does(session: Session, offer_id: int) -> str:
    """What undoing the last change of an offer brings back, in words. The caller has checked who asks."""
    fields = _last_change(session, offer_id)
    names = [name for name in Offer.model_fields if name in fields]
    return "Back to: " + ", ".join(f"{_CALLED.get(name, name)} {_in_words(name, fields[name])}" for name in names)


def _in_words(name: str, value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format_rupees(int(str(value))) if name.endswith("_paise") else str(value)


def _last_change(session: Session, offer_id: int) -> dict[str, Any]:
    """The fields that the last change of an offer changed, as they were before. Raises ConflictError."""
    own = (col(AuditEntry.subject) == "offers", col(AuditEntry.subject_id) == offer_id)
    entry = select(col(AuditEntry.act), col(AuditEntry.before)).where(*own).order_by(col(AuditEntry.id).desc())
    last = session.execute(entry.limit(1)).first()
    fields: dict[str, Any] = orjson.loads(last.before) if last and last.act == Act.CATALOGUE_CHANGED else {}
    if not fields:
        raise ConflictError("This offer has not been changed: there is nothing to undo", code="nothing_to_undo")
    return fields


def _put(session: Session, actor: Actor, kind: str, row_id: int, entry: CatalogueEntry, more: Mapping[str, Any]) -> int:
    """Store an entry. Raises NotFoundError, and ConflictError (`name_taken`, `changed_meanwhile`)."""
    row = _held(session, _TABLES[kind], row_id)
    if row_id:
        require_seen(session, kind, row_id, entry.expected)
    before = row.model_dump(mode="json")
    row.sqlmodel_update(entry.model_dump(exclude=_NOT_COLUMNS) | {"is_retired": entry.retired, **more})
    session.add(row)
    _store(session, row, "code" if kind == "offers" else "name")
    stored: int = row.id  # type: ignore[attr-defined]  # every table of the catalogue has one
    was, now = changes(before if row_id else {}, row.model_dump(mode="json"))
    act = Act.CATALOGUE_CHANGED if row_id else Act.CATALOGUE_ADDED
    audit.record(session, actor, act, (kind, stored), before=was, after=now)
    return stored


def _store(session: Session, row: SQLModel, field: str) -> None:
    """Store an entry; raises ConflictError (`name_taken`) if another one has what its field says."""
    try:
        with session.begin_nested():
            session.flush()
    except IntegrityError:
        message = f"There is one with this {field} already"
        raise ConflictError(message, code="name_taken", fields={field: message}) from None


def _held(session: Session, table: type[Entry], row_id: int) -> Entry:
    if not row_id:
        return table()
    row = session.get(table, row_id, with_for_update=True, populate_existing=True)
    if row is None:
        raise NotFoundError("There is nothing of this id in the catalogue", code="unknown_entry")
    return row


def _require_there(session: Session, table: type[SQLModel], row_id: int, field: str) -> None:
    if session.get(table, row_id) is None:
        message = f"There is no such {field}"
        raise InvalidInputError(message, fields={field: message})


def _slug(session: Session, name: str) -> str:
    """The last part of the address of a locality's page."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall("[a-z0-9]+", plain))
    if not slug:
        message = "Write the name in Latin letters: the address of its page is made from it"
        raise InvalidInputError(message, fields={"name": message})
    if session.scalars(select(col(Location.id)).where(col(Location.slug) == slug)).first():
        message = f"Another locality's page is called {slug}: choose another name"
        raise ConflictError(message, code="slug_taken", fields={"name": message})
    return slug


def _plan(model_id: int, plan: PlanAdvice) -> PricePlan:
    prices = {"recommended_paise": plan.recommended, "max_paise": plan.most}
    return PricePlan(model_id=model_id, price_name=plan.price_name, **prices)
