"""Calendars imported from other platforms become blocks of the vehicles they belong to."""

import asyncio
import datetime as dt
import threading
import time
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from rental_app.domain import clock
from rental_app.infrastructure.db import read
from rental_app.models import IcalImport
from rental_app.schemas.calendars import CalendarSpan, CalendarVehicle
from rental_app.services.calendar import vendor_calendar
from rental_app.services.calendar.ical import imports, process_client
from rental_app.services.calendar.ical import reading as ical_reading
from rental_app.services.files import safe_http
from tests.conftest import Clock
from tests.support import calendars_of_platforms
from tests.support.booking_steps import alter, book
from tests.support.calendars_of_platforms import HOST, IMPORTS, Platform, added, calendar, event, zoned
from tests.support.rest_helpers import bearer, ok, refused, wish
from tests.support.shop import Shop, actor, add_user, add_vehicle, moment, wanted
from tests.support.trips import confirmed, refusal


def read_due(platform: Platform) -> int:
    return asyncio.run(calendars_of_platforms.read_due(platform.outside))


def shown(shop: Shop) -> CalendarVehicle:
    """What the vendor's calendar shows of the first vehicle."""
    return read(vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan()).vehicles[0]


def entries(shop: Shop) -> list[tuple[str, dt.datetime, dt.datetime]]:
    return [(entry.kind, entry.begin, entry.end) for entry in shown(shop).entries]


def wait_for_a_block(shop: Shop) -> None:
    until = time.monotonic() + 60
    while not entries(shop):
        # A thread that never ended would keep the failing test from ending.
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_entries_become_blocks_and_those_over_bookings_are_shown(
    client: TestClient, shop: Shop, platform: Platform, stopped_clock: Clock, kind: str
) -> None:
    trip = confirmed(shop, days=5, length=1)
    body = calendar(
        event(moment(2), moment(3)),
        event(moment(4), moment(7)),
        event(moment(8), moment(9), "STATUS:CANCELLED"),
        event(moment(8), moment(9), uid="PH-AAAAAA@localhost"),
        "BEGIN:VEVENT\r\nUID:day@else.example\r\nDTSTART;VALUE=DATE:" + f"{moment(10):%Y%m%d}\r\nEND:VEVENT",
    )
    made = added(client, shop, platform.gives("/a.ics", body))
    assert (made["error"], made["fetchedAt"]) == ("", None)
    assert read_due(platform) == 1
    blocks = [entry for entry in shown(shop).entries if entry.kind == "block"]
    assert [(block.begin, block.end) for block in blocks] == [
        (moment(2), moment(3)),
        (moment(4), trip.pickup),
        (trip.return_at, moment(7)),
        (moment(10, 0), moment(11, 0)),
    ]
    assert {(block.text, block.source) for block in blocks} == {("Other calendar", HOST)}
    clashes = shown(shop).clashes
    assert [(clash.begin, clash.end, clash.calendar) for clash in clashes] == [(moment(4), moment(7), made["id"])]
    refusal("dates_taken", book, add_user(), wanted(shop.vehicle, 2))
    assert read_due(platform) == 0
    begin, end = moment(12), moment(13)
    platform.gives("/a.ics", calendar(event(begin, end)))
    stopped_clock.move(minutes=30)
    assert read_due(platform) == 1
    assert [entry for entry in entries(shop) if entry[0] != "booking"] == [("block", begin, end)]
    assert platform.asked[0].startswith(HOST), "the name is asked for, at the address that was looked at"


