"""Calendar feeds for other programs are secret and revocable, and never reveal who booked."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from icalendar import Calendar
from limits import parse

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.infrastructure.db import write
from rental_app.infrastructure.traces import TRACED
from rental_app.models import IcalImport, User
from rental_app.services import throttle
from rental_app.services.calendar.ical import imports
from rental_app.services.calendar.ical.process_client import CalendarReading
from rental_app.services.throttle import Limit
from tests.conftest import Clock
from tests.support.booking_steps import alter, book
from tests.support.rest_helpers import bearer, ok, refused, wish
from tests.support.shop import Shop, add_user, add_vehicle, moment, put, wanted
from tests.support.trips import at_pickup, confirmed, hand_over, take_back

FEED = "/api/vendor/ical"


def given(client: TestClient, shop: Shop, vehicle: int | None = None) -> str:
    """Have an address given for a calendar; returns its path."""
    url: str = ok(client.post(FEED, json={"vehicle": vehicle}, headers=bearer(shop.vendor)))["url"]
    return url[url.index("/ical/") :]


def events_of(client: TestClient, path: str) -> dict[str, Any]:
    """The events of a calendar by their ids."""
    return {str(one["UID"]).partition("@")[0]: one for one in Calendar.from_ical(client.get(path).content).events}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_calendar_holds_what_holds_the_vehicles(client: TestClient, shop: Shop, kind: str) -> None:
    second = add_vehicle(shop.vendor)
    trip, asked = confirmed(shop), book(add_user(), wanted(second, 6))
    block = ok(client.post("/api/vendor/blocks", json=wish(shop, 10), headers=bearer(shop.vendor)))["block"]
    every, one = given(client, shop), given(client, shop, second.id)
    answer = client.get(every)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert answer.headers["content-type"].startswith("text/calendar")
    events = events_of(client, every)
    assert events.keys() == {trip.reference, asked.reference, f"block-{block['id']}"}
    assert (events[trip.reference].start, events[trip.reference].end) == (moment(3), moment(5))
    assert events[asked.reference]["STATUS"] == "TENTATIVE"
    assert shop.customer.name not in answer.text
    assert shop.customer.phone_number not in answer.text
    assert [*events_of(client, one)] == [asked.reference]


def test_what_was_read_from_elsewhere_is_not_passed_on(client: TestClient, shop: Shop) -> None:
    """Two shops that read each other would keep a block that has gone alive for ever."""
    url = "https://calendar.example.com/a.ics"
    read_in = put(IcalImport(vehicle_id=shop.vehicle.id or 0, url=url, due_at=clock.now(), clashes=[])).id or 0
    write(imports.apply, read_in, CalendarReading({"a": [Window(moment(2), moment(3))]}, [], []), clock.now())
    own = ok(client.post("/api/vendor/blocks", json=wish(shop, 10), headers=bearer(shop.vendor)))["block"]
    assert [*events_of(client, given(client, shop))] == [f"block-{own['id']}"]


def test_a_calendar_is_the_same_one_under_its_next_address(client: TestClient, shop: Shop) -> None:
    confirmed(shop)
    for vehicle, name in ((None, "All vehicles (Pahiya)"), (shop.vehicle.id, "Honda Activa 6G (Pahiya)")):
        first, second = (Calendar.from_ical(client.get(given(client, shop, vehicle)).content) for _ in range(2))
        assert (first["X-WR-CALNAME"], first["NAME"]) == (name, name)
        assert first["UID"] == first["X-WR-RELCALID"] == second["UID"]
        assert [event["UID"] for event in first.events] == [event["UID"] for event in second.events]


def test_the_head_of_a_calendar_can_be_asked_for(client: TestClient, shop: Shop) -> None:
    address = given(client, shop)
    whole, head = client.get(address), client.head(address)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert client.head("/ical/x.ics").status_code == 404


def test_a_vehicle_that_is_back_early_holds_nothing_more(client: TestClient, shop: Shop, stopped_clock: Clock) -> None:
    trip, address = confirmed(shop, length=4), given(client, shop)
    at_pickup(stopped_clock, trip, hours=-1)
    hand_over(shop, trip.reference)
    (out,) = events_of(client, address).values()
    assert out.end == trip.return_at
    stopped_clock.move(hours=21)
    take_back(shop, trip.reference)
    (back,) = events_of(client, address).values()
    assert (back.start, back.end) == (trip.pickup, stopped_clock.instant.replace(microsecond=0))


def test_a_trip_over_before_its_pickup_is_in_no_calendar(client: TestClient, shop: Shop, stopped_clock: Clock) -> None:
    trip, address = confirmed(shop), given(client, shop)
    at_pickup(stopped_clock, trip, hours=-1)
    hand_over(shop, trip.reference)
    take_back(shop, trip.reference)
    assert events_of(client, address) == {}


def test_an_address_ends_when_it_is_revoked_or_given_anew(client: TestClient, shop: Shop) -> None:
    vendor = bearer(shop.vendor)
    first = given(client, shop)
    second, of_one = given(client, shop), given(client, shop, shop.vehicle.id)
    refused(client.get(first), 404, "unknown_calendar")
    assert [feed["vehicle"] for feed in ok(client.get(FEED, headers=vendor))["feeds"]] == [None, shop.vehicle.id]
    ok(client.delete(FEED, headers=bearer(add_user("Vendor"))))
    assert client.get(second).status_code == 200
    ok(client.delete(FEED, headers=vendor))
    refused(client.get(second), 404, "unknown_calendar")
    assert client.get(of_one).status_code == 200
    alter(User, shop.vendor.id, status="blocked")
    refused(client.get(of_one), 404, "unknown_calendar")


def test_no_trace_holds_the_secret(client: TestClient, shop: Shop) -> None:
    """Traces leave out calendar URLs, whose path holds the secret."""
    left_out = TRACED["exclude"]
    assert left_out is not None
    assert left_out({"type": "http", "path": given(client, shop)})
    assert not left_out({"type": "http", "path": FEED})


@pytest.mark.usefixtures("rate_limits")
def test_calendars_are_weighed_as_lists_are(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "ROWS", Limit(parse("1 per hour"), parse("1 per hour")))
    confirmed(shop)
    address = given(client, shop)
    assert client.get(address).status_code == 200
    assert client.get(address).status_code == 429


def test_addresses_cannot_be_guessed(client: TestClient, shop: Shop) -> None:
    given(client, shop)
    for secret in ("x", "%00", "..", "a" * 43):
        assert client.get(f"/ical/{secret}.ics").status_code in (404, 422), secret
    foreign = add_vehicle(add_user("Vendor", location_id=shop.place.id))
    refused(client.post(FEED, json={"vehicle": foreign.id}, headers=bearer(shop.vendor)), 404, "unknown_vehicle")
