"""The field names and types of the specification, and a check of responses against them."""

import re
from typing import Any


def of(kind: Any, names: str) -> dict[str, Any]:
    """Return the shape of fields of one kind."""
    return dict.fromkeys(names.split(), kind)


INDIAN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30")
PAGED = {"success": bool, "message": str, "total": None, "next_cursor": None}
PRICE = {"price_name": str, "price": (int, float), "kms_limit": int}
VENDOR_PRICE = PRICE | {"status": str}
NAMED = {"id": int, "name": str}
MODEL_FACTS = NAMED | of(int, "vehicle_cc topSpeed") | of(float, "fuelTankCapacity mileage") | {"image": str}
PUBLIC_VEHICLE = (
    of(
        str,
        "asset_type asset_manufacturer image color bodyType engineType transmissionType service_location "
        "vendor_name vendor_addr vendor_pickup_maps vendor_open_time vendor_close_time "
        "vehicle_specific_terms",
    )
    | of(
        int,
        "id seatingCapacity year_of_manufacture security_deposit odometer_reading speed_limit_kmph "
        "late_penalty_per_hour distance_penalty_per_km drop_off_payment pick_up_payment reviews",
    )
    | of(bool, "delivery_supported")
    | of(list, "photos vendor_closing_days")
    | {
        "asset_model": MODEL_FACTS,
        "rating": (float, type(None)),
        "vendor": {"name": str, "slug": str, "rating": (float, type(None))},
        "prices": [PRICE],
    }
)
# With the fields that a search for dates at a place adds.
FOUND_VEHICLE = PUBLIC_VEHICLE | {"total": int, "distanceKm": float}
VENDOR_VEHICLE = (
    of(
        str,
        "asset_type asset_manufacturer image service_location address landmark zipCode google_maps_link "
        "color rc_number engine_number chassis_number owner_name_as_per_rc last_serviced_date "
        "insurance_expiry_date pollution_expiry_date terms",
    )
    | of(
        int,
        "id vehicleType manufacturer model year year_of_manufacture odometer_reading speed_limit_kmph "
        "late_penalty_per_hour security_deposit drop_off_payment pick_up_payment",
    )
    | of(bool, "drop_off_pick_extra_payment isAvaliable isActive")
    | of(list, "files replaced_files")
    | of(None, "retiredAt")
    | {
        "asset_model": NAMED | {"image": str, "seatingCapacity": int, "transmissionType": str, "bodyType": str},
        "distance_penalty_per_km": (int, float),
        "prices": [VENDOR_PRICE],
    }
)
CAR = of(int, "id year_of_manufacture") | of(str, "image asset_manufacturer bodyType service_location")
CAR |= {"asset_model": {"name": str}}
LINE = {"kind": str, "label": str, "quantity": int, "rate": int, "amount": int}
BOOKING = (
    of(str, "status address source stage")
    | of(int, "id price securityDeposit kmsIncluded dueAtPickup")
    | of(INDIAN, "pickupDate returnDate createdAt answerBy")
    | of(None, "offer cancelledBy contact")
    | {"car": CAR, "lines": [LINE], "extras": list, "balance": of(int, "rent deposit held")}
    | {"reference": re.compile("PH-[0-9A-HJKMNP-TV-Z]{6}")}
)
VENDOR_BOOKING = BOOKING | of(str, "rcNumber customerName customerPhone")
VENDOR_BOOKING |= {"customerRating": (float, type(None)), "customerReviews": int}
USER = (
    of(
        str,
        "name email phoneNumber status image address landmark zipCode city state county bank_name "
        "bank_account_no bank_ifsc commission_settle role fullAddress gst_name gst_number "
        "booking_contact_no booking_whatsapp_no upi_id service_location open_time close_time website "
        "google_maps_link notes",
    )
    | of(int, "id wallet no_of_staff no_of_years gst_rate")
    | of(float, "commission_percentage")
    | of(int, "recoveryCodesLeft")
    | of(bool, "isDeleted emailVerified phoneVerified secondStep delivery_supported")
    | of(list, "closing_days")
    | of(INDIAN, "created_at")
)


def check(value: Any, shape: Any, where: str = "body") -> None:
    """Check a value against a shape: its exact keys, and a type (a bool is no int), a pattern or None for each."""
    if isinstance(shape, dict):
        assert set(value) == set(shape), (
            f"{where}: {sorted(set(value) ^ set(shape))} in one of answer and wire_shapes.py"
        )
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
