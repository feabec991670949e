"""What speaks for or against a listing or an objection: findings, papers, earlier values, and what both sides say."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

import orjson
from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlmodel import Session, col

from rental_app.domain import clock, papers
from rental_app.domain.acts import Act
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import NotFoundError
from rental_app.domain.identity import REFUSAL_WORDS, RefusalReason
from rental_app.infrastructure.db import even_if_read_only
from rental_app.infrastructure.settings import settings
from rental_app.models import (
    AuditEntry,
    Booking,
    BookingEvent,
    EventPhoto,
    IdentityPaper,
    TripPhoto,
    TripReading,
    User,
    Vehicle,
    VehicleFile,
)
from rental_app.services import audit
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.identity import papers as identity_papers
from rental_app.services.identity import stored
from rental_app.services.identity.pictures import WatermarkedPicture

# How many listings with the same numbers are named.
MOST = 5
Finding = Mapping[str, Any]


def findings_of(session: Session, vehicle_id: int) -> list[Finding]:
    """What is found: the `column` of the console's list that it is about, its `title`, the `reason` that the vendor may
    be told, and the `note` that operators see beside it. Nothing for a vehicle that does not exist."""
    of_vendor = select(Vehicle, col(User.name)).join(User, col(Vehicle.vendor_id) == col(User.id))
    row = session.execute(of_vendor.where(col(Vehicle.id) == vehicle_id)).first()
    if row is None:
        return []
    car, vendor = row
    today = clock.indian_today(clock.now())
    return [*_owner(car, vendor), *_numbers(session, car), *_papers(car, today)]


def findings_on_paper(session: Session, paper_id: int) -> list[Finding]:
    """The same of a customer's document; nothing for one that does not exist."""
    with_owner = select(IdentityPaper, col(User.name)).join(User, col(IdentityPaper.user_id) == col(User.id))
    row = session.execute(with_owner.where(col(IdentityPaper.id) == paper_id)).first()
    if row is None:
        return []
    paper, owner = row
    today = clock.indian_today(clock.now())
    return [*_named(paper, owner), *_ended(paper, today)]


def _named(paper: IdentityPaper, owner: str) -> Iterator[Finding]:
    if not papers.is_same_owner(paper.name, owner):
        reason = REFUSAL_WORDS[RefusalReason.OTHERS]
        yield _finding("name", "Somebody else's", reason, f"the account is {owner}'s")


def _ended(paper: IdentityPaper, today: date) -> Iterator[Finding]:
    if paper.valid_until and (note := papers.expiry_note("It", paper.valid_until, today)):
        yield _finding("until", note, REFUSAL_WORDS[RefusalReason.EXPIRED], note)


def pictures_of(session: Session, actor: Actor, paper_id: int) -> int:
    """How many pictures a customer's document has. Raises ForbiddenError."""
    operators.enter(actor)
    return len(stored.pictures_of(session, [paper_id])[paper_id])


def _owner(car: Vehicle, vendor: str) -> Iterator[Finding]:
    if not papers.is_same_owner(car.owner_name_as_per_rc, vendor):
        reason = "The owner name differs from the name of your account"
        yield _finding("owner", "Owner name differs", reason, f"the vendor is {vendor}")


def _numbers(session: Session, car: Vehicle) -> Iterator[Finding]:
    """Numbers that are on another listing too: one vehicle has them once."""
    same = or_(col(Vehicle.engine_number) == car.engine_number, col(Vehicle.chassis_number) == car.chassis_number)
    others = session.scalars(select(Vehicle).where(same, col(Vehicle.id) != car.id).limit(MOST)).all()
    for name, plates in (
        ("engine", [other.rc_number for other in others if other.engine_number == car.engine_number]),
        ("chassis", [other.rc_number for other in others if other.chassis_number == car.chassis_number]),
    ):
        if plates:
            reason = f"Another listing has the same {name} number"
            yield _finding(name, f"Same {name} number", reason, f"also on {', '.join(plates)}")


def _papers(car: Vehicle, today: date) -> Iterator[Finding]:
    for name, paper, day in (
        ("insured", "Insurance", car.insurance_expiry_date),
        ("pollution", "Pollution", car.pollution_expiry_date),
    ):
        if reason := papers.expiry_reason(paper, day, today):
            title = f"{paper} {'expired' if day < today else 'expires'}"
            yield _finding(name, title, reason, papers.expiry_note(paper, day, today))


def _finding(column: str, title: str, reason: str, note: str) -> Finding:
    return {"column": column, "title": title, "reason": reason, "note": note}


def papers_of(session: Session, actor: Actor, vehicle_id: int) -> list[VehicleFile]:
    """The papers and photos of a vehicle in the order of their upload. Raises ForbiddenError."""
    operators.enter(actor)
    now = (col(VehicleFile.vehicle_id) == vehicle_id, col(VehicleFile.replaced_at).is_(None))
    own = select(VehicleFile).where(*now).order_by(col(VehicleFile.id))
    return list(session.scalars(own))


