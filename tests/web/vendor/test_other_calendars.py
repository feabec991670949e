"""The panel of other calendars: addresses issued and revoked, calendars imported, and their look in the grid."""

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.infrastructure.db import read, write
from rental_app.models import IcalImport
from rental_app.services.bookings import requests
from rental_app.services.calendar.ical import feeds, imports
from rental_app.services.calendar.ical.process_client import CalendarReading
from rental_app.web.vendor.calendar.other_calendars_state import URL, VEHICLE, OtherCalendarsState
from rental_app.web.vendor.calendar.state import CalendarState
from tests.support.shop import VISITOR, Shop, actor, add_user, moment, put, wanted
from tests.support.state_tabs import answers, journey, loaded, tab_of, told

ADDRESS = "https://calendar.example.com/a.ics"


@journey
async def test_addresses_are_made_shown_once_and_taken_away(shop: Shop) -> None:
    tab = await loaded(tab_of(shop.vendor, OtherCalendarsState))
    assert (tab.loaded, tab.feeds, len(tab.vehicles)) == (True, [], 1)
    await answers(tab.give({"vehicle": ""}))
    everything = tab.new_address
    assert (tab.address_of, [row.name for row in tab.feeds]) == ("All vehicles", ["All vehicles"])
    await answers(tab.give({"vehicle": str(shop.vehicle.id)}))
    assert shop.vehicle.rc_number in tab.address_of
    assert len({tab.new_address, everything}) == len(tab.feeds) == 2
    secret = everything.rpartition("/")[2].removesuffix(".ics")
    assert b"VCALENDAR" in read(feeds.read_feed, VISITOR, secret)
    await told(tab.ask_revoke(""))
    assert tab.asked_about == "All vehicles"
    assert "has been turned off" in " ".join(await told(tab.revoke()))
    assert ([row.vehicle for row in tab.feeds], tab.new_address) == ([str(shop.vehicle.id)], "")
    assert "toast" in await answers(tab.give({"vehicle": "99999999"}))
    assert len(tab.feeds) == 1


@journey
async def test_calendars_are_added_and_removed(shop: Shop) -> None:
    tab = await loaded(tab_of(shop.vendor, OtherCalendarsState))
    for url in ("", "http://calendar.example.com/", "https://10.0.0.1/"):
        led = await told(tab.add({"vehicle": str(shop.vehicle.id), "url": url}))
        assert [*tab.errors] == ["url"]
        assert URL in led[0]
    await told(tab.add({"vehicle": str(shop.vehicle.id), "url": ADDRESS}))
    (row,) = tab.imports
    assert (row.host, row.read, row.error, row.clashes, tab.errors) == (
        *("calendar.example.com", "Not read yet"),
        *("", "", {}),
    )
    write(imports.apply, row.id, CalendarReading({}, [("a", "Reserved, DTSTART:soon")], ["Mars/Base"]), clock.now())
    await told(tab.load())
    assert tab.imports[0].unread == ["Reserved, DTSTART:soon"]
    assert tab.imports[0].error.startswith('1 entry could not be read. The time zone "Mars/Base" is not known')
    write(imports.note, row.id, "The address returned status 404")
    await told(tab.load())
    assert tab.imports[0].error == "The address returned status 404"
    await told(tab.ask_remove(row.id))
    await told(tab.remove())
    assert tab.imports == []
    said = " ".join(await told(tab.remove()))
    assert "There is no such calendar" in said
    assert "closes" in said


@journey
async def test_what_another_calendar_says_is_told_apart(shop: Shop) -> None:
    made = write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=5))
    calendar = put(IcalImport(vehicle_id=shop.vehicle.id or 0, url=ADDRESS, due_at=clock.now(), clashes=[]))
    events = [Window(moment(2), moment(3)), Window(moment(5, 12), moment(5, 14))]
    write(imports.apply, calendar.id or 0, CalendarReading({"a": events}, [], []), clock.now())
    tab = await loaded(tab_of(shop.vendor, CalendarState))
    block, booking, clash = tab.page.rows[0].bars
    assert (block.kind, block.text, block.block, block.href) == ("block", "Other calendar", 0, "")
    assert block.label.startswith("Blocked: Other calendar (calendar.example.com), ")
    assert (booking.href, clash.kind) == (f"/vendor/bookings/{made.reference}", "clash")
    assert clash.label.startswith("Clash: calendar.example.com has ")
    kinds = [day.kind for day in tab.page.month if day.iso]
    assert (kinds[2], kinds[5]) == ("block", "clash")
    await told(tab.ask_unblock(block.block))
    assert tab.asked_block == 0


@journey
async def test_a_refusal_is_shown_at_the_field_that_it_is_about(shop: Shop) -> None:
    tab = await loaded(tab_of(add_user("Vendor"), OtherCalendarsState))
    assert (tab.loaded, tab.vehicles) == (True, [])
    for vehicle, said in (("", "Choose a vehicle"), (str(shop.vehicle.id), "There is no such vehicle")):
        led = await told(tab.add({"vehicle": vehicle, "url": ADDRESS}))
        assert (tab.errors, VEHICLE in led[0]) == ({"vehicle": said}, True)
    await told(tab.add({"url": "x" * 501}))
    assert tab.errors == {"vehicle": "Choose a vehicle", "url": "At most 500 characters"}
    await told(tab.load())
    assert tab.errors == {}
