"""What is done to many vehicles, and to one from its menu, behind Manage Vehicles."""

from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.money import format_rupees
from rental_app.infrastructure.db import read, write
from rental_app.models import Vehicle, VehiclePrice
from rental_app.services.files import uploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.fleet import prices, retirement
from rental_app.web.vendor.manage_vehicles.maintenance_state import MaintenanceState
from rental_app.web.vendor.manage_vehicles.many_state import ManyState
from rental_app.web.vendor.manage_vehicles.renewal_state import RenewState, RetireState
from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.prices.rules_presenter import rule_of_form
from rental_app.web.vendor.prices.rules_state import PriceRulesState
from tests.support.shop import DAILY_PAISE, Shop, actor, add_vehicle, moment, open_shop
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.trips import confirmed


def full_days(shop: Shop) -> list[int]:
    return [plan.price_paise for plan in read(prices.of_vendor, actor(shop.vendor))]


@journey
async def test_prices_are_shown_before_and_after_changed_and_set_back(shop: Shop) -> None:
    other = add_vehicle(shop.vendor)
    tab = await tab_of(shop.vendor, ManyState)
    assert "many-vehicles" in await answers(tab.begin("price", [shop.vehicle.id, other.id]))
    await answers(tab.note_typed({"by": "10"}))
    assert [(each.before, each.after) for each in tab.changes] == [("₹500", "₹550")] * 2
    await answers(tab.note_typed({"direction": "lower", "unit": "rupees", "plan": "Full Day"}))
    assert [each.after for each in tab.changes] == ["₹490", "₹490"]
    await answers(tab.note_typed({"by": "500"}))
    assert (tab.changes, shop.vehicle.rc_number in tab.problem) == ([], True)
    await answers(tab.note_typed({"by": "10"}))
    form = {"action": "price", "ids": tab.named, "by": "10", "direction": "lower", "unit": "rupees", "plan": "Full Day"}
    assert "2 prices changed" in await answers(tab.save(form))
    assert full_days(shop) == [DAILY_PAISE - 1_000] * 2
    assert "Prices are as they were" in await answers(tab.undo())
    assert full_days(shop) == [DAILY_PAISE] * 2
    assert await answers(tab.undo()) == ""


@journey
async def test_a_price_that_somebody_else_changed_meanwhile_is_not_overwritten(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, ManyState)
    await answers(tab.begin("price", [shop.vehicle.id]))
    await answers(tab.note_typed({"by": "10"}))
    alter_price(shop, 70_000)
    form = {"action": "price", "ids": tab.named, "by": "10", "unit": "percent"}
    assert "changed elsewhere" in await answers(tab.save(form))
    assert full_days(shop) == [70_000]
    # As undoing does not, either.
    await answers(tab.note_typed({"by": "10"}))
    await answers(tab.save(form))
    alter_price(shop, 80_000)
    assert "changed elsewhere" in await answers(tab.undo())
    assert full_days(shop) == [80_000]


def alter_price(shop: Shop, paise: int) -> None:
    own = col(VehiclePrice.vehicle_id) == shop.vehicle.id
    write(Session.execute, update(VehiclePrice).where(own).values(price_paise=paise))


