"""The vendor's table of vehicles: searched, filtered, sorted and paged by the database."""

import math
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, not_, or_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.contacts import search_words
from rental_app.domain.papers import last_day_of_warning
from rental_app.domain.registration import rc_part
from rental_app.models import TITLE, AssetModel, Columns, Location, Manufacturer, OwnListing, Vehicle, listing
from rental_app.schemas.fleet import FleetQuery
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_vendor
from rental_app.services.fleet.own_vehicles import own_listings
from rental_app.services.fleet.papers import ExpiringPaper, expiring
from rental_app.services.fleet.status import VehicleNow, standings
from rental_app.services.paging import Slice, contains_word, counted
from rental_app.services.search.eligibility import platform_verdict

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
    require_vendor(actor)
    instant = clock.now()
    today = clock.indian_today(instant)
    fleet = own_listings(actor)
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
    now, size = standings(session, cars, instant), _count(session, fleet)
    return FleetPage(cars, now, papers, min(query.page, pages), pages, part.total or 0, size)


def fitting(session: Session, actor: Actor, text: str) -> set[int]:
    """The ids of the actor's vehicles that match a text, searched as in the table. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
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


def _count(session: Session, statement: Columns) -> int:
    return int(session.execute(select(func.count()).select_from(statement.subquery())).scalar_one())


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
