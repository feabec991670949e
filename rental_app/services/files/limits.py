"""What an account may keep here, in files and in vehicles, until the operator has approved it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import func, select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.domain.uploads import MEGABYTE
from rental_app.infrastructure.settings import settings
from rental_app.models import IdentityPaper, IdentityPaperFile, UnclaimedFile, User, Vehicle, VehicleFile
from rental_app.services import audit, policies
from rental_app.services.accounts.actor import Actor, require_operator
from rental_app.services.files.storage import CheckedFile


def lock_account(session: Session, vendor_id: int) -> None:
    """Make what an account keeps at the same time wait until the end of the transaction.

    Where a vehicle is locked as well, it is locked before. Logins, whose rows refer to the account, do not wait.
    """
    session.execute(select(col(User.id)).where(col(User.id) == vendor_id).with_for_update(key_share=True))


@contextmanager
def room(session: Session, vendor_id: int, files: Sequence[CheckedFile]) -> Iterator[None]:
    """Check that what is done inside, which keeps some files, leaves the account within its limit.

    Files that were uploaded ahead have been counted before. An account that is past its limit may still replace files
    by smaller ones. Raises ConflictError (`storage_full`).
    """
    lock_account(session, vendor_id)
    if not any(file.objects for file in files) or _is_approved(session, vendor_id):
        yield
        return
    before = bytes_of(session, vendor_id)
    yield
    session.flush()
    most = policies.current(session).max_stored_mb
    if bytes_of(session, vendor_id) > max(before, most * MEGABYTE):
        message = f"Your files would take up more than {most} MB: remove some that you no longer need"
        raise ConflictError(f"{message}, or {_ask()}", code="storage_full")


def require_place(session: Session, vendor_id: int) -> None:
    """Raise ConflictError (`too_many_vehicles`) if an account may list no further vehicle."""
    lock_account(session, vendor_id)
    own = select(func.count()).select_from(Vehicle)
    own = own.where(col(Vehicle.vendor_id) == vendor_id, col(Vehicle.retired_at).is_(None))
    most = policies.current(session).max_vehicles
    if session.execute(own).scalar_one() >= most and not _is_approved(session, vendor_id):
        raise ConflictError(f"You have listed {most} vehicles: for more, {_ask()}", code="too_many_vehicles")


def bytes_of(session: Session, vendor_id: int) -> int:
    """What all files of an account take up, in bytes."""
    waiting = select(func.coalesce(func.sum(_stored(UnclaimedFile)), 0)).where(
        col(UnclaimedFile.vendor_id) == vendor_id
    )
    listed = (
        select(func.coalesce(func.sum(_stored(VehicleFile)), 0))
        .join(Vehicle, col(Vehicle.id) == VehicleFile.vehicle_id)
        .where(col(Vehicle.vendor_id) == vendor_id)
    )
    proofs = (
        select(func.coalesce(func.sum(col(IdentityPaperFile.stored_bytes)), 0))
        .join(IdentityPaper, col(IdentityPaper.id) == IdentityPaperFile.paper_id)
        .where(col(IdentityPaper.user_id) == vendor_id)
    )
    own = select(col(User.image_bytes) + col(User.trip_bytes)).where(col(User.id) == vendor_id)
    return sum(int(session.execute(each).scalar() or 0) for each in (waiting, listed, proofs, own))


def count_trip_photos(session: Session, vendor_id: int, photos: Sequence[CheckedFile]) -> None:
    """Add photos of a trip to what its vendor keeps."""
    more = sum(photo.stored_bytes for photo in photos)
    added = update(User).where(col(User.id) == vendor_id).values(trip_bytes=col(User.trip_bytes) + more)
    session.execute(added.execution_options(synchronize_session=False))


def replace_avatar(session: Session, user_id: int, picture: CheckedFile) -> str:
    """Make a picture the account's; returns the key of the one it replaces, '' for none."""
    user = session.get_one(User, user_id)
    old, user.image, user.image_bytes = user.image, picture.public_path, picture.stored_bytes
    return old.removeprefix("/media/")


def approve(session: Session, actor: Actor, email: str) -> None:
    """Lift the limits of an account. Raises ForbiddenError (not an operator), NotFoundError."""
    require_operator(actor)
    approved = update(User).where(col(User.email) == email.lower(), col(User.role) == "Vendor")
    vendor = session.execute(approved.values(approved_at=clock.now()).returning(col(User.id))).scalar()
    if vendor is None:
        raise NotFoundError(f"No vendor has the email {email}", code="unknown_vendor")
    audit.record(session, actor, Act.LIMITS_LIFTED, ("user", vendor))


def _stored(table: type[UnclaimedFile | VehicleFile]) -> object:
    return func.coalesce(table.stored_bytes, table.size)


def _is_approved(session: Session, vendor_id: int) -> bool:
    return session.execute(select(col(User.approved_at)).where(col(User.id) == vendor_id)).scalar() is not None


def _ask() -> str:
    return f"write to {settings().support_email}"
