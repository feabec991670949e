"""Which vehicles can be had: the one definition of bookable that search, detail page and booking share."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Row, Select, and_, case, exists, func, literal, or_
from sqlmodel import Session, col, select
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.content.art import picture_path
from rental_app.errors import InvalidInputError, NotFoundError
from rental_app.models import AssetModel, AssetType, Booking, Location, Manufacturer, User, Vehicle, VehiclePrice
from rental_app.models.booking import CONFIRMED, PENDING
from rental_app.models.user import full_address, opening_hours
from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.rules.hours import OpeningHours, resolve
from rental_app.rules.pricing import FULL_DAY, PLAN_NAMES
from rental_app.schemas.bookings import AvailabilityAnswer, AvailabilityRequest, NearestOpen
from rental_app.schemas.vehicles import ModelFacts, PriceOut, PublicVehicle
from rental_app.schemas.wire import Page
from rental_app.services.catalogue import location_id

VehicleRow = Row[Any]
T = TypeVar("T")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave; `nearest` where opening hours kept vehicles out."""

    rows: Sequence[VehicleRow]
    nearest: NearestOpen | None = None


def bookable(first_day: date, last_day: date) -> list[ColumnElement[bool]]:
    """SQL conditions: switched on, approved, papers valid on both days, vendor in good standing, a Full Day price.

    They need Vehicle joined with its vendor (User) and its Full Day price (VehiclePrice).
    """
    latest = max(first_day, last_day)
    return [
        col(Vehicle.is_active).is_(True),
        *platform_verdict(latest),
        col(VehiclePrice.status) == "Active",
        col(VehiclePrice.price_paise) > 0,
    ]


def platform_verdict(day: date) -> list[ColumnElement[bool]]:
    """SQL conditions behind `isAvaliable`: what the platform itself has to say on a day."""
    return [
        col(Vehicle.is_approved).is_(True),
        col(Vehicle.insurance_expiry_date) >= day,
        col(Vehicle.pollution_expiry_date) >= day,
        col(User.status) == "active",
        col(User.is_deleted).is_(False),
    ]


def holding(instant: datetime) -> ColumnElement[bool]:
    """SQL condition: a booking that holds its vehicle at an instant (confirmed, or pending and not lapsed)."""
    return or_(col(Booking.status) == CONFIRMED, and_(col(Booking.status) == PENDING, col(Booking.answer_by) > instant))


def _free(pickup: ColumnElement[Any], return_at: ColumnElement[Any], instant: datetime) -> ColumnElement[bool]:
    return ~exists().where(
        col(Booking.vehicle_id) == Vehicle.id,
        col(Booking.return_at) > pickup,
        col(Booking.pickup_at) < return_at,
        holding(instant),
    )


def vehicle_columns() -> Select[Any]:
    """SELECT of what every public view of a vehicle is made from, one row a vehicle, with its Full Day price."""
    return (
        select(  # type: ignore[call-overload, no-any-return]
            Vehicle.id,
            AssetType.name.label("asset_type"),  # type: ignore[attr-defined]
            Manufacturer.name.label("asset_manufacturer"),  # type: ignore[attr-defined]
            Vehicle.model_id,
            AssetModel.name.label("model_name"),  # type: ignore[attr-defined]
            AssetModel.vehicle_cc,
            AssetModel.top_speed,
            AssetModel.fuel_tank_capacity,
            AssetModel.mileage,
            AssetModel.shape,
            AssetModel.body_type,
            AssetModel.engine_type,
            AssetModel.transmission_type,
            AssetModel.seating_capacity,
            Vehicle.image,
            Vehicle.color,
            Vehicle.year,
            Location.name.label("service_location"),  # type: ignore[attr-defined]
            Vehicle.vendor_id,
            User.name.label("vendor_name"),  # type: ignore[attr-defined]
            User.address,
            User.landmark,
            User.city,
            User.state,
            User.zip_code,
            User.google_maps_link,
            User.open_time,
            User.close_time,
            User.closing_days,
            Vehicle.deposit_paise,
            Vehicle.odometer_reading,
            Vehicle.speed_limit_kmph,
            Vehicle.late_penalty_paise,
            Vehicle.distance_penalty_paise,
            Vehicle.terms,
            VehiclePrice.price_paise.label("daily_paise"),  # type: ignore[attr-defined]
            VehiclePrice.kms_limit,
        )
        .join(AssetModel, col(Vehicle.model_id) == AssetModel.id)
        .join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .join(AssetType, col(Manufacturer.asset_type_id) == AssetType.id)
        .join(Location, col(Vehicle.location_id) == Location.id)
        .join(User, col(Vehicle.vendor_id) == User.id)
        .outerjoin(
            VehiclePrice, and_(col(VehiclePrice.vehicle_id) == Vehicle.id, col(VehiclePrice.price_name) == FULL_DAY)
        )
    )


