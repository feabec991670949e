"""A customer's own documents: what was sent, what is missing, who looked at them."""

from collections.abc import Sequence
from datetime import date, datetime
from functools import partial
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlmodel import Session, col

from rental_app.domain import clock, identity
from rental_app.domain.acts import Act
from rental_app.domain.bookings import TripStage
from rental_app.domain.clock import full_day
from rental_app.domain.errors import InvalidInputError, NotFoundError, RentalError
from rental_app.domain.identity import LATEST_LOOKS, MAX_FILES, UNMASKED, IdentityKind
from rental_app.domain.uploads import IDENTITY
from rental_app.infrastructure.db import on_commit
from rental_app.infrastructure.settings import settings
from rental_app.models import AuditEntry, Booking, IdentityPaper, IdentityPaperFile, Snapshot, User, Vehicle
from rental_app.schemas.identity import (
    IdentityData,
    IdentityLook,
    IdentityPapersAnswer,
    IdentityPaperView,
    NeededFor,
)
from rental_app.schemas.validation import refusal
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, require_customer
from rental_app.services.bookings.rows import is_open
from rental_app.services.files import limits, storage, uploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.identity import rules, stored

SENT, WITHDRAWN = "Sent: we look at it soon and tell you by email", "Withdrawn, and erased"
SUBJECT = "identity_paper"


class DocumentFacts(NamedTuple):
    """What is stored of what was typed."""

    document: str = ""
    number_ends: str = ""
    classes: Sequence[str] = ()
    valid_until: date | None = None


def of_actor(session: Session, actor: Actor) -> IdentityPapersAnswer:
    """Everything about the actor's documents. Raises ForbiddenError (not a customer)."""
    throttle.count("look", actor)
    require_customer(actor)
    papers = stored.of_person(session, actor.id)
    kinds = [kind for kind in identity.KINDS if kind in papers]
    return IdentityPapersAnswer(
        message="",
        mode=settings().papers,
        # Where none are taken any more, what was sent before is still its owner's to see and to withdraw.
        papers=as_shown(session, [papers[kind] for kind in kinds]),
        missing=[] if stored.is_off() else rules.missing(papers.values()),
        looks=looks_at(session, actor.id, LATEST_LOOKS),
        needed_for=None if stored.is_off() else _needed_for(session, actor.id),
    )


def looks_at(session: Session, user_id: int, most: int | None = None) -> list[IdentityLook]:
    """Who looked at a person's documents, those that were replaced since included, the latest first; all, or so
    many."""
    sent = select(col(AuditEntry.subject_id)).where(
        col(AuditEntry.user_id) == user_id, col(AuditEntry.act) == Act.IDENTITY_SENT.value
    )
    current = select(col(IdentityPaper.id)).where(col(IdentityPaper.user_id) == user_id)
    looks = select(AuditEntry).where(
        col(AuditEntry.subject) == SUBJECT,
        or_(col(AuditEntry.subject_id).in_(sent), col(AuditEntry.subject_id).in_(current)),
        col(AuditEntry.act) == Act.IDENTITY_SEEN.value,
    )
    rows = session.scalars(looks.order_by(col(AuditEntry.id).desc()).limit(most)).all()
    vendors = _vendors(session, [look.about.partition(" ")[2] for look in rows])
    shop = settings().product_name
    return [
        IdentityLook(
            who=shop if look.role == "Operator" else vendors.get(reference, "A vendor"),
            role="operator" if look.role == "Operator" else "vendor",
            kind=kind,
            at=look.at,
        )
        for look in rows
        for kind, _, reference in [look.about.partition(" ")]
    ]


def as_shown(session: Session, papers: Sequence[IdentityPaper]) -> list[IdentityPaperView]:
    """Documents as their owner sees them."""
    ids = [paper.id or 0 for paper in papers]
    pictures = stored.pictures_of(session, ids)
    files = [file.paper_id for file in stored.files(session, col(IdentityPaper.id).in_(ids))]
    return [
        IdentityPaperView(
            **paper.model_dump(exclude={"user_id"}),
            files=files.count(paper.id or 0),
            pictures=len(pictures[paper.id or 0]),
        )
        for paper in papers
    ]


def send(
    session: Session, actor: Actor, kind: IdentityKind, data: IdentityData, files: Sequence[CheckedFile] = ()
) -> IdentityPaperView:
    """Store a document with its files, or with those of `data.uploads`; what was sent of its kind before is erased.

    Raises ForbiddenError (not a customer), NotFoundError (none are taken), RentalError (`unmasked`), InvalidInputError
    (a field, a file that is gone, none or more than four of them) and ConflictError (no room).
    """
    throttle.count("identity", actor)
    require_customer(actor)
    stored.require_on()
    facts = _facts(kind, data)
    limits.lock_account(session, actor.id)
    every = [*files, *uploads.claim(session, actor, {IDENTITY: data.uploads}, field="uploads")]
    _require_files(every)
    earlier = stored.of_person(session, actor.id).get(kind)
    paper = IdentityPaper(user_id=actor.id, kind=kind, name=data.name, **facts._asdict())
    paper.classes = list(facts.classes)
    with limits.room(session, actor.id, files):
        _erase(session, earlier)
        session.add(paper)
        session.flush()
        session.add_all(_row(paper, file) for file in every)
        session.flush()
    audit.record(session, actor, Act.IDENTITY_SENT, (SUBJECT, paper.id or 0), about=kind)
    return as_shown(session, [paper])[0]


