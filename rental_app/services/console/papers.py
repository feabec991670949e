"""Papers and photos of a listing, for the operator who decides about it: each look at a paper is in the trail."""

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain.acts import Act
from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import VehicleFile
from rental_app.services import audit
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor


def of_listing(session: Session, actor: Actor, vehicle_id: int) -> list[VehicleFile]:
    """The papers and photos of a vehicle in the order of their upload. Raises ForbiddenError."""
    operators.enter(actor)
    own = select(VehicleFile).where(col(VehicleFile.vehicle_id) == vehicle_id).order_by(col(VehicleFile.id))
    return list(session.scalars(own))


@even_if_read_only
def look(session: Session, actor: Actor, file_id: int) -> VehicleFile:
    """A paper or photo; the trail says who looked. Raises ForbiddenError and NotFoundError."""
    operators.enter(actor)
    file = session.get(VehicleFile, file_id)
    if file is None:
        raise NotFoundError("There is no such file")
    audit.record_look(session, actor, Act.PAPER_SEEN, ("vehicle_file", file_id), about=file.group_name)
    return file
