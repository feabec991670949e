"""The field names and types of the specification, and a check of responses against them."""

import re
from typing import Any

INDIAN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30")
PAGED = {"success": bool, "message": str, "total": None, "next_cursor": None}
PRICE = {"price_name": str, "price": (int, float), "kms_limit": int}
VENDOR_PRICE = PRICE | {"status": str}
NAMED = {"id": int, "name": str}
MODEL_FACTS = NAMED | {
    "image": str,
    "vehicle_cc": int,
    "topSpeed": int,
    "fuelTankCapacity": float,
    "mileage": float,
}
PUBLIC_VEHICLE = {
    "id": int,
    "asset_type": str,
    "asset_manufacturer": str,
    "asset_model": MODEL_FACTS,
    "image": str,
    "photos": list,
    "color": str,
    "bodyType": str,
    "engineType": str,
    "transmissionType": str,
    "seatingCapacity": int,
    "year_of_manufacture": int,
    "service_location": str,
    "vendor_name": str,
    "vendor_addr": str,
    "vendor_pickup_maps": str,
    "vendor_open_time": str,
    "vendor_close_time": str,
    "vendor_closing_days": list,
    "security_deposit": int,
    "odometer_reading": int,
    "speed_limit_kmph": int,
    "late_penalty_per_hour": int,
    "distance_penalty_per_km": int,
    "vehicle_specific_terms": str,
    "delivery_supported": bool,
    "drop_off_payment": int,
    "pick_up_payment": int,
    "rating": (float, type(None)),
    "reviews": int,
    "vendor": {"name": str, "slug": str, "rating": (float, type(None))},
    "prices": [PRICE],
}
# With the fields that a search for dates at a place adds.
FOUND_VEHICLE = PUBLIC_VEHICLE | {"total": int, "distanceKm": float}
VENDOR_VEHICLE = {
    "id": int,
    "asset_type": str,
    "asset_manufacturer": str,
    "asset_model": NAMED | {"image": str, "seatingCapacity": int, "transmissionType": str, "bodyType": str},
    "image": str,
    "vehicleType": int,
    "manufacturer": int,
    "model": int,
    "year": int,
    "year_of_manufacture": int,
    "service_location": str,
    "address": str,
    "landmark": str,
    "zipCode": str,
    "google_maps_link": str,
    "color": str,
    "rc_number": str,
    "engine_number": str,
    "chassis_number": str,
    "owner_name_as_per_rc": str,
    "odometer_reading": int,
    "last_serviced_date": str,
    "insurance_expiry_date": str,
    "pollution_expiry_date": str,
    "speed_limit_kmph": int,
    "late_penalty_per_hour": int,
    "distance_penalty_per_km": (int, float),
    "security_deposit": int,
    "drop_off_pick_extra_payment": bool,
    "drop_off_payment": int,
    "pick_up_payment": int,
    "terms": str,
    "isAvaliable": bool,
    "isActive": bool,
    "prices": [VENDOR_PRICE],
    "files": list,
}
CAR = {
    "id": int,
    "image": str,
    "asset_manufacturer": str,
    "asset_model": {"name": str},
    "year_of_manufacture": int,
    "bodyType": str,
    "service_location": str,
}
LINE = {"kind": str, "label": str, "quantity": int, "rate": int, "amount": int}
BOOKING = {
    "id": int,
    "car": CAR,
    "pickupDate": INDIAN,
    "returnDate": INDIAN,
    "status": str,
    "price": int,
    "securityDeposit": int,
    "lines": [LINE],
    "extras": list,
    "offer": None,
    "address": str,
    "kmsIncluded": int,
    "createdAt": INDIAN,
    "answerBy": INDIAN,
    "cancelledBy": None,
    "source": str,
    "reference": re.compile("PH-[0-9A-HJKMNP-TV-Z]{6}"),
    "stage": str,
    "dueAtPickup": int,
    "balance": {"rent": int, "deposit": int, "held": int},
    "contact": None,
}
VENDOR_BOOKING = BOOKING | {
    "rcNumber": str,
    "customerName": str,
    "customerPhone": str,
    "customerRating": (float, type(None)),
    "customerReviews": int,
}
USER = {
    "id": int,
    "name": str,
    "email": str,
    "phoneNumber": str,
    "status": str,
    "image": str,
    "address": str,
    "landmark": str,
    "zipCode": str,
    "city": str,
    "state": str,
    "county": str,
    "wallet": int,
    "bank_name": str,
    "bank_account_no": str,
    "bank_ifsc": str,
    "commission_percentage": float,
    "commission_settle": str,
    "role": str,
    "created_at": INDIAN,
    "isDeleted": bool,
    "emailVerified": bool,
    "phoneVerified": bool,
    "secondStep": bool,
    "fullAddress": str,
    "gst_name": str,
    "gst_number": str,
    "booking_contact_no": str,
    "booking_whatsapp_no": str,
    "upi_id": str,
    "no_of_staff": int,
    "no_of_years": int,
    "service_location": str,
    "delivery_supported": bool,
    "open_time": str,
    "close_time": str,
    "closing_days": list,
    "website": str,
    "google_maps_link": str,
    "notes": str,
}


def check(value: Any, shape: Any, where: str = "body") -> None:
    """Check a value against a shape: its exact keys, and a type (a bool is no int), a pattern or None for each."""
    if isinstance(shape, dict):
        assert set(value) == set(shape), where
        for key, inner in shape.items():
            check(value[key], inner, f"{where}.{key}")
    elif isinstance(shape, list):
        assert value, where
        for item in value:
            check(item, shape[0], f"{where}[]")
    elif isinstance(shape, re.Pattern):
        assert shape.fullmatch(value), where
    elif shape is None:
        assert value is None, where
    else:
        assert type(value) in (shape if isinstance(shape, tuple) else (shape,)), f"{where}: {value!r}"


def answer(**more: Any) -> dict[str, Any]:
    """Return the shape of a success."""
    return {"success": bool, "message": str} | more
