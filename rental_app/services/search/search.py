"""Which vehicles are free where and when."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, bindparam, case, literal, select
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.domain.hours import USUAL_HOURS, OpeningHours, resolve
from rental_app.domain.pricing import Numbers
from rental_app.models import Columns, Vehicle
from rental_app.schemas.search import (
    WHOLE,
    AvailabilityAnswer,
    AvailabilityRequest,
    NearestOpen,
    PageRequest,
    PageSearch,
    ShopRequest,
    VehiclesAnswer,
)
from rental_app.schemas.validation import refusal
from rental_app.schemas.wire import read_window
from rental_app.services import throttle
from rental_app.services.availability import holds
from rental_app.services.search import listings
from rental_app.services.search.filters import Matches, check_choices
from rental_app.services.search.index import Mask, SearchIndex, search_index
from rental_app.services.search.listings import SearchResult, result_fragments
from rental_app.services.throttle import Caller

# The windows a search means, by the index of the opening hours in the search index.
Windows = dict[int, Window]
# Up to this many vehicles, and at most a quarter of those in their localities, are queried by id, not by locality.
FEW = 500


def answer(session: Session, caller: Caller, request: AvailabilityRequest, page: PageRequest = WHOLE) -> bytes:
    """The vehicles free over a window, with all prices, as JSON; raises as `available` does."""
    result = available(session, caller, request, page)
    fields = result.tail(page) | {"available": result_fragments(session, result), "nearest": result.nearest}
    message = "" if result.total else "No cars available"
    return AvailabilityAnswer.model_construct(message=message, facets=result.facets, **fields).written()


def vehicles(session: Session, caller: Caller, request: ShopRequest) -> bytes:
    """The vehicles that match a query, as JSON: with dates those that are free, without dates those that can be booked
    at all; raises as `available` does."""
    dated = request.pickup or request.return_at
    result = (
        available(session, caller, request, request) if dated else listings.listed(session, caller, request, request)
    )
    fields = result.tail(request) | {"vehicles": result_fragments(session, result)}
    return VehiclesAnswer.model_construct(facets=result.facets, **fields).written()


def browse(session: Session, caller: Caller, query: PageSearch) -> SearchResult:
    """The vehicles that pages show for a query, as many as its pages hold: those that are free, with a hint of hours at
    which more are, or those that can be booked at all while it has no dates; and what every choice would return.

    Raises as `available` does, and InvalidInputError for parameters of the URL that could not be read.
    """
    if query.faults:
        raise refusal(query.faults)
    if query.complete:
        return available(session, caller, query, query.page_request, hint=True)
    return listings.listed(session, caller, query, query.page_request)


def available(
    session: Session, caller: Caller, request: AvailabilityRequest, page: PageRequest = WHOLE, *, hint: bool = False
) -> SearchResult:
    """Vehicles that are free over a window and match a query, all of them or a part.

    If nothing is free, or a `hint` is requested in any case, it also looks for the nearest window that is served by the
    vendors excluded by their opening hours.
    Raises InvalidInputError for missing or impossible dates, unknown choices, and a cursor of another search.
    """
    throttle.count("search", caller)
    throttle.check_rows(caller)
    instant = clock.now()
    ends = read_window(request.pickup, request.return_at)
    index = search_index(session)
    check_choices(index, request)
    windows = _windows_of_hours(ends, index, request.location, instant)
    served = {at: window for at, window in windows.items() if not index.hours[at].refusal(window)}
    search = _Search(index, request, instant, windows, served)
    result = listings.result_of(session, search.free(session, search.served, wide=request.facets), page, dated=True)
    throttle.count_rows(caller, len(result.vehicles))
    return replace(result, nearest=_nearest(session, search)) if hint or not result.total else result


@dataclass(frozen=True, slots=True)
class _Search:
    """A search at an instant: the window that it means for each set of opening hours, and the windows that are
    served."""

    index: SearchIndex
    request: AvailabilityRequest
    instant: datetime
    windows: Windows
    served: Windows

    def matches(self, windows: Windows) -> Matches:
        """What vendors offer over the windows for their hours, whether or not it is booked."""
        never = np.iinfo(np.int64).max
        hours = range(len(self.index.hours))
        last = [clock.indian_today(windows[at].return_at).toordinal() if at in windows else never for at in hours]
        had = self.index.papers >= np.array(last, dtype=np.int64)[self.index.hours_of]
        return Matches(self.index, self.request, self._prices(windows), had)

    def free(self, session: Session, windows: Windows, *, wide: bool = False) -> Matches:
        """What is offered and not held; if `wide`, also determined for what matches all but one of the filters."""
        matches = self.matches(windows)
        wanted = matches.wanted(wide=wide)
        if wanted.any():
            matches.keep(self._not_held(session, windows, wanted))
        return matches

    def _prices(self, windows: Windows) -> Numbers:
        prices = self.index.tariffs.daily
        for window, vehicles_of in self._by_window(windows):
            prices = np.where(vehicles_of, self.index.tariffs.totals(window), prices)
        return prices

    def _by_window(self, windows: Windows) -> list[tuple[Window, Mask]]:
        """Each distinct window with the vehicles it applies to."""
        distinct: dict[Window, list[int]] = {}
        for at, window in windows.items():
            distinct.setdefault(window, []).append(at)
        return [(window, self.index.have_hours(hours)) for window, hours in distinct.items()]

    def _not_held(self, session: Session, windows: Windows, wanted: Mask) -> list[int]:
        """The ids of vehicles that nothing holds over their windows: of those wanted, and possibly of others."""
        codes = self.index.groups["location"].codes
        places = np.unique(codes[wanted])
        few = np.count_nonzero(wanted) <= min(FEW, np.bincount(codes)[places].sum() // 4)
        among = self.index.ids[wanted] if few else self.index.place_ids[places]
        bound: dict[str, Any] = {"among": among.tolist(), "instant": self.instant}
        if len(set(windows.values())) == 1:
            one = next(iter(windows.values()))
            statement, bound = _prepared(few), bound | {"pickup": one.pickup, "return_at": one.return_at}
        else:
            statement = _free(few, *self._window_of_each(windows))
        # Bypassing the ORM, which would process every row once more.
        return [row[0] for row in session.connection().execute(statement, bound).all()]

    def _window_of_each(self, windows: Windows) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
        """The windows as SQL, as bare dates mean each vendor's own opening times; vendors without a window get none."""
        vendors = [(window, np.unique(self.index.vendors[of]).tolist()) for window, of in self._by_window(windows)]
        pickup, return_at = (
            case(
                *(
                    (col(Vehicle.vendor_id).in_(ids), literal(getattr(window, end), UTCDateTime()))
                    for window, ids in vendors
                )
            )
            for end in ("pickup", "return_at")
        )
        return pickup, return_at


