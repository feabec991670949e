"""Which vehicles are free where and when."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, exists, func, literal, or_
from sqlmodel import Session, col, select
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.errors import InvalidInputError
from rental_app.models import Booking, Listing, Location, User, Vehicle, VehiclePrice
from rental_app.models.booking import CONFIRMED, HOLDING_STAGES, PENDING
from rental_app.models.user import opening_hours
from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.rules.hours import OpeningHours, resolve
from rental_app.rules.matching import matching
from rental_app.schemas.shop import AvailabilityAnswer, AvailabilityRequest, NearestOpen, ShopQuery
from rental_app.schemas.wire import Page
from rental_app.services import shop, throttle
from rental_app.services.catalogue import location_id
from rental_app.services.paging import Slice, cut
from rental_app.services.shop import bookable, fitting, made, public_views, vehicle_columns
from rental_app.services.throttle import Caller


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave; `nearest` where opening hours kept vehicles out."""

    vehicles: Sequence[Listing]
    nearest: NearestOpen | None = None


def holding(instant: datetime) -> ColumnElement[bool]:
    """SQL condition: a booking that holds its vehicle: one that stands, until the vehicle is back or a no-show."""
    return and_(standing(instant), col(Booking.stage).in_(HOLDING_STAGES))


def standing(instant: datetime) -> ColumnElement[bool]:
    """SQL condition: a booking confirmed, or pending and not lapsed at an instant."""
    return or_(col(Booking.status) == CONFIRMED, and_(col(Booking.status) == PENDING, col(Booking.answer_by) > instant))


def _free(pickup: ColumnElement[Any], return_at: ColumnElement[Any], instant: datetime) -> ColumnElement[bool]:
    return ~exists().where(
        col(Booking.vehicle_id) == Vehicle.id,
        col(Booking.return_at) > pickup,
        col(Booking.pickup_at) < return_at,
        holding(instant),
    )


def read_window(pickup: str, return_at: str) -> tuple[datetime | date, datetime | date]:
    """Read both ends of a window; raises InvalidInputError when one is missing or no date."""
    if not pickup or not return_at:
        message = "Please select Pickup and Return date/time"
        missing = {name: message for name, text in (("pickupDate", pickup), ("returnDate", return_at)) if not text}
        raise InvalidInputError(message, code="dates_missing", fields=missing)
    return clock.parse_moment(pickup, "pickupDate"), clock.parse_moment(return_at, "returnDate")


def answer(session: Session, caller: Caller, request: AvailabilityRequest, page: Page) -> AvailabilityAnswer:
    """What is free over a window, by id, with all prices; raises as `available`."""
    found = available(session, caller, request)
    if not found.vehicles:
        return AvailabilityAnswer(available=[], message="No cars available", nearest=found.nearest)
    cars = sorted(found.vehicles, key=lambda car: car.id)
    part = Slice(cars)
    if page.limit is not None:
        part = cut([car for car in cars if car.id > page.cursor], page.limit, len(cars))
    return AvailabilityAnswer(available=public_views(session, part.items), **part.tail)


def browse(session: Session, caller: Caller, query: ShopQuery, place: str) -> Found:
    """What pages show of the vehicles that fit a query's text: those that are free, with a hint of hours at which
    more are, or all of a place while the search is incomplete; raises as `available`."""
    if query.complete:
        found = available(session, caller, query, hint=True)
    else:
        found = Found(shop.listed(session, caller, query.model_copy(update={"location": place})).items)
    labels = matching({_label(car) for car in found.vehicles}, query.text)
    return replace(found, vehicles=[car for car in found.vehicles if _label(car) in labels])


def _label(car: Listing) -> str:
    """The words a vehicle can be found by."""
    return f"{car.title} {car.asset_type} {car.body_type} {car.service_location}"


