"""The vendor's table of vehicles, searched, sorted and paged by the database, with the state of each right now."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, not_, or_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.contacts import search_words
from rental_app.domain.papers import last_day_of_warning
from rental_app.domain.registration import rc_part
from rental_app.models import (
    TITLE,
    AssetModel,
    Block,
    Booking,
    Columns,
    LedgerEntry,
    Location,
    Manufacturer,
    OwnListing,
    Vehicle,
    listing,
)
from rental_app.schemas.fleet import MOST_AT_ONCE, FleetQuery
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_manager
from rental_app.services.bookings.rows import counted_within, line_vehicle, received
from rental_app.services.fleet.own_vehicles import own_listings
from rental_app.services.fleet.papers import ExpiringPaper, expiring
from rental_app.services.paging import Slice, contains_word, counted
from rental_app.services.pricing.tariffs import priced
from rental_app.services.search.eligibility import bookable, platform_verdict

OFF, UNAPPROVED, REFUSED, EXPIRED, RENTED = "off", "unapproved", "refused", "expired", "rented"
BLOCKED, BOOKED_AHEAD, FREE = "blocked", "booked", "free"


@dataclass(frozen=True, slots=True)
class VehicleNow:
    """The state of a vehicle now: one of the kinds above, when it ends or begins (`until`, UTC), its next pickup
    (`following`, UTC), and what was received for it in this Indian month (paise)."""

    kind: str
    until: datetime | None
    following: datetime | None
    earned_paise: int


def standings(session: Session, cars: Sequence[OwnListing], instant: datetime) -> dict[int, VehicleNow]:
    """The state of each of a vendor's vehicles; the caller has checked whose they are."""
    ids = [car.id for car in cars]
    due = (
        select(col(Booking.vehicle_id), func.max(col(Booking.return_at)))
        .where(col(Booking.vehicle_id).in_(ids), col(Booking.stage) == TripStage.OUT)
        .group_by(col(Booking.vehicle_id))
    )
    out = {row[0]: row[1] for row in session.execute(due).all()}
    ahead, earned = _ahead(session, ids, instant), _earned(session, ids, instant)
    now = (col(Block.vehicle_id).in_(ids), col(Block.begins_at) <= instant, col(Block.ends_at) > instant)
    blocked = {row[0]: row[1] for row in session.execute(select(col(Block.vehicle_id), col(Block.ends_at)).where(*now))}
    return {
        car.id: _standing(car, instant, out.get(car.id), blocked.get(car.id), ahead.get(car.id), earned.get(car.id, 0))
        for car in cars
    }


def _standing(
    car: OwnListing,
    instant: datetime,
    out: datetime | None,
    blocked: datetime | None,
    ahead: datetime | None,
    earned: int,
) -> VehicleNow:
    today = clock.indian_today(instant)
    expired = min(car.insurance_expiry_date, car.pollution_expiry_date) < today
    kinds = (
        (out is not None, RENTED, out),
        (not car.is_active, OFF, None),
        (bool(car.refusal), REFUSED, None),
        (not car.is_approved, UNAPPROVED, None),
        (expired, EXPIRED, None),
        (blocked is not None, BLOCKED, blocked),
        (ahead is not None, BOOKED_AHEAD, ahead),
        (True, FREE, None),
    )
    kind, until = next((kind, until) for holds, kind, until in kinds if holds)
    return VehicleNow(kind, until, ahead, earned)


def _ahead(session: Session, ids: list[int], instant: datetime) -> dict[int, datetime]:
    """The next pickup of vehicles that have a confirmed booking."""
    following = (
        select(col(Booking.vehicle_id), func.min(col(Booking.pickup_at)))
        .where(
            col(Booking.vehicle_id).in_(ids),
            col(Booking.status) == BookingStatus.CONFIRMED,
            col(Booking.stage) == TripStage.BOOKED,
            col(Booking.return_at) > instant,
        )
        .group_by(col(Booking.vehicle_id))
    )
    return {row[0]: row[1] for row in session.execute(following).all()}


def _earned(session: Session, ids: list[int], instant: datetime) -> dict[int, int]:
    first, following = clock.month_bounds(instant)
    # A booking may have been moved from one of these to another one of their vendor's.
    vendors = select(col(Vehicle.vendor_id)).where(col(Vehicle.id).in_(ids))
    theirs = select(col(Vehicle.id)).where(col(Vehicle.vendor_id).in_(vendors))
    sums = (
        select(line_vehicle(), received())
        .select_from(LedgerEntry)
        .join(Booking, col(LedgerEntry.booking_id) == Booking.id)
        .where(col(Booking.vehicle_id).in_(theirs), line_vehicle().in_(ids))
        .where(*counted_within(first, following))
        .group_by(line_vehicle())
    )
    return {row[0]: int(row[1]) for row in session.execute(sums).all()}


PAGE_SIZE = 20


@dataclass(frozen=True, slots=True)
class FleetCounts:
    """How many vehicles there are, and of them how many are free, out, waiting for their vendor or switched off; and
    how many were retired."""

    all: int
    free: int
    out: int
    needs: int
    inactive: int
    retired: int


@dataclass(frozen=True, slots=True)
class FleetPage:
    """One page of the fleet, the state of its vehicles, and their papers that expire soon.

    `total` counts the vehicles that match, `size` the whole fleet; `ids` are those that match, at most 200 of them, in
    their order.
    """

    vehicles: list[OwnListing]
    standings: dict[int, VehicleNow]
    papers: list[ExpiringPaper]
    page: int
    pages: int
    total: int
    size: int
    ids: list[int]
    counts: FleetCounts


