"""What a customer's documents mean for a booking: which are needed, whether the licence covers the vehicle."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock, identity
from rental_app.domain.errors import ConflictError
from rental_app.domain.identity import AT_HANDOVER, KINDS, IdentityKind, IdentityState, LicenceClass
from rental_app.infrastructure.settings import settings
from rental_app.models import AssetModel, Booking, IdentityPaper, Listing, Snapshot, Vehicle
from rental_app.services.accounts.actor import Actor
from rental_app.services.identity import stored

HOW_TO_SEND = "Send them under Account: they stay there for later trips"
NOT_CUSTOMERS = "Customers alone can send them: book with a customer's account"


@dataclass(frozen=True, slots=True)
class Driven:
    """What a customer wants to drive: what it is called, the class of licence it takes, and the last Indian day."""

    title: str
    needed: LicenceClass
    last_day: date


def driven(vehicle: Listing, return_at: datetime) -> Driven:
    """A vehicle over a rental that ends at an instant."""
    needed = identity.class_needed(vehicle.shape, vehicle.transmission_type)
    return Driven(vehicle.title, needed, clock.indian_today(return_at))


def driven_with(session: Session, booking: Booking, return_at: datetime | None = None) -> Driven:
    """The vehicle of a booking, as long as that takes, or until a later return."""
    model = session.get_one(AssetModel, session.get_one(Vehicle, booking.vehicle_id).model_id)
    needed = identity.class_needed(model.shape, model.transmission_type)
    return Driven(Snapshot(**booking.booked).title, needed, clock.indian_today(return_at or booking.return_at))


def missing(papers: Collection[IdentityPaper]) -> list[IdentityKind]:
    """The kinds of which none waits for us or is accepted."""
    there = {paper.kind for paper in papers if paper.state in stored.WAITS_OR_ACCEPTED}
    return [kind for kind in KINDS if kind not in there]


def require_for_request(session: Session, actor: Actor, vehicle: Driven) -> None:
    """Raise ConflictError if somebody may not ask for a vehicle: `papers_needed` where all four are required and one
    was not sent, else as `require_licence`."""
    if stored.is_off():
        return
    papers = stored.of_person(session, actor.id)
    kinds = missing(papers.values())
    if settings().papers == "required" and kinds:
        how = HOW_TO_SEND if actor.role == "Customer" else NOT_CUSTOMERS
        message = f"We need your {identity.names_of(kinds)} before you book. {how}"
        raise ConflictError(message, code="papers_needed", fields=dict.fromkeys(kinds, "Send this document first"))
    _require_licence(papers.get("licence"), vehicle, "Your")


def require_licence(session: Session, customer_id: int, vehicle: Driven, *, by_vendor: bool = False) -> None:
    """Raise ConflictError if a licence that we accepted does not cover a vehicle (`licence_class`), or ends before the
    return (`licence_expires`); another is looked at at the handover."""
    if not stored.is_off():
        own = select(IdentityPaper).where(
            col(IdentityPaper.user_id) == customer_id, col(IdentityPaper.kind) == "licence"
        )
        _require_licence(session.scalars(own).first(), vehicle, "The customer's" if by_vendor else "Your")


def _require_licence(licence: IdentityPaper | None, vehicle: Driven, whose: str) -> None:
    if licence is None or licence.state != IdentityState.ACCEPTED:
        return
    if problem := identity.class_problem(licence.classes, vehicle.needed, vehicle.title, whose):
        raise ConflictError(problem, code="licence_class")
    if problem := identity.expiry_problem(licence.valid_until, vehicle.last_day, vehicle.title, whose):
        raise ConflictError(problem, code="licence_expires")


def covers(licence: IdentityPaper, vehicle: Driven) -> bool | None:
    """Whether a licence covers a vehicle by its classes; None for one without any."""
    return identity.covers(licence.classes, vehicle.needed) if licence.classes else None


def licence_problem(licence: IdentityPaper | None, vehicle: Driven) -> str:
    """What is wrong with a licence for a vehicle, in words for the vendor; '' when nothing is, or there is none."""
    if licence is None or not licence.classes:
        return ""
    return identity.class_problem(
        licence.classes, vehicle.needed, vehicle.title, "The customer's"
    ) or identity.expiry_problem(licence.valid_until, vehicle.last_day, vehicle.title, "The customer's")


def checked_at_handover(session: Session, customer_id: int, vehicle: Driven) -> tuple[list[str], str]:
    """The documents that need no look at a handover because we have accepted them, as readings call them, and what is
    wrong with an accepted licence, '' if nothing is: that one has to be looked at."""
    if stored.is_off():
        return [], ""
    papers = stored.of_person(session, customer_id)
    accepted = {kind for kind, paper in papers.items() if paper.state == IdentityState.ACCEPTED}
    problem = licence_problem(papers.get("licence"), vehicle) if "licence" in accepted else ""
    return [AT_HANDOVER[kind] for kind in KINDS if kind in accepted and not (kind == "licence" and problem)], problem
