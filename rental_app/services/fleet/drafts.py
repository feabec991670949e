"""The server draft of Add New Vehicle: saved with the vendor's account, so that another device can continue."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.models import UnclaimedFile, User, VehicleDraft
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_manager
from rental_app.services.files import uploads
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import vehicles

DRAFTS_LIVE = timedelta(days=30)
# Characters, including field names: a full form has about a tenth of this.
LARGEST = 60_000


@dataclass(frozen=True, slots=True)
class VehicleDraftView:
    """What was typed, by field name, as of an instant (UTC)."""

    typed: dict[str, str]
    saved_at: datetime


def of(session: Session, actor: Actor) -> VehicleDraftView | None:
    """The actor's draft. Raises ForbiddenError."""
    throttle.count("look", actor)
    require_manager(actor)
    row = session.get(VehicleDraft, actor.vendor)
    return VehicleDraftView(row.typed, row.saved_at) if row else None


def save(
    session: Session, actor: Actor, form: Mapping[str, str], files: Sequence[int], last_saved: datetime | None
) -> datetime | None:
    """Save what a form holds and keep the uploads it names; returns when, None for a blank form, which is not saved.

    Raises ForbiddenError, InvalidInputError (too long) and ConflictError if the stored draft was not saved at
    `last_saved`: it was continued elsewhere.
    """
    throttle.count("change", actor)
    require_manager(actor)
    # Locked so that two devices save one after the other, and the second detects the first.
    session.get_one(User, actor.vendor, with_for_update=True)
    row = session.get(VehicleDraft, actor.vendor)
    if row and row.saved_at != last_saved:
        raise ConflictError("Your draft was continued on another device", code="draft_elsewhere")
    typed = content(form)
    if not typed:
        _forget(session, actor)
        return None
    if sum(len(name) + len(text) for name, text in typed.items()) > LARGEST:
        raise InvalidInputError("This form holds too much to be kept as a draft", code="draft_too_long")
    saved_at = clock.now()
    session.merge(VehicleDraft(vendor_id=actor.vendor, typed=typed, saved_at=saved_at))
    session.flush()
    uploads.store_for_draft(session, actor, files)
    return saved_at


def forget(session: Session, actor: Actor) -> None:
    """Delete the actor's draft. Raises ForbiddenError."""
    throttle.count("change", actor)
    require_manager(actor)
    _forget(session, actor)


def submit(session: Session, actor: Actor, data: Mapping[str, Any], sent: CheckedUploads) -> int:
    """List a vehicle and delete the draft it was typed as; raises as `vehicles.submit` does."""
    vehicle_id = vehicles.submit(session, actor, data, sent)
    _forget(session, actor)
    return vehicle_id


def drop_lapsed(session: Session, instant: datetime) -> None:
    """Delete drafts that nobody has continued for 30 days."""
    _end(session, col(VehicleDraft.saved_at) <= instant - DRAFTS_LIVE)


def content(form: Mapping[str, str]) -> dict[str, str]:
    """What was filled in; nothing for a form that nobody has touched."""
    own = {name: text for name, text in form.items() if name != "round" and text not in ("", "[]")}
    return own if own.keys() - {"stands"} else {}


def _forget(session: Session, actor: Actor) -> None:
    _end(session, col(VehicleDraft.vendor_id) == actor.vendor)


def _end(session: Session, which: ColumnElement[bool]) -> None:
    """Delete drafts; from now on their files wait like any others."""
    ended = select(col(VehicleDraft.vendor_id)).where(which)
    freed = update(UnclaimedFile).where(col(UnclaimedFile.draft_of).in_(ended)).values(draft_of=None)
    session.execute(freed.execution_options(synchronize_session=False))
    session.execute(delete(VehicleDraft).where(which))
