"""Which vehicles are free where and when."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, literal, select
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.errors import InvalidInputError
from rental_app.models import Columns, Listing, Location, User, Vehicle
from rental_app.models.user import opening_hours
from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.rules.hours import OpeningHours, resolve
from rental_app.rules.matching import matching
from rental_app.schemas.shop import AvailabilityAnswer, AvailabilityRequest, NearestOpen, ShopQuery
from rental_app.schemas.wire import Page
from rental_app.services import holds, shop, throttle
from rental_app.services.catalogue import location_id
from rental_app.services.finding import PARTS, given, ids_of, ids_where, part_of
from rental_app.services.paging import Slice
from rental_app.services.shelf import shelf
from rental_app.services.shop import cars_of, public_views
from rental_app.services.throttle import Caller


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave, all or the cheapest of `total`; `nearest` where opening hours kept vehicles out."""

    vehicles: Sequence[Listing]
    total: int
    nearest: NearestOpen | None = None


def read_window(pickup: str, return_at: str) -> tuple[datetime | date, datetime | date]:
    """Read both ends of a window; raises InvalidInputError when one is missing or no date."""
    if not pickup or not return_at:
        message = "Please select Pickup and Return date/time"
        missing = {name: message for name, text in (("pickupDate", pickup), ("returnDate", return_at)) if not text}
        raise InvalidInputError(message, code="dates_missing", fields=missing)
    return clock.parse_moment(pickup, "pickupDate"), clock.parse_moment(return_at, "returnDate")


def answer(session: Session, caller: Caller, request: AvailabilityRequest, page: Page) -> AvailabilityAnswer:
    """What is free over a window, by id, with all prices; raises as `available`."""
    search = _begun(session, caller, request)
    part = part_of(session, search.statement, search.bound, page) if search.windows else Slice([], 0)
    throttle.count_rows(caller, len(part.items))
    if not part.items and not part.total:
        return AvailabilityAnswer(available=[], message="No cars available", nearest=_nearest(session, search))
    views = public_views(session, cars_of(session, part.items))
    return AvailabilityAnswer(available=views, **part.tail)


def browse(session: Session, caller: Caller, query: ShopQuery, place: str) -> Found:
    """What pages show of the vehicles that fit a query's text, as many as its pages hold: those that are free, with a
    hint of hours at which more are, or those of a place while the search is incomplete; raises as `available`."""
    if query.complete:
        return available(session, caller, query, most=query.most, hint=True, fitting=query.text)
    there = query.model_copy(update={"location": place})
    part = shop.listed(session, caller, there, None if query.text else Page.model_construct(limit=query.most, cursor=0))
    found = _fitting(part.items, query.text)
    return Found(found[: query.most], len(found) if part.total is None else part.total)


def _fitting(cars: Sequence[Listing], text: str) -> Sequence[Listing]:
    labels = matching({_label(car) for car in cars}, text) if text else ()
    return [car for car in cars if _label(car) in labels] if text else cars


def _label(car: Listing) -> str:
    """The words a vehicle can be found by."""
    return f"{car.title} {car.asset_type} {car.body_type} {car.service_location}"


def available(
    session: Session,
    caller: Caller,
    request: AvailabilityRequest,
    *,
    most: int | None = None,
    hint: bool = False,
    fitting: str = "",
) -> Found:
    """Vehicles of a location that are free over a window and fit a text, cheapest first, all of them or a few.

    Where nothing is free, or a `hint` is wanted in any case, it also looks for the nearest window that the vendors
    kept out by their opening hours do serve.
    Raises InvalidInputError for missing or impossible dates and unknown locations.
    """
    search = _begun(session, caller, request)
    ids = search.cheapest(session, None if fitting else most)
    total = len(ids) if most is None or len(ids) < most or fitting else search.count(session)
    throttle.count_rows(caller, len(ids))
    free = _fitting(cars_of(session, ids), fitting)
    nearest = _nearest(session, search) if hint or not ids else None
    return Found(free[:most], len(free) if fitting else total, nearest)


@dataclass(frozen=True, slots=True)
class _Search:
    """A search at an instant: the vendors of its place with their hours, and the windows of those that serve it."""

    request: AvailabilityRequest
    instant: datetime
    hours: dict[int, OpeningHours]
    windows: dict[int, Window]
    wishes: list[tuple[int, Window]]

    def at(self, windows: dict[int, Window]) -> "_Search":
        """The same search over other windows."""
        return replace(self, windows=windows)

    @property
    def others(self) -> list[int]:
        """The vendors who do not serve it."""
        return sorted(self.hours.keys() - self.windows.keys())

    @property
    def bound(self) -> dict[str, Any]:
        """The values that its statements are bound to."""
        one = next(iter(self.windows.values()))
        last_day = max(clock.indian_today(window.return_at) for window in self.windows.values())
        times = {"instant": self.instant, "last_day": last_day, "pickup": one.pickup, "return_at": one.return_at}
        return given(self.request) | times | ({"others": self.others} if self.others else {})

    def statement(self, part: str) -> Columns:
        """One of PARTS of what is free: prepared, unless bare dates mean another window for every vendor."""
        filters = tuple(given(self.request))
        if len(set(self.windows.values())) == 1:
            return _prepared(filters, bool(self.others), part)
        return PARTS[part](_free(filters, bool(self.others), *_wanted_window(self.windows)))

    def cheapest(self, session: Session, most: int | None) -> list[int]:
        """The ids of what is free, cheapest first."""
        if not self.windows:
            return []
        if most is None:
            return ids_of(session, self.statement("by price"), self.bound)
        return ids_of(session, self.statement("cheapest"), self.bound | {"limit": most})

    def count(self, session: Session) -> int:
        """How many vehicles are free."""
        return ids_of(session, self.statement("count"), self.bound)[0] if self.windows else 0