def test_the_last_calendar_that_could_be_read_stays(
    client: TestClient, shop: Shop, platform: Platform, stopped_clock: Clock
) -> None:
    begin, end = moment(5), moment(6)
    added(client, shop, platform.gives("/a.ics", calendar(event(begin, end))))
    read_due(platform)
    wrong: list[tuple[bytes, int, dict[str, str], str]] = [
        (b"<html>", 200, {}, ical_reading.WEB_PAGE),
        (b"x" * (safe_http.MOST_BYTES + 1), 200, {}, "The file is larger than 4,000 KB"),
        (b"", 404, {}, "There is no file at this address (status 404)"),
        (b"", 401, {}, "The address asks for a password (status 401)"),
        (b"", 503, {}, "The host has a fault of its own (status 503)"),
        (b"", 204, {}, "The address returned status 204"),
        (b"x", 200, {"Content-Encoding": "br"}, "The file is packed in a way that is not read here: only gzip is"),
        (b"", 302, {"Location": "http://calendar.test/"}, "The address leads to one that does not begin with https://"),
        (b"", 302, {"Location": "/a.ics"}, "The address redirects too many times"),
    ]
    for body, status, headers, message in wrong:
        platform.gives("/a.ics", body, status, **headers)
        stopped_clock.move(hours=6)
        assert read_due(platform) == 1
        (row,) = read(imports.of_vendor, actor(shop.vendor))
        assert row.error == message, body[:20]
    assert entries(shop) == [("block", begin, end)]


STRANGE = ("https://b\u00fccher.test{}/", "https://[", "//[", "https://[v1.x]{}/", "https://calendar.test{}/\x01")


def test_what_is_wrong_with_one_calendar_is_no_others_concern(
    client: TestClient, shop: Shop, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "MOST", 10)
    monkeypatch.setattr(imports, "AT_A_TIME_OF_VENDOR", 10)
    for number, place in enumerate(STRANGE):
        target = place.format(f":{platform.server.server_port}")
        added(client, shop, platform.gives(f"/{number}", b"", 302, Location=target))
    added(client, shop, platform.gives("/good", calendar(event(moment(2), moment(3)))))
    assert read_due(platform) == len(STRANGE) + 1
    *strange, good = read(imports.of_vendor, actor(shop.vendor))
    assert (good.error, [entry[1] for entry in entries(shop)]) == ("", [moment(2)])
    assert all(row.error for row in strange)


def test_a_time_zone_that_has_no_end_keeps_no_calendar_waiting(
    client: TestClient, shop: Shop, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_client, "CPU_SECONDS", 2)
    endless = zoned("Vendor Time", "+0530", "RRULE:FREQ=SECONDLY")
    added(client, shop, platform.gives("/endless.ics", endless))
    added(client, shop, platform.gives("/a.ics", calendar(event(moment(2), moment(3)))))
    assert read_due(platform) == 2
    first, second = read(imports.of_vendor, actor(shop.vendor))
    assert (first.error, second.error) == (
        'The time zone "Vendor Time" is not known: its times are taken as Indian time',
        "",
    )
    # Ten o'clock in India, half an hour after the other calendar's entry.
    assert entries(shop) == [("block", moment(2), moment(3))]


def test_a_time_zone_is_what_its_own_calendar_says() -> None:
    for offset in ("-1100", "+0530"):
        ((window,),) = process_client.read(zoned("Vendor Time", offset).encode(), clock.now()).taken.values()
        assert f"{window.pickup.astimezone(dt.datetime.strptime(offset, '%z').tzinfo):%H:%M}" == "10:00"


def test_what_cannot_be_read_is_told_and_stays_as_it_was_read_last(
    client: TestClient, shop: Shop, platform: Platform, stopped_clock: Clock
) -> None:
    first, second = event(moment(2), moment(3), uid="a@else"), event(moment(5), moment(6), uid="b@else")
    made = added(client, shop, platform.gives("/a.ics", calendar(first, second)))
    read_due(platform)
    odd = "BEGIN:VEVENT\r\nUID:a@else\r\nSUMMARY:Reserved\r\nDTSTART:soon\r\nEND:VEVENT"
    later = event(moment(8), moment(9), uid="c@else")
    for events, blocked, unread, error in (
        ([odd, later], [moment(2), moment(8)], ["Reserved, DTSTART:soon"], "1 entry could not be read"),
        ([odd], [moment(2), moment(8)], ["Reserved, DTSTART:soon"], "1 entry could not be read"),
        ([second], [moment(5)], [], ""),
    ):
        platform.gives("/a.ics", calendar(*events))
        stopped_clock.move(minutes=30)
        assert read_due(platform) == 1
        # Where it is not known which entry took what, as it was once, all of it stays.
        alter(IcalImport, made["id"], taken=None)
        assert [begin for _, begin, _ in entries(shop)] == blocked
        (row,) = read(imports.of_vendor, actor(shop.vendor))
        assert (row.unread, row.error) == (unread, error)