@journey
async def test_a_refusal_is_said_at_its_field_or_above_the_buttons(shop: Shop) -> None:
    trip = confirmed(shop)
    tab = await tab_of(shop.vendor, ManyState)
    await answers(tab.begin("block", [shop.vehicle.id]))
    form = {"action": "block", "ids": tab.named, "reason": "service"}
    await answers(tab.save(form))
    assert set(tab.errors) == {"from", "to"}
    days = {"from": f"{moment(3):%Y-%m-%d}", "to": f"{moment(4):%Y-%m-%d}"}
    await answers(tab.save(form | days))
    assert (trip.reference in tab.refusal, len(tab.booked), tab.busy) == (True, 1, False)
    await answers(tab.begin("price", [shop.vehicle.id]))
    await answers(tab.save({"action": "price", "ids": tab.named, "by": ""}))
    assert set(tab.errors) == {"by"}
    await answers(tab.begin("renew", [shop.vehicle.id]))
    renewed = {"action": "renew", "ids": tab.named, "paper": "Pollution", "validUntil": "2030-01-31"}
    assert "Pollution of 1 vehicle renewed" in await answers(tab.save(renewed))
    await answers(tab.begin("terms", [shop.vehicle.id]))
    terms = {"action": "terms", "ids": tab.named, "drop_off_payment": "150"}
    assert "Terms of 1 vehicle changed" in await answers(tab.save(terms))
    vehicle = read(lambda session: session.get_one(Vehicle, shop.vehicle.id))
    assert (vehicle.drop_off_pick_extra_payment, vehicle.drop_off_paise) == (True, 15_000)


@journey
async def test_a_dialog_that_the_server_has_lost_knows_its_vehicles_from_the_form(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, ManyState)
    await answers(tab.regain(0, f'{{"action": "price", "ids": "{shop.vehicle.id}", "by": "20"}}'))
    assert (tab.act, [each.after for each in tab.changes]) == ("price", ["₹600"])
    await answers(tab.regain(0, '{"action": "sell", "ids": "1"}'))
    assert tab.act == "price"


@journey
async def test_pausing_lists_the_bookings_ahead(shop: Shop) -> None:
    trip = confirmed(shop)
    tab = await tab_of(shop.vendor, ManyState)
    assert "1 vehicle now blocked" in await answers(tab.switch("pause", [shop.vehicle.id]))
    fleet = await tab.get_state(FleetState)
    assert [link.href for link in fleet.ahead] == [f"/vendor/bookings/{trip.reference}"]
    assert "There is no such vehicle" in await answers(tab.switch("pause", [open_shop("Otherpur").vehicle.id]))


@journey
async def test_the_filters_count_and_those_that_need_their_vendor_come_first(shop: Shop) -> None:
    expired = add_vehicle(shop.vendor, insurance_expiry_date=moment(-1).date())
    off = add_vehicle(shop.vendor, is_active=False)
    gone = add_vehicle(shop.vendor)
    write(retirement.retire, actor(shop.vendor), gone.id or 0)
    tab = await loaded(tab_of(shop.vendor, FleetState))
    assert [line.id for line in tab.lines] == [expired.id, shop.vehicle.id, off.id]
    assert tab.ids == [expired.id, shop.vehicle.id, off.id]
    shown = [(chip.label, chip.count) for chip in tab.chips]
    assert shown == [("All", 3), ("Free", 1), ("Out", 0), ("Needs you", 1), ("Switched off", 1), ("Retired", 1)]
    for name, vehicle in (("free", shop.vehicle), ("needs", expired), ("inactive", off), ("retired", gone)):
        await answers(tab.choose_shown(name))
        assert [line.id for line in tab.lines] == [vehicle.id], name
    assert (tab.lines[0].is_retired, tab.lines[0].now[:7]) == (True, "Retired")


@journey
async def test_a_paper_is_renewed_from_a_link_that_names_the_vehicle(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, RenewState)
    await answers(tab.begin(shop.vehicle.id))
    first = min(("Insurance", "Pollution"), key=lambda paper: tab._days[paper])
    assert (tab.paper, tab.shown) == (first, tab._days[first])
    await answers(tab.choose("Insurance"))
    policy = CheckedFile("Insurance", "private/policy.pdf", "application/pdf", 1, {})
    upload = write(uploads.store, actor(shop.vendor), policy)
    form = {"vehicle_id": str(shop.vehicle.id), "paper": "Insurance", "shown": tab.shown, "round": "0"}
    await answers(tab.submit(form | {"validUntil": "2029-03-31"}))
    assert set(tab.errors) == {"Insurance"}
    named = f'[{{"id": {upload.id}, "name": "policy.pdf"}}]'
    told = await answers(tab.submit(form | {"validUntil": "2029-03-31", "files.Insurance": named}))
    assert "Insurance renewed: valid until 31 Mar 2029" in told
    assert f"{read(lambda s: s.get_one(Vehicle, shop.vehicle.id)).insurance_expiry_date}" == "2029-03-31"
    stranger = await tab_of(open_shop("Otherpur").vendor, RenewState)
    assert "There is no such vehicle" in await answers(stranger.begin(shop.vehicle.id))