def _free(
    filters: tuple[str, ...], without_others: bool, pickup: ColumnElement[Any], return_at: ColumnElement[Any]
) -> Columns:
    others = [col(Vehicle.vendor_id).not_in(bindparam("others", expanding=True))] if without_others else []
    return ids_where(*others, *holds.free(pickup, return_at, holds.bound("instant")), filters=filters)


@cache
def _prepared(filters: tuple[str, ...], without_others: bool, part: str) -> Columns:
    return PARTS[part](_free(filters, without_others, holds.bound("pickup"), holds.bound("return_at")))


def _begun(session: Session, caller: Caller, request: AvailabilityRequest) -> _Search:
    throttle.count("search", caller)
    throttle.check_rows(caller)
    instant = clock.now()
    ends = read_window(request.pickup, request.return_at)
    hours = _hours(session, request.location)
    windows = _windows(ends, hours, instant)
    closed = [vendor_id for vendor_id, window in windows.items() if hours[vendor_id].refusal(window)]
    served = {vendor_id: window for vendor_id, window in windows.items() if vendor_id not in closed}
    return _Search(request, instant, hours, served, [(vendor_id, windows[vendor_id]) for vendor_id in sorted(closed)])


def _windows(
    ends: tuple[datetime | date, datetime | date], vendors: dict[int, OpeningHours], instant: datetime
) -> dict[int, Window]:
    """The window a search means for each vendor; raises InvalidInputError where it is possible for none of them."""
    windows = {vendor_id: resolve(*ends, hours) for vendor_id, hours in vendors.items()}
    possible = {vendor_id: window for vendor_id, window in windows.items() if clock.is_possible(window, instant)}
    if not possible:
        clock.check_window(next(iter(windows.values()), resolve(*ends, OpeningHours())), instant)
    return possible


_VENDORS = (
    select(col(User.id), col(User.open_time), col(User.close_time), col(User.closing_days))
    .join(Vehicle, col(Vehicle.vendor_id) == User.id)
    .join(Location, col(Vehicle.location_id) == Location.id)
    .where(col(Location.name) == bindparam("location"), col(Vehicle.is_active).is_(True))
    .group_by(col(User.id))
)


def _hours(session: Session, location: str) -> dict[int, OpeningHours]:
    """The opening hours of every vendor with a vehicle at a location; raises for an unknown location."""
    known = shelf(session).hours
    if location in known:
        return known[location]
    rows = session.connection().execute(_VENDORS, {"location": location}).all()
    if not rows:
        location_id(session, location)
    known[location] = {row.id: opening_hours(row.open_time, row.close_time, row.closing_days) for row in rows}
    return known[location]


def _wanted_window(windows: dict[int, Window]) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """The window as SQL: one pair of values, or one a vendor where bare dates mean their own opening times."""
    distinct: dict[Window, list[int]] = {}
    for vendor_id, window in windows.items():
        distinct.setdefault(window, []).append(vendor_id)
    ends = []
    for end in ("pickup", "return_at"):
        values = [
            (col(Vehicle.vendor_id).in_(vendors), literal(getattr(window, end), UTCDateTime()))
            for window, vendors in distinct.items()
        ]
        ends.append(values[0][1] if len(values) == 1 else case(*values))
    return ends[0], ends[1]


def _nearest(session: Session, search: _Search) -> NearestOpen | None:
    """The smallest shift of the window that a closed vendor serves, and how many vehicles are free then."""
    hours, wishes = search.hours, search.wishes
    shifted = [window for vendor_id, wish in wishes if (window := _shift(hours[vendor_id], wish, search.instant))]
    if not shifted:
        return None
    wish = wishes[0][1]
    best = min(shifted, key=lambda w: abs(w.pickup - wish.pickup) + abs(w.return_at - wish.return_at))
    open_then = {vendor_id: best for vendor_id, theirs in hours.items() if not theirs.refusal(best)}
    count = search.at(open_then).count(session)
    return NearestOpen(pickup=best.pickup, return_at=best.return_at, count=count) if count else None


def _shift(hours: OpeningHours, wish: Window, instant: datetime) -> Window | None:
    pickup = hours.nearest(wish.pickup, not_before=clock.default_pickup(instant))
    return_at = pickup and hours.nearest(wish.return_at, not_before=pickup + clock.MIN_LENGTH)
    window = Window(pickup, return_at) if pickup and return_at else None
    return window if window and clock.is_possible(window, instant) else None