@pytest.mark.long
def test_slow_calendars_hold_up_no_other_vendors(
    client: TestClient, shop: Shop, platform: Platform, stopped_clock: Clock
) -> None:
    """Not even those that fall due while the slow ones are being fetched."""
    for number in range(imports.AT_A_TIME_OF_VENDOR + 1):
        added(client, shop, platform.gives(path := f"/slow{number}.ics", calendar()))
        platform.slow[path] = threading.Event()
    vendor = add_user("Vendor", location_id=shop.place.id)
    other = replace(shop, vendor=vendor, vehicle=add_vehicle(vendor))
    url = platform.gives("/a.ics", calendar(event(moment(2), moment(3))))

    async def all_of_them() -> None:
        reading = asyncio.create_task(calendars_of_platforms.read_due(platform.outside))
        await asyncio.to_thread(platform.wait_until_asked, imports.AT_A_TIME_OF_VENDOR)
        await asyncio.to_thread(added, client, other, url)
        await asyncio.to_thread(wait_for_a_block, other)
        assert len(platform.asked) == imports.AT_A_TIME_OF_VENDOR + 1
        for held in platform.slow.values():
            held.set()
        await reading

    asyncio.run(asyncio.wait_for(all_of_them(), 90))
    assert {row.error for row in read(imports.of_vendor, actor(shop.vendor))} == {""}


def test_calendars_are_their_vendors_alone_and_only_so_many(
    client: TestClient, shop: Shop, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor, other = bearer(shop.vendor), bearer(add_user("Vendor"))
    url = platform.gives("/a.ics", calendar(event(moment(2), moment(3))))
    made = added(client, shop, url)
    read_due(platform)
    (one,) = ok(client.get(IMPORTS, headers=vendor))["calendars"]
    assert (one["url"], one["error"], one["unread"], one["clashes"]) == (url, "", [], 0)
    assert ok(client.get(IMPORTS, headers=other))["calendars"] == []
    asked = {"vehicle": shop.vehicle.id, "url": url}
    refused(client.post(IMPORTS, json=asked, headers=vendor), 409, "known_calendar")
    foreign = add_vehicle(add_user("Vendor", location_id=shop.place.id))
    refused(client.post(IMPORTS, json=asked | {"vehicle": foreign.id}, headers=vendor), 404, "unknown_vehicle")
    refused(client.delete(f"{IMPORTS}/{made['id']}", headers=other), 404, "unknown_calendar")
    (entry,) = ok(client.get("/api/vendor/calendar", headers=vendor))["vehicles"][0]["entries"]
    refused(client.delete(f"/api/vendor/blocks/{entry['ref']}", headers=vendor), 404, "unknown_block")
    refused(client.post("/api/vendor/blocks", json=wish(shop, 2), headers=vendor), 409, "blocked")
    ok(client.delete(f"{IMPORTS}/{made['id']}", headers=vendor))
    assert entries(shop) == []
    for number in range(5):
        added(client, shop, f"{url}?{number}")
    refused(client.post(IMPORTS, json=asked, headers=vendor), 409, "too_many_calendars")
    monkeypatch.setattr(imports, "MOST_OF_VENDOR", 5)
    other_vehicle = asked | {"vehicle": add_vehicle(shop.vendor).id}
    refused(client.post(IMPORTS, json=other_vehicle, headers=vendor), 409, "too_many_calendars")