class Slice(NamedTuple, Generic[T]):
    """A list, or one page of it with how many there are in all and where the next page starts."""

    items: list[T]
    total: int | None = None
    next_cursor: int | None = None

    def of(self, items: list[V]) -> "Slice[V]":
        """The same slice of other items."""
        return Slice(items, self.total, self.next_cursor)

    @property
    def tail(self) -> dict[str, int | None]:
        """What an answer says besides the items."""
        return {"total": self.total, "next_cursor": self.next_cursor}


def listed(session: Session, location: str = "", page: Page | None = None) -> Slice[VehicleRow]:
    """Vehicles that can be booked at all, by id, of one location or of all."""
    today = clock.indian_today(clock.now())
    wanted = vehicle_columns().where(*bookable(today, today))
    if location:
        wanted = wanted.where(col(Location.name) == location)
    return paged(session, wanted, col(Vehicle.id), page)


def listed_views(session: Session, page: Page) -> Slice[PublicVehicle]:
    """`listed` with all prices, as the wire has it."""
    part = listed(session, page=page)
    return part.of(public_views(session, part.items))


def paged(
    session: Session, wanted: Select[Any], key: ColumnElement[int], page: Page | None, *, newest_first: bool = False
) -> Slice[Row[Any]]:
    """Rows of a SELECT in order of `key`: all of them, or one page of them."""
    ordered = wanted.order_by(key.desc() if newest_first else key)
    if page is None or page.limit is None:
        return Slice(list(session.execute(ordered).all()))
    total = session.execute(select(func.count()).select_from(wanted.subquery())).scalar_one()
    if page.cursor:
        ordered = ordered.where(key < page.cursor if newest_first else key > page.cursor)
    rows = session.execute(ordered.limit(page.limit + 1)).all()
    return _cut(rows, page.limit, total)


def _cut(rows: Sequence[Row[Any]], limit: int, total: int) -> Slice[Row[Any]]:
    items = list(rows[:limit])
    return Slice(items, total, items[-1].id if len(rows) > limit else None)


def one(session: Session, vehicle_id: int) -> VehicleRow:
    """The row of a vehicle that can be booked at all; raises NotFoundError."""
    today = clock.indian_today(clock.now())
    wanted = vehicle_columns().where(col(Vehicle.id) == vehicle_id, *bookable(today, today))
    if row := session.execute(wanted).first():
        return row
    raise NotFoundError("This vehicle is not listed (any more)", code="unknown_vehicle")


def read_window(pickup: str, return_at: str) -> tuple[datetime | date, datetime | date]:
    """Read both ends of a window; raises InvalidInputError when one is missing or no date."""
    if not pickup or not return_at:
        message = "Please select Pickup and Return date/time"
        missing = {name: message for name, text in (("pickupDate", pickup), ("returnDate", return_at)) if not text}
        raise InvalidInputError(message, code="dates_missing", fields=missing)
    return clock.parse_moment(pickup, "pickupDate"), clock.parse_moment(return_at, "returnDate")


def answer(session: Session, request: AvailabilityRequest, page: Page) -> AvailabilityAnswer:
    """What is free over a window, by id, with all prices; raises as `available`."""
    found = available(session, request)
    if not found.rows:
        return AvailabilityAnswer(available=[], message="No cars available", nearest=found.nearest)
    rows = sorted(found.rows, key=lambda row: row.id)
    part = Slice(rows)
    if page.limit is not None:
        part = _cut([row for row in rows if row.id > page.cursor], page.limit, len(rows))
    return AvailabilityAnswer(available=public_views(session, part.items), **part.tail)


def available(session: Session, request: AvailabilityRequest, *, hint: bool = False) -> Found:
    """Vehicles of a location that are free over a window, cheapest first, in at most three statements.

    Where nothing is free, or a `hint` is wanted in any case, the third looks for the nearest window that the vendors
    kept out by their opening hours do serve.
    Raises InvalidInputError for missing or impossible dates and unknown locations.
    """
    instant = clock.now()
    ends = read_window(request.pickup, request.return_at)
    clock.check_window(resolve(*ends, OpeningHours()), instant)
    vendors = _vendors(session, request.location)
    windows = {vendor_id: resolve(*ends, hours) for vendor_id, hours in vendors.items()}
    closed = {vendor_id for vendor_id, hours in vendors.items() if hours.refusal(windows[vendor_id])}
    rows = _free_rows(session, request.location, {v: w for v, w in windows.items() if v not in closed}, instant)
    if rows and not hint:
        return Found(rows)
    wishes = [(vendor_id, windows[vendor_id]) for vendor_id in sorted(closed)]
    return Found(rows, _nearest(session, request.location, vendors, wishes, instant))