def withdraw(session: Session, actor: Actor, paper_id: int) -> None:
    """Erase one of the actor's documents at once. Raises ForbiddenError and NotFoundError."""
    throttle.count("change", actor)
    require_customer(actor)
    paper = _own(session, actor, paper_id, lock=True)
    audit.record(session, actor, Act.IDENTITY_WITHDRAWN, (SUBJECT, paper_id), about=paper.kind)
    _erase(session, paper)


def own_picture(session: Session, actor: Actor, paper_id: int, number: int) -> str:
    """The store key of a picture of one of the actor's documents. Raises ForbiddenError and NotFoundError."""
    throttle.count("look", actor)
    require_customer(actor)
    return picture(session, _own(session, actor, paper_id), number)


def picture(session: Session, paper: IdentityPaper, number: int) -> str:
    """The store key of a picture of a document, counted from 1; raises NotFoundError."""
    pictures = stored.pictures_of(session, [paper.id or 0])[paper.id or 0]
    if not 1 <= number <= len(pictures):
        raise NotFoundError("There is no such picture", code="unknown_picture")
    return pictures[number - 1]


def unknown_paper() -> NotFoundError:
    """The error for a document that does not exist, or is somebody else's."""
    return NotFoundError("There is no such document", code="unknown_paper")


def _own(session: Session, actor: Actor, paper_id: int, *, lock: bool = False) -> IdentityPaper:
    own = select(IdentityPaper).where(col(IdentityPaper.id) == paper_id, col(IdentityPaper.user_id) == actor.id)
    if paper := session.scalars(own.with_for_update() if lock else own).first():
        return paper
    raise unknown_paper()


def _erase(session: Session, paper: IdentityPaper | None) -> None:
    """Erase a document; its files leave the store once that is committed."""
    if paper:
        session.expunge(paper)
        on_commit(session, partial(storage.remove, stored.erase(session, [paper.id or 0])))


def _row(paper: IdentityPaper, file: CheckedFile) -> IdentityPaperFile:
    return IdentityPaperFile(
        paper_id=paper.id or 0,
        key=file.key,
        content_type=file.content_type,
        size=file.size,
        stored_bytes=file.stored_bytes,
    )


def _require_files(files: Sequence[CheckedFile]) -> None:
    if not 1 <= len(files) <= MAX_FILES:
        message = f"Add between one and {MAX_FILES} files of the document"
        code = "too_many_files" if files else "missing_documents"
        raise InvalidInputError(message, code=code, fields={"file": message})


def _facts(kind: IdentityKind, data: IdentityData) -> DocumentFacts:
    """What is stored of what was typed about a document; raises InvalidInputError, and RentalError (`unmasked`)."""
    if identity.is_like_aadhaar(data.number) or identity.has_whole_aadhaar(data.name):
        raise RentalError(UNMASKED, code="unmasked", fields={"number": "Enter the last four digits alone"})
    if kind == "id":
        return _government_id(data)
    return _licence(data) if kind == "licence" else DocumentFacts()


def _government_id(data: IdentityData) -> DocumentFacts:
    if not data.document:
        raise refusal({"document": "Choose PAN or masked Aadhaar"})
    ends_of = identity.pan_ends if data.document == "pan" else identity.aadhaar_ends
    try:
        return DocumentFacts(document=data.document, number_ends=ends_of(data.number))
    except ValueError as error:
        raise refusal({"number": str(error)}) from None


def _licence(data: IdentityData) -> DocumentFacts:
    problems: dict[str, str] = {}
    ends = ""
    try:
        ends = identity.licence_ends(data.number)
    except ValueError as error:
        problems["number"] = str(error)
    if not data.classes:
        problems["classes"] = "Choose at least one class"
    if problem := _day_problem(data.valid_until, clock.indian_today(clock.now())):
        problems["validUntil"] = problem
    if problems:
        raise refusal(problems)
    return DocumentFacts(
        "", ends, [each for each in identity.LICENCE_CLASSES if each in data.classes], data.valid_until
    )


def _day_problem(day: date | None, today: date) -> str:
    if day is None:
        return "Enter the last day on which it is valid"
    if day <= today:
        return f"It is valid until {full_day(day)}: renew it first"
    return "Check the year of this date" if day.year > today.year + identity.MOST_YEARS else ""


def _vendors(session: Session, references: Sequence[str]) -> dict[str, str]:
    """The names of the vendors of some bookings."""
    named = (
        select(col(Booking.reference), col(User.name))
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .join(User, col(User.id) == Vehicle.vendor_id)
        .where(col(Booking.reference).in_(references))
    )
    return {reference: name for reference, name in session.execute(named)} if references else {}


def _needed_for(session: Session, user_id: int) -> NeededFor | None:
    instant: datetime = clock.now()
    own = (col(Booking.customer_id) == user_id, is_open(instant), col(Booking.stage) == TripStage.BOOKED)
    booking = session.scalars(select(Booking).where(*own).order_by(col(Booking.pickup_at)).limit(1)).first()
    if booking is None:
        return None
    return NeededFor(reference=booking.reference, vehicle=Snapshot(**booking.booked).title, pickup=booking.pickup_at)
