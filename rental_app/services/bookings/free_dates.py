"""Which dates a vehicle is free for."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.clock import HORIZON, Window
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.free_windows import is_free, nearest_free
from rental_app.models import Listing, Vehicle
from rental_app.schemas.calendars import CalendarAnswer, CalendarRequest, OpenFrom, Stretch
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.availability import holds
from rental_app.services.bookings.access import find
from rental_app.services.search import listings
from rental_app.services.throttle import Caller


class DatesUnavailableError(ConflictError):
    """The vehicle is held over the requested window; `nearest` are free ones of the same length."""

    code = "dates_taken"

    def __init__(self, message: str, nearest: list[Stretch]) -> None:
        super().__init__(message, details={"nearest": nearest})
        self.nearest = nearest


def require_free(
    session: Session, vehicle: Listing, window: Window, instant: datetime, message: str, besides: int | None = None
) -> None:
    """Raise DatesUnavailableError if a vehicle is held over a window by anything but the booking `besides`."""
    # A pickup may be a few minutes in the past.
    span = Window(min(window.pickup, instant), max(window.return_at, instant + HORIZON))
    held = holds.windows(session, vehicle.id, span, instant, besides)
    if not is_free(window, held):
        raise unavailable(message, nearest_free(window, held, vehicle.hours, instant, papers_end(session, vehicle.id)))


def unavailable(message: str, free: Iterable[Window]) -> DatesUnavailableError:
    """The error for a window in which a vehicle is held, with free ones of the same length."""
    return DatesUnavailableError(message, [Stretch(pickup=each.pickup, return_at=each.return_at) for each in free])


def papers_end(session: Session, vehicle_id: int) -> datetime:
    """The last instant at which a vehicle's papers are valid."""
    following = last_day_of_papers(session, vehicle_id) + timedelta(days=1)
    return clock.at(following, time()) - timedelta(seconds=1)


def last_day_of_papers(session: Session, vehicle_id: int) -> date:
    """The last Indian day on which all papers of a vehicle are valid."""
    papers = select(col(Vehicle.insurance_expiry_date), col(Vehicle.pollution_expiry_date))
    last: date = min(session.execute(papers.where(col(Vehicle.id) == vehicle_id)).one())
    return last


def calendar(session: Session, caller: Caller, vehicle_id: int, days: CalendarRequest) -> CalendarAnswer:
    """When a listed vehicle is taken between two Indian days, but not by whom, and when its vendor is open.

    Raises NotFoundError, and InvalidInputError for a span that is reversed or longer than can be booked.
    """
    vehicle, instant = listings.get_listing(session, caller, vehicle_id), clock.now()
    first = days.first_day or clock.indian_today(instant)
    last = days.last_day or first + HORIZON
    if not timedelta() <= last - first <= HORIZON:
        message = f"Choose a last day from the first to {HORIZON.days} days later"
        raise InvalidInputError(message, fields={"to": message})
    span = Window(clock.at(first, time()), clock.at(last + timedelta(days=1), time()))
    return CalendarAnswer(
        busy=[
            Stretch(pickup=held.pickup, return_at=held.return_at)
            for held in holds.windows(session, vehicle_id, span, instant)
        ],
        closed=vehicle.hours.closed,
        hours=OpenFrom.of(vehicle.hours),
    )


def is_held(session: Session, actor: Actor, ref: str) -> list[Window]:
    """When others have a booking's vehicle, from now on and as far ahead as can be booked; raises NotFoundError."""
    throttle.count("look", actor)
    trip, instant = find(session, actor, ref), clock.now()
    span = Window(instant, instant + HORIZON)
    # Excluded by id, not by dates: those have a buffer around them as well.
    return holds.windows(session, trip.booking.vehicle_id, span, instant, besides=trip.id)
