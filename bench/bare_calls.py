"""The floor of the request measurements: the same responses from the same database, handwritten, without a framework.

It leaves out authentication, authorization, limits, input validation, opening hours of more than one kind, the price
of a rental for its dates, and the distance to a vehicle.
"""

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import orjson

from bench.bare_sql import FLOOR, PARAMETERS, PRICES
from rental_app.content.art import picture_path
from rental_app.domain.ids import slug_of
from rental_app.domain.pictures import photos
from rental_app.domain.reviews import rating
from rental_app.infrastructure.settings import settings

# Cached, as anyone writing this by hand would do.
drawn = cache(picture_path)
INDIA = timedelta(hours=5, minutes=30)
PLANS = ("Half Day", "Full Day", "Week", "Month")
FREE = FLOOR.format(join="group_concat", **{name: f":{name}" for name in PARAMETERS})
HELD = FREE[FREE.index("    AND NOT EXISTS") : FREE.index("ORDER BY")]
ALL = FREE.replace(HELD, "").replace("l.name = :location AND ", "").replace("ORDER BY p.price_paise, ", "ORDER BY ")
BOOKED = """
INSERT INTO booking (reference, vehicle_id, customer_id, pickup_at, return_at, status, price_paise, deposit_paise,
    lines, extras, booked, created_at, answer_by, cancel_reason)
SELECT :reference, v.id, :customer, :pickup, :return_at, 'pending', p.price_paise, v.deposit_paise, '[]', '[]', '{}',
    :now, :pickup, ''
FROM vehicle v JOIN "user" u ON u.id = v.vendor_id
JOIN vehicle_price p ON p.vehicle_id = v.id AND p.price_name = 'Full Day'
WHERE v.id = :car AND v.is_active AND v.is_approved AND u.status = 'active' AND NOT u.is_deleted
"""
TOLD = "INSERT INTO booking_event (booking_id, what, at, side, note) VALUES (?, 'requested', ?, 'customer', '')"
SENT = (
    "INSERT INTO outbox (key, kind, user_id, note, created_at, due_at, tries, error) VALUES (?, '', ?, '', ?, ?, 0, '')"
)


