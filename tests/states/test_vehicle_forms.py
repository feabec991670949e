"""The forms of Add New Vehicle and Edit Vehicle behind their pages: dependent choices, failures, drafts, refusals."""

import asyncio
import json
import re
from typing import Any

import pytest

from rental_app.db import read, write
from rental_app.errors import UnavailableError
from rental_app.models import User
from rental_app.rules.uploads import FILE_GROUPS
from rental_app.services import catalogue, own_vehicles, uploads, vehicle_drafts
from rental_app.services.files import CheckedFile
from rental_app.states.vendor.add_vehicle import AddVehicleState
from rental_app.states.vendor.vehicle_dialogs import EditVehicleState, VehicleFilesState
from tests.api.helpers import listing
from tests.helpers import VISITOR, Shop, a_model, actor, add_user, add_vehicle, count, moment, open_shop
from tests.states.tabs import answers, tab_of


def test_choices_depend_on_one_another(shop: Shop) -> None:
    type_id, maker, model = (str(value) for value in a_model())

    async def choose() -> None:
        tab = await tab_of(shop.vendor, AddVehicleState)
        await answers(tab.load())
        assert [choice.label for choice in tab.types] == ["Scooter", "Motorcycle", "Electric", "Car"]
        assert tab.sources == [f"Honda Activa 6G - {shop.vehicle.rc_number}"]
        await answers(tab.choose_type(type_id))
        await answers(tab.choose_manufacturer(maker))
        await answers(tab.choose_model(model))
        assert [plan.name for plan in tab.plans] == ["Half Day", "Full Day", "Week", "Month"]
        found = read(catalogue.models, VISITOR, int(maker))
        full_day = next(one for one in found if str(one.id) == model).prices[1]
        told = f"Min: ₹{full_day.recommended_price // 100} Max: ₹{full_day.max_price // 100}"
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

    asyncio.run(choose())


@pytest.mark.parametrize(
    ("service", "handler", "argument", "told"),
    [
        ("asset_types", "load", None, "Failed to load vehicle types"),
        ("manufacturers", "choose_type", "1", "Failed to load manufacturers"),
        ("models", "choose_manufacturer", "1", "Failed to load models"),
        ("assets", "load", None, "Failed to load previous assets"),
    ],
)
def test_lists_that_cannot_be_loaded(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, service: str, handler: str, argument: str | None, told: str
) -> None:
    def fail(*_: object) -> None:
        raise UnavailableError("The service is busy")

    async def call() -> None:
        tab = await tab_of(shop.vendor, AddVehicleState)
        tab.type_id = "1"
        monkeypatch.setattr(own_vehicles if service == "assets" else catalogue, service, fail)
        assert told in await answers(getattr(tab, handler)(*([argument] if argument else [])))

    asyncio.run(call())


def test_copied_prices_wait_for_the_model(shop: Shop) -> None:
    type_id, maker, model = (str(value) for value in a_model())

    async def copy() -> None:
        tab = await tab_of(shop.vendor, AddVehicleState)
        assert "Prices copied from selected vehicle!" in await answers(
            tab.copy_prices(f" honda {shop.vehicle.rc_number}")
        )
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
        assert tab.plans[1].price == "500"

    asyncio.run(copy())


def test_a_price_outside_the_advised_bounds_is_told_and_listed_all_the_same(shop: Shop) -> None:
    type_id, maker, model = (str(value) for value in a_model())
    files = sent_ahead(shop)

    async def price() -> None:
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

    asyncio.run(price())


def as_typed(**changes: Any) -> dict[str, Any]:
    """A vehicle as the browser's form sends it."""
    data = listing(**changes)
    (price,) = data.pop("prices")
    rows = {f"prices.1.{name}": text for name, text in price.items()}
    return {name: str(value) for name, value in data.items()} | rows


def sent_ahead(shop: Shop) -> dict[str, str]:
    """Hidden inputs that name an upload for each group."""
    rows = {
        group: write(uploads.keep, actor(shop.vendor), CheckedFile(group, f"private/{group}", "image/jpeg", 9, {})).id
        for group in FILE_GROUPS
    }
    return {f"files.{group}": json.dumps([{"id": upload, "name": f"{group}.jpg"}]) for group, upload in rows.items()}