def table(session: Session, actor: Actor, query: FleetQuery) -> FleetPage:
    """A page of the actor's vehicles; past the last page, the last one. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    instant = clock.now()
    fleet = own_listings(actor, retired=query.shown == "retired")
    ordered = fleet.where(*_conditions(query, instant)).order_by(*_order(query, instant), col(Vehicle.id).desc())
    part = _part(session, actor, ordered, query.page)
    pages = _pages(part)
    cars = part.items
    papers = expiring(session, col(Vehicle.id).in_([car.id for car in cars]), instant)
    now = standings(session, cars, instant)
    ids = session.scalars(ordered.with_only_columns(col(Vehicle.id), maintain_column_froms=True).limit(MOST_AT_ONCE))
    counts = _counts(session, actor, instant)
    return FleetPage(
        vehicles=cars,
        standings=now,
        papers=papers,
        page=min(query.page, pages),
        pages=pages,
        total=part.total or 0,
        size=counts.all,
        ids=[each or 0 for each in ids],
        counts=counts,
    )


def _order(query: FleetQuery, instant: datetime) -> list[ColumnElement[Any]]:
    insurance, pollution = col(Vehicle.insurance_expiry_date), col(Vehicle.pollution_expiry_date)
    # The two databases have different names for the smaller of two values.
    sooner = case((insurance < pollution, insurance), else_=pollution)
    warned = last_day_of_warning(clock.indian_today(instant))
    ranks = ((_needs(instant), 0), (sooner <= warned, 1), (col(Vehicle.is_active).is_(True), 2))
    orders: dict[str, list[ColumnElement[Any]]] = {
        "name": [func.lower(TITLE)],
        "rc": [col(Vehicle.rc_number).asc()],
        "papers": [sooner],
        "needs": [case(*ranks, else_=3)],
    }
    return orders.get(query.order, [])


def _counts(session: Session, actor: Actor, instant: datetime) -> FleetCounts:
    off = col(Vehicle.is_active).is_(False)
    shown = (_is_free(instant), _is_out(), _needs(instant), off)
    sums = [func.count(), *(func.count(case((which, 1))) for which in shown)]
    own = session.execute(own_listings(actor).with_only_columns(*sums, maintain_column_froms=True)).one()
    gone = own_listings(actor, retired=True).with_only_columns(func.count(), maintain_column_froms=True)
    return FleetCounts(
        all=own[0], free=own[1], out=own[2], needs=own[3], inactive=own[4], retired=session.execute(gone).scalar_one()
    )


def _is_out(*more: ColumnElement[bool]) -> ColumnElement[bool]:
    out = (col(Booking.vehicle_id) == Vehicle.id, col(Booking.stage) == TripStage.OUT, *more)
    return select(col(Booking.id)).where(*out).correlate(Vehicle).exists()


def _is_free(instant: datetime) -> ColumnElement[bool]:
    """SQL: whether customers could take a vehicle right now."""
    now = (col(Block.vehicle_id) == Vehicle.id, col(Block.begins_at) <= instant, col(Block.ends_at) > instant)
    blocked = select(col(Block.id)).where(*now).correlate(Vehicle).exists()
    offered = bookable(clock.indian_today(instant))
    return and_(*offered, not_(_is_out()), not_(blocked))


def _needs(instant: datetime) -> ColumnElement[bool]:
    """SQL: whether a vehicle waits for its vendor: expired papers, a refusal, no price, or late on its way back."""
    today = clock.indian_today(instant)
    return or_(
        col(Vehicle.insurance_expiry_date) < today,
        col(Vehicle.pollution_expiry_date) < today,
        col(Vehicle.refusal) != "",
        not_(func.coalesce(and_(*priced()), False)),
        _is_out(col(Booking.return_at) < instant),
    )


def fitting(session: Session, actor: Actor, text: str) -> set[int]:
    """The ids of the actor's vehicles that match a text, searched as in the table. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    matching = own_listings(actor).where(*map(_fits, search_words(text))).subquery()
    return set(session.scalars(select(matching.c.id)))


def _part(session: Session, actor: Actor, ordered: Columns, page: int) -> Slice[OwnListing]:
    """The vehicles of a page; past the last page, of the last one."""
    window = Page(limit=PAGE_SIZE, cursor=(page - 1) * PAGE_SIZE)
    part = counted(session, actor, ordered, window, partial(listing, kind=OwnListing))
    past = part.total and not part.items
    return _part(session, actor, ordered, _pages(part)) if past else part


def _pages(part: Slice[OwnListing]) -> int:
    return max(1, math.ceil((part.total or 0) / PAGE_SIZE))


def _conditions(query: FleetQuery, instant: datetime) -> list[ColumnElement[bool]]:
    today = clock.indian_today(instant)
    conditions = [_fits(word) for word in search_words(query.text)]
    if query.type_id:
        conditions.append(col(Manufacturer.asset_type_id) == query.type_id)
    available = and_(*platform_verdict(today))
    warned = last_day_of_warning(today)
    shown: dict[str, ColumnElement[bool]] = {
        "available": available,
        "unavailable": not_(available),
        "active": col(Vehicle.is_active).is_(True),
        "inactive": col(Vehicle.is_active).is_(False),
        "free": _is_free(instant),
        "out": _is_out(),
        "needs": _needs(instant),
        "expiring": or_(col(Vehicle.insurance_expiry_date) <= warned, col(Vehicle.pollution_expiry_date) <= warned),
    }
    return conditions + ([shown[query.shown]] if query.shown in shown else [])


def _fits(word: str) -> ColumnElement[bool]:
    rc_number = col(Vehicle.rc_number).icontains(rc_part(word), autoescape=True)
    columns = (TITLE, col(Vehicle.color), col(Location.name), col(AssetModel.body_type))
    return or_(rc_number, *(contains_word(column, word) for column in columns))
