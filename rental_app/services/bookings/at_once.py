"""Bookings that are confirmed the moment they are made: at the counter, or in place of another one."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.domain.clock import HORIZON, Window
from rental_app.domain.free_windows import is_free, nearest
from rental_app.infrastructure import db
from rental_app.models import Booking, Vehicle
from rental_app.services.availability import holds
from rental_app.services.bookings import create, free, ledger
from rental_app.services.bookings.expiry import expire_stale
from rental_app.services.bookings.free import DatesUnavailableError
from rental_app.services.pricing.quotes import Rental

Fits = Callable[[Window], bool]
_QUEUE = select(col(Vehicle.id)).where(col(Vehicle.id) == bindparam("car")).with_for_update()


def lock_vehicle(session: Session, vehicle_id: int) -> None:
    """Queue for a vehicle as its other bookings do, before anything about it is looked at."""
    db.lock_row(session, _QUEUE, car=vehicle_id)


def insert(session: Session, booking: Booking, wish: Rental, instant: datetime, fits: Fits) -> Booking:
    """Store a confirmed booking of a locked vehicle, and charge its price.

    The database refuses one that overlaps; raises DatesUnavailableError then, with the nearest free windows that fit.
    """
    _require_free(session, wish, instant, fits)
    try:
        with session.begin_nested():
            session.add(booking)
    except DatabaseError as error:
        if db.violated(error) != create.GUARD:
            raise
        raise DatesUnavailableError(create.JUST_BOOKED, []) from None
    ledger.open_account(session, booking, instant)
    return booking


def _require_free(session: Session, wish: Rental, instant: datetime, fits: Fits) -> None:
    vehicle, window = wish.vehicle.id, wish.window
    expire_stale(session, instant, vehicle)
    span = Window(min(window.pickup, instant), max(window.return_at, instant + HORIZON))
    held = holds.windows(session, vehicle, span, instant)
    if window.pickup < instant:
        been_out = holds.been_out(session, [vehicle], span).get(vehicle, [])
        held = sorted([*held, *been_out], key=lambda each: each.pickup)
    if not is_free(window, held):
        near = nearest(window, held, free.papers_end(session, vehicle), fits)
        raise free.unavailable(create.JUST_BOOKED, near)
