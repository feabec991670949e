"""Add New Vehicle and Manage Vehicles behind their pages: strangers and forged payloads."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
import reflex as rx

from rental_app.domain.errors import UnavailableError
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.models import Vehicle
from rental_app.services.fleet import table, vehicles
from rental_app.web.vendor.add_vehicle.state import AddVehicleState
from rental_app.web.vendor.manage_vehicles.dialogs_state import EditVehicleState, VehicleFilesState
from rental_app.web.vendor.manage_vehicles.page import manage_vehicles
from rental_app.web.vendor.manage_vehicles.state import FleetState
from tests.support.booking_steps import alter
from tests.support.failures import away
from tests.support.shop import Shop, actor, add_user, open_shop
from tests.support.state_tabs import answers, content, hand_over, tab_of
from tests.support.trips import confirmed

STATES = (AddVehicleState, FleetState, EditVehicleState, VehicleFilesState)


def payload(name: str, vehicle_id: int | None) -> list[Any]:
    """Return arguments that would have an effect for a vendor."""
    given: dict[str, Any] = {
        "check": {"rc_number": "x"},
        "keep": {"rc_number": "x"},
        "submit": {"vehicle_id": str(vehicle_id), "color": "Pink"},
        "take_draft": '{"color": "Pink"}',
        "set_extra_payment": True,
        "choose_shown": "active",
        "choose_sorting": "name",
        "search": "Honda",
        "go_to": 1,
    }
    if name in ("load", "refresh", "load_again", "begin", "clear", "continue_draft", "decline_draft"):
        return []
    if name in ("regain", "show_again"):
        return [vehicle_id, given["take_draft"]]
    if name in ("edit", "show", "show_ahead"):
        return [vehicle_id]
    if name == "toggle":
        return [vehicle_id, False]
    return [given.get(name, "1")]


def held(tab: rx.State) -> dict[str, Any]:
    """Return a state's values, except for which vehicle a click was answered."""
    return {name: value for name, value in content(tab).items() if name != "answered"}


def handlers(kind: type[rx.State]) -> list[str]:
    """Return what a browser can call, without Reflex's own handlers."""
    return sorted(set(kind.event_handlers) - set(rx.State.event_handlers))


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
@pytest.mark.parametrize("who", ["customer", "nobody"])
def test_strangers_get_nothing_and_change_nothing(shop: Shop, state: type[rx.State], who: str) -> None:
    async def walk() -> None:
        tab = await tab_of(shop.customer if who == "customer" else None, state)
        untouched = held(tab)
        told = "Only vendors can do this" if who == "customer" else "Please log in"
        assert len(handlers(state)) >= 2
        for name in handlers(state):
            said = await answers(getattr(tab, name)(*payload(name, shop.vehicle.id)))
            # A beat says nothing: it leads away.
            assert (told if name != "refresh" else "_redirect") in said, name
            assert held(tab) == untouched, name

    asyncio.run(walk())
    assert read(lambda session: session.get(Vehicle, shop.vehicle.id)).is_active


def test_another_vendors_vehicle_is_unknown(shop: Shop) -> None:
    stranger = open_shop("Otherpur").vendor

    async def reach() -> None:
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
        fleet = await tab_of(stranger, FleetState)
        await answers(fleet.load())
        assert shop.vehicle.id not in [line.id for line in fleet.lines]

    asyncio.run(reach())
    assert read(lambda session: session.get(Vehicle, shop.vehicle.id)).is_active


def test_a_tab_handed_to_another_vendor_shows_only_theirs(shop: Shop) -> None:
    async def look() -> None:
        tab = await tab_of(shop.vendor, FleetState)
        await answers(tab.load())
        assert [line.id for line in tab.lines] == [shop.vehicle.id]
        await hand_over(tab, add_user("Vendor"))
        await answers(tab.load())
        assert (tab.lines, tab.size) == ([], 0)

    asyncio.run(look())


@pytest.mark.parametrize("forged", [None, "x", -1, 2**40, [1], {"id": 1}, True])
def test_forged_ids_are_refusals(shop: Shop, forged: object) -> None:
    async def send() -> None:
        for kind, name, *more in (
            (FleetState, "toggle", False),
            (EditVehicleState, "edit"),
            (VehicleFilesState, "show"),
        ):
            assert "toast" in await answers(getattr(await tab_of(shop.vendor, kind), name)(forged, *more))
        fleet = await tab_of(shop.vendor, FleetState)
        for handler in (fleet.go_to, fleet.choose_shown, fleet.choose_sorting):
            await answers(handler(forged))
        assert fleet.page == 1

    asyncio.run(send())


def test_a_switch_does_what_it_was_pressed_for_where_another_device_has_switched_already(shop: Shop) -> None:
    def is_on() -> bool:
        return read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).is_active

    async def press() -> None:
        laptop, phone = await tab_of(shop.vendor, FleetState), await tab_of(shop.vendor, FleetState)
        await answers(laptop.load())
        for wanted, said in ((False, "now blocked from booking"), (True, "now on the platform")):
            assert said in await answers(phone.toggle(shop.vehicle.id, wanted))
            assert [line.is_active for line in laptop.lines] == [not wanted]
            assert said in await answers(laptop.toggle(shop.vehicle.id, wanted))
            assert ([line.is_active for line in laptop.lines], is_on()) == ([wanted], wanted)

    asyncio.run(press())


def test_a_table_that_is_left_open_goes_on(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait() -> None:
        tab = await tab_of(shop.vendor, FleetState)
        await answers(tab.load())
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

    asyncio.run(wait())


def test_a_vehicle_that_goes_off_lists_its_bookings(shop: Shop) -> None:
    trip = confirmed(shop)

    async def press() -> None:
        tab = await tab_of(shop.vendor, FleetState)
        await answers(tab.load())
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

    asyncio.run(press())


def test_vehicles_are_counted_once_they_are_known(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look() -> None:
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

    asyncio.run(look())


def test_an_empty_fleet_is_told_every_file_that_a_listing_needs() -> None:
    """It promised ten photos and five minutes: some of them are papers, and nobody had taken the time."""
    shown = str(manage_vehicles())
    assert f"a file or photo of each of these: {', '.join(FILE_GROUPS)}." in shown
    assert "minutes" not in shown


def test_every_press_of_a_switch_is_answered(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise UnavailableError("busy")

    async def press() -> None:
        tab = await tab_of(shop.vendor, FleetState)
        await answers(tab.toggle(shop.vehicle.id, False))
        assert tab.answered == [shop.vehicle.id, 1]
        # Refused before the caller is known: the row shows what was clicked until there is an answer.
        monkeypatch.setattr("rental_app.services.throttle.count", busy)
        assert "toast" in await answers(tab.toggle(shop.vehicle.id, True))
        assert tab.answered == [shop.vehicle.id, 2]

    asyncio.run(press())


def test_a_refused_vehicle_says_why_and_how_it_is_sent_again(shop: Shop) -> None:
    alter(Vehicle, shop.vehicle.id, is_approved=False, refusal="The RC cannot be read.")

    async def walk() -> None:
        tab = await tab_of(shop.vendor, FleetState)
        await answers(tab.load())
        (line,) = tab.lines
        assert line.now == "Refused"
        assert line.notes[0] == (
            "We have not listed it: The RC cannot be read. Mend that under Edit or Files: saving sends it to us again."
        )

    asyncio.run(walk())