@cache
def database() -> sqlite3.Connection:
    """Return this process's connection, with the product's durability."""
    connection = sqlite3.connect(settings().sqlalchemy_url.removeprefix("sqlite:///"), isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer the three calls, and keep websockets open."""
    if scope["type"] == "websocket":
        await _kept_open(receive, send)
    if scope["type"] != "http":
        return
    body = b""
    while scope["method"] == "POST":
        message = await receive()
        body += message["body"]
        if not message.get("more_body"):
            break
    answer = CALLS[scope["path"]](orjson.loads(body) if body else {})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


async def _kept_open(receive: Any, send: Any) -> None:
    while (await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.accept"})


def vehicles(_asked: dict[str, Any]) -> bytes:
    """Return every vehicle that can be rented."""
    today = f"{datetime.now(UTC) + INDIA:%Y-%m-%d}"
    return _answer("vehicles", database().execute(ALL, {"last_day": today}).fetchall())


def check_availability(asked: dict[str, Any]) -> bytes:
    """Return the vehicles of a location that are free in a window whose times carry an offset."""
    ends = {"pickup": _stored(asked["pickupDate"]), "return_at": _stored(asked["returnDate"])}
    given = {"location": asked["location"], "last_day": asked["returnDate"][:10], "now": _now()}
    rows = database().execute(FREE, given | ends).fetchall()
    return _answer("availableCars", sorted(rows))


def create(asked: dict[str, Any]) -> bytes:
    """Book a vehicle and record its event and outgoing messages, in one transaction."""
    now = _now()
    asked |= {"pickup": _stored(asked["pickupDate"]), "return_at": _stored(asked["returnDate"]), "now": now}
    asked |= {"reference": f"{asked['car']} {asked['pickup']}", "customer": 1}
    database().execute("BEGIN IMMEDIATE")
    booking = database().execute(BOOKED, asked).lastrowid
    database().execute(TOLD, (booking, now))
    database().executemany(SENT, [(f"bare {booking} {user}", user, now, now) for user in (1, 2)])
    database().execute("COMMIT")
    return orjson.dumps({"success": True, "booking": booking})


CALLS = {
    "/api/user/vehicles": vehicles,
    "/api/bookings/check-availability": check_availability,
    "/api/bookings/create": create,
}


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"


def _stored(text: str) -> str:
    return f"{datetime.fromisoformat(text).astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"


def _answer(name: str, rows: list[tuple[Any, ...]]) -> bytes:
    prices: dict[int, list[dict[str, Any]]] = {}
    found = database().execute(PRICES.format(",".join("?" * len(rows))), [row[0] for row in rows])
    for vehicle, plan, paise, kms in sorted(found, key=lambda price: PLANS.index(price[1])):
        prices.setdefault(vehicle, []).append({"price_name": plan, "price": _rupees(paise), "kms_limit": kms})
    message = "" if rows or name == "vehicles" else "No cars available"
    listed = [_vehicle(row, prices.get(row[0], [])) for row in rows]
    answer = {"success": True, "message": message, "total": None, "next_cursor": None, "facets": None, name: listed}
    return orjson.dumps(answer | ({"nearestOpen": None} if name == "availableCars" else {}))


def _vehicle(row: tuple[Any, ...], prices: list[dict[str, Any]]) -> dict[str, Any]:
    (
        number,
        kind,
        maker,
        model_id,
        model,
        cc,
        speed,
        tank,
        mileage,
        shape,
        body,
        engine,
        gears,
        seats,
        image,
        color,
    ) = row[:16]
    (year, place, vendor_id, vendor, address, landmark, city, state, pincode, maps, opens, closes, closed) = row[16:29]
    (deposit, odometer, limit, late, far, terms, _, _, delivers, extra, drop_off, pick_up) = row[29:41]
    stars, reviews, vendor_stars, vendor_reviews, noted = row[41:]
    drawing = drawn(shape, color, f"{maker} {model}")
    parts = (address, landmark, city, f"{state} {pincode}".strip())
    return {
        "id": number,
        "asset_type": kind,
        "asset_manufacturer": maker,
        "asset_model": {
            "id": model_id,
            "name": model,
            "image": drawing,
            "vehicle_cc": cc,
            "topSpeed": speed,
            "fuelTankCapacity": tank,
            "mileage": mileage,
        },
        "image": image or drawing,
        "photos": [{"side": each.side, "src": each.full, "card": each.card} for each in photos(noted or "", image)],
        "color": color,
        "bodyType": body,
        "engineType": engine,
        "transmissionType": gears,
        "seatingCapacity": seats,
        "year_of_manufacture": year,
        "service_location": place,
        "vendor_name": vendor,
        "vendor_addr": ", ".join(part for part in parts if part),
        "vendor_pickup_maps": maps,
        "vendor_open_time": _clock(opens or "09:00"),
        "vendor_close_time": _clock(closes or "20:00"),
        "vendor_closing_days": json.loads(closed),
        "security_deposit": _rupees(deposit),
        "odometer_reading": odometer,
        "speed_limit_kmph": limit,
        "late_penalty_per_hour": _rupees(late),
        "distance_penalty_per_km": _rupees(far),
        "vehicle_specific_terms": terms,
        "delivery_supported": bool(delivers),
        "drop_off_payment": _rupees(drop_off) if extra else 0,
        "pick_up_payment": _rupees(pick_up) if extra else 0,
        "rating": rating(stars, reviews),
        "reviews": reviews,
        "vendor": {"name": vendor, "slug": slug_of(vendor, vendor_id), "rating": rating(vendor_stars, vendor_reviews)},
        "prices": prices,
    }


def _rupees(paise: int) -> int | float:
    return paise / 100 if paise % 100 else paise // 100


def _clock(stored: str) -> str:
    hour = int(stored[:2])
    return f"{hour % 12 or 12:02}:{stored[3:5]} {'PM' if hour >= 12 else 'AM'}"


def made() -> Any:
    """Return the app, for the server."""
    return app
