"""The calendar's page: what it shows, blocking and unblocking."""

from datetime import date, time, timedelta

import pytest

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import Vehicle
from rental_app.schemas.calendars import BlockRequest, CalendarSpan
from rental_app.services.bookings import requests
from rental_app.services.calendar import blocks, vendor_calendar
from rental_app.web.vendor.calendar.presenter import CalendarBar, CalendarPage, calendar_page
from rental_app.web.vendor.calendar.state import CalendarState
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.failures import away
from tests.support.page_states import page_of
from tests.support.shop import (
    Shop,
    actor,
    add_user,
    add_vehicle,
    add_vehicles,
    moment,
    open_shop,
    statements,
    wanted,
)
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.trips import at_pickup, confirmed, hand_over


def day(ahead: int) -> str:
    return clock.indian_today(moment(ahead)).isoformat()


def form(shop: Shop, first: int, last: int, reason: str = "service") -> dict[str, str]:
    return {"vehicle": str(shop.vehicle.id), "from": day(first), "to": day(last), "reason": reason}


@journey
async def test_the_calendar_shows_blocks_and_unblocks(shop: Shop) -> None:
    made = write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=3))
    tab = await tab_of(shop.vendor, CalendarState)
    assert "error" not in await answers(tab.load())
    (row,) = tab.page.rows
    (bar,) = row.bars
    assert (len(tab.page.days), bar.kind, bar.href) == (14, "hold", f"/vendor/bookings/{made.reference}")
    assert bar.label.startswith(f"Requested: {shop.customer.name}, ")
    kinds = [each.kind for each in tab.page.month if each.iso]
    assert kinds[:6] == ["", "", "", "hold", "hold", ""]

    assert made.reference in await answers(tab.block(form(shop, 2, 4)))
    assert made.reference in tab.refusal
    assert "Choose a vehicle" in await answers(tab.block(form(shop, 2, 4) | {"vehicle": ""}))
    await answers(tab.block(form(shop, 2, 4) | {"from": "", "to": ""}))
    assert (set(tab.errors), tab.refusal) == ({"from", "to"}, "")
    await answers(tab.ask_block(str(shop.vehicle.id), day(8), day(9)))
    assert (tab.asked_first, tab.asked_last, tab.refusal) == (day(8), day(9), "")
    assert "Vehicle blocked" in await answers(tab.block(form(shop, 8, 9)))
    block = tab.page.rows[0].bars[1]
    assert (block.kind, block.text, block.href) == ("block", "Service", "")

    assert [link.text for link in tab.in_the_way] == []
    await answers(tab.block(form(shop, 2, 4)))
    (link,) = tab.in_the_way
    assert (link.href, made.reference in link.text) == (f"/vendor/bookings/{made.reference}", True)
    await answers(tab.block(form(shop, 3, 4) | {"vehicle": "all"}))
    assert made.reference in tab.refusal
    timed = form(shop, 12, 12) | {"vehicle": "all", "fromHour": "10:00", "toHour": "14:30", "note": "Wedding"}
    assert "All vehicles blocked" in await answers(tab.block(timed))
    assert tab.page.rows[0].bars[2].text == "Service: Wedding"
    assert "10 AM" in tab.page.rows[0].bars[2].label

    await answers(tab.ask_unblock(block.block))
    assert block.label == tab.asked_about
    assert "Block removed" in await answers(tab.unblock())
    assert len(tab.page.rows[0].bars) == 2


