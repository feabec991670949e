"""Lists of bookings: a customer's, a vendor's, and the file of a vendor's."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingSource, BookingStatus, TripStage, VendorPart, WhyCancelled
from rental_app.domain.contacts import search_words
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.registration import rc_part
from rental_app.models import Booking, Columns, User, Vehicle
from rental_app.schemas.bookings import BookingFilter, BookingView, VendorBookingView
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, own_ids, require_staff, require_vendor
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings.due import is_due
from rental_app.services.bookings.rows import (
    BookingRow,
    booking_columns,
    booking_view,
    deposit_owed,
    rent_owed,
    status_at,
    vendor_view,
)
from rental_app.services.files.csv import Cell, csv_file
from rental_app.services.paging import Slice, contains_word, counted, paged
from rental_app.services.reviews import customers

HEAD = (
    *("Reference", "Requested", "Customer", "Phone", "Vehicle", "RC number", "Pickup", "Return"),
    *("Status", "Stage", "Price", "Deposit", "Rent owed", "Deposit owed"),
)
NOW, UPCOMING, PAST = "Now", "Upcoming", "Past"
PARTS = (NOW, UPCOMING, PAST)


def of_customer(session: Session, actor: Actor, page: Page | None = None) -> Slice[BookingView]:
    """The actor's own bookings, newest first."""
    throttle.count("list", actor)
    statement = booking_columns(clock.now()).where(col(Booking.customer_id) == actor.id)
    part = paged(session, actor, statement, col(Booking.id), page, BookingRow.of, newest_first=True)
    return part.of([booking_view(row, BookingView) for row in part.items])


def of_vendor(
    session: Session, actor: Actor, page: Page | None = None, only: BookingFilter | None = None
) -> Slice[VendorBookingView]:
    """All bookings of the vendor's vehicles, or those that match a filter, newest first by default. Raises
    ForbiddenError."""
    throttle.count("list", actor)
    require_staff(actor)
    instant = clock.now()
    wanted = only or BookingFilter()
    statement = select_of_vendor(actor, wanted, instant)
    # Those that wait stand before those answered today, which no key tells.
    if wanted.sort == "created" and wanted.part != VendorPart.WAITING:
        part = paged(session, actor, statement, col(Booking.id), page, BookingRow.of, newest_first=True)
    else:
        part = counted(session, actor, ordered(statement, wanted, instant), page, BookingRow.of)
    stars = customers.of_waiting(session, actor.vendor, instant)
    return part.of([vendor_view(row, stars) for row in part.items])


def counts(session: Session, actor: Actor, only: BookingFilter | None = None) -> Mapping[VendorPart, int]:
    """How many of the vendor's bookings each part of the list has, of those that match the rest of a filter; of the
    ones answered today none counts as waiting. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_staff(actor)
    instant = clock.now()
    whole = (only or BookingFilter()).model_copy(update={"part": VendorPart.ALL})
    part = part_at(instant).label("part")
    statement = select_of_vendor(actor, whole, instant).with_only_columns(part, func.count()).group_by(part)
    by_part = {VendorPart(name): count for name, count in session.execute(statement)}
    every = {VendorPart.ALL: sum(by_part.values())}
    return {name: by_part.get(name, 0) for name in VendorPart} | every


def seen_by(session: Session, actor: Actor, staff: Actor, page: Page) -> Slice[VendorBookingView]:
    """What a vendor's people see first, for an operator who looks and whose rows these count as; the caller has
    checked."""
    statement = select_of_vendor(staff, BookingFilter(), clock.now())
    part = paged(session, actor, statement, col(Booking.id), page, BookingRow.of, newest_first=True)
    return part.of([vendor_view(row) for row in part.items])


def unanswered(session: Session, actor: Actor) -> int:
    """How many requests wait for the actor's answer. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_staff(actor)
    conditions = (col(Booking.vehicle_id).in_(own_ids(actor)), is_waiting(clock.now()))
    return int(session.execute(select(func.count()).select_from(Booking).where(*conditions)).scalar_one())


