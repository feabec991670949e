"""When calendars of other platforms are read: less and less often if they fail, and no vendor's keep others waiting."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta

import psutil
import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import IcalImport
from rental_app.services.calendar.ical import imports, process_client
from rental_app.services.calendar.ical import reading as ical_reading
from rental_app.services.calendar.ical.process_client import CalendarReading
from rental_app.services.files.safe_http import SafeClient
from tests.conftest import Clock
from tests.support.calendars_of_platforms import read_due
from tests.support.shop import Shop, add_user, add_vehicle, moment, put

NOTHING = CalendarReading({}, [], [])
ENDLESS = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:00010101T000000Z\r\n"
    b"RRULE:FREQ=SECONDLY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def add_calendar(vehicle_id: int | None, url: str = "https://else.example/a.ics") -> int:
    return put(IcalImport(vehicle_id=vehicle_id or 0, url=url, due_at=clock.now(), clashes=[])).id or 0


def wait(stopped_clock: Clock) -> float:
    """Return after how many hours a calendar is due again."""
    began = clock.now()
    while not write(imports.claim, clock.now(), {}):
        stopped_clock.move(minutes=10)
    return (clock.now() - began) / timedelta(hours=1)


def failures(stopped_clock: Clock, calendar: int, times: int) -> list[float]:
    """Fail to read a calendar whenever it is due; return the hours waited for each time."""
    waits = []
    for _ in range(times):
        waits.append(wait(stopped_clock))
        write(imports.note, calendar, imports.FAILED)
    return waits


@pytest.mark.long
def test_with_every_failure_in_a_row_the_pause_is_twice_as_long(shop: Shop, stopped_clock: Clock) -> None:
    calendar = add_calendar(shop.vehicle.id)
    for _ in range(2):
        wait(stopped_clock)
        write(imports.apply, calendar, NOTHING, clock.now())
        assert failures(stopped_clock, calendar, 7) == [0.5, 0.5, 1, 2, 4, 6, 6]
    wait(stopped_clock)
    write(imports.apply, calendar, NOTHING, clock.now())
    assert wait(stopped_clock) == 0.5


def test_one_that_could_never_be_read_gets_one_more_try_soon(shop: Shop, stopped_clock: Clock) -> None:
    assert failures(stopped_clock, add_calendar(shop.vehicle.id), 4) == [0, 0.5, 6, 6]


def claimed(running: Mapping[int, int]) -> list[int]:
    return [calendar.id for calendar in write(imports.claim, clock.now(), running)]


def test_a_vendors_many_calendars_keep_no_others_waiting(shop: Shop) -> None:
    first = [add_calendar(shop.vehicle.id, f"https://else.example/{number}.ics") for number in range(5)]
    other = add_calendar(add_vehicle(add_user("Vendor", location_id=shop.place.id)).id)
    assert [claimed({}) for _ in range(4)] == [[first[0], other, first[1]], first[2:4], first[4:], []]


def test_who_has_fewest_being_read_comes_first(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    vendor_id = shop.vendor.id or 0
    first = [add_calendar(shop.vehicle.id, f"https://else.example/{number}.ics") for number in range(3)]
    other = add_calendar(add_vehicle(add_user("Vendor", location_id=shop.place.id)).id)
    monkeypatch.setattr(imports, "MOST_AT_A_TIME", 3)
    assert claimed({vendor_id: 3}) == [], "no room"
    assert claimed({vendor_id: 2}) == [other], "their share is used up"
    assert claimed({vendor_id: 1, vendor_id + 9: 1}) == first[:1]
    assert claimed({vendor_id + 9: 2}) == first[1:2]


def read_instead(monkeypatch: pytest.MonkeyPatch, read_body: Callable[[bytes], None]) -> None:
    """Let calendars be read by `read_body`, each with its address as content; those that are "slow" arrive first."""

    async def fetch(_client: SafeClient, url: str) -> bytes:
        await asyncio.sleep(0 if "slow" in url else 0.5)
        return url.encode()

    def reading(body: bytes, _instant: datetime) -> CalendarReading:
        read_body(body)
        return NOTHING

    monkeypatch.setattr(SafeClient, "fetch", fetch)
    monkeypatch.setattr(imports, "read", reading)


def test_what_takes_long_to_be_read_leaves_other_vendors_a_process(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        add_calendar(shop.vehicle.id, f"https://else.example/slow{number}.ics")
    add_calendar(add_vehicle(add_user("Vendor", location_id=shop.place.id)).id)
    other_is_read = threading.Event()

    def wait_for_other(body: bytes) -> None:
        if b"slow" not in body:
            other_is_read.set()
        assert other_is_read.wait(60)

    read_instead(monkeypatch, wait_for_other)
    assert asyncio.run(read_due()) == 3
    assert read(lambda session: [*session.scalars(select(col(IcalImport.error)))]) == ["", "", ""]


@pytest.mark.long
def test_a_calendar_takes_only_the_processor_time_that_people_leave() -> None:
    own, nices = psutil.Process(), set()
    with ThreadPoolExecutor() as pool:
        reading = pool.submit(process_client.read, ENDLESS, moment(1))
        while not reading.done():
            with suppress(psutil.NoSuchProcess):
                nices |= {child.nice() for child in own.children() if ical_reading.__name__ in child.cmdline()}
            time.sleep(0.1)
    assert max(nices) == min(own.nice() + 10, 19)
    assert len(reading.result().unread) == 1
