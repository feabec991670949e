"""Entries that tests add to the catalogue."""

from typing import Any

MODEL: dict[str, Any] = {
    "manufacturer": 1,
    "name": "Testa 125",
    "bodyType": "Scooter",
    "engineType": "Petrol",
    "transmissionType": "Automatic",
    "seats": 2,
    "vehicleCc": 125,
    "topSpeed": 90,
    "fuelTankCapacity": 5.3,
    "mileage": 50,
    "shape": "scooter",
    "prices": [{"price_name": "Full Day", "recommended": 500, "most": 700}],
}
LOCATION = {"name": "Lake View", "latitude": 17.41, "longitude": 78.45}
OFFER: dict[str, Any] = {
    "code": "rain10",
    "title": "Ten percent in the rain",
    "terms": "From a day on",
    "startsOn": "2026-11-01",
    "endsOn": "2099-12-31",
    "percent": 10,
}
# Kind, the word for one of it, and an entry.
ENTRIES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("types", "type", {"name": "Tricycle"}),
    ("manufacturers", "manufacturer", {"type": 1, "name": "Testa"}),
    ("models", "model", MODEL),
    ("locations", "location", LOCATION),
    ("offers", "offer", OFFER),
)
