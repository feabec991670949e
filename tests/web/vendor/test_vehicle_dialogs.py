"""The dialogs of a vehicle behind Manage Vehicles: when they open and close, and what they are filled with."""

import json
import re

from rental_app.web.vendor.add_vehicle.state import AddVehicleState
from rental_app.web.vendor.manage_vehicles.dialogs_state import EditVehicleState, VehicleFilesState
from tests.support.shop import Shop, a_model, add_vehicle, moment
from tests.support.state_tabs import answers, journey, tab_of
from tests.support.typed_forms import as_typed


def closes(answer: str) -> bool:
    """Return whether a dialog is told to close; `closest` only finds a field."""
    return re.search(r"closes\b", answer) is not None


@journey
async def test_the_page_is_asked_to_open_and_to_close_a_dialog(shop: Shop) -> None:
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


@journey
async def test_an_extra_payment_that_is_no_longer_ticked_ends(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, EditVehicleState)
    form = as_typed(rc_number=shop.vehicle.rc_number) | {"vehicle_id": str(shop.vehicle.id)}
    await answers(tab.submit(form | {"drop_off_pick_extra_payment": "true", "round": str(tab.round)}))
    await answers(tab.edit(shop.vehicle.id))
    assert tab.extra_payment
    # Browsers send nothing for a checkbox without its tick.
    del form["drop_off_pick_extra_payment"]
    await answers(tab.submit(form | {"round": str(tab.round)}))
    await answers(tab.edit(shop.vehicle.id))
    assert not tab.extra_payment


@journey
async def test_a_dialog_that_the_server_has_lost_is_filled_again(shop: Shop) -> None:
    type_id, maker, model = map(str, a_model("Motorcycle"))
    chosen = {"vehicleType": type_id, "manufacturer": maker, "model": model}
    row = {"prices.1.price_name": "Full Day", "prices.1.price": "Rs 650", "prices.1.kms_limit": "80"}
    typed = {"vehicle_id": str(shop.vehicle.id), "color": "Pink", "rc_number": "", "chassis_number": "short"}
    edit = await tab_of(shop.vendor, EditVehicleState)
    assert "new CustomEvent" not in await answers(edit.regain(shop.vehicle.id, json.dumps(chosen | row | typed)))
    assert (edit.vehicle_id, edit.title, edit.sources != []) == (shop.vehicle.id, "Honda Activa 6G", True)
    assert (edit.type_id, edit.manufacturer_id, edit.model_id) == (type_id, maker, model)
    assert (edit.values["color"], edit.values["rc_number"]) == ("Pink", "")
    assert (edit.plans[1].price, edit.plans[1].kms_limit, edit.plans[1].active) == ("Rs 650", "80", False)
    assert "chassis_number" in edit.errors
    files = await tab_of(shop.vendor, VehicleFilesState)
    lost = json.dumps({"files.RC": json.dumps([{"id": 999_999, "name": "rc.pdf"}])})
    assert "new CustomEvent" not in await answers(files.show_again(shop.vehicle.id, lost))
    assert (files.vehicle_id, files.waiting, [*files.errors]) == (shop.vehicle.id, [], ["RC"])


@journey
async def test_the_years_hold_an_older_vehicles_own(shop: Shop) -> None:
    this_year = moment(0).year
    old = add_vehicle(shop.vendor, year=this_year - 21)
    tab = await tab_of(shop.vendor, EditVehicleState)
    await answers(tab.edit(old.id))
    last_twenty = [str(this_year - back) for back in range(20)]
    assert tab.years == [*last_twenty, str(this_year - 21)]
    assert tab.values["year"] == str(this_year - 21)
    await answers(tab.edit(shop.vehicle.id))
    assert tab.years == last_twenty


@journey
async def test_the_state_of_a_pincode_that_nobody_knows_is_typed(shop: Shop) -> None:
    tab = await tab_of(shop.vendor, EditVehicleState)
    await answers(tab.edit(shop.vehicle.id))
    await answers(tab.choose_standing("elsewhere"))
    for typed, asks in (("500039", False), ("509999", True), ("12", False), ("", False), ("509 999", True)):
        await answers(tab.check({"zipCode": typed}))
        assert tab.asks_for_state == asks, typed
    form = as_typed(rc_number=shop.vehicle.rc_number) | {"vehicle_id": str(shop.vehicle.id), "round": str(tab.round)}
    yard = {"stands": "elsewhere", "address": "Yard 7", "zipCode": "509999", "service_location": "Uppal"}
    await answers(tab.submit(form | yard | {"state": ""}))
    assert tab.errors["zipCode"] == "There is no place with the pincode 509999"
    assert "closes" in await answers(tab.submit(form | yard | {"state": "Telangana"}))
    await answers(tab.edit(shop.vehicle.id))
    assert (tab.elsewhere, tab.values["zipCode"]) == (True, "509999")
    new = await tab_of(shop.vendor, AddVehicleState)
    await answers(new.take_draft(json.dumps(yard | {"state": "Telangana"})))
    assert (new.asks_for_state, new.values["state"]) == (True, "Telangana")


@journey
async def test_a_vehicle_at_another_address_is_shown_and_kept_there(shop: Shop) -> None:
    yard = {"stands": "elsewhere", "address": "Yard 7", "zipCode": "500039", "service_location": "Uppal"}
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
