"""Drafts of Add New Vehicle: saved with the vendor's account, so that another device can continue."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.domain.money import to_rupees
from rental_app.models import AssetModel, ListingDraft, Manufacturer, UnclaimedFile, VehicleDraft
from rental_app.schemas.drafts import LARGEST, DraftSummary, DraftView
from rental_app.schemas.uploads import uploads_of
from rental_app.schemas.vehicles import AT_VENDORS, ELSEWHERE, VendorVehicle
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_manager
from rental_app.services.files import limits, uploads
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import own_vehicles, vehicles

MOST_DRAFTS = 200
TOO_MANY = f"You have {MOST_DRAFTS} drafts, which is the limit: list or delete some first"
DELETED = "Draft deleted"
_LONGEST_NUMBER = 20
# What another vehicle like this one has of its own; its own address is copied apart.
_OWN = {
    *("rc_number", "engine_number", "chassis_number", "odometer_reading"),
    *("last_serviced_date", "insurance_expiry_date", "pollution_expiry_date"),
    *("id", "image", "files", "prices", "asset_model", "asset_type", "asset_manufacturer", "year_of_manufacture"),
    *("is_available", "is_active", "own_address", "own_landmark", "own_zip_code", "own_maps_link", "service_location"),
}
_ADDRESS = {"own_address", "own_landmark", "own_zip_code", "own_maps_link", "service_location"}


def of_vendor(session: Session, actor: Actor) -> list[DraftSummary]:
    """The vendor's drafts, the last saved first. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    columns = [getattr(ListingDraft, name) for name in ("id", "title", "edition", "created_at", "saved_at")]
    own = select(*columns).where(col(ListingDraft.vendor_id) == actor.vendor)
    rows = session.execute(own.order_by(col(ListingDraft.saved_at).desc(), col(ListingDraft.id).desc()))
    return [
        DraftSummary(id=row.id, title=_title(row.title, row.created_at), edition=row.edition, saved_at=row.saved_at)
        for row in rows
    ]


def one(session: Session, actor: Actor, draft_id: int) -> DraftView:
    """One of the vendor's drafts. Raises ForbiddenError, and NotFoundError for anyone else's."""
    throttle.count("look", actor)
    require_manager(actor)
    return _view(_own(session, actor, draft_id))


def begin(session: Session, actor: Actor, form: Mapping[str, str], like: int | None = None) -> DraftView:
    """Save a new draft, and keep the uploads it names; what the form leaves out is as of the vehicle it is `like`.

    Raises ForbiddenError, NotFoundError (no such vehicle), InvalidInputError (too long) and ConflictError (200 drafts).
    """
    throttle.count("change", actor)
    require_manager(actor)
    copied = like_vehicle(own_vehicles.own_vehicle(session, actor, like)) if like else {}
    if _room(session, actor) < 1:
        raise ConflictError(TOO_MANY, code="too_many_drafts")
    return _view(_put(session, actor, _blank(actor), copied | {**form}))


def save(session: Session, actor: Actor, draft_id: int, form: Mapping[str, str], edition: int) -> DraftView:
    """Save what a draft holds from now on, and keep the uploads it names.

    Raises ForbiddenError, NotFoundError, InvalidInputError (too long), and ConflictError if the stored draft is not of
    that `edition`: it was continued elsewhere.
    """
    throttle.count("change", actor)
    require_manager(actor)
    # Locked so that two devices save one after the other, and the second detects the first.
    limits.lock_account(session, actor.vendor)
    row = _own(session, actor, draft_id)
    if row.edition != edition:
        raise ConflictError("Your draft was continued on another device", code="draft_elsewhere")
    return _view(_put(session, actor, row, form))


def remove(session: Session, actor: Actor, draft_id: int) -> str:
    """Delete one of the vendor's drafts; returns a message for them. Raises ForbiddenError and NotFoundError."""
    throttle.count("change", actor)
    require_manager(actor)
    # Locked as in `save`, which would find its row gone, or give files to a draft that ends.
    limits.lock_account(session, actor.vendor)
    _own(session, actor, draft_id)
    drop(session, _is_own(actor, draft_id))
    return DELETED


def submit(session: Session, actor: Actor, data: Mapping[str, Any], sent: CheckedUploads, draft_id: int = 0) -> int:
    """List a vehicle and delete the draft it was typed as, if any; raises as `vehicles.submit` does."""
    vehicle_id = vehicles.submit(session, actor, data, sent)
    drop(session, _is_own(actor, draft_id))
    return vehicle_id


def add_all(session: Session, actor: Actor, forms: Sequence[Mapping[str, str]]) -> list[DraftSummary]:
    """Save new drafts, as many as there is room for, in a transaction that has counted its caller."""
    forms = forms[: max(0, _room(session, actor))]
    rows = [_put(session, actor, _blank(actor), form) for form in forms]
    return [_view(row) for row in rows]