def test_a_form_is_refused_beside_its_fields_and_listed_once(shop: Shop) -> None:
    files = sent_ahead(shop)

    async def submit() -> None:
        tab = await tab_of(shop.vendor, AddVehicleState)
        await answers(tab.take_draft(None))
        form = {"round": str(tab.round)} | files
        await answers(tab.check({"chassis_number": "x"}))
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

    asyncio.run(submit())


def test_a_draft_fills_the_form_as_far_as_it_fits(shop: Shop) -> None:
    files = sent_ahead(shop)
    stranger = open_shop("Otherpur").vendor
    prices = {"prices.1.price_name": "Full Day", "prices.1.price": "Rs 1,450", "prices.1.status": "Active"}
    unticked = {"prices.2.price_name": "Week", "prices.2.status": ""}
    typed = as_typed(insurance_expiry_date=f"{moment(3):%Y-%m-%d}", rc_number="TS 9") | prices | unticked
    draft = typed | {"drop_off_pick_extra_payment": "true"} | files

    async def fill(user: User, kept: str | None) -> AddVehicleState:
        tab = await tab_of(user, AddVehicleState)
        await answers(tab.take_draft(kept))
        return tab

    async def walk() -> None:
        tab = await fill(shop.vendor, json.dumps(draft))
        assert (tab.values["color"], tab.extra_payment, tab.draft) == ("White", True, f"draft-{shop.vendor.id}")
        assert [tab.type_id, tab.manufacturer_id, tab.model_id] == [str(value) for value in a_model()]
        assert [(plan.price, plan.active) for plan in tab.plans] == [
            ("", True),
            ("Rs 1,450", True),
            ("", False),
            ("", True),
        ]
        assert [(file.group, file.name) for file in tab.waiting] == [(group, f"{group}.jpg") for group in FILE_GROUPS]
        assert list(tab.errors) == ["rc_number"]
        assert "Insurance expires" in tab.notes["insurance_expiry_date"]
        other = await fill(stranger, json.dumps(draft))
        assert (other.waiting, other.errors["RC"]) == ([], uploads.GONE), "uploads are their vendor's alone"
        gone = await fill(shop.vendor, json.dumps(draft | {"manufacturer": "2", "model": "999"}))
        assert (gone.manufacturer_id, gone.model_id, gone.plans) in [("", "", []), ("2", "", [])]
        for nonsense in (
            None,
            "",
            "[",
            "[1]",
            '{"color": 5}',
            '{"files.RC": "x"}',
            '{"vehicleType": "' + "9" * 40 + '"}',
        ):
            empty = await fill(shop.vendor, nonsense)
            assert (empty.type_id, empty.waiting) == ("", [])

    asyncio.run(walk())


def test_what_is_missing_is_told_by_the_names_on_the_wire_and_by_those_people_know(shop: Shop) -> None:
    async def submit() -> None:
        tab = await tab_of(shop.vendor, AddVehicleState)
        await answers(tab.take_draft(None))
        said = await answers(tab.submit({"round": str(tab.round)} | as_typed(color=" ", engine_number="")))
        assert "Please fill all required fields: color, engine_number" in said
        assert "2 fields to fill: Color, Engine Number" in said

    asyncio.run(submit())


