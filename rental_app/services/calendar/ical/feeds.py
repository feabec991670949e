"""A vendor's calendar for other programs, at a secret URL that can be revoked (docs/architecture/calendars.md)."""

import hashlib
import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from icalendar import Calendar, Event
from icalendar.enums import STATUS
from sqlalchemy import ColumnElement, Delete, delete, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.errors import NotFoundError
from rental_app.domain.staff import MemberRole
from rental_app.infrastructure.settings import settings
from rental_app.models import TITLE, Block, Booking, IcalFeed, Member, TripReading, User, Vehicle, titled
from rental_app.schemas.calendars import FeedRequest, FeedView
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, lock_business, require_manager, require_own, takes_part
from rental_app.services.availability.holds import ENDS, RETURNED, standing
from rental_app.services.throttle import Caller
from rental_app.services.trips.papers import uid

# Anything further back is of no use to other calendars.
BACK = timedelta(days=31)
SECRET_BYTES = 32
_TITLE = TITLE.label("title")
_MAKER: Any = aliased(User)


def give(session: Session, actor: Actor, request: FeedRequest) -> str:
    """Give a calendar a new URL, which is returned; the previous one stops working.

    Raises ForbiddenError and NotFoundError (no such vehicle of the actor's).
    """
    throttle.count("change", actor)
    require_manager(actor)
    if request.vehicle:
        require_own(session, actor, request.vehicle)
    # Two clicks would leave two URLs.
    lock_business(session, actor)
    session.execute(_deletion(actor, request))
    secret = secrets.token_urlsafe(SECRET_BYTES)
    made = IcalFeed(
        vendor_id=actor.vendor, vehicle_id=request.vehicle, digest=_digest(secret), made_by=actor.id or None
    )
    session.add(made)
    audit.record(session, actor, Act.CALENDAR_SHARED, ("user", actor.vendor), after={"vehicle": request.vehicle})
    return f"{settings().public_url}/ical/{secret}.ics"


def revoke(session: Session, actor: Actor, request: FeedRequest) -> str:
    """Revoke the URL of a calendar; returns a message for the actor. Raises ForbiddenError."""
    throttle.count("change", actor)
    require_manager(actor)
    session.execute(_deletion(actor, request))
    audit.record(session, actor, Act.CALENDAR_UNSHARED, ("user", actor.vendor), after={"vehicle": request.vehicle})
    return "The calendar link has been turned off"


def of_vendor(session: Session, actor: Actor) -> list[FeedView]:
    """The actor's calendars. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    feeds = select(IcalFeed).where(col(IcalFeed.vendor_id) == actor.vendor).order_by(col(IcalFeed.id))
    return [FeedView(vehicle=feed.vehicle_id, since=feed.created_at) for feed in session.scalars(feeds)]


def _deletion(actor: Actor, request: FeedRequest) -> Delete:
    same = col(IcalFeed.vehicle_id).is_not_distinct_from(request.vehicle)
    return delete(IcalFeed).where(col(IcalFeed.vendor_id) == actor.vendor, same)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def read_feed(session: Session, caller: Caller, secret: str) -> bytes:
    """The calendar at a secret URL: what holds its vehicles, but not for whom. Raises NotFoundError."""
    throttle.count("lookup", caller)
    throttle.check_rows(caller)
    live = (
        select(IcalFeed)
        .join(User, col(User.id) == IcalFeed.vendor_id)
        .where(col(IcalFeed.digest) == _digest(secret), *takes_part(), _made_by_who_may())
    )
    feed = session.scalars(live).first()
    if feed is None:
        raise NotFoundError("There is no such calendar", code="unknown_calendar")
    vehicles = [col(Vehicle.vendor_id) == feed.vendor_id]
    vehicles += [col(Vehicle.id) == feed.vehicle_id] if feed.vehicle_id else []
    instant = clock.now()
    entries = [*_bookings(session, vehicles, instant), *_blocks(session, vehicles, instant)]
    throttle.count_rows(caller, len(entries))
    made = Calendar.new(
        prodid=f"-//{settings().product_name}//Fleet//EN",
        method="PUBLISH",
        name=_name(session, feed),
        uid=uid(f"vehicle-{feed.vehicle_id}" if feed.vehicle_id else f"fleet-{feed.vendor_id}"),
        subcomponents=entries,
    )
    made.add("X-WR-RELCALID", made["UID"])
    return bytes(made.to_ical())


def _made_by_who_may() -> ColumnElement[bool]:
    """SQL: whether whoever was shown the secret is the vendor, or still manages for them in an account that is open."""
    manages = (
        select(col(Member.user_id))
        .join(_MAKER, _MAKER.id == Member.user_id)
        .where(
            col(Member.user_id) == IcalFeed.made_by,
            col(Member.vendor_id) == IcalFeed.vendor_id,
            col(Member.role) == MemberRole.MANAGER,
            _MAKER.status == "active",
            _MAKER.is_deleted.is_(False),
            _MAKER.erase_asked_at.is_(None),
        )
    )
    return or_(col(IcalFeed.made_by).is_(None), col(IcalFeed.made_by) == IcalFeed.vendor_id, manages.exists())


def _name(session: Session, feed: IcalFeed) -> str:
    """What programs call the calendar in their lists."""
    if not feed.vehicle_id:
        return f"All vehicles ({settings().product_name})"
    named = titled(select(_TITLE).select_from(Vehicle)).where(col(Vehicle.id) == feed.vehicle_id)
    title = session.execute(named).scalar_one()
    return f"{title} ({settings().product_name})"


def _bookings(session: Session, vehicles: list[ColumnElement[bool]], instant: datetime) -> Iterator[Event]:
    booked = select(Booking, ENDS.label("end"), _TITLE).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    bookings = titled(booked.outerjoin(TripReading, RETURNED)).where(
        *vehicles,
        standing(instant),
        col(Booking.stage) != TripStage.NO_SHOW,
        col(Booking.return_at) > instant - BACK,
        # A vehicle handed over early may have come back before its pickup time.
        col(Booking.pickup_at) < ENDS,
    )
    for row in session.execute(bookings):
        booking, kind = row.Booking, "Request" if row.Booking.status == BookingStatus.PENDING else "Booking"
        yield Event.new(
            uid=uid(booking.reference),
            stamp=instant,
            start=booking.pickup_at,
            end=row.end,
            summary=f"{row.title}: {kind.lower()}",
            description=f"{kind} {booking.reference}",
            status=STATUS.TENTATIVE if booking.status == BookingStatus.PENDING else STATUS.CONFIRMED,
        )


def _blocks(session: Session, vehicles: list[ColumnElement[bool]], instant: datetime) -> Iterator[Event]:
    """The vendor's own blocks, without imported ones: two shops that import each other would keep a deleted block
    alive."""
    blocked = select(Block, _TITLE).join(Vehicle, col(Vehicle.id) == Block.vehicle_id)
    own = (col(Block.import_id).is_(None), col(Block.ends_at) > instant - BACK)
    for row in session.execute(titled(blocked).where(*vehicles, *own)):
        yield Event.new(
            uid=uid(f"block-{row.Block.id}"),
            stamp=instant,
            start=row.Block.begins_at,
            end=row.Block.ends_at,
            summary=f"{row.title}: {row.Block.reason}",
            description=row.Block.note,
            status=STATUS.CONFIRMED,
        )