def _vendors(session: Session, location: str) -> dict[int, OpeningHours]:
    """The opening hours of every vendor with a vehicle at a location; raises for an unknown location."""
    rows = session.execute(
        select(User.id, User.open_time, User.close_time, User.closing_days)
        .join(Vehicle, col(Vehicle.vendor_id) == User.id)
        .join(Location, col(Vehicle.location_id) == Location.id)
        .where(col(Location.name) == location, col(Vehicle.is_active).is_(True))
        .group_by(User.id)  # type: ignore[arg-type]
    ).all()
    if not rows:
        location_id(session, location)
    return {row.id: opening_hours(row.open_time, row.close_time, row.closing_days) for row in rows}


def _wanted_window(windows: dict[int, Window]) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """The window as SQL: one pair of values, or one a vendor where bare dates mean their own opening times."""
    distinct = {window: [v for v, w in windows.items() if w == window] for window in windows.values()}
    ends = []
    for end in ("pickup", "return_at"):
        values = [
            (col(Vehicle.vendor_id).in_(vendors), literal(getattr(window, end), UTCDateTime()))
            for window, vendors in distinct.items()
        ]
        ends.append(values[0][1] if len(values) == 1 else case(*values))
    return ends[0], ends[1]


def _free_conditions(location: str, windows: dict[int, Window], instant: datetime) -> list[ColumnElement[bool]]:
    last_day = max(clock.indian_today(window.return_at) for window in windows.values())
    return [
        col(Location.name) == location,
        col(Vehicle.vendor_id).in_(list(windows)),
        *bookable(clock.indian_today(instant), last_day),
        _free(*_wanted_window(windows), instant),
    ]


def _free_rows(session: Session, location: str, windows: dict[int, Window], instant: datetime) -> Sequence[VehicleRow]:
    if not windows:
        return []
    wanted = vehicle_columns().where(*_free_conditions(location, windows, instant))
    return session.execute(wanted.order_by(col(VehiclePrice.price_paise), col(Vehicle.id))).all()


def _nearest(
    session: Session,
    location: str,
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
    rows = vehicle_columns().where(*_free_conditions(location, open_then, instant)).subquery()
    count = session.execute(select(func.count()).select_from(rows)).scalar_one()
    return NearestOpen(pickup=best.pickup, return_at=best.return_at, count=count) if count else None


def _shift(hours: OpeningHours, wish: Window, instant: datetime) -> Window | None:
    pickup = hours.nearest(wish.pickup, not_before=clock.default_pickup(instant))
    return_at = pickup and hours.nearest(wish.return_at, not_before=pickup + clock.MIN_LENGTH)
    return Window(pickup, return_at) if pickup and return_at else None


def public_views(session: Session, rows: Sequence[VehicleRow]) -> list[PublicVehicle]:
    """Rows as everyone may see them, with their active prices (one more statement)."""
    ids = [row.id for row in rows]
    plans: dict[int, list[PriceOut]] = {}
    wanted = select(
        VehiclePrice.vehicle_id, VehiclePrice.price_name, VehiclePrice.price_paise, VehiclePrice.kms_limit
    ).where(col(VehiclePrice.status) == "Active")
    if ids:
        # One range instead of thousands of bound ids; the few rows too many are passed over.
        wanted = wanted.where(col(VehiclePrice.vehicle_id).between(min(ids), max(ids)))
    for price in session.execute(wanted).all() if ids else ():
        plans.setdefault(price.vehicle_id, []).append(
            PriceOut(price_name=price.price_name, price_paise=price.price_paise, kms_limit=price.kms_limit)
        )
    return [_public(row, sorted(plans.get(row.id, []), key=lambda p: PLAN_NAMES.index(p.price_name))) for row in rows]


def image_of(row: VehicleRow) -> str:
    """The path of a vehicle's picture: its Front photo, else its model's illustration in its colour."""
    return row.image or picture_path(row.shape, row.color)


def _public(row: VehicleRow, prices: list[PriceOut]) -> PublicVehicle:
    hours = opening_hours(row.open_time, row.close_time, row.closing_days)
    same = set(PublicVehicle.model_fields) & set(row._fields)
    return PublicVehicle(
        **{name: getattr(row, name) for name in same if name != "image"},
        asset_model=ModelFacts(
            id=row.model_id,
            name=row.model_name,
            image=picture_path(row.shape, row.color),
            vehicle_cc=row.vehicle_cc,
            top_speed=row.top_speed,
            fuel_tank_capacity=row.fuel_tank_capacity,
            mileage=row.mileage,
        ),
        image=image_of(row),
        vendor_addr=full_address(row.address, row.landmark, row.city, row.state, row.zip_code),
        vendor_pickup_maps=row.google_maps_link,
        vendor_open_time=hours.open,
        vendor_close_time=hours.close,
        vendor_closing_days=row.closing_days,
        prices=prices,
    )