@even_if_read_only
def see_paper(session: Session, actor: Actor, file_id: int) -> VehicleFile:
    """A paper or photo; the trail says who looked. Raises ForbiddenError and NotFoundError."""
    operators.enter(actor)
    file = session.get(VehicleFile, file_id)
    if file is None:
        raise NotFoundError("There is no such file")
    audit.record_look(session, actor, Act.PAPER_SEEN, ("vehicle_file", file_id), about=file.group_name)
    return file


@even_if_read_only
def see_identity(session: Session, actor: Actor, paper_id: int, number: int) -> WatermarkedPicture:
    """A picture of a customer's document; the trail says who looked, and its owner that we did.

    Raises ForbiddenError and NotFoundError.
    """
    operators.enter(actor)
    paper = session.get(IdentityPaper, paper_id, with_for_update=True)
    if paper is None:
        raise identity_papers.unknown_paper()
    key = identity_papers.picture(session, paper, number)
    audit.record_look(session, actor, Act.IDENTITY_SEEN, (identity_papers.SUBJECT, paper_id), about=paper.kind)
    name = session.get_one(User, actor.id).name
    return WatermarkedPicture(key, f"{settings().product_name}  {name}  {clock.friendly(clock.now(), date.min)}")


def since_approval(session: Session, actor: Actor, vehicle_id: int) -> dict[str, Any]:
    """What the changed columns of a vehicle held then, as far as the trail shows it. Raises ForbiddenError."""
    operators.enter(actor)
    own = (col(AuditEntry.subject) == "vehicle", col(AuditEntry.subject_id) == vehicle_id)
    approved = select(func.coalesce(func.max(col(AuditEntry.id)), 0)).where(
        *own, col(AuditEntry.act) == Act.LISTING_APPROVED.value
    )
    later = (col(AuditEntry.act) == Act.LISTING_CHANGED.value, col(AuditEntry.id) > approved.scalar_subquery())
    entries = session.scalars(select(col(AuditEntry.before)).where(*own, *later).order_by(col(AuditEntry.id).desc()))
    values: dict[str, Any] = {}
    for before in entries:
        values |= orjson.loads(before)
    return values


SIDES = {EventKind.OBJECTED.value: "Customer", EventKind.OBJECTION_ANSWERED.value: "Vendor"}
READINGS = {"handover": "Handover", "return": "Return"}


class EvidencePhoto(NamedTuple):
    """A photo: whose or of what it is, what it shows, the path that it is loaded from, and its media type."""

    of: str
    name: str
    path: str
    content_type: str


def sides(session: Session, objection_id: int) -> list[Mapping[str, Any]]:
    """The objection and the vendor's answer to it, if there is one; `what` is the kind of event that each is."""
    events = select(BookingEvent, col(User.name)).outerjoin(User, col(BookingEvent.who_id) == col(User.id))
    rows = session.execute(events.where(_belongs(objection_id)).order_by(col(BookingEvent.id))).all()
    return [
        {"what": event.what, "side": SIDES[event.what], "note": event.note, "who": name, "at": event.at}
        for event, name in rows
    ]


def photos(session: Session, actor: Actor, objection_id: int) -> list[EvidencePhoto]:
    """The photos that speak for either side of an objection. Raises ForbiddenError."""
    operators.enter(actor)
    objection = session.get(BookingEvent, objection_id)
    if objection is None:
        return []
    trip = f"/api/bookings/{session.get_one(Booking, objection.booking_id).reference}"
    sent = select(EventPhoto, col(BookingEvent.what)).join(BookingEvent, col(EventPhoto.event_id) == BookingEvent.id)
    of_sides = session.execute(sent.where(_belongs(objection_id)).order_by(col(EventPhoto.id))).all()
    taken = select(TripPhoto, col(TripReading.kind)).join(TripReading, col(TripPhoto.reading_id) == TripReading.id)
    of_booking = taken.where(col(TripReading.booking_id) == objection.booking_id).order_by(col(TripPhoto.id))
    return [
        *(
            EvidencePhoto(SIDES[what], "", f"{trip}/objection-photos/{photo.id}", photo.content_type)
            for photo, what in of_sides
        ),
        *(
            EvidencePhoto(READINGS[kind], photo.group_name, f"{trip}/photos/{photo.id}", photo.content_type)
            for photo, kind in session.execute(of_booking).all()
        ),
    ]


def _belongs(objection_id: int) -> ColumnElement[bool]:
    """SQL: whether an event is an objection, or its answer."""
    is_of_it = or_(col(BookingEvent.id) == objection_id, col(BookingEvent.about_id) == objection_id)
    return and_(is_of_it, col(BookingEvent.what).in_(SIDES))
