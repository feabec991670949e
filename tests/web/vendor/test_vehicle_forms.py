"""The forms of Add New Vehicle and Edit Vehicle behind their pages: dependent choices, failures, refusals."""

from datetime import timedelta

import pytest

from rental_app.domain import clock
from rental_app.domain.money import format_rupees
from rental_app.infrastructure.db import read
from rental_app.models import Vehicle
from rental_app.schemas.catalogue import PlanView
from rental_app.services import catalogue
from rental_app.services.fleet import own_vehicles
from rental_app.web.parts.vehicle_form.presenter import plan_rows
from rental_app.web.vendor.add_vehicle.state import AddVehicleState
from rental_app.web.vendor.manage_vehicles.dialogs_state import EditVehicleState
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.failures import away
from tests.support.handlers import states
from tests.support.shop import VISITOR, Shop, a_model, add_user, add_vehicle, count, moment, open_shop
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.typed_forms import as_typed, sent_ahead


@journey
async def test_choices_depend_on_one_another(shop: Shop) -> None:
    type_id, maker, model = (str(value) for value in a_model())
    tab = await loaded(tab_of(shop.vendor, AddVehicleState))
    assert [choice.label for choice in tab.types] == ["Scooter", "Motorcycle", "Electric", "Car"]
    assert tab.sources == [f"Honda Activa 6G - {shop.vehicle.rc_number}"]
    await answers(tab.choose_type(type_id))
    await answers(tab.choose_manufacturer(maker))
    await answers(tab.choose_model(model))
    assert [plan.name for plan in tab.plans] == ["Half Day", "Full Day", "Week", "Month"]
    found = read(catalogue.models, VISITOR, int(maker))
    full_day = next(one for one in found if str(one.id) == model).prices[1]
    told = f"Min:\u00a0{format_rupees(full_day.recommended_price)} Max:\u00a0{format_rupees(full_day.max_price)}"
    assert tab.plans[1].info == told
    await answers(tab.load())
    assert tab.model_id == model, "a lost connection loads again and must keep what was chosen"
    await answers(tab.choose_manufacturer(maker))
    assert (tab.model_id, tab.plans) == ("", [])
    await answers(tab.choose_type(type_id))
    assert (tab.manufacturer_id, tab.models) == ("", [])
    for nonsense in ("x", "-1", "9" * 40, "²"):
        await answers(tab.choose_type(nonsense))
        assert (tab.type_id, tab.manufacturers) == ("", [])


@pytest.mark.parametrize(
    ("service", "handler", "argument", "told"),
    [
        ("asset_types", "load", None, "Failed to load vehicle types"),
        ("manufacturers", "choose_type", "1", "Failed to load manufacturers"),
        ("models", "choose_manufacturer", "1", "Failed to load models"),
        ("assets", "load", None, "Failed to load previous assets"),
    ],
)
@journey
async def test_lists_that_cannot_be_loaded(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, service: str, handler: str, argument: str | None, told: str
) -> None:
    tab = await tab_of(shop.vendor, AddVehicleState)
    tab.type_id = "1"
    monkeypatch.setattr(own_vehicles if service == "assets" else catalogue, service, away)
    assert told in await answers(getattr(tab, handler)(*([argument] if argument else [])))


@journey
async def test_copied_prices_wait_for_the_model(shop: Shop) -> None:
    type_id, maker, model = (str(value) for value in a_model())
    tab = await tab_of(shop.vendor, AddVehicleState)
    assert "Prices copied from selected vehicle!" in await answers(tab.copy_prices(f" honda {shop.vehicle.rc_number}"))
    await answers(tab.choose_type(type_id))
    await answers(tab.choose_manufacturer(maker))
    await answers(tab.choose_model(model))
    assert [(plan.price, plan.kms_limit, plan.active) for plan in tab.plans[:2]] == [
        ("", "", False),
        ("500", "100", True),
    ]
    foreign = add_vehicle(open_shop("Otherpur").vendor)
    for unknown in (foreign.rc_number, "nonsense"):
        assert "Asset not found" in await answers(tab.copy_prices(unknown))
    bare = add_vehicle(shop.vendor, None)
    assert "no active Full Day price" in await answers(tab.copy_prices(bare.rc_number))
    assert tab.plans[1].price == "500"


@journey
async def test_a_price_outside_the_advised_bounds_is_told_and_listed_all_the_same(shop: Shop) -> None:
    type_id, maker, model = (str(value) for value in a_model())
    files = sent_ahead(shop)
    tab = await tab_of(shop.vendor, AddVehicleState)
    for choose, chosen in ((tab.choose_type, type_id), (tab.choose_manufacturer, maker), (tab.choose_model, model)):
        await answers(choose(chosen))
    found = next(one for one in read(catalogue.models, VISITOR, int(maker)) if str(one.id) == model)
    least, most = found.prices[1].recommended_price // 100, found.prices[1].max_price // 100
    told = f"the advised ₹{least:,} to ₹{most:,}. The choice is yours."
    for typed, said in {
        f"{least - 1}": f"Below {told}",
        f" Rs {most}.50": f"Above {told}",
        f"{least}": "",
        f"₹{most:,}": "",
        "0": "",
        " ": "",
    }.items():
        await answers(tab.check({"prices.1.price": typed}))
        assert (tab.notes.get("prices.1.price", ""), tab.errors) == (said, {}), typed
    await answers(tab.check({"prices.1.price": f"{least - 1}"}))
    await answers(tab.check({"prices.1.price": "cheap", "prices.9.price": "1", "prices.x.price": "1"}))
    assert (tab.notes, [*tab.errors]) == ({}, ["prices.1.price"]), "what is wrong goes before what is advised"
    form = {"round": str(tab.round)} | files | as_typed() | {"prices.1.price": f"{most + 1}"}
    assert "Vehicle listed successfully" in await answers(tab.submit(form))

    tab = await tab_of(shop.vendor, EditVehicleState)
    await answers(tab.edit(add_vehicle(shop.vendor, daily=100).id))
    assert tab.notes == {"prices.1.price": f"Below {told}"}, "of prices that stand already, too"
    await answers(tab.choose_type(type_id))
    assert tab.notes == {}, "the advice is the model's"


