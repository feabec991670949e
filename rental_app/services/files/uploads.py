"""Files uploaded ahead of the form they belong to: accessible only to their vendor until a form claims them.

They are kept for a day, or as long as a draft that names them (services/fleet/drafts.py). Photos of trips are open to
the vendor's members too: one may take the photos, another may do the handover. Those of vehicles are open to managers.
Photos for an objection are anyone's own, also those of somebody who works for a vendor; so are the files of a
customer's own documents.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlmodel import Session, col

from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.domain.uploads import (
    AVATAR,
    IDENTITY,
    MAX_OBJECTION_PHOTOS,
    MAX_UNCLAIMED,
    MAX_UNCLAIMED_OWN,
    OBJECTION,
    OWN_GROUPS,
    TRIP_UPLOADS,
)
from rental_app.models import UnclaimedFile
from rental_app.schemas.uploads import UploadView
from rental_app.schemas.validation import refusal
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, require_customer, require_manager, require_staff, require_vendor
from rental_app.services.files import limits
from rental_app.services.files.storage import CheckedFile, objects_of

GONE = "A file is no longer here: choose it again"


def store(session: Session, actor: Actor, file: CheckedFile) -> UploadView:
    """Keep a file until a form claims it.

    Raises ForbiddenError, and ConflictError if too many are waiting already or the account has no room.
    """
    throttle.count("change", actor)
    _require_group(actor, file.group)
    owner = actor.id if file.group in OWN_GROUPS else actor.vendor
    # One at a time per account, so that none slips past the limit.
    limits.lock_account(session, owner)
    _require_few(session, owner, file.group)
    row = UnclaimedFile(
        vendor_id=owner,
        group_name=file.group,
        key=file.key,
        content_type=file.content_type,
        size=file.size,
        stored_bytes=file.stored_bytes,
    )
    with limits.room(session, owner, [file]):
        session.add(row)
        session.flush()
    return _view(row)


def _require_few(session: Session, owner: int, group: str) -> None:
    """Raise ConflictError (`too_many_unclaimed`) if an account has as many files waiting as it may."""
    # Those of drafts are as many as the vendor's two hundred drafts need.
    own = [col(UnclaimedFile.vendor_id) == owner, col(UnclaimedFile.draft_id).is_(None)]
    most = MAX_UNCLAIMED
    if group in OWN_GROUPS:
        own, most = [*own, col(UnclaimedFile.group_name) == group], MAX_UNCLAIMED_OWN[group]
    if session.execute(select(func.count()).select_from(UnclaimedFile).where(*own)).scalar_one() >= most:
        message = f"{most} of your files are waiting for a form: submit it, or remove some"
        raise ConflictError(message, code="too_many_unclaimed", fields={group: message})


def of_ids(session: Session, actor: Actor, ids: Sequence[int]) -> list[UploadView]:
    """The uploads with some ids that are the actor's and still unclaimed, in the order they were uploaded."""
    throttle.count("list", actor)
    rows = session.scalars(select(UnclaimedFile).where(_own(actor, ids)).order_by(col(UnclaimedFile.id)))
    return [_view(row) for row in rows]


def waiting_for_objection(session: Session, actor: Actor) -> list[UploadView]:
    """The photos that the actor has uploaded for an objection and not sent with one, the oldest first."""
    throttle.count("list", actor)
    return _waiting(session, actor, OBJECTION, MAX_OBJECTION_PHOTOS)


def waiting_documents(session: Session, actor: Actor) -> list[UploadView]:
    """The files that the actor has uploaded for their documents and not sent with one, the oldest first."""
    throttle.count("list", actor)
    return _waiting(session, actor, IDENTITY, MAX_UNCLAIMED_OWN[IDENTITY])


def _waiting(session: Session, actor: Actor, group: str, most: int) -> list[UploadView]:
    conditions = (col(UnclaimedFile.vendor_id) == actor.id, col(UnclaimedFile.group_name) == group)
    rows = session.scalars(select(UnclaimedFile).where(*conditions).order_by(col(UnclaimedFile.id)).limit(most))
    return [_view(row) for row in rows]


def own_upload(session: Session, actor: Actor, upload_id: int) -> UnclaimedFile:
    """One of the actor's uploads; raises NotFoundError for anyone else's and for claimed ones."""
    throttle.count("list", actor)
    if file := session.scalars(select(UnclaimedFile).where(_own(actor, [upload_id]))).first():
        return file
    raise _unknown()


def drop(session: Session, actor: Actor, upload_id: int) -> list[str]:
    """Delete one of the actor's uploads; returns store keys no longer used. Raises as `private_file` does."""
    throttle.count("change", actor)
    taken = _claim(session, _own(actor, [upload_id]))
    if not taken:
        raise _unknown()
    return objects_of(taken[0].key)