@journey
async def test_a_vehicle_is_retired_unless_it_is_booked_and_brought_back(shop: Shop) -> None:
    trip, other = confirmed(shop), add_vehicle(shop.vendor)
    tab = await tab_of(shop.vendor, RetireState)
    await answers(tab.ask(shop.vehicle.id))
    assert trip.reference in await answers(tab.retire())
    assert [link.href for link in tab.in_the_way] == [f"/vendor/bookings/{trip.reference}"]
    await answers(tab.ask(other.id))
    assert (tab.in_the_way, "retired" in await answers(tab.retire())) == ([], True)
    assert "is back" in await answers(tab.bring_back(other.id))


@journey
async def test_maintenance_is_noted_changed_and_removed(shop: Shop) -> None:
    today = clock.indian_today(clock.now())
    tab = await tab_of(shop.vendor, MaintenanceState)
    await answers(tab.begin(shop.vehicle.id))
    form = {"vehicle_id": str(shop.vehicle.id), "entry_id": "0", "kind": "service", "cost": "1,250"}
    await answers(tab.save(form))
    assert set(tab.errors) == {"doneOn"}
    done = {"doneOn": f"{today - timedelta(days=10)}", "nextOn": f"{today}"}
    assert "Maintenance noted" in await answers(tab.save(form | done))
    (line,) = tab.entries
    assert (line.cost, line.is_due, tab.years[-1][-6:]) == (format_rupees(125_000), True, "₹1,250")
    await answers(tab.edit(line.id))
    assert tab.form["cost"] == "1250"
    changed = form | done | {"entry_id": str(line.id), "cost": "900"}
    assert "Maintenance changed" in await answers(tab.save(changed))
    await answers(tab.ask_remove(line.id))
    assert "Maintenance removed" in await answers(tab.remove(line.id))
    assert tab.entries == []


@pytest.mark.parametrize(
    ("form", "weekdays"),
    [
        ({"when": "Monday", "until": "Thursday"}, ["Monday", "Tuesday", "Wednesday", "Thursday"]),
        ({"when": "Saturday", "until": "Monday"}, ["Saturday", "Sunday", "Monday"]),
        ({"when": "Sunday"}, ["Sunday"]),
        ({"when": "Monday,Wednesday", "until": "Friday"}, ["Monday", "Wednesday"]),
        ({"when": "dates", "until": "Friday"}, []),
    ],
)
def test_weekdays_of_a_rule_follow_one_another(form: dict[str, str], weekdays: list[str]) -> None:
    assert rule_of_form(form)["weekdays"] == weekdays


@journey
async def test_a_rule_of_several_weekdays_is_shown_and_changed(shop: Shop) -> None:
    tab = await loaded(tab_of(shop.vendor, PriceRulesState))
    form = {"when": "Monday", "until": "Thursday", "vehicle": "", "direction": "cheaper", "percent": "10", "rule": "0"}
    assert "Price rule added" in await answers(tab.save(form))
    (line,) = tab.rules
    assert line.days == "Monday to Thursday"
    assert (line.form["when"], line.form["until"]) == ("Monday", "Thursday")
    await answers(tab.save(form | {"when": "Monday,Thursday", "until": "", "rule": str(line.id)}))
    assert [line.days for line in tab.rules] == ["Every Monday, Thursday"]
    await answers(tab.edit(tab.rules[0].id))
    assert tab.apart == "Monday,Thursday"
    await answers(tab.save(tab.form | {"rule": str(line.id), "percent": "15"}))
    assert [line.change for line in tab.rules] == ["15 % cheaper"]