def news(session: Session, actor: Actor) -> tuple[int, int]:
    """How many requests wait for the actor's answer, and the id of the latest of them, 0 without one: what a page that
    is open asks every few seconds. Raises ForbiddenError."""
    throttle.count("look", actor)
    require_staff(actor)
    conditions = (col(Booking.vehicle_id).in_(own_ids(actor)), is_waiting(clock.now()))
    counts = select(func.count(), func.coalesce(func.max(Booking.id), 0)).select_from(Booking).where(*conditions)
    row = session.execute(counts).one()
    return row[0], row[1]


def select_of_vendor(actor: Actor, only: BookingFilter, instant: datetime) -> Columns:
    """SELECT of the bookings of the vendor's vehicles that match a filter, unordered."""
    filters = (
        (only.booking, col(Booking.id) == only.booking),
        (only.vehicle, col(Booking.vehicle_id) == only.vehicle),
        (only.status, status_at(instant) == only.status),
    )
    conditions = [condition for is_set, condition in filters if is_set]
    if only.due:
        conditions.append(is_due(only.due, instant))
    if only.part == VendorPart.WAITING:
        conditions.append(or_(is_waiting(instant), _answered_today(instant)))
    elif only.part != VendorPart.ALL:
        conditions.append(part_at(instant) == only.part)
    if only.first_day:
        conditions.append(col(Booking.return_at) >= clock.at(only.first_day, time()))
    if only.last_day:
        conditions.append(col(Booking.pickup_at) < clock.at(only.last_day + timedelta(days=1), time()))
    if only.month:
        first, following = clock.month_bounds(clock.at(only.month, time()))
        conditions += [col(Booking.pickup_at) >= first, col(Booking.pickup_at) < following]
    conditions += [_matches_word(word) for word in search_words(only.text)]
    return booking_columns(instant).where(col(Vehicle.vendor_id) == actor.vendor, *conditions)


def part_at(instant: datetime) -> ColumnElement[str]:
    """SQL: the part of the vendor's list that a booking is in at an instant."""
    confirmed, stage = col(Booking.status) == BookingStatus.CONFIRMED, col(Booking.stage)
    booked = and_(confirmed, stage == TripStage.BOOKED)
    status = status_at(instant)
    open_now = or_(stage == TripStage.RETURNED, booked, rent_owed(status) != 0, deposit_owed(status) != 0)
    return case(
        (is_waiting(instant), str(VendorPart.WAITING)),
        (and_(booked, col(Booking.return_at) > instant), str(VendorPart.UPCOMING)),
        (and_(confirmed, stage == TripStage.OUT), str(VendorPart.OUT)),
        (open_now, str(VendorPart.TO_SETTLE)),
        else_=str(VendorPart.PAST),
    )


def _answered_today(instant: datetime) -> ColumnElement[bool]:
    """SQL: whether the vendor has answered a request by hand on this Indian day, and the answer stands."""
    confirmed, cancelled = (col(Booking.status) == each for each in (BookingStatus.CONFIRMED, BookingStatus.CANCELLED))
    return and_(
        col(Booking.decided_at) >= clock.at(clock.indian_today(instant), time()),
        col(Booking.source) == BookingSource.ONLINE,
        col(Booking.confirmed_at_once).is_(False),
        or_(confirmed, and_(cancelled, col(Booking.cancel_reason) == WhyCancelled.DECLINED)),
    )


def ordered(statement: Columns, only: BookingFilter, instant: datetime) -> Columns:
    """The SELECT in the requested order: latest request, next answer due, next pickup or earliest return first.

    In the part of those that wait, they come before those answered today.
    """
    waiting, newest = is_waiting(instant), col(Booking.id).desc()
    first = [case((waiting, 0), else_=1)] if only.part == VendorPart.WAITING else []
    return statement.order_by(*first, *_order_of(only, instant), newest)


def _order_of(only: BookingFilter, instant: datetime) -> list[Any]:
    waiting = is_waiting(instant)
    if only.sort == "deadline":
        return [case((waiting, 0), else_=1), case((waiting, col(Booking.answer_by)))]
    if only.sort == "pickup":
        # What was to be handed over by now is the next to go out, too.
        ahead = or_(col(Booking.pickup_at) >= instant, part_at(instant) == VendorPart.UPCOMING)
        return [case((ahead, 0), else_=1), case((ahead, col(Booking.pickup_at))), col(Booking.pickup_at).desc()]
    return [col(Booking.return_at)] if only.sort == "return" else []


