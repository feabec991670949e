"""What is typed into Add New Vehicle is kept, in the tab and with the account, and fills the form again."""

import json

import pytest
from sqlmodel import Session

from rental_app.domain.errors import UnavailableError
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.services.accounts import sessions
from rental_app.services.fleet import drafts
from rental_app.web.vendor.add_vehicle.state import AddVehicleState
from tests.support.shop import Shop, a_model, actor, count, moment, open_shop
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.typed_forms import as_typed, sent_ahead


@journey
async def test_a_draft_fills_the_form_as_far_as_it_fits(shop: Shop) -> None:
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
    assert (other.waiting, other.errors["RC"]) == ([], "Choose again: RC.jpg"), "uploads are their vendor's alone"
    gone = await fill(shop.vendor, json.dumps(draft | {"manufacturer": "2", "model": "999"}))
    assert (gone.manufacturer_id, gone.model_id, gone.plans) in [("", "", []), ("2", "", [])]
    endless = '{"vehicleType": "' + "9" * 40 + '"}'
    for nonsense in (None, "", "[", "[1]", '{"color": 5}', '{"files.RC": "x"}', endless):
        empty = await fill(shop.vendor, nonsense)
        assert (empty.type_id, empty.waiting) == ("", [])


@journey
async def test_files_that_were_not_sent_when_the_page_was_left_are_named(shop: Shop) -> None:
    unsent = {"RC": ["back.jpg", "<reflex.Var>x</reflex.Var>"], "Front": ["front.jpg"], "Elsewhere": ["x"]}
    draft = as_typed() | sent_ahead(shop) | {"unsent.files": json.dumps(unsent)}
    gone = {"files.Tyre": json.dumps([{"id": 999_999, "name": "tyre.jpg"}])}
    tab = await tab_of(shop.vendor, AddVehicleState)
    told = await answers(tab.take_draft(json.dumps(draft | gone)))
    assert tab.errors["RC"] == "Choose again: back.jpg, <reflex.Var>x</reflex.Var>"
    assert tab.errors["Front"] == "Choose again: front.jpg"
    assert tab.errors["Tyre"] == "Choose again: tyre.jpg"
    assert "Elsewhere" not in tab.errors
    assert "choose them again" in told
    for nonsense in ("[", "[1]", '{"RC": 5}', '{"RC": [5]}'):
        told = await answers(tab.take_draft(json.dumps(draft | {"unsent.files": nonsense})))
        assert "choose them again" not in told


@journey
async def test_the_account_keeps_the_draft_for_other_devices(shop: Shop) -> None:
    files = sent_ahead(shop)
    form = as_typed(rc_number="TS 9") | files

    async def tab() -> AddVehicleState:
        opened = await loaded(tab_of(shop.vendor, AddVehicleState))
        await answers(opened.take_draft(None))
        return opened

    desk = await tab()
    assert (desk.offer, desk.saved_line) == (None, "")
    await answers(desk.keep(form | {"round": str(desk.round)}))
    assert "Draft saved with your account at" in desk.saved_line
    known = {"saved": desk.saved}

    phone = await tab()
    offer = phone.offer
    assert (offer.title, offer.otherwise) == ("You have started listing a vehicle.", "Start afresh")
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


def kept(shop: Shop) -> dict[str, str]:
    """Return what the vendor's account has stored of a draft."""
    draft = read(drafts.of, actor(shop.vendor))
    return draft.typed if draft else {}


@journey
async def test_a_draft_is_begun_afresh_and_one_on_offer_outlives_another_listing(shop: Shop) -> None:
    files = sent_ahead(shop)
    write(drafts.save, actor(shop.vendor), {"color": "Pink"}, [], None)
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


@journey
async def test_a_form_that_cannot_be_begun_says_so_and_can_be_tried_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_session: Session, *_: object) -> None:
        raise UnavailableError("The service is busy right now")

    tab = await tab_of(shop.vendor, AddVehicleState)
    for attempt in (tab.load, lambda: tab.take_draft(None)):
        with monkeypatch.context() as broken:
            broken.setattr(sessions, "authenticate", refuse)
            await answers(attempt())
        # The form waits for the draft stored in the tab.
        assert (tab.problem, tab.drafts_sent) == ("The service is busy right now", 0)
        assert "take_draft" in await answers(tab.load())
        assert tab.problem == ""