@pytest.mark.parametrize(
    ("name", "lines", "short"),
    [
        ("Ananya Sharma", ["Ananya", "Sharma"], "AS"),
        ("Venkata Lakshmi Narayana Rao", ["Venkata Lakshmi", "Narayana Rao"], "VL"),
        ("Mohammed Abdul K", ["Mohammed", "Abdul K"], "MA"),
        ("Imran", ["Imran"], "I"),
        ("లక్ష్మి రావు", ["లక్ష్మి", "రావు"], "లర"),
    ],
)
def test_a_customers_name_is_given_whole_and_by_its_initials(
    shop: Shop, name: str, lines: list[str], short: str
) -> None:
    customer = add_user(name=name)
    write(requests.create, actor(customer), wanted(shop.vehicle, days=3))
    write(blocks.add, actor(shop.vendor), BlockRequest.model_validate(form(shop, 8, 9, "own use")))
    early, late = _bars(shop, 0), _bars(shop, -5)
    assert [(bar.text, bar.lines, bar.initials) for bar in early] == [
        (name, lines, short),
        ("Own use", ["Own", "use"], ""),
    ]
    assert [bar.grows_left for bar in early + late] == [False, True, True, True]


def test_what_is_out_is_told_from_what_is_booked_and_free_vehicles_are_counted(
    shop: Shop, stopped_clock: Clock
) -> None:
    add_vehicle(shop.vendor)
    add_vehicle(shop.vendor, is_active=False)
    trip = confirmed(shop)
    assert [bar.kind for bar in _bars(shop, 0)] == ["booking"]
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    (bar,) = _bars(shop, 0)
    assert (bar.kind, bar.label[:5]) == ("out", "Out: ")
    page = _page(shop, 0)
    assert (page.vehicles, page.days[0].free, page.days[-1].free) == ("3 vehicles", "1", "2")
    assert page.now.endswith("%")
    assert _page(shop, 3).now == _page(shop, -20).now == ""


def _bars(shop: Shop, first: int) -> list[CalendarBar]:
    """The bars of two weeks from a day on."""
    return _page(shop, first).rows[0].bars


def _page(shop: Shop, first: int) -> CalendarPage:
    span = CalendarSpan.model_validate({"from": day(first), "to": day(first + 13)})
    begin = date.fromisoformat(day(first))
    return calendar_page(read(vendor_calendar.of_vendor, actor(shop.vendor), span), begin, 14, 0, 1)


@journey
async def test_a_block_that_is_gone_already_goes_from_the_page(shop: Shop) -> None:
    tab = await loaded(tab_of(shop.vendor, CalendarState))
    await answers(tab.block(form(shop, 3, 4)))
    (bar,) = tab.page.rows[0].bars
    await answers(tab.ask_unblock(bar.block))
    write(blocks.remove, actor(shop.vendor), bar.block)
    said = await answers(tab.unblock())
    assert "There is no such block" in said
    assert "closes" in said
    assert tab.page.rows[0].bars == []


@journey
async def test_a_calendar_that_is_left_open_goes_on(
    shop: Shop, stopped_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab, stranger = await tab_of(shop.vendor, CalendarState), await tab_of(shop.customer, CalendarState)
    await answers(tab.load())
    tab._clean()
    assert await answers(tab.refresh()) == ""
    assert "page" not in tab.dirty_vars, "nothing travels to the browser"
    write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=3))
    await answers(tab.refresh())
    assert [bar.kind for bar in tab.page.rows[0].bars] == ["hold"]
    monkeypatch.setattr(vendor_calendar, "of_vendor", away)
    assert await answers(tab.refresh()) == "", "not at every beat"
    assert (tab.problem, bool(tab.page)) == ("The service is busy", True)
    monkeypatch.undo()
    monkeypatch.setattr(clock, "now", stopped_clock)
    stopped_clock.move(days=1)
    await answers(tab.refresh())
    assert (tab.problem, tab.page.days[0].iso) == ("", clock.indian_today(clock.now()).isoformat())
    assert "_redirect" in await answers(stranger.refresh())