def drop(session: Session, which: ColumnElement[bool]) -> Sequence[str]:
    """Delete drafts; from now on their files wait like any others."""
    ended = select(col(ListingDraft.id)).where(which)
    freed = update(UnclaimedFile).where(col(UnclaimedFile.draft_id).in_(ended)).values(draft_id=None)
    session.execute(freed.execution_options(synchronize_session=False))
    session.execute(delete(ListingDraft).where(which).execution_options(synchronize_session=False))
    return ()


def drop_of_version_before(session: Session, lapsed: ColumnElement[bool]) -> Sequence[str]:
    """The same for drafts of the version before."""
    of_lapsed = col(UnclaimedFile.draft_of).in_(select(col(VehicleDraft.vendor_id)).where(lapsed))
    freed = update(UnclaimedFile).where(of_lapsed).values(draft_of=None)
    session.execute(freed.execution_options(synchronize_session=False))
    session.execute(delete(VehicleDraft).where(lapsed).execution_options(synchronize_session=False))
    return ()


def content(form: Mapping[str, str]) -> dict[str, str]:
    """What was filled in; nothing for a form that nobody has touched."""
    own = {name: text for name, text in form.items() if name != "round" and text not in ("", "[]")}
    return own if own.keys() - {"stands"} else {}


def like_vehicle(vehicle: VendorVehicle) -> dict[str, str]:
    """A form for another vehicle like one that is listed: without what is that one's alone."""
    plain = vehicle.model_dump(mode="json", by_alias=True, exclude=_OWN)
    form = {name: str(value) for name, value in plain.items() if not isinstance(value, bool)}
    if vehicle.drop_off_pick_extra_payment:
        form["drop_off_pick_extra_payment"] = "true"
    form["stands"] = ELSEWHERE if vehicle.own_address else AT_VENDORS
    if vehicle.own_address:
        form |= vehicle.model_dump(mode="json", by_alias=True, include=_ADDRESS)
    for place, price in enumerate(vehicle.prices):
        row = {"price_name": price.price_name, "price": str(to_rupees(price.price_paise))}
        row |= {"kms_limit": str(price.kms_limit), "status": price.status if price.status == "Active" else ""}
        form |= {f"prices.{place}.{name}": text for name, text in row.items()}
    return content(form)


def _room(session: Session, actor: Actor) -> int:
    """How many drafts the vendor may still begin; others of theirs begin after the end of the transaction."""
    limits.lock_account(session, actor.vendor)
    own = select(func.count()).select_from(ListingDraft).where(col(ListingDraft.vendor_id) == actor.vendor)
    begun: int = session.execute(own).scalar_one()
    return MOST_DRAFTS - begun


def _blank(actor: Actor) -> ListingDraft:
    now = clock.now()
    return ListingDraft(vendor_id=actor.vendor, typed={}, edition=0, created_at=now, saved_at=now)


def _put(session: Session, actor: Actor, row: ListingDraft, form: Mapping[str, str]) -> ListingDraft:
    typed = content(form)
    if sum(len(name) + len(text) for name, text in typed.items()) > LARGEST:
        raise InvalidInputError("This form holds too much to be kept as a draft", code="draft_too_long")
    row.typed, row.title = typed, _named(session, typed)
    row.edition, row.saved_at = row.edition + 1, clock.now()
    session.add(row)
    session.flush()
    files = [upload.id for group in uploads_of(typed).values() for upload in group]
    uploads.store_for_draft(session, actor, row.id or 0, files)
    return row


def _named(session: Session, typed: Mapping[str, str]) -> str:
    """Model and RC number, as far as they are known."""
    model, number = typed.get("model", ""), typed.get("rc_number", "")[:_LONGEST_NUMBER]
    names = select(col(Manufacturer.name) + " " + col(AssetModel.name)).select_from(AssetModel).join(Manufacturer)
    is_id = model.isascii() and model.isdigit() and len(model) < 10
    name = session.scalars(names.where(col(AssetModel.id) == int(model))).first() if is_id else None
    return " ".join(filter(None, (name, number)))


def _title(title: str, begun: datetime) -> str:
    day = clock.indian(begun)
    return title or f"Draft of {day.day} {day:%b}"


def _own(session: Session, actor: Actor, draft_id: int) -> ListingDraft:
    if row := session.scalars(select(ListingDraft).where(_is_own(actor, draft_id))).first():
        return row
    raise NotFoundError("There is no such draft", code="unknown_draft")


def _is_own(actor: Actor, draft_id: int) -> ColumnElement[bool]:
    return (col(ListingDraft.id) == draft_id) & (col(ListingDraft.vendor_id) == actor.vendor)


def _view(row: ListingDraft) -> DraftView:
    title = _title(row.title, row.created_at)
    return DraftView(id=row.id or 0, title=title, edition=row.edition, saved_at=row.saved_at, fields=row.typed)
