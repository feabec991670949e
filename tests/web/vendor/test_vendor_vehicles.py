"""Manage Vehicles behind its page: the table, its switches, and other vendors' vehicles."""

from datetime import timedelta
from typing import Any

import pytest
import reflex as rx

from rental_app.domain.errors import UnavailableError
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.models import Vehicle
from rental_app.services.fleet import table, vehicles
from rental_app.web.vendor.manage_vehicles.dialogs_state import EditVehicleState, VehicleFilesState
from rental_app.web.vendor.manage_vehicles.page import manage_vehicles
from rental_app.web.vendor.manage_vehicles.state import FleetState
from tests.support.booking_steps import alter
from tests.support.failures import away
from tests.support.shop import Shop, actor, open_shop
from tests.support.state_tabs import answers, content, journey, loaded, tab_of
from tests.support.trips import confirmed


def held(tab: rx.State) -> dict[str, Any]:
    """Return a state's values, except for which vehicle a click was answered."""
    return {name: value for name, value in content(tab).items() if name != "answered"}


@journey
async def test_another_vendors_vehicle_is_unknown(shop: Shop) -> None:
    stranger = open_shop("Otherpur").vendor
    for kind, name, *more in (
        (FleetState, "toggle", False),
        (EditVehicleState, "edit"),
        (EditVehicleState, "regain", "{}"),
        (VehicleFilesState, "show"),
        (VehicleFilesState, "show_again", "{}"),
    ):
        tab = await tab_of(stranger, kind)
        untouched = held(tab)
        assert "There is no such vehicle" in await answers(getattr(tab, name)(shop.vehicle.id, *more))
        assert held(tab) == untouched
    fleet = await loaded(tab_of(stranger, FleetState))
    assert shop.vehicle.id not in [line.id for line in fleet.lines]
    assert read(lambda session: session.get(Vehicle, shop.vehicle.id)).is_active


@journey
async def test_a_switch_does_what_it_was_pressed_for_where_another_device_has_switched_already(shop: Shop) -> None:
    def is_on() -> bool:
        return read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).is_active

    laptop, phone = await tab_of(shop.vendor, FleetState), await tab_of(shop.vendor, FleetState)
    await answers(laptop.load())
    for wanted, said in ((False, "now blocked from booking"), (True, "now on the platform")):
        assert said in await answers(phone.toggle(shop.vehicle.id, wanted))
        assert [line.is_active for line in laptop.lines] == [not wanted]
        assert said in await answers(laptop.toggle(shop.vehicle.id, wanted))
        assert ([line.is_active for line in laptop.lines], is_on()) == ([wanted], wanted)


@journey
async def test_a_table_that_is_left_open_goes_on(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = await loaded(tab_of(shop.vendor, FleetState))
    await answers(tab.search("honda"))
    tab._clean()
    assert await answers(tab.refresh()) == ""
    assert "lines" not in tab.dirty_vars, "nothing travels to the browser"
    write(vehicles.switch, actor(shop.vendor), shop.vehicle.id, False)
    assert await answers(tab.refresh()) == ""
    assert ([(line.now, line.is_active) for line in tab.lines], tab.text) == ([("Off", False)], "honda")
    monkeypatch.setattr(table, "table", away)
    assert await answers(tab.refresh()) == ""
    assert (tab.problem, len(tab.lines)) == ("The service is busy", 1)


@journey
async def test_a_vehicle_that_goes_off_lists_its_bookings(shop: Shop) -> None:
    trip = confirmed(shop)
    tab = await loaded(tab_of(shop.vendor, FleetState))
    assert not tab.lines[0].is_off_ahead
    await answers(tab.toggle(shop.vehicle.id, False))
    assert [link.href for link in tab.ahead] == [f"/vendor/bookings/{trip.reference}"]
    assert (tab.lines[0].is_off_ahead, tab.lines[0].rc_number in tab.ahead_of) == (True, True)
    await answers(tab.toggle(shop.vehicle.id, True))
    assert tab.ahead == []
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=trip.pickup.date() - timedelta(days=30))
    await answers(tab.load())
    assert tab.lines[0].is_off_ahead
    await answers(tab.show_ahead(shop.vehicle.id))
    assert len(tab.ahead) == 1


@journey
async def test_vehicles_are_counted_once_they_are_known(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = await tab_of(shop.vendor, FleetState)
    assert tab.count_line == ""
    with monkeypatch.context() as broken:
        broken.setattr(table, "table", away)
        await answers(tab.load())
    assert (tab.problem, tab.count_line) == ("The service is busy", "")
    await answers(tab.load())
    assert tab.count_line == "1 vehicle"
    await answers(tab.search("zeppelin"))
    assert tab.count_line == "0 vehicles"


def test_an_empty_fleet_is_told_every_file_that_a_listing_needs() -> None:
    """It promised ten photos and five minutes: some of them are papers, and nobody had taken the time."""
    shown = str(manage_vehicles())
    assert f"a file or photo of each of these: {', '.join(FILE_GROUPS)}." in shown
    assert "minutes" not in shown


@journey
async def test_every_press_of_a_switch_is_answered(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise UnavailableError("busy")

    tab = await tab_of(shop.vendor, FleetState)
    await answers(tab.toggle(shop.vehicle.id, False))
    assert tab.answered == [shop.vehicle.id, 1]
    # Refused before the caller is known: the row shows what was clicked until there is an answer.
    monkeypatch.setattr("rental_app.services.throttle.count", busy)
    assert "toast" in await answers(tab.toggle(shop.vehicle.id, True))
    assert tab.answered == [shop.vehicle.id, 2]


@journey
async def test_a_refused_vehicle_says_why_and_how_it_is_sent_again(shop: Shop) -> None:
    alter(Vehicle, shop.vehicle.id, is_approved=False, refusal="The RC cannot be read.")
    tab = await loaded(tab_of(shop.vendor, FleetState))
    (line,) = tab.lines
    assert line.now == "Refused"
    assert line.notes[0] == (
        "We have not listed it: The RC cannot be read. Fix this under Edit or Files: saving sends it to us again."
    )