@journey
async def test_days_and_vehicles_are_chosen(shop: Shop) -> None:
    other = add_vehicle(shop.vendor)
    tab = await loaded(tab_of(shop.vendor, CalendarState))
    await answers(tab.choose_span("14"))
    await answers(tab.shift(1))
    assert (tab.page.days[0].iso, len(tab.page.days)) == (day(14), 14)
    await answers(tab.shift(-1))
    await answers(tab.shift(-1))
    assert tab.page.days[-1].iso == day(-1)
    await answers(tab.shift(0))
    await answers(tab.choose_span("10000"))
    assert (tab.page.days[0].iso, len(tab.page.days)) == (day(0), 14)
    await answers(tab.choose_vehicle(str(other.id)))
    assert tab.page.chosen.id == other.id
    # Another vendor's vehicle is not shown; the vendor's own first one is.
    await answers(tab.choose_vehicle(str(open_shop("Elsewhere").vehicle.id)))
    assert tab.page.chosen.id in {shop.vehicle.id, other.id}


@journey
async def test_the_buffer_is_set_and_bad_ones_are_refused(shop: Shop) -> None:
    tab = await loaded(tab_of(shop.vendor, CalendarState))
    assert "3 h between two trips" in await answers(tab.set_buffer("3"))
    assert tab.page.buffer == "3"
    assert "error" in await answers(tab.set_buffer("13"))
    assert read(vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan()).buffer == 3


@journey
async def test_the_address_names_a_day_and_what_makes_no_sense_is_today(shop: Shop) -> None:
    foreign = open_shop("Elsewhere").vehicle.id
    for wanted_day, shown, first in (
        (day(3), day(3), day(0)),
        (day(34), day(34), day(0)),
        (day(35), day(35), day(35)),
        (day(-2), day(-2), day(-2)),
        ("9999-12-31", "", day(0)),
        ("0001-01-01", "", day(0)),
        ("2026-13-45", "", day(0)),
        ("soon", "", day(0)),
        ("", "", day(0)),
    ):
        url = f"/vendor/calendar?day={wanted_day}&vehicle={foreign}"
        tab = await loaded(page_of(shop.vendor, CalendarState, url))
        assert (wanted_day, tab.day, tab.page.days[0].iso, tab.problem) == (wanted_day, shown, first, "")
        assert (len(tab.page.days), len(tab.board.days), tab.board.days[0].iso) == (14, 35, first)
        assert tab.page.chosen.id == shop.vehicle.id
    # A reconnection does not undo what was chosen since.
    await answers(tab.shift(1))
    await answers(tab.load())
    assert tab.page.days[0].iso == day(14)


@journey
async def test_a_phone_gets_all_vehicles_with_what_occupies_them(shop: Shop) -> None:
    off = add_vehicle(shop.vendor, is_active=False)
    alter(Vehicle, shop.vehicle.id, pollution_expiry_date=date.fromisoformat(day(6)))
    made = write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=3))
    tab = await loaded(tab_of(shop.vendor, CalendarState))
    vehicles = {each.id: each for each in tab.board.vehicles}
    ours = vehicles[shop.vehicle.id]
    assert (ours.price, ours.off, ours.ends) == ("₹500", "", 6)
    assert ours.expired.startswith("Pollution expires ")
    (entry,) = ours.entries
    begin = clock.at(date.fromisoformat(day(0)), time())
    assert (entry.kind, entry.href) == ("hold", f"/vendor/bookings/{made.reference}")
    assert (entry.begin, entry.end - entry.begin) == ((made.pickup - begin) // timedelta(minutes=1), 24 * 60)
    assert vehicles[off.id].off == "Switched off"
    row = next(row for row in tab.page.rows if row.id == shop.vehicle.id)
    assert (row.cells[0], row.cells[3], row.cells[7], row.off) == ("free", "requested", "pollution expired", False)
    assert [head.free for head in tab.page.days[:8]] == ["1", "1", "1", "0", "0", "1", "1", "0"]


def test_a_calendar_takes_as_many_statements_for_many_vehicles_as_for_one(shop: Shop) -> None:
    made = []
    for more in (0, 3):
        add_vehicles(shop.vendor, more)
        with statements() as sent:
            read(vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan())
        made.append(len(sent))
    assert made[0] == made[1]