def as_csv(session: Session, actor: Actor, only: BookingFilter) -> bytes:
    """All bookings of the actor's vehicles that match a filter, as a table. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    throttle.check_rows(actor)
    instant = clock.now()
    statement = select_of_vendor(actor, only, instant)
    rows = session.execute(ordered(statement, only, instant)).all()
    throttle.count_rows(actor, len(rows))
    return csv_file(HEAD, map(_cells, map(BookingRow.of, rows)))


def _cells(row: BookingRow) -> list[Cell]:
    view = vendor_view(row)
    times = (_written(view.created_at), _written(view.pickup), _written(view.return_at))
    money = (view.price, view.deposit, view.balance.rent, view.balance.deposit)
    return [
        *(view.reference, times[0], view.customer_name, view.customer_phone, view.car.title, row.rc_number),
        *(*times[1:], view.status, view.stage),
        *(paise / PAISE_PER_RUPEE for paise in money),
    ]


def _written(instant: datetime) -> str:
    """Indian time in a format that spreadsheets read."""
    return f"{clock.indian(instant):%Y-%m-%d %H:%M}"


def _matches_word(word: str) -> ColumnElement[bool]:
    """SQL: whether customer name, reference, RC number or (once it may be seen) phone number contain a word."""
    phone = and_(col(Booking.status) == BookingStatus.CONFIRMED, col(User.phone_number).contains(word, autoescape=True))
    rc_number = col(Vehicle.rc_number).icontains(rc_part(word), autoescape=True)
    texts = (col(User.name), col(Booking.reference))
    return or_(phone, rc_number, *(contains_word(text, word) for text in texts))


def cards_of_customer(session: Session, actor: Actor, page: Page) -> Slice[BookingView]:
    """The actor's own bookings, the nearest of each part first: by return, by pickup, by end.

    Of those to come, the ones that wait for an answer are before the others.
    """
    throttle.count("list", actor)
    return cards_seen_by(session, actor, actor, page)


def cards_seen_by(session: Session, actor: Actor, customer: Actor, page: Page) -> Slice[BookingView]:
    """The same of a customer, for an operator who looks and whose rows these count as; the caller has checked."""
    instant = clock.now()
    part = _part(instant)
    statement = booking_columns(instant).add_columns(part.label("part")).where(col(Booking.customer_id) == customer.id)
    return counted(
        session,
        actor,
        statement.order_by(*_order(part, instant)),
        page,
        lambda row: booking_view(BookingRow.of(row), BookingView, part=PARTS[row.part]),
    )


def _part(instant: datetime) -> ColumnElement[int]:
    """SQL: the index in PARTS of a booking's part."""
    confirmed, booked = col(Booking.status) == BookingStatus.CONFIRMED, col(Booking.stage) == TripStage.BOOKED
    begun = col(Booking.pickup_at) <= instant
    now = and_(
        confirmed, or_(col(Booking.stage) == TripStage.OUT, and_(booked, begun, col(Booking.return_at) > instant))
    )
    to_come = or_(is_waiting(instant), and_(confirmed, booked, ~begun))
    return case((now, PARTS.index(NOW)), (to_come, PARTS.index(UPCOMING)), else_=PARTS.index(PAST))


def _order(part: ColumnElement[int], instant: datetime) -> list[ColumnElement[Any]]:
    called_off = func.coalesce(col(Booking.decided_at), col(Booking.answer_by))
    ended = case((status_at(instant) == BookingStatus.CANCELLED, called_off), else_=col(Booking.return_at))
    return [
        part,
        case((part == PARTS.index(NOW), col(Booking.return_at))),
        case((is_waiting(instant), 0), else_=1),
        case((part == PARTS.index(UPCOMING), col(Booking.pickup_at))),
        ended.desc(),
        col(Booking.id).desc(),
    ]
