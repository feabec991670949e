"""Vehicles that somebody has chosen, looked up by id, whatever has become of them since."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import BindParameter, bindparam, func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.models import Columns, Listing, Vehicle, offers
from rental_app.services import throttle
from rental_app.services.availability.holds import held
from rental_app.services.search.eligibility import LAST_DAY, bookable
from rental_app.services.search.listings import listings_by_id
from rental_app.services.throttle import Caller

_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_HELD = held(lambda vehicle: vehicle.in_(_IDS)).subquery()
_TAKEN: Columns = select(_HELD.c.vehicle_id, func.max(_HELD.c.end)).group_by(_HELD.c.vehicle_id)
_THERE = select(col(Vehicle.id)).where(col(Vehicle.id).in_(_IDS))
_PAPERS = col(Vehicle.insurance_expiry_date), col(Vehicle.pollution_expiry_date)
_BOOKABLE = offers(col(Vehicle.id), *_PAPERS).where(*bookable(LAST_DAY), col(Vehicle.id).in_(_IDS))


@dataclass(frozen=True, slots=True)
class Vehicles:
    """The vehicles that can still be booked and those that no longer can, each in the order of the ids."""

    listed: list[Listing]
    gone: list[Listing]
    # For those taken in the requested window: until when.
    taken: dict[int, datetime]
    # Those whose documents run out before the requested window ends.
    expiring: set[int]

    @property
    def ids(self) -> list[int]:
        """The ids of those that can be booked."""
        return [car.id for car in self.listed]


def vehicles_by_id(session: Session, caller: Caller, ids: Sequence[int], window: Window | None = None) -> Vehicles:
    """The vehicles with some ids, and which are taken in a window, or else just now; unknown ids are left out."""
    throttle.count("look", caller)
    throttle.check_rows(caller)
    rows = session.execute(_BOOKABLE, {"ids": ids, "last_day": clock.indian_today(clock.now())})
    # Those that can be booked today, with the last day on which their papers are valid.
    listed = {vehicle_id: min(papers) for vehicle_id, *papers in rows}
    there = set(session.scalars(_THERE, {"ids": ids}))
    last_day = clock.indian_today(window.return_at) if window else date.min
    throttle.count_rows(caller, len(there))
    cars = listings_by_id(session, [each for each in ids if each in there])
    instant = clock.now()
    span = window or Window(instant, instant + timedelta(seconds=1))
    bound = {"ids": ids, "first": span.pickup, "last": span.return_at, "instant": instant}
    return Vehicles(
        [car for car in cars if car.id in listed],
        [car for car in cars if car.id not in listed],
        {vehicle_id: until for vehicle_id, until in session.execute(_TAKEN, bound)},
        {vehicle_id for vehicle_id, papers in listed.items() if papers < last_day},
    )
