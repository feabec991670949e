"""What is wrong with a field is said in the product's words, whatever is sent, and the field by its label."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from datetime import time
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_core._pydantic_core import list_all_errors

from rental_app import schemas
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.policies import Policies
from rental_app.schemas.accounts import Registration, RoleRequest
from rental_app.schemas.bookings import BookingQuery, StatusChange
from rental_app.schemas.calendars import ImportRequest
from rental_app.schemas.earnings import EarningsRequest
from rental_app.schemas.prices import PriceRuleIn
from rental_app.schemas.quotes import QuoteRequest
from rental_app.schemas.readings import Damage
from rental_app.schemas.search import PageSearch, ShopRequest
from rental_app.schemas.validation import OTHERWISE, from_errors, label_of, validated
from rental_app.schemas.vehicles import ToggleRequest, VehicleData
from rental_app.schemas.wire import Wire
from tests.support.rows import each

STRANGE: list[Any] = [None, "", "x", "x" * 6000, "\ud800", "-1", "9" * 5000, "nan", "2026-13-01", "0001-01-01", "12:00"]
STRANGE += [-(10**12), 10**12, 10**40, 1.5, float("nan"), float("inf"), True, b"x", [], {}, {"a": 1}, {"Front": [{}]}]
STRANGE += [["x"], [1], [None], ["x"] * 3000, [{}], [{"note": "", "amount": -1, "price": "x", "kms_limit": -1}]]


def shapes(parent: type[BaseModel] = Wire) -> Iterator[type[BaseModel]]:
    """Every shape on the wire."""
    for module in pkgutil.iter_modules(schemas.__path__):
        importlib.import_module(f"rental_app.schemas.{module.name}")
    for shape in parent.__subclasses__():
        yield shape
        yield from shapes(shape)


def test_no_words_of_the_library_reach_a_person() -> None:
    for kind in list_all_errors():
        if kind["type"] != "value_error":
            message, limits = kind["example_message_python"], kind.get("example_context") or {}
            error = {"type": kind["type"], "loc": ("q",), "msg": message, "ctx": limits}
            assert "nput" not in from_errors([error]).message, kind


def words(shape: type[BaseModel], /, **fields: Any) -> str:
    """Return what a person is told, '' if nothing is wrong."""
    try:
        validated(shape, fields)
    except InvalidInputError as refusal:
        return refusal.message
    return ""


@pytest.mark.long
def test_whatever_is_sent_there_are_words_for_it() -> None:
    for shape in set(shapes()):
        for name, field in shape.model_fields.items():
            # Only answers have instants, durations, a booking's numbers, and times that are never missing; requests
            # have texts.
            of_answers = field.annotation in (time, Policies)
            if not of_answers and not re.search(r"datetime\.(datetime|timedelta)", str(field.annotation)):
                for value in STRANGE:
                    assert OTHERWISE not in words(shape, **{field.alias or name: value}), (shape, name, value)


@each(
    ("shape", "field", "value", "message"),
    [
        (ShopRequest, "q", "x" * 90, "Search: At most 80 characters"),
        (RoleRequest, "role", "owner", "Role: Choose counter or manager"),
        (ShopRequest, "location", "x" * 101, "Location: At most 100 characters"),
        (ShopRequest, "location", 5, "Location: Enter text"),
        (ShopRequest, "type", [str(number) for number in range(21)], "Type: At most 20 of these"),
        (ShopRequest, "type", 5, "Type: Send a list"),
        (ShopRequest, "delivery", "maybe", "Delivery: Answer yes or no"),
        (ShopRequest, "rating", "inf", "Rating: Enter a number"),
        (ShopRequest, "rating", 9, "Rating: Enter 5 or less"),
        (PageSearch, "page", 99, "Page: Enter 40 or less"),
        (BookingQuery, "from", "soon", "From: Use a date like 2026-12-01"),
        *(
            (BookingQuery, "from", bare, "From: Use a date like 2026-12-01")
            for bare in ("0", 0, "20261201", "-1", "1e9")
        ),
        *((PriceRuleIn, "to", bare, "To: Use a date like 2026-12-01") for bare in (0, 1.5, True, "1764547200")),
        (BookingQuery, "from", "0001-01-01", "From: Check the year of this date"),
        (BookingQuery, "to", "2200-01-01", "To: Check the year of this date"),
        (EarningsRequest, "by", "day", "By: Choose month or vehicle"),
        (StatusChange, "reason", "broken", "Reason: Choose unavailable, repair, times or other"),
        (QuoteRequest, "offer", "x" * 250, "Offer code: At most 40 characters"),
    ],
)
def test_a_field_and_what_is_wrong_with_it(shape: type[BaseModel], field: str, value: Any, message: str) -> None:
    assert message in words(shape, **{field: value}).split("; ")


def test_labels_of_what_pages_and_calls_send() -> None:
    assert "Register as Vendor: Answer yes or no" in words(Registration, isVendor="perhaps")
    assert "Email: At most 254 characters" in words(Registration, email="x" * 3000)
    assert words(ToggleRequest, vehicleId="a") == "Vehicle: Enter a whole number"
    assert words(StatusChange, bookingId=1, status="x") == "Status: Choose pending, confirmed or cancelled"
    assert words(QuoteRequest, car=1, extras="\ud800").startswith("Extras: There is no extra \ufffd: choose from")
    assert "Last Serviced Date: Use a date like 2026-12-01" in words(VehicleData, last_serviced_date="2026-13-01")
    assert "Price: Enter an amount between 0 and 5,00,000 rupees" in words(VehicleData, prices=[{"price": 500_001}])
    assert words(Damage, note="x", amount=500_001) == "Amount: Enter an amount between 0 and 5,00,000 rupees"
    with pytest.raises(InvalidInputError) as refusal:
        validated(ToggleRequest, [])
    assert refusal.value.message == "Body: Send a JSON object"
    assert label_of("prices.0.boot_litres") == "Pricing 1 Boot litres", "a name without a label says it itself"
    assert label_of("expectedTotal") == "Expected total"


def test_a_calendars_address_may_be_as_long_as_the_document_says() -> None:
    address = f"https://example.com/{'x' * 400}"
    assert validated(ImportRequest, {"vehicle": 1, "url": address}).url == address
