"""The floor of the search measurements, as one would write it by hand."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import psycopg

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.infrastructure.db import engine
from rental_app.infrastructure.settings import settings

# The same columns as in the search, for the same vehicles.
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
# A vehicle that has its own address is handed over there.
PLACE = ("address", "landmark", "city", "state", "zip_code", "google_maps_link")
for _part in PLACE:
    COLUMNS = COLUMNS.replace(f"{{{_part}}}", f"CASE WHEN v.address <> '' THEN v.{_part} ELSE u.{_part} END")
FLOOR = f"SELECT {COLUMNS} {FREE} ORDER BY p.price_paise, v.id"
PRICES = """
SELECT vehicle_id, price_name, price_paise, kms_limit FROM vehicle_price
WHERE status = 'Active' AND vehicle_id IN ({})
"""
PARAMETERS = ("location", "last_day", "pickup", "return_at", "now")


@dataclass(frozen=True)
class Bare:
    """The floors: the queries in SQL through the database's own driver."""

    connection: Any
    location: str

    def vehicles(self, window: Window) -> int:
        """Query all free vehicles."""
        return len(self._asked(FLOOR, window))

    def with_prices(self, window: Window) -> int:
        """Query the same with all their prices."""
        return self._priced(self._asked(FLOOR, window))

    def some(self, window: Window, order: str, most: int) -> int:
        """Query the first few with their prices, and the count of all."""
        self._asked(f"SELECT count(*) {FREE}", window)
        return self._priced(self._asked(f"SELECT {COLUMNS} {FREE} ORDER BY {order} LIMIT {most}", window))

    def anywhere(self, window: Window) -> int:
        """Query all vehicles free anywhere, sorted by their price per day."""
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
def bare(location: str) -> Iterator[Bare]:
    """Open a connection and yield the floors of a location's search."""
    sqlite = engine().dialect.name == "sqlite"
    opened: Any = sqlite3.connect(str(engine().url.database)) if sqlite else psycopg.connect(settings().database_url)
    with closing(opened) as connection:
        yield Bare(connection, location)


def _bound(location: str, window: Window, write: Callable[[date], Any]) -> dict[str, Any]:
    moments = (clock.indian_today(window.return_at), window.pickup, window.return_at, clock.now())
    return dict(zip(PARAMETERS, (location, *map(write, moments)), strict=True))


def _as_it_is(moment: date) -> date:
    return moment


def _stored(moment: date) -> str:
    """Return a date or UTC instant as SQLite stores it."""
    return f"{moment:%Y-%m-%d %H:%M:%S.%f}" if isinstance(moment, datetime) else moment.isoformat()
