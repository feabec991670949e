"""What is typed into Add New Vehicle is kept, in the tab and with the account, and fills the form again."""

import json

import pytest
from reflex.istate.data import ReflexURL, RouterData
from sqlmodel import Session

from rental_app.domain.errors import UnavailableError
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.services.accounts import sessions
from rental_app.services.fleet import drafts
from rental_app.web.vendor.add_vehicle.state import AddVehicleState
from tests.support.shop import Shop, a_model, actor, moment, open_shop
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


async def opened(shop: Shop, stored: str | None = None, query: str = "") -> AddVehicleState:
    """A tab whose page has been opened, with what the tab has kept."""
    tab = await loaded(tab_of(shop.vendor, AddVehicleState))
    url = ReflexURL(f"http://localhost:3000/vendor/add-vehicle{query}")
    tab._get_root_state().router = RouterData(url=url)
    if "switch" in await answers(tab.take_draft(stored)):
        assert tab.drafts_sent == 0, "the form waits for what the address names"
        await answers(tab.switch(stored))
    return tab


def kept(shop: Shop) -> list[dict[str, str]]:
    """What the vendor's account has stored, newest first."""
    vendor = actor(shop.vendor)
    return [read(drafts.one, vendor, draft.id).fields for draft in read(drafts.of_vendor, vendor)]


@journey
async def test_the_account_keeps_drafts_for_other_devices(shop: Shop) -> None:
    files = sent_ahead(shop)
    form = as_typed(rc_number="TS 9") | files
    desk = await opened(shop)
    assert (desk.drafts, desk.saved_line) == ([], "")
    await answers(desk.keep({"color": "", "round": str(desk.round)}))
    assert kept(shop) == [], "a blank form is no draft"
    await answers(desk.keep(form | {"round": str(desk.round)}))
    assert "Draft saved with your account at" in desk.saved_line

    phone = await opened(shop)
    (row,) = phone.drafts
    assert row.title == "Honda Activa 6G TS 9"
    assert row.saved.startswith("Saved ")
    assert "getItem" in await answers(phone.go_on(row.id))
    told = await answers(phone.switch(None))
    assert "removeItem" in told
    assert f"?draft={row.id}" in told
    assert (phone.drafts, phone.values["color"], len(phone.waiting)) == ([], "White", len(FILE_GROUPS))
    assert list(phone.errors) == ["rc_number"]
    late = {"color": "Late", "round": str(phone.round - 1)}
    await answers(phone.keep(late))
    assert kept(shop)[0]["color"] == "White", "typed before the form was filled anew"
    await answers(phone.keep(form | {"color": "Blue", "round": str(phone.round)}))
    assert kept(shop)[0]["color"] == "Blue"

    own = {"color": "Green", "round": str(desk.round)}
    known = {"saved": desk.saved}
    await answers(desk.keep(form | own))
    assert kept(shop)[0]["color"] == "Blue", "an older tab's form does not replace it"
    assert "Honda Activa 6G TS 9, saved" in desk.offer.text
    await answers(desk.keep(form | own))
    reloaded = await opened(shop, json.dumps(form | own | known))
    assert (reloaded.offer is not None, reloaded.values["color"]) == (True, "Green"), (
        "what the tab has stays until its vendor chooses"
    )
    await answers(reloaded.continue_draft())
    assert (reloaded.offer, reloaded.values["color"]) == (None, "Blue")
    await answers(desk.decline_draft())
    await answers(desk.keep(form | own))
    assert [draft["color"] for draft in kept(shop)] == ["Green"]
    again = await opened(shop, json.dumps(form | own | {"saved": desk.saved, "color": "Typed on"}))
    assert (again.offer, again.saved) == (None, desk.saved), "the tab that saved last goes on unasked"

    listing_form = files | as_typed() | {"round": str(desk.round)}
    told = await answers(desk.submit(listing_form))
    assert "Vehicle listed successfully" in told
    assert (kept(shop), desk.saved) == ([], "")
    await answers(desk.keep(listing_form))
    assert kept(shop) == [], "what was typed before the listing comes too late"
    await answers(again.keep(form | own | {"round": str(again.round)}))
    assert len(kept(shop)) == 1, "what another tab still types is begun again"


@journey
async def test_a_form_that_makes_room_for_another_stays_as_a_draft(shop: Shop) -> None:
    pink = write(drafts.begin, actor(shop.vendor), {"color": "Pink"})
    tab = await opened(shop, json.dumps({"color": "Typed, not saved yet"}))
    await answers(tab.go_on(pink.id))
    await answers(tab.switch(json.dumps({"color": "Typed, not saved yet"})))
    assert tab.values["color"] == "Pink"
    assert {draft["color"] for draft in kept(shop)} == {"Pink", "Typed, not saved yet"}
    editions = {draft.id: draft.edition for draft in read(drafts.of_vendor, actor(shop.vendor))}
    await answers(tab.go_on(0))
    told = await answers(tab.switch(json.dumps({"color": "Pink", "saved": tab.saved})))
    assert "?draft" not in told
    assert (tab.values, tab.saved, len(tab.drafts)) == ({}, "", 2)
    assert editions == {draft.id: draft.edition for draft in read(drafts.of_vendor, actor(shop.vendor))}
    # Continued elsewhere meanwhile: both stay.
    write(drafts.save, actor(shop.vendor), pink.id, {"color": "Rose"}, pink.edition)
    await answers(tab.go_on(0))
    await answers(tab.switch(json.dumps({"color": "Crimson", "saved": f"{pink.id}.{pink.edition}"})))
    assert {draft["color"] for draft in kept(shop)} == {"Rose", "Crimson", "Typed, not saved yet"}


