"""A booking in full, as both its sides see it."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import or_, select
from sqlmodel import Session, col

from rental_app.content.words import DOCUMENTS
from rental_app.domain import clock, settlement
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus
from rental_app.domain.errors import NotFoundError
from rental_app.domain.policies import Policies
from rental_app.domain.pricing import TWO_WHEELER_SEATS
from rental_app.models import (
    AssetModel,
    Booking,
    BookingEvent,
    EventPhoto,
    ExtensionTerms,
    IssuedPaper,
    LedgerEntry,
    MoveTerms,
    Snapshot,
    TripPhoto,
    TripReading,
    User,
    Vehicle,
)
from rental_app.schemas.calendars import OpenFrom
from rental_app.schemas.trips import (
    Between,
    Happening,
    InvoiceView,
    LedgerLine,
    OtherBooking,
    ProposalView,
    ReadingView,
    TripPhotoView,
    TripView,
)
from rental_app.services import throttle, words
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, guests, invoices, ledger, proposals
from rental_app.services.bookings.access import Side, Trip, find, unknown_booking
from rental_app.services.bookings.events import answers_in
from rental_app.services.bookings.rows import booking_row, booking_view
from rental_app.services.reviews import reading


def view_of(session: Session, actor: Actor, ref: str) -> TripView:
    """The booking with an id or a reference; raises NotFoundError for anyone but its two sides and operators."""
    throttle.count("look", actor)
    return trip_view(session, find(session, actor, ref))


def own(session: Session, actor: Actor, ref: str, side: Side = "customer") -> TripView:
    """The same for one of its sides only; raises NotFoundError for everyone else."""
    throttle.count("look", actor)
    trip = find(session, actor, ref)
    if trip.side != side:
        raise unknown_booking()
    return trip_view(session, trip)


def event_photo(session: Session, actor: Actor, ref: str, photo_id: int) -> EventPhoto:
    """A photo of an objection or of its answer; raises NotFoundError."""
    throttle.count("look", actor)
    return event_photo_of(session, find(session, actor, ref), photo_id)


def event_photo_of(session: Session, trip: Trip, photo_id: int) -> EventPhoto:
    """The same for a side that is known to have access."""
    photos = select(EventPhoto).join(BookingEvent, col(BookingEvent.id) == EventPhoto.event_id)
    own = photos.where(col(EventPhoto.id) == photo_id, col(BookingEvent.booking_id) == trip.id)
    if row := session.scalars(own).first():
        return row
    raise unknown_photo()


def unknown_photo() -> NotFoundError:
    """The error for a photo that does not exist, or is of another booking."""
    return NotFoundError("There is no such photo")


def photo(session: Session, actor: Actor, ref: str, photo_id: int) -> TripPhoto:
    """A photo of a handover or return; raises NotFoundError."""
    throttle.count("look", actor)
    return photo_of(session, find(session, actor, ref), photo_id)


def photo_of(session: Session, trip: Trip, photo_id: int) -> TripPhoto:
    """The same for a side that is known to have access."""
    photos = select(TripPhoto).join(TripReading, col(TripReading.id) == TripPhoto.reading_id)
    own = photos.where(col(TripPhoto.id) == photo_id, col(TripReading.booking_id) == trip.id)
    if row := session.scalars(own).first():
        return row
    raise unknown_photo()


def trip_view(session: Session, trip: Trip) -> TripView:
    """The booking for a side that is known to have access."""
    row = booking_row(session, trip.id, clock.now())
    happened = events.events(session, trip.booking)
    rows = session.scalars(select(TripReading).where(col(TripReading.booking_id) == trip.id)).all()
    readings = {row.kind: _reading(session, trip, row) for row in rows}
    back = readings["return"].at if "return" in readings else None
    vendor, booked = session.get_one(User, trip.vendor_id), Snapshot(**trip.booking.booked)
    # One helmet comes with a two-wheeler, the extra is a second.
    model = session.get_one(Vehicle, trip.booking.vehicle_id).model_id
    seats = session.get_one(AssetModel, model).seating_capacity if trip.side == "vendor" else 0
    return booking_view(
        row,
        TripView,
        for_vendor=trip.side == "vendor",
        customer_name=row.customer_name,
        vendor_name=vendor.name,
        hours=OpenFrom.of(vendor.hours),
        closed=vendor.hours.closed,
        late_penalty=booked.late_penalty_paise,
        terms=booked.terms,
        vendor_terms=booked.vendor_terms,
        helmets=(seats <= TWO_WHEELER_SEATS) + ("helmet" in (trip.booking.extras or ())),
        ledger=_ledger(trip, ledger.lines(session, trip.booking), happened),
        timeline=_timeline(session, trip, happened),
        bring=words.newest(session, DOCUMENTS).value,
        handover=readings.get("handover"),
        returned=readings.get("return"),
        deposit_back=between(readings["return"].written_at, row.policies) if back else None,
        proposal=_proposal(session, trip),
        **_others(session, trip),
        files=trip.files,
        receipt_number=ledger.number_of(session, trip.booking, trip.vendor_id),
        invoices=_invoices(session, trip),
        reviews=reading.of_trip(session, trip, back),
        answers_in=answers_in(session, trip.vendor_id) if trip.booking.status == BookingStatus.PENDING else None,
    )


def _invoices(session: Session, trip: Trip) -> list[InvoiceView]:
    papers = invoices.of_booking(session, trip.vendor_id, trip.booking.reference)
    return [
        InvoiceView(
            number=paper.number_text,
            kind=paper.kind,
            issued_at=paper.made_at,
            total=invoices.listed(paper).total,
            url=f"{trip.files}/{_file_of(paper)}",
        )
        for paper in papers
    ]


def _file_of(paper: IssuedPaper) -> str:
    """The end of the address of an invoice or a note, which is about a line of the account."""
    _, _, entry = paper.about.partition("/")
    return f"notes/{entry}.pdf" if entry else "invoice.pdf"


def _others(session: Session, trip: Trip) -> dict[str, OtherBooking]:
    """The bookings before and after this one, with their pages for whoever looks."""
    before, after = col(Booking.id) == trip.booking.follows_id, col(Booking.follows_id) == trip.id
    bookings = session.scalars(select(Booking).where(or_(before, after))).all()
    return {
        "followed_by" if other.follows_id == trip.id else "follows": OtherBooking(
            reference=other.reference, page=f"/{guests.page_for(session, other, trip.side)}"
        )
        for other in bookings
    }


def _proposal(session: Session, trip: Trip) -> ProposalView | None:
    proposal = proposals.current(session, trip.booking, clock.now())
    if proposal is None:
        return None
    terms = proposal.shown_terms()
    if isinstance(terms, MoveTerms):
        extra = terms.total - trip.booking.price_paise
        text = f"{terms.title} in place of {Snapshot(**trip.booking.booked).title}" + _because(terms.note)
    elif isinstance(terms, ExtensionTerms):
        extra, text = terms.extra, f"Return {clock.friendly(terms.return_at)}"
    else:
        extra, text = terms.extra, f"Reverse the line {terms.label}" + _because(terms.note)
    return ProposalView(
        id=proposal.id or 0,
        kind=terms.kind,
        text=text,
        total=terms.total,
        extra=extra,
        answer_by=proposal.answer_by,
    )


def _because(note: str) -> str:
    return f" ({note})" if note else ""


def between(noted: datetime, policies: Policies) -> Between:
    """When the deposit is returned for a vehicle whose return was noted at an instant."""
    begin, end = settlement.deposit_back(noted, policies)
    return Between(begin=begin, end=end)


def _ledger(trip: Trip, lines: Sequence[LedgerEntry], happened: Sequence[BookingEvent]) -> list[LedgerLine]:
    objected = {event.entry_id for event in happened if event.what == EventKind.OBJECTED}
    return [
        LedgerLine(
            id=line.id or 0,
            kind=line.shown_kind,
            amount=line.paise,
            at=line.at,
            paid_on=clock.indian_today(line.paid_at) if line.paid_at else None,
            method=line.method,
            note=line.note,
            reverses=line.reverses,
            objected=line.id in objected,
            photo=f"{trip.files}/photos/{line.photo_id}" if line.photo_id else None,
        )
        for line in lines
    ]


def _timeline(session: Session, trip: Trip, happened: Sequence[BookingEvent]) -> list[Happening]:
    names = {} if trip.side == "customer" else _names(session, happened)
    photos = _event_photos(session, trip, happened)
    return [
        Happening(
            id=event.id or 0,
            what=event.what,
            at=event.at,
            happened_at=event.happened_at,
            by=event.side,
            who=names.get(event.who_id, ""),
            yours=event.who_id == trip.viewer,
            note=event.note,
            entry=event.entry_id,
            about=event.about_id,
            photos=photos.get(event.id, []),
        )
        for event in happened
    ]


def _event_photos(session: Session, trip: Trip, happened: Sequence[BookingEvent]) -> dict[int | None, list[str]]:
    """Where the photos of events are loaded from, by the events' ids; few bookings have any."""
    ids = [event.id for event in happened if event.what in (EventKind.OBJECTED, EventKind.OBJECTION_ANSWERED)]
    paths: dict[int | None, list[str]] = {}
    if ids:
        own = select(col(EventPhoto.id), col(EventPhoto.event_id)).where(col(EventPhoto.event_id).in_(ids))
        for photo_id, event_id in session.execute(own.order_by(col(EventPhoto.id))):
            paths.setdefault(event_id, []).append(f"{trip.files}/objection-photos/{photo_id}")
    return paths


def _names(session: Session, happened: Sequence[BookingEvent]) -> dict[int | None, str]:
    """The names of the vendor's people who did something, by their ids."""
    ids = {event.who_id for event in happened if event.side == "vendor"}
    users = select(col(User.id), col(User.name)).where(col(User.id).in_(ids))
    return {row.id: row.name for row in session.execute(users)}


def _reading(session: Session, trip: Trip, row: TripReading) -> ReadingView:
    photos = session.scalars(
        select(TripPhoto).where(col(TripPhoto.reading_id) == row.id).order_by(col(TripPhoto.id))
    ).all()
    return ReadingView(
        at=row.at,
        noted_at=row.noted_at,
        noted_by="" if trip.side == "customer" else session.get_one(User, row.who_id).name,
        odometer=row.odometer,
        fuel_eighths=row.fuel_eighths,
        helmets=row.helmets,
        speedings=row.speedings,
        papers_seen=row.papers_seen,
        papers_checked=row.papers_checked or [],
        reason=row.reason,
        photos=[TripPhotoView(group=one.group_name, url=f"{trip.files}/photos/{one.id}") for one in photos],
    )