def available(session: Session, caller: Caller, request: AvailabilityRequest, *, hint: bool = False) -> Found:
    """Vehicles of a location that are free over a window, cheapest first, in at most three statements.

    Where nothing is free, or a `hint` is wanted in any case, the third looks for the nearest window that the vendors
    kept out by their opening hours do serve.
    Raises InvalidInputError for missing or impossible dates and unknown locations.
    """
    throttle.count("search", caller)
    throttle.check_rows(caller)
    instant = clock.now()
    ends = read_window(request.pickup, request.return_at)
    vendors = _vendors(session, request.location)
    windows = _windows(ends, vendors, instant)
    closed = {vendor_id for vendor_id, window in windows.items() if vendors[vendor_id].refusal(window)}
    free = _free_vehicles(session, request, {v: w for v, w in windows.items() if v not in closed}, instant)
    throttle.count_rows(caller, len(free))
    if free and not hint:
        return Found(free)
    wishes = [(vendor_id, windows[vendor_id]) for vendor_id in sorted(closed)]
    return Found(free, _nearest(session, request, vendors, wishes, instant))


def _windows(
    ends: tuple[datetime | date, datetime | date], vendors: dict[int, OpeningHours], instant: datetime
) -> dict[int, Window]:
    """The window a search means for each vendor; raises InvalidInputError where it is possible for none of them."""
    windows = {vendor_id: resolve(*ends, hours) for vendor_id, hours in vendors.items()}
    possible = {vendor_id: window for vendor_id, window in windows.items() if clock.is_possible(window, instant)}
    if not possible:
        clock.check_window(next(iter(windows.values()), resolve(*ends, OpeningHours())), instant)
    return possible


def _vendors(session: Session, location: str) -> dict[int, OpeningHours]:
    """The opening hours of every vendor with a vehicle at a location; raises for an unknown location."""
    rows = session.execute(
        select(col(User.id), col(User.open_time), col(User.close_time), col(User.closing_days))
        .join(Vehicle, col(Vehicle.vendor_id) == User.id)
        .join(Location, col(Vehicle.location_id) == Location.id)
        .where(col(Location.name) == location, col(Vehicle.is_active).is_(True))
        .group_by(col(User.id))
    ).all()
    if not rows:
        location_id(session, location)
    return {row.id: opening_hours(row.open_time, row.close_time, row.closing_days) for row in rows}


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


def _free_conditions(
    request: AvailabilityRequest, windows: dict[int, Window], instant: datetime
) -> list[ColumnElement[bool]]:
    last_day = max(clock.indian_today(window.return_at) for window in windows.values())
    return [
        *fitting(request),
        col(Vehicle.vendor_id).in_(list(windows)),
        *bookable(clock.indian_today(instant), last_day),
        _free(*_wanted_window(windows), instant),
    ]


def _free_vehicles(
    session: Session, request: AvailabilityRequest, windows: dict[int, Window], instant: datetime
) -> list[Listing]:
    if not windows:
        return []
    statement = vehicle_columns().where(*_free_conditions(request, windows, instant))
    return made(session, statement.order_by(col(VehiclePrice.price_paise), col(Vehicle.id)))


def _nearest(
    session: Session,
    request: AvailabilityRequest,
    vendors: dict[int, OpeningHours],
    closed: list[tuple[int, Window]],
    instant: datetime,
) -> NearestOpen | None:
    """The smallest shift of the window that a closed vendor serves, and how many vehicles are free then."""
    shifted = [window for vendor_id, wish in closed if (window := _shift(vendors[vendor_id], wish, instant))]
    if not shifted:
        return None
    wish = closed[0][1]
    best = min(shifted, key=lambda w: abs(w.pickup - wish.pickup) + abs(w.return_at - wish.return_at))
    open_then = {vendor_id: best for vendor_id, hours in vendors.items() if not hours.refusal(best)}
    rows = vehicle_columns().where(*_free_conditions(request, open_then, instant)).subquery()
    count = session.execute(select(func.count()).select_from(rows)).scalar_one()
    return NearestOpen(pickup=best.pickup, return_at=best.return_at, count=count) if count else None


def _shift(hours: OpeningHours, wish: Window, instant: datetime) -> Window | None:
    pickup = hours.nearest(wish.pickup, not_before=clock.default_pickup(instant))
    return_at = pickup and hours.nearest(wish.return_at, not_before=pickup + clock.MIN_LENGTH)
    window = Window(pickup, return_at) if pickup and return_at else None
    return window if window and clock.is_possible(window, instant) else None
