"""What lists show and say: small pictures, more entries than one call returns, and why there are none."""

from collections.abc import Callable
from typing import Any

import pytest

from rental_app.infrastructure.db import read
from rental_app.models import Vehicle
from rental_app.services import catalogue
from rental_app.services.accounts import profile
from rental_app.services.bookings import lists
from rental_app.web.parts.vehicle_form.state import NOTHING_TO_CHOOSE
from rental_app.web.screens.my_bookings.state import MyBookingsState
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.add_vehicle.state import AddVehicleState
from rental_app.web.vendor.dashboard.state import DashboardState
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from rental_app.web.vendor.manage_vehicles.presenter import UNPRICED
from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.profile.state import ProfileState
from tests.support.booking_steps import alter
from tests.support.failures import away
from tests.support.rows import cancelled_copies
from tests.support.shop import Shop, actor, add_vehicle
from tests.support.state_tabs import answers, journey, loaded, tab_of, told
from tests.support.vendor_requests import book


@journey
async def test_lists_show_small_pictures_and_the_wire_names_the_large_one(shop: Shop) -> None:
    alter(Vehicle, shop.vehicle.id, image="/media/public/front.jpg")
    book(shop)
    shown: list[Any] = []
    for kind, rows in (
        (MyBookingsState, lambda tab: tab.bookings),
        (ManageBookingsState, lambda tab: tab.rows),
        (DashboardState, lambda tab: tab.page.recent),
        (FleetState, lambda tab: tab.lines),
    ):
        tab = await loaded(tab_of(shop.customer if kind is MyBookingsState else shop.vendor, kind))
        shown.append(rows(tab)[0].image)
    assert shown == ["/media/public/front.webp"] * 4
    assert read(lists.of_customer, actor(shop.customer)).items[0].car.image == "/media/public/front.jpg"


@journey
async def test_show_more_goes_on_past_what_one_call_gives(shop: Shop) -> None:
    first = book(shop)
    cancelled_copies(first, 224)
    mine = await loaded(tab_of(shop.customer, MyBookingsState))
    assert (len(mine.bookings), mine.total) == (20, 225)
    for shown in [*range(40, 225, 20), 225, 225]:
        await answers(mine.show_more())
        await answers(mine.load())
        assert len(mine.bookings) == shown
    # A request that waits for its answer is listed above everything that is over.
    assert mine.bookings[0].id == first
    assert len({booking.id for booking in mine.bookings}) == 225


@journey
async def test_a_vehicle_without_a_price_says_why_nobody_sees_it(shop: Shop) -> None:
    bare = add_vehicle(shop.vendor, daily=None)
    free = add_vehicle(shop.vendor, daily=0)
    fleet = await loaded(tab_of(shop.vendor, FleetState))
    assert {line.id: line.notes for line in fleet.lines} == {
        shop.vehicle.id: [],
        bare.id: [UNPRICED],
        free.id: [UNPRICED],
    }


@pytest.mark.parametrize(
    "call",
    [
        lambda page: page.load(),
        lambda page: page.filter_status("confirmed"),
        lambda page: page.filter_from("2026-12-01"),
        lambda page: page.filter_to("2026-12-01"),
        lambda page: page.clear_filters(),
    ],
)
@journey
async def test_bookings_that_cannot_be_listed_are_told(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, call: Callable[[ManageBookingsState], Any]
) -> None:
    page = await tab_of(shop.vendor, ManageBookingsState)
    monkeypatch.setattr(lists, "of_vendor", away)
    assert "The service is busy" in " ".join(await told(call(page)))
    assert (page.problem, page.loading) == ("The service is busy", False)
    assert await told(page.refresh()) == [], "not at every beat"
    monkeypatch.undo()
    await answers(page.load())
    assert page.problem == ""


@journey
async def test_bank_names_stand_beside_the_locked_fields(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await tab_of(shop.vendor, ProfileState)
    monkeypatch.setattr(catalogue, "banks", away)
    assert "Failed to load bank names" in await answers(page.load())
    assert page.profile
    assert (page.banks, page.banks_failed) == ("", True)
    monkeypatch.undo()
    assert await told(page.load()) == []
    assert "State Bank of India" in page.banks
    assert page.bank_count == page.banks.count(" · ") + 1


@journey
async def test_who_is_there_could_not_be_found_out(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await tab_of(shop.vendor, SessionState)
    monkeypatch.setattr(profile, "profile", away)
    assert "The service is busy" in await answers(session.start())
    assert (session.problem, session.is_vendor, session.ready) == ("The service is busy", False, True)
    monkeypatch.undo()
    await answers(session.start())
    assert (session.problem, session.is_vendor) == ("", True)


@journey
async def test_a_form_that_cannot_be_filled_says_so_until_it_can(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    form = await tab_of(shop.vendor, AddVehicleState)
    monkeypatch.setattr(profile, "service_location", away)
    await answers(form.load())
    assert form.problem == "The service is busy"
    monkeypatch.undo()
    monkeypatch.setattr(catalogue, "asset_types", away)
    await answers(form.load())
    assert (form.problem, form.failures) == ("", ["Failed to load vehicle types"])
    monkeypatch.undo()
    await answers(form.load_again())
    assert form.failures == []
    assert form.types
    assert form.notes == {}
    # An empty list says so.
    form.types = []
    monkeypatch.setattr(catalogue, "asset_types", lambda *_: [])
    await answers(form.load_again())
    assert (form.failures, form.notes) == ([], {"vehicleType": NOTHING_TO_CHOOSE})
