"""What operators decide about listings: whether customers see them, and which the home page shows first."""

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.content.messages import LISTING_APPROVED, LISTING_REFUSED, LISTING_TAKEN_DOWN
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError
from rental_app.models import Vehicle
from rental_app.schemas.operating import FeatureRequest, ListingDecision, require_reason
from rental_app.services import audit
from rental_app.services.accounts.actor import Actor, unknown_vehicle
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.operators import enter
from rental_app.services.operating.versions import require_seen

APPROVED, REFUSED, TAKEN_DOWN = "Listed, and the vendor is told", "Refused, and the vendor is told", "Taken down"
FEATURED, NOT_FEATURED = "On the home page from now on", "Not on the home page any more"
_ACTS = {
    "approve": (Act.LISTING_APPROVED, LISTING_APPROVED, APPROVED),
    "refuse": (Act.LISTING_REFUSED, LISTING_REFUSED, REFUSED),
    "take_down": (Act.LISTING_TAKEN_DOWN, LISTING_TAKEN_DOWN, TAKEN_DOWN),
}


def decide(session: Session, actor: Actor, vehicle_id: int, request: ListingDecision) -> str:
    """List a vehicle that waits, refuse it, or take down one that is listed; its vendor is told why.

    A vendor who edits a refused vehicle sends it again. Returns a message for the operator. Raises ForbiddenError,
    NotFoundError, InvalidInputError (no reason) and ConflictError (`changed_meanwhile`, `already_decided`).
    """
    enter(actor)
    vehicle = _held(session, vehicle_id)
    require_seen(session, "listings", vehicle_id, request.expected)
    if request.decision != "approve":
        require_reason(request.reason)
    _require_open(vehicle, request.decision)
    act, letter, done = _ACTS[request.decision]
    before = {"is_approved": vehicle.is_approved, "refusal": vehicle.refusal}
    vehicle.is_approved = request.decision == "approve"
    vehicle.refusal = "" if vehicle.is_approved else request.reason
    vehicle.decided_at = clock.now()
    session.flush()
    after = {"is_approved": vehicle.is_approved, "refusal": vehicle.refusal}
    audit.record(session, actor, act, ("vehicle", vehicle_id), about=request.reason, before=before, after=after)
    tell(session, letter, vehicle.vendor_id, vehicle_id=vehicle_id, note=request.reason)
    return done


def feature(session: Session, actor: Actor, vehicle_id: int, request: FeatureRequest) -> str:
    """Show a vehicle among the first of the home page, or no longer. Raises ForbiddenError and NotFoundError."""
    enter(actor)
    vehicle = _held(session, vehicle_id)
    if vehicle.is_featured != request.on:
        before, after = {"is_featured": vehicle.is_featured}, {"is_featured": request.on}
        audit.record(session, actor, Act.LISTING_FEATURED, ("vehicle", vehicle_id), before=before, after=after)
    vehicle.is_featured = request.on
    return FEATURED if request.on else NOT_FEATURED


def _held(session: Session, vehicle_id: int) -> Vehicle:
    own = select(Vehicle).where(col(Vehicle.id) == vehicle_id).with_for_update()
    vehicle = session.scalars(own.execution_options(populate_existing=True)).first()
    if vehicle is None:
        raise unknown_vehicle()
    return vehicle


def _require_open(vehicle: Vehicle, decision: str) -> None:
    """Raise ConflictError if a decision would change nothing, or the vehicle was never listed."""
    is_refused = bool(vehicle.refusal)
    done = {
        "approve": vehicle.is_approved,
        "refuse": vehicle.is_approved or is_refused,
        "take_down": not vehicle.is_approved,
    }
    if done[decision]:
        now = "listed" if vehicle.is_approved else "refused" if is_refused else "waiting"
        raise ConflictError(f"This vehicle is {now}: that cannot be decided about it", code="already_decided")
