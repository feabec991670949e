"""Renewing a paper of a vehicle: its date and its files together. The file it replaces is kept."""

from datetime import date

from sqlalchemy import update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.papers import lapse_problem
from rental_app.infrastructure.settings import settings
from rental_app.models import Vehicle, VehicleFile
from rental_app.schemas.fleet import DatedPaper, RenewRequest
from rental_app.schemas.validation import refuse_together
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, require_manager, require_own
from rental_app.services.files import limits
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import papers
from rental_app.services.fleet.vehicles import SentFiles

RENEWED = "{paper} renewed: valid until {day}."
WAITS = "It waits for approval again and cannot be booked until then."
# The columns of the last days on which papers are valid.
LAST_DAYS: dict[DatedPaper, str] = {"Insurance": "insurance_expiry_date", "Pollution": "pollution_expiry_date"}


def renew(session: Session, actor: Actor, vehicle_id: int, request: RenewRequest, sent: CheckedUploads) -> str:
    """Renew a paper of one of the actor's vehicles, with at least one file; returns a message for them.

    Of two at once the second is refused. Raises ForbiddenError, NotFoundError (not theirs), InvalidInputError (the day,
    the files) and ConflictError: `paper_renewed` (the day is not the one shown any more), `vehicle_retired`,
    `storage_full`.
    """
    throttle.count("change", actor)
    require_manager(actor)
    require_own(session, actor, vehicle_id, lock=True)
    vehicle = session.get_one(Vehicle, vehicle_id)
    if getattr(vehicle, LAST_DAYS[request.paper]) != request.shown:
        raise ConflictError("This has been renewed elsewhere in the meantime", code="paper_renewed")
    with limits.room(session, actor.vendor, sent.checked):
        files = SentFiles(session, actor, sent, (request.paper,))
        refuse_together(
            lambda: _require_later(vehicle, request.paper, request.valid_until),
            lambda: _require_file(request.paper, sent),
            *files.checks(),
        )
        replaced = (col(VehicleFile.vehicle_id) == vehicle_id, col(VehicleFile.group_name) == request.paper)
        old = update(VehicleFile).where(*replaced, col(VehicleFile.replaced_at).is_(None))
        session.execute(old.values(replaced_at=clock.now()))
        papers.put(session, vehicle, files.taken, [])
        note = set_date(session, actor, vehicle, request.paper, request.valid_until)
    day = f"{request.valid_until.day} {request.valid_until:%b %Y}"
    return " ".join(filter(None, [RENEWED.format(paper=request.paper, day=day), note]))


def set_date(session: Session, actor: Actor, vehicle: Vehicle, paper: DatedPaper, day: date) -> str:
    """Note until when a paper of a locked vehicle is valid; what that means for its approval, '' for nothing.

    Raises InvalidInputError for a day that is not later than before, or past.
    """
    _require_later(vehicle, paper, day)
    column = LAST_DAYS[paper]
    before = {column: getattr(vehicle, column)}
    setattr(vehicle, column, day)
    # As after an edit: what was refused is sent to the operators again, and what they approve anew is approved anew.
    waits = bool(vehicle.refusal) or settings().listing_approval != "auto"
    vehicle.refusal = ""
    if waits:
        vehicle.is_approved = False
    audit.record(
        session, actor, Act.PAPER_RENEWED, ("vehicle", vehicle.id or 0), paper, before=before, after={column: day}
    )
    return WAITS if waits else ""


def _require_later(vehicle: Vehicle, paper: DatedPaper, day: date) -> None:
    stored, today = getattr(vehicle, LAST_DAYS[paper]), clock.indian_today(clock.now())
    problem = lapse_problem(day, today)
    if not problem and day <= stored:
        problem = f"{vehicle.rc_number} has it until {stored.day} {stored:%b %Y} already: enter a later day"
    if problem:
        raise InvalidInputError(problem, code="paper_expired" if day < today else None, fields={"validUntil": problem})


def _require_file(paper: DatedPaper, sent: CheckedUploads) -> None:
    if paper not in sent.groups():
        raise papers.missing_documents([paper])
