"""Refusals of what is sent: all that is wrong with it, in the words of people."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rental_app.domain.characters import made_storable
from rental_app.domain.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    RentalError,
    TooLargeError,
    UnsupportedTypeError,
)
from rental_app.domain.money import grouped
from rental_app.domain.uploads import ANSWER_GROUP, RETURN_GROUPS, trip_upload

LABELS = {
    "name": "Name",
    "email": "Email",
    "password": "Password",
    "phoneNumber": "Mobile Number",
    "pincode": "Pincode",
    "city": "City",
    "state": "State",
    "county": "District",
    "booking_contact_no": "Booking contact number",
    "booking_whatsapp_no": "Booking WhatsApp number",
    "upi_id": "UPI ID",
    "no_of_staff": "Number of staff",
    "no_of_years": "Years in business",
    "website": "Website",
    "open_time": "Opening time",
    "close_time": "Closing time",
    "closing_days": "Closing days",
    "gst_name": "GST name",
    "gst_number": "GST number",
    "gst_rate": "GST rate",
    "notes": "Terms",
    "vehicleType": "Vehicle Type",
    "manufacturer": "Manufacturer",
    "model": "Model",
    "year": "Year",
    "color": "Color",
    "stands": "Pickup place",
    "address": "Address",
    "landmark": "Landmark",
    "zipCode": "Pincode",
    "service_location": "Service location",
    "google_maps_link": "Google Maps link",
    "rc_number": "RC Number",
    "engine_number": "Engine Number",
    "chassis_number": "Chassis Number",
    "owner_name_as_per_rc": "Owner Name (as per RC)",
    "odometer_reading": "Odometer Reading",
    "last_serviced_date": "Last Serviced Date",
    "insurance_expiry_date": "Insurance Expiry Date",
    "pollution_expiry_date": "Pollution Expiry Date",
    "speed_limit_kmph": "Speed Limit (kmph)",
    "late_penalty_per_hour": "Late Penalty (₹/hr)",
    "distance_penalty_per_km": "Distance Penalty (₹/km)",
    "security_deposit": "Security Deposit (₹)",
    "drop_off_pick_extra_payment": "Drop-off / Pickup Extra Payment?",
    "drop_off_payment": "Drop-off Payment (₹)",
    "pick_up_payment": "Pickup Payment (₹)",
    "terms": "Vehicle Terms & Conditions",
    "prices": "Pricing",
    "price_name": "Plan",
    "price": "Price",
    "kms_limit": "Kms Limit",
    "status": "Status",
    "drop_files": "Files to remove",
    "image": "Profile picture",
    "extras": "Extras",
    "offer": "Offer code",
    "odometer": "Odometer",
    "fuelEighths": "Fuel or charge",
    "papersSeen": "Documents seen",
    "helmets": "Helmets",
    "speedings": "Speeding fines",
    "amount": "Amount",
    "method": "How",
    "note": "Note",
    "stars": "Stars",
    "text": "In your words",
    "photo": "Photo",
    "pickupLocation": "Location",
    "near": "Near",
    "within_km": "Distance",
    "min_price": "Lowest price",
    "max_price": "Highest price",
    "max_deposit": "Highest deposit",
    "rating": "Rating",
    "seats": "Seats",
    "sort": "Sorted by",
    "q": "Search",
    "vehicle": "Vehicle",
    "weekday": "Weekday",
    "percent": "Percent",
    "car": "Vehicle",
    "from": "From",
    "to": "To",
    "reason": "Reason",
    "hours": "Hours",
    "url": "Address",
    "body": "Body",
    "isVendor": "Register as Vendor",
    "bookingId": "Booking",
    "booking": "Booking",
    "vehicleId": "Vehicle",
    "pickupDate": "Pickup",
    "returnDate": "Return",
    "location": "Location",
    "type": "Type",
    "transmission": "Transmission",
    "fuel": "Fuel",
    "delivery": "Delivery",
    "delivery_supported": "Delivery",
    "unlimited": "Unlimited kilometres",
    "page": "Page",
    "damages": "Damage",
    "photos": "Photos",
} | {trip_upload(group): group for group in (*RETURN_GROUPS, ANSWER_GROUP)}


def field_name(place: Iterable[int | str]) -> str:
    """A field's name on the wire, by where it is: `0.price` for the price of the first of a list."""
    return ".".join(str(part) for part in place)


def label_of(field: str) -> str:
    """The label of a field, by its name on the wire: "Pricing 1 Price" for `prices.0.price`."""
    return " ".join(str(int(part) + 1) if part.isdecimal() else _label(part) for part in field.split("."))


def _label(name: str) -> str:
    """The label of a name, which says it itself if there is none: "Boot litres" for `boot_litres` or `bootLitres`."""
    words = re.sub(r"(?<=[a-z])[A-Z](?=[a-z])", lambda first: f" {first[0].lower()}", name).replace("_", " ")
    return LABELS.get(name) or words[:1].upper() + words[1:]


