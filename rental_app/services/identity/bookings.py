"""A customer's documents as the vendor of one of their bookings sees them: how they stand, and pictures for a while."""

from datetime import date, datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.identity import KINDS, PICTURES_AFTER, IdentityKind, IdentityState
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import Booking, IdentityPaper, TripReading, User
from rental_app.schemas.identity import BookingPapersAnswer, BookingPaperView
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings.access import Trip, find, unknown_booking
from rental_app.services.identity import papers, rules, stored
from rental_app.services.identity.pictures import WatermarkedPicture


def of_booking(session: Session, actor: Actor, ref: str) -> BookingPapersAnswer:
    """How the documents of a booking's customer stand; nothing once there is nothing to look at any more.

    Raises NotFoundError for anyone but the vendor's people.
    """
    throttle.count("look", actor)
    trip, instant = _vendors_trip(session, actor, ref), clock.now()
    until = _pictures_until(session, trip.booking)
    waits = trip.booking.status == BookingStatus.PENDING and trip.booking.answer_by > instant
    if stored.is_off() or not (waits or _shows_pictures(trip.booking, until, instant)):
        return BookingPapersAnswer(message="", papers=[], pictures_until=None)
    if session.get_one(User, trip.booking.customer_id).is_guest:
        return BookingPapersAnswer(message="", papers=[], pictures_until=None)
    sent = stored.of_person(session, trip.booking.customer_id)
    shown = [] if waits else [paper.id or 0 for paper in sent.values() if paper.state in stored.WAITS_OR_ACCEPTED]
    pictures = stored.pictures_of(session, shown)
    return BookingPapersAnswer(
        message="",
        papers=[_view(session, trip, kind, sent.get(kind), pictures) for kind in KINDS],
        pictures_until=until,
    )


def _view(
    session: Session, trip: Trip, kind: IdentityKind, paper: IdentityPaper | None, pictures: dict[int, list[str]]
) -> BookingPaperView:
    if paper is None:
        return BookingPaperView(id=None, kind=kind, state="missing", classes_cover=None, problem="", pictures=0)
    vehicle = rules.driven_with(session, trip.booking)
    problem = rules.licence_problem(paper, vehicle) if kind == "licence" else ""
    return BookingPaperView(
        id=paper.id,
        kind=kind,
        state="checked" if paper.state == IdentityState.ACCEPTED else paper.state,
        classes_cover=rules.covers(paper, vehicle) if kind == "licence" else None,
        problem=problem,
        pictures=len(pictures.get(paper.id or 0, ())),
    )


@even_if_read_only
def see_picture(session: Session, actor: Actor, ref: str, paper_id: int, number: int) -> WatermarkedPicture:
    """A picture of a document of a booking's customer, from the confirmation until 24 hours after the return; the
    trail says who looked, and its owner sees it.

    Raises NotFoundError for anyone but the vendor's people, and outside that time.
    """
    throttle.count("look", actor)
    trip, instant = _vendors_trip(session, actor, ref), clock.now()
    shows = _shows_pictures(trip.booking, _pictures_until(session, trip.booking), instant)
    own = (col(IdentityPaper.id) == paper_id, col(IdentityPaper.user_id) == trip.booking.customer_id)
    # Locked, so that looks at two pictures at once are one entry.
    paper = session.scalars(select(IdentityPaper).where(*own).with_for_update()).first() if shows else None
    if paper is None or paper.state not in stored.WAITS_OR_ACCEPTED or stored.is_off():
        raise papers.unknown_paper()
    key = papers.picture(session, paper, number)
    about = f"{paper.kind} {trip.booking.reference}"
    audit.record_look(session, actor, Act.IDENTITY_SEEN, (papers.SUBJECT, paper_id), about=about)
    vendor = session.get_one(User, trip.vendor_id).name
    return WatermarkedPicture(key, f"{vendor}  {trip.booking.reference}  {clock.friendly(instant, date.min)}")


def _vendors_trip(session: Session, actor: Actor, ref: str) -> Trip:
    """The booking, for those who hand its vehicle over; raises NotFoundError."""
    trip = find(session, actor, ref)
    if trip.side != "vendor":
        raise unknown_booking()
    return trip


def _pictures_until(session: Session, booking: Booking) -> datetime | None:
    """Until when pictures may be looked at; None for a booking that is not confirmed, and while its vehicle is out."""
    if booking.status != BookingStatus.CONFIRMED or booking.stage == TripStage.OUT:
        return None
    back = select(col(TripReading.at)).where(
        col(TripReading.booking_id) == booking.id, col(TripReading.kind) == "return"
    )
    return (session.scalars(back).first() or booking.return_at) + PICTURES_AFTER


def _shows_pictures(booking: Booking, until: datetime | None, instant: datetime) -> bool:
    is_out = booking.status == BookingStatus.CONFIRMED and booking.stage == TripStage.OUT
    return is_out or (until is not None and instant < until)
