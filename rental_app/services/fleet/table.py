"""The vendor's table of vehicles, searched, sorted and paged by the database, with the state of each right now."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
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
from rental_app.schemas.fleet import FleetQuery
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_manager
from rental_app.services.bookings.rows import counted_within, line_vehicle, received
from rental_app.services.fleet.own_vehicles import own_listings
from rental_app.services.fleet.papers import ExpiringPaper, expiring
from rental_app.services.paging import Slice, contains_word, counted
from rental_app.services.search.eligibility import platform_verdict

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
class FleetPage:
    """One page of the fleet, the state of its vehicles, and their papers that expire soon.

    `total` counts the vehicles that match, `size` the whole fleet.
    """

    vehicles: list[OwnListing]
    standings: dict[int, VehicleNow]
    papers: list[ExpiringPaper]
    page: int
    pages: int
    total: int
    size: int


def table(session: Session, actor: Actor, query: FleetQuery) -> FleetPage:
    """A page of the actor's vehicles; past the last page, the last one. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    instant = clock.now()
    today = clock.indian_today(instant)
    fleet = own_listings(actor, retired=query.shown == "retired")
    insurance, pollution = col(Vehicle.insurance_expiry_date), col(Vehicle.pollution_expiry_date)
    # The two databases have different names for the smaller of two values.
    sooner = case((insurance < pollution, insurance), else_=pollution)
    orders: dict[str, list[ColumnElement[Any]]] = {
        "name": [func.lower(TITLE)],
        "rc": [col(Vehicle.rc_number).asc()],
        "papers": [sooner],
    }
    ordered = fleet.where(*_conditions(query, today)).order_by(*orders.get(query.order, []), col(Vehicle.id).desc())
    part = _part(session, actor, ordered, query.page)
    pages = _pages(part)
    cars = part.items
    papers = expiring(session, col(Vehicle.id).in_([car.id for car in cars]), instant)
    now = standings(session, cars, instant)
    size = int(session.execute(select(func.count()).select_from(fleet.subquery())).scalar_one())
    return FleetPage(cars, now, papers, min(query.page, pages), pages, part.total or 0, size)


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


def _conditions(query: FleetQuery, today: date) -> list[ColumnElement[bool]]:
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
        "expiring": or_(col(Vehicle.insurance_expiry_date) <= warned, col(Vehicle.pollution_expiry_date) <= warned),
    }
    return conditions + ([shown[query.shown]] if query.shown in shown else [])


def _fits(word: str) -> ColumnElement[bool]:
    rc_number = col(Vehicle.rc_number).icontains(rc_part(word), autoescape=True)
    columns = (TITLE, col(Vehicle.color), col(Location.name), col(AssetModel.body_type))
    return or_(rc_number, *(contains_word(column, word) for column in columns))