Model = TypeVar("Model", bound=BaseModel)
GATHERED = (ConflictError, InvalidInputError, NotFoundError, TooLargeError, UnsupportedTypeError)
# The specification gives their messages word for word.
QUOTED = ("missing_fields", "missing_documents")
# "Active" is the value of an active plan on the wire.
_TICKED = (True, "on", "true", "Active")
# A prefix; what follows it says what is wrong.
_NO_EMAIL = "value is not a valid email address: "
_CLEARER = {
    "An email address must have an @-sign.": "Enter an email address like name@example.com",
    "Length must not exceed 2048 characters": "At most 254 characters",
}
MISSING, _WHOLE, _NUMBER = "Please fill this in", "Enter a whole number", "Enter a number"
_DAY, _LIST, _OBJECT = "Use a date like 2026-12-01", "Send a list", "Send a JSON object"
_WORDS = {
    "missing": MISSING,
    "string_too_short": MISSING,
    "too_short": MISSING,
    "string_too_long": "At most {max_length} characters",
    "too_long": "At most {max_length} of these",
    "string_type": "Enter text",
    "string_unicode": "Some of these characters are not allowed",
    "bool_type": "Answer yes or no",
    "bool_parsing": "Answer yes or no",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing_size": "Enter a smaller number",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "less_than_equal": "Enter {le} or less",
    "greater_than_equal": "Enter {ge} or more",
    "greater_than": "Enter more than {gt}",
    "literal_error": "Choose {expected}",
    "enum": "Choose {expected}",
    "date_type": _DAY,
    "date_parsing": _DAY,
    "date_from_datetime_parsing": _DAY,
    "date_from_datetime_inexact": _DAY,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _OBJECT,
    "extra_forbidden": "There is no such field",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
}
_UNKNOWN, _LONGEST_NAME = "extra_forbidden", 60
_BLANK_CHOICE = re.compile(r"^''(, | or )")
# For an error of another kind: pydantic's words about it are for programmers.
OTHERWISE = "Please check this"


def from_errors(
    errors: Sequence[Mapping[str, Any]], skip: int = 0, titles: Mapping[str, str] = {}
) -> InvalidInputError:
    """Pydantic's errors as one refusal; the first `skip` parts of a location are not field names.

    `titles` are labels that fields have in one form only.
    """
    fields: dict[str, str] = {}
    for error in errors:
        fields.setdefault(_field_of(error, skip), _words(error))
    unknown = any(error["type"] == _UNKNOWN for error in errors)
    return refusal(fields, "unknown_field" if unknown else None, titles)


def _field_of(error: Mapping[str, Any], skip: int) -> str:
    name = field_name(error["loc"][skip:]) or "body"
    # A caller chose this name: it may be a page long, and of characters that no log can keep.
    return made_storable(name[:_LONGEST_NAME]) if error["type"] == _UNKNOWN else name


def refuse_together(*checks: Callable[[], object]) -> None:
    """Raise all that the checks refuse as one error; if a field is refused twice, the first message counts."""
    refusals: list[RentalError] = []
    for check in checks:
        try:
            check()
        except GATHERED as error:
            refusals.append(error)
    if refusals:
        raise _together(refusals)


def _together(refusals: Sequence[RentalError]) -> RentalError:
    fields: dict[str, str] = {}
    for error in refusals:
        fields |= {name: text for name, text in error.fields.items() if name not in fields}
    if refusals[0].fields.keys() == fields.keys():
        return refusals[0]
    for error in refusals:
        if error.code in QUOTED:
            error.fields = fields
            return error
    together, kinds = refusal(fields), {(type(error), error.code) for error in refusals}
    if len(kinds) > 1:
        return together
    kind, code = kinds.pop()
    return kind(together.message, code=code, fields=fields)


def refusal(fields: Mapping[str, str], code: str | None = None, titles: Mapping[str, str] = {}) -> InvalidInputError:
    """One refusal of several fields, each named by its label."""
    message = "; ".join(f"{titles.get(name) or label_of(name)}: {text}" for name, text in fields.items())
    return InvalidInputError(message, code=code, fields=fields)


def _words(error: Mapping[str, Any]) -> str:
    if error["type"] != "value_error":
        limits = {name: _limit(limit) for name, limit in error.get("ctx", {}).items()}
        return _WORDS.get(error["type"], OTHERWISE).format(**limits)
    text = str(error["msg"]).removeprefix("Value error, ").removeprefix(_NO_EMAIL)
    return _CLEARER.get(text, text)


def _limit(limit: object) -> str:
    if isinstance(limit, int):
        return grouped(limit)
    # Choices are in quotes, and a blank one, which stands for none, is nothing to choose.
    return f"{limit:g}" if isinstance(limit, float) else _BLANK_CHOICE.sub("", str(limit)).replace("'", "")


def ticked(form: Mapping[str, Any], name: str) -> bool:
    """Whether a checkbox is ticked: then it sends its value, and otherwise nothing."""
    return form.get(name) in _TICKED


def require_filled(form: Mapping[str, Any], names: Iterable[str]) -> None:
    """Raise InvalidInputError naming every one of these fields that a form leaves blank."""
    if blank := [name for name in names if not str(form.get(name) or "").strip()]:
        raise refusal(dict.fromkeys(blank, MISSING))


def validated(model: type[Model], data: Any, *, exact: bool = False) -> Model:
    """The shape of some data; raises InvalidInputError naming the fields at fault.

    A page's form may have more fields than the shape; with `exact`, that is as the shape says.
    """
    try:
        return model.model_validate(data, extra=None if exact else "ignore")
    except ValidationError as error:
        titles = {name: field.title for name, field in model.model_fields.items() if field.title}
        raise from_errors(error.errors(), titles=titles) from None