@journey
async def test_an_address_names_a_draft_or_a_vehicle_to_be_like(shop: Shop) -> None:
    pink = write(drafts.begin, actor(shop.vendor), {"color": "Pink"})
    tab = await opened(shop, json.dumps({"color": "Typed"}), f"?draft={pink.id}")
    assert (tab.values["color"], [draft["color"] for draft in kept(shop)]) == ("Pink", ["Typed", "Pink"])
    typed = json.dumps({"color": "Pink, typed on", "saved": tab.saved})
    again = await opened(shop, typed, f"?draft={pink.id}")
    assert again.values["color"] == "Pink, typed on", "a reload continues what the tab has"
    like = await opened(shop, None, f"?like={shop.vehicle.id}")
    assert (like.values["security_deposit"], like.values.get("rc_number")) == ("2000", None)
    assert kept(shop)[0]["security_deposit"] == "2000"
    for nonsense in ("?draft=x", "?like=-1", "?draft="):
        assert (await opened(shop, None, nonsense)).values == {}
    tab = await tab_of(shop.vendor, AddVehicleState)
    tab._get_root_state().router = RouterData(url=ReflexURL("http://localhost:3000/vendor/add-vehicle?like=999"))
    stored = json.dumps({"color": "Red"})
    assert "switch" in await answers(tab.take_draft(stored))
    assert "no such vehicle" in (await answers(tab.switch(stored))).lower()
    assert (tab.values["color"], tab.drafts_sent) == ("Red", 1)


@journey
async def test_a_draft_is_deleted_once_that_is_confirmed(shop: Shop) -> None:
    pink = write(drafts.begin, actor(shop.vendor), {"color": "Pink"})
    tab = await opened(shop)
    assert "delete-draft" in await answers(tab.ask(pink.id))
    assert tab.asked_title.startswith("Draft of ")
    assert await answers(tab.ask(999)) == ""
    assert "Draft deleted" in await answers(tab.delete())
    assert (tab.drafts, kept(shop)) == ([], [])
    assert "There is no such draft" in await answers(tab.delete())


@journey
async def test_what_was_listed_can_be_seen_and_another_like_it_begun(shop: Shop) -> None:
    tab = await opened(shop)
    form = sent_ahead(shop) | as_typed() | {"round": str(tab.round)}
    await answers(tab.submit(form))
    listed = tab.listed
    assert (listed.name, listed.href) == ("Honda Activa 6G, TS09EA1234", f"/vehicle-details/{listed.id}")
    await answers(tab.list_another())
    told = await answers(tab.switch(None))
    assert "#papers" in told
    assert (tab.listed, tab.values["color"], tab.values.get("rc_number")) == (None, "White", None)
    assert [(plan.name, plan.price, plan.active) for plan in tab.plans if plan.price] == [("Full Day", "499.5", True)]
    assert tab.plans[1].info.startswith("Min:"), "the advised prices"
    (draft,) = kept(shop)
    assert draft["terms"].replace("\r", "") == "Helmet on\nNo racing"


@journey
async def test_prices_of_a_draft_without_a_model_stay_until_it_has_one(shop: Shop) -> None:
    prices = {"prices.1.price_name": "Full Day", "prices.1.price": "450", "prices.1.status": "Active"}
    draft = write(drafts.begin, actor(shop.vendor), {"color": "Red"} | prices)
    tab = await opened(shop)
    await answers(tab.go_on(draft.id))
    await answers(tab.switch(None))
    await answers(tab.keep({"color": "Blue", "round": str(tab.round)}))
    assert kept(shop)[0]["prices.1.price"] == "450"
    reloaded = await opened(shop, json.dumps({"color": "Blue", "saved": tab.saved}))
    for choose, chosen in zip(
        (reloaded.choose_type, reloaded.choose_manufacturer, reloaded.choose_model), a_model(), strict=True
    ):
        await answers(choose(str(chosen)))
    assert [plan.price for plan in reloaded.plans] == ["", "450", "", ""]


@journey
async def test_no_draft_is_lost_at_the_limit(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_DRAFTS", 1)
    pink = write(drafts.begin, actor(shop.vendor), {"color": "Pink"})
    tab = await opened(shop)
    await answers(tab.keep({"color": "Red", "round": str(tab.round)}))
    assert "only this tab keeps" in tab.saved_line
    await answers(tab.go_on(pink.id))
    assert "which is the limit" in await answers(tab.switch(json.dumps({"color": "Red"})))
    assert [draft["color"] for draft in kept(shop)] == ["Pink"]
    for saved in ("x", "9999-12-31T23:59:59+00:00", "[]", "1.x", "999.1", "9" * 40 + ".1"):
        await answers(tab.take_draft(json.dumps({"color": "Red", "saved": saved})))
        assert (tab.saved, tab.saved_line, tab.offer, tab.values["color"]) == ("", "", None, "Red")


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
