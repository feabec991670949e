"""Vehicles that somebody has chosen, by their ids, whatever has become of them since."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from sqlalchemy import BindParameter, bindparam, func, select
from sqlmodel import Session, col

from rental_app.models import Columns, Listing, Vehicle
from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.services import throttle
from rental_app.services.finding import ids_of, ids_where
from rental_app.services.holds import held
from rental_app.services.shop import cars_of
from rental_app.services.throttle import Caller

_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_HELD = held(lambda vehicle: vehicle.in_(_IDS)).subquery()
_TAKEN: Columns = select(_HELD.c.vehicle_id, func.max(_HELD.c.end)).group_by(_HELD.c.vehicle_id)
_THERE = select(col(Vehicle.id)).where(col(Vehicle.id).in_(_IDS))


@dataclass(frozen=True, slots=True)
class Chosen:
    """Those that can be booked at all and those that cannot any more, each in the order of the ids."""

    listed: list[Listing]
    gone: list[Listing]

    @property
    def ids(self) -> list[int]:
        """The ids of those that can be booked."""
        return [car.id for car in self.listed]


def chosen(session: Session, caller: Caller, ids: Sequence[int]) -> Chosen:
    """The vehicles of some ids; what was never there is left out."""
    throttle.count("look", caller)
    throttle.check_rows(caller)
    there, listed = set(ids_of(session, _THERE, {"ids": ids})), set(_listed(session, ids))
    throttle.count_rows(caller, len(there))
    return Chosen(
        cars_of(session, [each for each in ids if each in listed]),
        cars_of(session, [each for each in ids if each in there - listed]),
    )


def taken(session: Session, ids: Sequence[int], window: Window) -> dict[int, datetime]:
    """Which of some vehicles somebody holds within a window, and until when."""
    bound = {"ids": ids, "first": window.pickup, "last": window.return_at, "instant": clock.now()}
    return {vehicle_id: until for vehicle_id, until in session.execute(_TAKEN, bound)}


def _listed(session: Session, ids: Sequence[int]) -> list[int]:
    return ids_of(session, _of_ids(), {"ids": ids, "last_day": clock.indian_today(clock.now())})


@cache
def _of_ids() -> Columns:
    return ids_where(col(Vehicle.id).in_(_IDS))