def test_the_account_keeps_the_draft_for_other_devices(shop: Shop) -> None:
    files = sent_ahead(shop)
    form = as_typed(rc_number="TS 9") | files

    async def tab() -> AddVehicleState:
        opened = await tab_of(shop.vendor, AddVehicleState)
        await answers(opened.load())
        await answers(opened.take_draft(None))
        return opened

    async def walk() -> None:
        desk = await tab()
        assert (desk.offer, desk.saved_line) == (None, "")
        await answers(desk.keep(form | {"round": str(desk.round)}))
        assert "Draft saved with your account at" in desk.saved_line
        known = {"saved": desk.saved}

        phone = await tab()
        offer = phone.offer
        assert offer
        assert (offer.title, offer.otherwise) == ("You have begun to list a vehicle.", "Start afresh")
        assert "TS 9, saved" in offer.text
        await answers(phone.keep({"color": "Red", "round": str(phone.round)}))
        assert kept(shop)["color"] == "White", "nothing is saved over what is still offered"
        assert "removeItem" in await answers(phone.continue_draft())
        assert (phone.offer, phone.values["color"], len(phone.waiting)) == (None, "White", len(FILE_GROUPS))
        assert list(phone.errors) == ["rc_number"]
        late = {"color": "Late", "round": str(phone.round - 1)}
        await answers(phone.keep(late))
        assert kept(shop)["color"] == "White", "typed before the form was filled anew"
        await answers(phone.keep(form | {"color": "Blue", "round": str(phone.round)}))
        assert kept(shop)["color"] == "Blue"

        own = {"color": "Green", "round": str(desk.round)}
        await answers(desk.keep(form | own))
        assert kept(shop)["color"] == "Blue"
        offer = desk.offer
        assert offer
        assert offer.otherwise == "Keep what is here"
        reloaded = await tab_of(shop.vendor, AddVehicleState)
        await answers(reloaded.take_draft(json.dumps(form | own | known)))
        assert (reloaded.offer is not None, reloaded.values["color"]) == (True, "Green"), (
            "what the tab has stays until its vendor chooses"
        )
        await answers(desk.decline_draft())
        await answers(desk.keep(form | own))
        assert kept(shop)["color"] == "Green"
        again = await tab_of(shop.vendor, AddVehicleState)
        await answers(again.take_draft(json.dumps(form | own | {"saved": desk.saved, "color": "Typed on"})))
        assert (again.offer, again.saved) == (None, desk.saved), "the tab that saved last goes on unasked"

        listing_form = files | as_typed() | {"round": str(desk.round)}
        assert "Vehicle listed successfully" in await answers(desk.submit(listing_form))
        assert (count("vehicle_draft"), desk.saved) == (0, "")
        await answers(desk.keep(listing_form))
        assert count("vehicle_draft") == 0, "what was typed before the listing comes too late"

    asyncio.run(walk())


def kept(shop: Shop) -> dict[str, str]:
    """What the vendor's account has of a draft."""
    draft = read(vehicle_drafts.of, actor(shop.vendor))
    return draft.typed if draft else {}


def test_a_draft_is_begun_afresh_and_one_on_offer_outlives_another_listing(shop: Shop) -> None:
    files = sent_ahead(shop)
    write(vehicle_drafts.keep, actor(shop.vendor), {"color": "Pink"}, [], None)

    async def walk() -> None:
        tab = await tab_of(shop.vendor, AddVehicleState)
        await answers(tab.take_draft(None))
        assert "Vehicle listed" in await answers(tab.submit(files | as_typed() | {"round": str(tab.round)}))
        assert (kept(shop), tab.offer is not None) == ({"color": "Pink"}, True)
        await answers(tab.decline_draft())
        assert (kept(shop), tab.offer) == ({}, None)
        nothing = await tab_of(shop.vendor, AddVehicleState)
        await answers(nothing.continue_draft())
        await answers(nothing.decline_draft())
        for saved in ("x", "9999-12-31T23:59:59+00:00", "[]"):
            await answers(nothing.take_draft(json.dumps({"color": "Red", "saved": saved})))
            assert (nothing.saved, nothing.saved_line, nothing.offer) == ("", "", None)

    asyncio.run(walk())


def test_a_vendor_without_a_place_is_told_at_once(shop: Shop) -> None:
    async def load() -> None:
        tab = await tab_of(add_user("Vendor"), AddVehicleState)
        await answers(tab.load())
        assert tab.lacks_place
        tab = await tab_of(shop.vendor, AddVehicleState)
        await answers(tab.load())
        assert not tab.lacks_place

    asyncio.run(load())


def closes(answer: str) -> bool:
    """Whether a dialog is asked to close; `closest` is what finds a field."""
    return re.search(r"closes\b", answer) is not None