def claim(session: Session, actor: Actor, chosen: Mapping[str, Sequence[int]], field: str = "") -> list[CheckedFile]:
    """Claim uploads, by group, for what the transaction makes of them; each can be claimed only once.

    Raises InvalidInputError naming every group, or else the `field`, with an upload that is gone, of another group or
    not the actor's.
    """
    taken = _claim(session, _own(actor, [upload for uploads in chosen.values() for upload in uploads]))
    groups = {row.id: row.group_name for row in taken}
    gone = [group for group, uploads in chosen.items() if any(groups.get(upload) != group for upload in uploads)]
    if gone:
        raise refusal(dict.fromkeys([field] if field else gone, GONE), code="upload_gone")
    return [
        CheckedFile(row.group_name, row.key, row.content_type, row.size, {}, row.stored_bytes or row.size)
        for row in taken
    ]


def set_avatar(session: Session, actor: Actor, picture: CheckedFile) -> list[str]:
    """Make a picture that was sent the actor's; returns store keys no longer used.

    Raises ForbiddenError, and ConflictError if the account has no room.
    """
    throttle.count("change", actor)
    require_vendor(actor)
    with limits.room(session, actor.id, [picture]):
        return _replace_avatar(session, actor, picture)


def claim_avatar(session: Session, actor: Actor, upload_id: int) -> list[str]:
    """Make an upload the actor's picture; returns store keys no longer used. Raises as `claim` does."""
    throttle.count("change", actor)
    require_vendor(actor)
    (picture,) = claim(session, actor, {AVATAR: [upload_id]})
    return _replace_avatar(session, actor, picture)


def _replace_avatar(session: Session, actor: Actor, picture: CheckedFile) -> list[str]:
    audit.record(session, actor, Act.PROFILE_CHANGED, ("user", actor.id), about=AVATAR)
    return objects_of(limits.replace_avatar(session, actor.id, picture))


def store_for_draft(session: Session, actor: Actor, draft_id: int, ids: Sequence[int]) -> None:
    """Keep some of the vendor's uploads as long as their draft."""
    marked = update(UnclaimedFile).where(_own(actor, ids)).values(draft_id=draft_id)
    session.execute(marked.execution_options(synchronize_session=False))


def drop_lapsed(session: Session, which: ColumnElement[bool]) -> list[str]:
    """Delete uploads; returns store keys no longer used."""
    return [key for row in _claim(session, which) for key in objects_of(row.key)]


def _require_group(actor: Actor, group: str) -> None:
    """Raise ForbiddenError unless the actor may upload such files: anybody photos of an objection, customers those of
    their documents, members those of trips, managers whatever a vehicle has.
    """
    if group == OBJECTION:
        return
    if group == IDENTITY:
        require_customer(actor)
        return
    if group in TRIP_UPLOADS:
        require_staff(actor)
    elif group == AVATAR:
        require_vendor(actor)
    else:
        require_manager(actor)


def _own(actor: Actor, ids: Sequence[int]) -> ColumnElement[bool]:
    for_themselves = (col(UnclaimedFile.vendor_id) == actor.id) & col(UnclaimedFile.group_name).in_(OWN_GROUPS)
    vendors = col(UnclaimedFile.vendor_id) == actor.vendor
    if not actor.is_manager:
        vendors &= col(UnclaimedFile.group_name).in_(TRIP_UPLOADS)
    elif not actor.is_vendor:
        vendors &= col(UnclaimedFile.group_name) != AVATAR
    return col(UnclaimedFile.id).in_(ids) & (for_themselves | vendors)


class _ClaimedUploads(NamedTuple):
    """What a deleted row said of an upload."""

    id: int
    group_name: str
    key: str
    content_type: str
    size: int
    stored_bytes: int | None


def _claim(session: Session, which: ColumnElement[bool]) -> list[_ClaimedUploads]:
    """Delete rows and return their values, in order: of two calls that take the same, one finds nothing."""
    columns = (getattr(UnclaimedFile, name) for name in _ClaimedUploads._fields)
    taken = delete(UnclaimedFile).where(which).returning(*columns).execution_options(synchronize_session=False)
    return sorted(map(_ClaimedUploads._make, session.execute(taken)), key=lambda file: file.id)


def _view(row: UnclaimedFile) -> UploadView:
    return UploadView(id=row.id or 0, group=row.group_name, size=row.size, content_type=row.content_type)


def _unknown() -> NotFoundError:
    return NotFoundError("There is no such upload", code="unknown_upload")