def _free(few: bool, pickup: ColumnElement[Any], return_at: ColumnElement[Any]) -> Columns:
    """SELECT of the ids of vehicles that nothing holds over a window, among some ids or in some localities."""
    column = col(Vehicle.id) if few else col(Vehicle.location_id)
    among = column.in_(bindparam("among", expanding=True))
    return select(col(Vehicle.id)).where(among, *holds.free(pickup, return_at, holds.bound("instant")))


@cache
def _prepared(few: bool) -> Columns:
    return _free(few, holds.bound("pickup"), holds.bound("return_at"))


def _windows_of_hours(
    ends: tuple[datetime | date, datetime | date], index: SearchIndex, location: str, instant: datetime
) -> Windows:
    """The window that a search means for each set of opening hours, also of vendors in other locations: it reports what
    those would return.

    Raises InvalidInputError if the dates are possible for no vendor of its own location.
    """
    windows = {at: resolve(*ends, hours) for at, hours in enumerate(index.hours)}
    possible = {at: window for at, window in windows.items() if clock.is_possible(window, instant)}
    if len(possible) == len(windows):
        return possible
    there = index.hours_of[index.groups["location"].among([location])] if location else index.hours_of
    theirs = np.unique(there).tolist()
    if not any(at in possible for at in theirs):
        clock.check_window(windows[theirs[0]] if theirs else resolve(*ends, USUAL_HOURS), instant)
    return possible


def _nearest(session: Session, search: _Search) -> NearestOpen | None:
    """The nearest window served by a vendor who is closed for this one, and how many vehicles are free then."""
    fitting = set(np.unique(search.index.hours_of[search.matches(search.windows).fitting()]).tolist())
    closed = [at for at in search.windows if at not in search.served and at in fitting]
    hours = search.index.hours
    shifted = [window for at in closed if (window := _shift(hours[at], search.windows[at], search.instant))]
    if not shifted:
        return None
    requested = search.windows[closed[0]]
    best = min(shifted, key=lambda w: abs(w.pickup - requested.pickup) + abs(w.return_at - requested.return_at))
    open_then = {at: best for at, theirs in enumerate(hours) if not theirs.refusal(best)}
    count = int(np.count_nonzero(search.free(session, open_then).fitting()))
    return NearestOpen(pickup=best.pickup, return_at=best.return_at, count=count) if count else None


def _shift(hours: OpeningHours, requested: Window, instant: datetime) -> Window | None:
    pickup = hours.nearest(requested.pickup, not_before=clock.default_pickup(instant))
    return_at = pickup and hours.nearest(requested.return_at, not_before=pickup + clock.MIN_LENGTH)
    window = Window(pickup, return_at) if pickup and return_at else None
    return window if window and clock.is_possible(window, instant) else None