def test_the_page_is_asked_to_open_and_to_close_a_dialog(shop: Shop) -> None:
    async def edit() -> None:
        for kind, name in ((EditVehicleState, "edit"), (VehicleFilesState, "show")):
            tab = await tab_of(shop.vendor, kind)
            opened = await answers(getattr(tab, name)(shop.vehicle.id))
            assert ("new CustomEvent" in opened, closes(opened)) == (True, False)
            assert shop.vehicle.id == tab.vehicle_id
            form = {"vehicle_id": str(shop.vehicle.id), "round": str(tab.round)}
            refused = {"color": " "} if kind is EditVehicleState else {"files.RC": '[{"id": 1, "name": "x"}]'}
            assert not closes(await answers(tab.submit(form | refused)))
            data = as_typed(rc_number=shop.vehicle.rc_number) if kind is EditVehicleState else {}
            assert closes(await answers(tab.submit(form | data)))

    asyncio.run(edit())


def test_a_dialog_that_the_server_has_lost_is_filled_again(shop: Shop) -> None:
    type_id, maker, model = map(str, a_model("Motorcycle"))
    chosen = {"vehicleType": type_id, "manufacturer": maker, "model": model}
    row = {"prices.1.price_name": "Full Day", "prices.1.price": "Rs 650", "prices.1.kms_limit": "80"}
    typed = {"vehicle_id": str(shop.vehicle.id), "color": "Pink", "rc_number": "", "chassis_number": "short"}

    async def regain() -> None:
        edit = await tab_of(shop.vendor, EditVehicleState)
        assert "new CustomEvent" not in await answers(edit.regain(shop.vehicle.id, json.dumps(chosen | row | typed)))
        assert (edit.vehicle_id, edit.title, edit.sources != []) == (shop.vehicle.id, "Honda Activa 6G", True)
        assert (edit.type_id, edit.manufacturer_id, edit.model_id) == (type_id, maker, model)
        assert (edit.values["color"], edit.values["rc_number"]) == ("Pink", "")
        assert (edit.plans[1].price, edit.plans[1].kms_limit, edit.plans[1].active) == ("Rs 650", "80", False)
        assert "chassis_number" in edit.errors
        files = await tab_of(shop.vendor, VehicleFilesState)
        assert "new CustomEvent" not in await answers(files.show_again(shop.vehicle.id))
        assert files.vehicle_id == shop.vehicle.id

    asyncio.run(regain())


def test_the_years_hold_an_older_vehicles_own(shop: Shop) -> None:
    this_year = moment(0).year
    old = add_vehicle(shop.vendor, year=this_year - 21)

    async def edit() -> None:
        tab = await tab_of(shop.vendor, EditVehicleState)
        await answers(tab.edit(old.id))
        last_twenty = [str(this_year - back) for back in range(20)]
        assert tab.years == [*last_twenty, str(this_year - 21)]
        assert tab.values["year"] == str(this_year - 21)
        await answers(tab.edit(shop.vehicle.id))
        assert tab.years == last_twenty

    asyncio.run(edit())


def test_a_vehicle_at_another_address_is_shown_and_kept_there(shop: Shop) -> None:
    yard = {"stands": "elsewhere", "address": "Yard 7", "zipCode": "500039", "service_location": "Uppal"}

    async def walk() -> None:
        tab = await tab_of(shop.vendor, EditVehicleState)
        await answers(tab.edit(shop.vehicle.id))
        assert not tab.elsewhere
        await answers(tab.choose_standing("elsewhere"))
        form = as_typed(rc_number=shop.vehicle.rc_number) | {"vehicle_id": str(shop.vehicle.id)}
        blank = await answers(tab.submit(form | {"stands": "elsewhere", "address": "", "round": str(tab.round)}))
        assert "Please fill all required fields: address, zipCode, service_location" in blank
        assert "closes" in await answers(tab.submit(form | yard | {"round": str(tab.round)}))
        await answers(tab.edit(shop.vehicle.id))
        assert tab.elsewhere
        assert {name: tab.values[name] for name in yard if name != "stands"} | {"stands": "elsewhere"} == yard
        at_vendors = {"stands": "vendors", "address": "", "round": str(tab.round)}
        assert "closes" in await answers(tab.submit(form | at_vendors))
        await answers(tab.edit(shop.vehicle.id))
        assert (tab.elsewhere, tab.values["address"], tab.values["service_location"]) == (False, "", shop.place.name)
        new = await tab_of(shop.vendor, AddVehicleState)
        await answers(new.take_draft(json.dumps(yard)))
        assert (new.elsewhere, new.values["address"]) == (True, "Yard 7")

    asyncio.run(walk())
