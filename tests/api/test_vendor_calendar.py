"""Blocks, the buffer and the calendar over REST."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.domain import clock
from rental_app.infrastructure.db import read
from rental_app.schemas.calendars import CalendarSpan
from rental_app.services.calendar import vendor_calendar
from tests.conftest import Clock
from tests.support.booking_steps import book
from tests.support.rest_helpers import bearer, ok, refused, wish
from tests.support.shop import Shop, actor, add_user, add_vehicle, moment, wanted, wire
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, refusal, take_back

BLOCKS, BUFFER, CALENDAR = "/api/vendor/blocks", "/api/vendor/buffer", "/api/vendor/calendar"


def day(days: int) -> str:
    return f"{clock.indian_today(clock.now()) + timedelta(days=days)}"


def test_what_is_no_block(client: TestClient, shop: Shop) -> None:
    vendor = bearer(shop.vendor)
    wrong: list[tuple[dict[str, Any], str, str]] = [
        (wish(shop, 5, 0), "block_reversed", "to"),
        (wish(shop, **{"from": day(6), "to": day(5)}), "block_reversed", "to"),
        (wish(shop, -3, 6), "block_in_past", "from"),
        (wish(shop, 1, 365), "block_too_long", "to"),
        (wish(shop, 366), "block_too_far", "from"),
        (wish(shop, **{"from": "soon"}), "bad_date", "from"),
        (wish(shop, **{"to": ""}), "invalid_input", "to"),
        (wish(shop, reason="holiday"), "invalid_input", "reason"),
        (wish(shop, vehicle="all"), "invalid_input", "vehicle"),
        (wish(shop, vehicle=""), "invalid_input", "vehicle"),
    ]
    for body, code, field in wrong:
        refused(client.post(BLOCKS, json=body, headers=vendor), 422, code, field)
    left_out = {name: value for name, value in wish(shop).items() if name != "vehicle"}
    refused(client.post(BLOCKS, json=left_out, headers=vendor), 422, "invalid_input", "vehicle")
    foreign = add_vehicle(add_user("Vendor", location_id=shop.place.id))
    refused(client.post(BLOCKS, json=wish(shop, vehicle=foreign.id), headers=vendor), 404, "unknown_vehicle")
    for hours in (-1, 13, 2.5, None, "3h"):
        refused(client.put(BUFFER, json={"hours": hours}, headers=vendor), 422, "invalid_input", "hours")


def test_a_block_is_made_and_taken_away_by_its_vendor_alone(client: TestClient, shop: Shop) -> None:
    vendor, other = bearer(shop.vendor), bearer(add_user("Vendor"))
    made = ok(client.post(BLOCKS, json=wish(shop, **{"from": day(5), "to": day(6)}), headers=vendor))["block"]
    assert (made["from"], made["to"]) == (wire(moment(5, 0)), wire(moment(7, 0))), "bare days are meant whole"
    refusal("dates_taken", book, shop.customer, wanted(shop.vehicle, 6))
    refused(client.delete(f"{BLOCKS}/{made['id']}", headers=other), 404, "unknown_block")
    ok(client.delete(f"{BLOCKS}/{made['id']}", headers=vendor))
    refused(client.delete(f"{BLOCKS}/{made['id']}", headers=vendor), 404, "unknown_block")


def test_a_holiday_is_a_block_without_a_vehicle_and_bookings_in_its_way_are_named(
    client: TestClient, shop: Shop
) -> None:
    vendor, other = bearer(shop.vendor), add_vehicle(shop.vendor)
    made = ok(client.post(BLOCKS, json=wish(shop, vehicle=None, note="Diwali"), headers=vendor))
    assert made["block"] is None
    blocks = [(one["vehicle"], one["note"]) for one in made["blocks"]]
    assert blocks == [(shop.vehicle.id, "Diwali"), (other.id, "Diwali")]
    trip = confirmed(shop, days=10)
    for vehicle in (None, shop.vehicle.id):
        answer = client.post(BLOCKS, json=wish(shop, 9, 3, vehicle=vehicle), headers=vendor)
        assert (answer.status_code, answer.json()["code"]) == (409, "booked")
        assert answer.json()["reference"] == trip.reference
        assert trip.reference in answer.json()["message"]
    answer = client.post(BLOCKS, json=wish(shop, 9, 3, vehicle=None), headers=vendor)
    assert [one["reference"] for one in answer.json()["bookings"]] == [trip.reference]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_calendar_shows_what_every_vehicle_does(
    client: TestClient, shop: Shop, stopped_clock: Clock, kind: str
) -> None:
    vendor = bearer(shop.vendor)
    idle = add_vehicle(shop.vendor, is_active=False)
    ok(client.put(BUFFER, json={"hours": 4}, headers=vendor))
    trip = confirmed(shop, days=2, length=3)
    asked = book(shop.customer, wanted(shop.vehicle, 7))
    block = ok(client.post(BLOCKS, json=wish(shop, 10, 2), headers=vendor))["block"]
    shown = ok(client.get(CALENDAR, headers=vendor))
    assert (shown["buffer"], shown["closed"], shown["hours"]["open_time"]) == (4, [], "09:00 AM")
    busy, free = shown["vehicles"]
    assert (busy["id"], free["id"], free["isActive"], free["entries"]) == (shop.vehicle.id, idle.id, False, [])
    assert [(entry["kind"], entry["from"], entry["to"], entry["ref"]) for entry in busy["entries"]] == [
        ("booking", wire(moment(2)), wire(moment(5)), trip.reference),
        ("buffer", wire(moment(5)), wire(moment(5, 14)), trip.reference),
        ("hold", wire(moment(7)), wire(moment(8)), asked.reference),
        ("buffer", wire(moment(8)), wire(moment(8, 14)), asked.reference),
        ("block", wire(moment(10)), wire(moment(12)), str(block["id"])),
    ]
    assert [entry["text"] for entry in busy["entries"]][::4] == [shop.customer.name, "Service"]
    later = ok(client.get(CALENDAR, params={"from": day(5), "to": day(5)}, headers=vendor))["vehicles"][0]
    assert [entry["kind"] for entry in later["entries"]] == ["booking", "buffer"]
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    stopped_clock.move(hours=30)
    back = clock.now()
    take_back(shop, trip.reference)
    assert lasted(shop, 0, 9)[:2] == [(trip.pickup, back), (back, back + timedelta(hours=4))]


def lasted(shop: Shop, first: int, last: int) -> list[tuple[datetime, datetime]]:
    """Return when the entries of the vehicle began and ended, of some days counted from today."""
    span = CalendarSpan.model_validate({"from": day(first), "to": day(last)})
    entries = read(vendor_calendar.of_vendor, actor(shop.vendor), span).vehicles[0].entries
    return [(entry.begin, entry.end) for entry in entries]


def test_a_trip_that_was_over_before_its_pickup_is_shown_when_it_was(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=2)
    at_pickup(stopped_clock, trip, hours=-2)
    begin = clock.now()
    hand_over(shop, trip.reference)
    stopped_clock.move(minutes=30)
    end = clock.now()
    take_back(shop, trip.reference)
    assert lasted(shop, 0, 1) == [(begin, end)]


def test_a_trip_that_came_back_late_is_shown_until_then(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, days=2, length=1)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    at_return(stopped_clock, trip, days=5)
    end = clock.now()
    take_back(shop, trip.reference)
    assert lasted(shop, -7, 0) == lasted(shop, -1, 0) == [(trip.pickup, end)]


def test_a_calendar_has_an_end_and_may_be_empty(client: TestClient, shop: Shop) -> None:
    vendor = bearer(shop.vendor)
    for first, last in ((day(0), day(62)), (day(3), day(2))):
        refused(client.get(CALENDAR, params={"from": first, "to": last}, headers=vendor), 422, "invalid_input", "to")
    ok(client.get(CALENDAR, params={"from": day(-61), "to": day(0)}, headers=vendor))
    refused(client.get(CALENDAR, params={"from": "1800-01-01"}, headers=vendor), 422, "invalid_input", "from")
    assert ok(client.get(CALENDAR, headers=bearer(add_user("Vendor"))))["vehicles"] == []