@journey
async def test_a_form_is_refused_beside_its_fields_and_listed_once(shop: Shop) -> None:
    files = sent_ahead(shop)
    tab = await tab_of(shop.vendor, AddVehicleState)
    await answers(tab.take_draft(None))
    form = {"round": str(tab.round)} | files
    await answers(tab.check({"odometer_reading": "1_0", "prices.0.kms_limit": "1_0"}))
    assert tab.errors == dict.fromkeys(("odometer_reading", "prices.0.kms_limit"), "Enter a whole number")
    await answers(tab.check({"odometer_reading": "10", "prices.0.kms_limit": "", "chassis_number": "x"}))
    said = await answers(tab.submit(form | as_typed(color=" ", rc_number="hello") | {"files.Tyre": "[]"}))
    assert "Please fill all required fields: color" in said
    assert set(tab.errors) == {"color", "rc_number", "Tyre", "chassis_number"}, "what was wrong as typed is still"
    await answers(tab.check({"color": "Red", "rc_number": "TS09EA1234", "chassis_number": "", "files.Tyre": "[]"}))
    assert tab.errors == {}
    assert "Vehicle listed successfully" in await answers(tab.submit(form | as_typed()))
    assert (tab.type_id, tab.manufacturers, tab.waiting, tab.busy) == ("", [], [], False)
    before = count("vehicle")
    assert await answers(tab.submit(form | as_typed(rc_number="TS09EA4321"))) == ""
    assert (count("vehicle"), count("unclaimed_file")) == (before, 0)
    for nonsense in ("[", "{}", '[{"id": "x", "name": ""}]', '[{"id": 1}]'):
        assert "could not be understood" in await answers(tab.submit({"files.RC": nonsense}))


@journey
async def test_what_is_missing_is_told_by_the_names_on_the_wire_and_by_those_people_know(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, AddVehicleState)
    await answers(tab.take_draft(None))
    said = await answers(tab.submit({"round": str(tab.round)} | as_typed(color=" ", engine_number="")))
    assert "Please fill all required fields: color, engine_number" in said
    assert "2 fields to fill" in said


@journey
async def test_a_vendor_without_a_place_is_told_at_once(shop: Shop) -> None:
    tab = await loaded(tab_of(add_user("Vendor"), AddVehicleState))
    assert tab.lacks_place
    tab = await loaded(tab_of(shop.vendor, AddVehicleState))
    assert not tab.lacks_place


@journey
async def test_a_form_left_open_over_midnight_knows_the_new_day(shop: Shop, stopped_clock: Clock) -> None:
    tab = await loaded(tab_of(shop.vendor, AddVehicleState))
    assert tab.today == clock.indian_today(clock.now()).isoformat()
    stopped_clock.move(days=1)
    # Reflex has its own clock.
    asked = AddVehicleState.computed_vars["today"]._last_updated_attr
    setattr(tab, asked, getattr(tab, asked) - timedelta(minutes=2))
    assert tab.today == clock.indian_today(clock.now()).isoformat()


def test_no_state_remembers_for_ever_what_day_it_is() -> None:
    """Reflex caches a computed var until the state it reads changes, so one that reads the clock needs an interval."""
    computed = {(state.__name__, name): var for state in states() for name, var in state.computed_vars.items()}
    of_the_day = {key: var for key, var in computed.items() if "now" in var.fget.__code__.co_names}
    assert ("EarningsState", "years") in of_the_day
    assert [key for key, var in of_the_day.items() if var._update_interval is None] == []


def test_amounts_beside_a_plan_are_grouped_as_in_india() -> None:
    plan = PlanView(price_name="Month", recommended_price=12_345_600, max_price=123_450_050)
    assert plan_rows([plan], {})[0].info == "Min:\u00a0₹1,23,456 Max:\u00a0₹12,34,500.50"


@journey
async def test_a_paper_that_has_expired_is_told_as_it_is_typed(shop: Shop) -> None:
    expired, told = f"{moment(-3):%Y-%m-%d}", "This has expired: renew it, then enter the new date"
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=moment(-3).date())
    new = await tab_of(shop.vendor, AddVehicleState)
    await answers(new.check({"insurance_expiry_date": expired}))
    assert (new.errors, new.notes) == ({"insurance_expiry_date": told}, {})
    edit = await tab_of(shop.vendor, EditVehicleState)
    await answers(edit.edit(shop.vehicle.id))
    # Its own date only gets a note: it was valid when it was entered.
    await answers(edit.check({"insurance_expiry_date": expired}))
    assert edit.errors == {}
    assert "expired 3 days ago: customers cannot book" in edit.notes["insurance_expiry_date"]
    await answers(edit.check({"insurance_expiry_date": f"{moment(-4):%Y-%m-%d}"}))
    assert edit.errors == {"insurance_expiry_date": told}
