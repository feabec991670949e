"""The console's pages without a browser: for operators alone, and for whoever was one only until they are not."""

import json
from typing import Any

import pytest
from reflex.istate.data import RouterData
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import (
    AssetModel,
    AssetType,
    AuditEntry,
    IdentityPaper,
    Manufacturer,
    Member,
    User,
    Vehicle,
    VehicleFile,
    VehiclePrice,
)
from rental_app.services.console import tables, work
from rental_app.services.console.lists import ListQuery
from rental_app.services.console.table import Column
from rental_app.services.console.work import WorkItem
from rental_app.services.identity import stored
from rental_app.services.operating import people
from rental_app.web.operator.cells_presenter import text_of
from rental_app.web.operator.list_presenter import grid
from rental_app.web.operator.state import ConsoleState
from rental_app.web.operator.work_presenter import item_view, kinds_shown
from rental_app.web.operator.work_state import ITEM, WorkState
from rental_app.web.session.operator_auth import IN, OUT, STEP, OperatorDoorState
from tests.conftest import Clock
from tests.support.booking_steps import alter, book
from tests.support.console import operator
from tests.support.handlers import HANDLERS, NONSENSE, arguments, call, fingerprint
from tests.support.identity import send
from tests.support.rows import each
from tests.support.shop import Shop, add_user, add_vehicle, count, put, token_of, wanted
from tests.support.state_tabs import S, answers, content, journey, loaded, tab_of
from tests.support.trips import damage_objected_to

OURS = [
    (owner, name, handler)
    for _, name, owner, handler in HANDLERS
    if owner is OperatorDoorState or owner.__module__.startswith("rental_app.web.operator.")
]


async def at(user: User | None, kind: type[S], path: str) -> S:
    """The state of a tab at an address."""
    state = await tab_of(user, kind)
    go(state, path)
    return state


def go(state: Any, path: str) -> None:
    bare = path.partition("?")[0]
    state._get_root_state().router = RouterData.from_router_data({"pathname": bare, "asPath": path})


async def open_list(page: ConsoleState, path: str) -> None:
    go(page, path)
    await answers(page.load_list())


async def open_row(page: ConsoleState, path: str) -> None:
    go(page, path)
    await answers(page.load_row())


async def list_at(path: str) -> ConsoleState:
    """An operator's list."""
    page = await tab_of(operator(), ConsoleState)
    await open_list(page, path)
    return page


async def row_at(path: str) -> ConsoleState:
    """What an operator sees of one row."""
    page = await tab_of(operator(), ConsoleState)
    await open_row(page, path)
    return page


async def work_on(kind: str, row: int) -> WorkState:
    """An operator's work, with one of the things that wait in front of them."""
    page = await loaded(at(operator(), WorkState, "/operator"))
    await answers(page.pick(kind, row))
    return page


def waiting(shop: Shop, many: int) -> list[Vehicle]:
    """Vehicles that wait for their approval."""
    return [add_vehicle(shop.vendor, is_approved=False) for _ in range(many)]


def is_approved(car: Vehicle) -> bool:
    return bool(read(lambda session: session.get_one(Vehicle, car.id)).is_approved)


@journey
async def test_a_list_shows_what_its_address_asks_for(shop: Shop) -> None:
    page = await list_at(f"/operator/people?q={shop.vendor.email}")
    assert page.title.startswith("People | ")
    assert [row.under for row in page.listed.grid.rows] == [shop.vendor.email]
    assert page.listed.many.startswith("1 of ")
    await open_list(page, f"/operator/people?q={shop.vendor.email}&role=customer")
    assert (page.listed.empty, page.listed.drop_label) == ("Nothing fits", "Drop Role: Customer")
    await open_list(page, "/operator/nothing")
    assert page.missing


@journey
async def test_a_list_offers_types_by_their_names_and_understands_old_links(shop: Shop) -> None:
    added = put(AssetType(name="E-Rickshaw"))
    page = await list_at("/operator/listings?type=scooter")
    chosen = next(each for each in page.listed.filters if each.name == "type")
    assert chosen.shown == "Scooter"
    assert ("E-Rickshaw", str(added.id)) in [(each.label, each.value) for each in chosen.options]
    await open_list(page, f"/operator/listings?type={added.id}")
    assert (page.listed.empty, page.listed.drop_label) == ("Nothing fits", "Drop Type: E-Rickshaw")
    await open_list(page, f"/operator/bookings?person={shop.vendor.id}&state=cancelled")
    assert page.listed.owner == f"Person {shop.vendor.id} only"


@journey
async def test_a_rows_page_shows_what_belongs_to_it(shop: Shop) -> None:
    page = await row_at(f"/operator/people/{shop.vendor.id}")
    assert (page.detail.title, page.detail.under) == (shop.vendor.name, shop.vendor.email)
    # What there is nothing of has no tab.
    assert [tab.label for tab in page.detail.tabs] == ["Overview", "Vehicles"]
    assert [related.title for related in page.detail.related] == ["Vehicles"]
    await open_row(page, "/operator/people/99999")
    assert page.missing


@journey
async def test_one_search_finds_a_person_a_vehicle_and_a_booking(shop: Shop) -> None:
    page = await at(operator(), ConsoleState, "/operator")
    assert f"/operator/listings/{shop.vehicle.id}" in await answers(page.find({"everything": shop.vehicle.rc_number}))
    assert f"/operator/people/{shop.customer.id}" in await answers(page.find({"everything": shop.customer.email}))
    assert "/operator/people?q=none+of+that" in await answers(page.find({"everything": "none of that"}))
    assert await answers(page.find({"everything": "  "})) == ""


@journey
async def test_ten_listings_are_approved_by_ten_decisions(shop: Shop) -> None:
    # The demo has one more.
    cars = waiting(shop, 9)
    page = await loaded(at(operator(), WorkState, "/operator"))
    await answers(page.choose_kind("listings"))
    for left in range(10, 0, -1):
        assert page.current is not None
        assert len(page.items) == left
        looked = page.current
        await answers(page.decide("approve", looked.kind, looked.id, looked.seen, page.reason))
    assert page.kind == ""
    assert "listings" not in [item.kind for item in page.items]
    assert all(is_approved(car) for car in cars)
    assert count("audit_entry") == 10


@journey
async def test_a_difference_found_is_the_reason_of_the_refusal(shop: Shop) -> None:
    (car,) = waiting(shop, 1)
    page = await work_on("listings", car.id)
    assert [section.title for section in page.current.sections][:3] == ["Registration (RC)", "Insurance", "Pollution"]
    looked = page.current
    await answers(page.decide("refuse", looked.kind, looked.id, looked.seen, page.reason))
    assert page.error == "Say why: those it concerns read it"
    await answers(page.note_fact("owner"))
    assert page.reason == ""
    await answers(page.note_fact("owner"))
    assert page.reason == "Owner name differs from the RC"
    await answers(page.toggle_reason("A paper has expired"))
    await answers(page.decide("refuse", looked.kind, looked.id, looked.seen, page.reason))
    refused = read(lambda session: session.get_one(Vehicle, car.id))
    assert (refused.is_approved, refused.refusal) == (False, "Owner name differs from the RC. A paper has expired")
    assert ("listings", car.id) not in [(item.kind, item.id) for item in page.items]


@journey
async def test_what_the_data_say_against_a_listing_stands_beside_it_and_goes_into_the_refusal(shop: Shop) -> None:
    twin = {"engine_number": shop.vehicle.engine_number, "owner_name_as_per_rc": "Somebody Else"}
    (car,) = [add_vehicle(shop.vendor, is_approved=False, **twin)]
    write(lambda session: session.add(VehiclePrice(vehicle_id=car.id or 0, price_name="Half Day", price_paise=1)))
    page = await work_on("listings", car.id)
    facts = {field.name: field for section in page.current.sections for field in section.fields}
    assert (facts["owner"].note, facts["owner"].differs) == (f"the vendor is {shop.vendor.name}", True)
    assert facts["engine"].note == f"also on {shop.vehicle.rc_number}"
    assert not facts["year"].differs
    assert page.current.sections[-1].title == "Prices"
    assert "Half Day" in [field.label for field in page.current.sections[-1].fields]
    assert [each.label for each in page.current.ready][:2] == ["Owner name differs", "Same engine number"]
    found = [each.text for each in page.current.ready if each.is_finding]
    assert found == [
        "The owner name differs from the name of your account",
        "Another listing has the same engine number",
    ]
    await answers(page.toggle_reason(found[1]))
    await answers(page.note_fact("year"))
    await answers(page.note_fact("year"))
    assert page.reason == f"Year differs from the RC. {found[1]}"
    await answers(page.toggle_reason(found[1]))
    await answers(page.toggle_reason("nothing that is offered"))
    assert page.reason == "Year differs from the RC"
    await answers(page.note_fact("year"))
    assert page.reason == ""


@journey
async def test_a_customers_document_stands_beside_its_pictures_and_a_wrong_name_is_red(shop: Shop) -> None:
    paper = send(shop.customer, name="Somebody Else")
    page = await work_on("identity", paper.id)
    facts = {field.name: field for section in page.current.sections for field in section.fields}
    assert (facts["name"].text, facts["name"].differs) == ("Somebody Else", True)
    assert (facts["ends"].text, facts["classes"].text) == ("...2345", "MCWG")
    # What a licence does not have is not shown.
    assert "which" not in facts
    assert [file.url for file in page.paper.files] == [f"/api/operator/papers/{paper.id}/pictures/1"]
    assert page.paper.recorded
    assert [each.label for each in page.current.ready] == [
        "Somebody else's",
        "Upside down or unreadable",
        "Expired",
        "Wrong document",
    ]
    looked = page.current
    await answers(page.toggle_reason(looked.ready[0].text))
    await answers(page.decide("refuse", looked.kind, looked.id, looked.seen, page.reason))
    row = read(lambda session: session.get_one(IdentityPaper, paper.id))
    assert (row.state, row.reason) == ("refused", looked.ready[0].text)


@journey
async def test_an_unmasked_document_is_erased_by_one_press(shop: Shop) -> None:
    paper = send(shop.customer, "id", document="aadhaar", number="2346")
    page = await work_on("identity", paper.id)
    looked = page.current
    assert [(action.label, action.key) for action in looked.actions] == [
        ("Accept", "a"),
        ("Refuse", "r"),
        ("Unmasked", "e"),
    ]
    await answers(page.decide("erase", looked.kind, looked.id, looked.seen, ""))
    assert read(stored.files_of, shop.customer.id or 0) == []
    # Replaced meanwhile: nothing is decided.
    older = send(shop.customer)
    await answers(page.load())
    await answers(page.pick("identity", older.id))
    looked = page.current
    send(shop.customer)
    assert "This has changed since you looked at it" in await answers(
        page.decide("accept", looked.kind, looked.id, looked.seen, "")
    )


@journey
async def test_a_persons_page_lists_their_documents_by_their_ends(shop: Shop) -> None:
    paper = send(shop.customer, "id")
    page = await row_at(f"/operator/people/{shop.customer.id}")
    assert "Documents" in [tab.label for tab in page.detail.tabs]
    await open_row(page, f"/operator/papers/{paper.id}")
    assert {fact.label: fact.text for fact in page.detail.facts}["Number ends in"] == "...234F"
    assert (page.detail.under_href, page.detail.papers[0].recorded) == (f"/operator/people/{shop.customer.id}", True)
    await answers(page.ask("erase"))
    assert "erased at once" in page.asking.means


@journey
async def test_the_box_for_the_reason_says_who_reads_it(shop: Shop) -> None:
    # The demo has something of both kinds.
    page = await loaded(at(operator(), WorkState, "/operator"))
    for kind, asked, always in (
        ("listings", "Told to those it concerns when refused", False),
        ("objections", "Why: both sides read it", True),
    ):
        await answers(page.choose_kind(kind))
        assert (page.current.reason_label, page.current.always_asked) == (asked, always)
    assert page.current.sections[-1].title == "The vendor's side"
    assert page.current.papers
    assert not page.current.papers[0].recorded


@journey
async def test_what_changed_meanwhile_is_not_decided(shop: Shop) -> None:
    (car,) = waiting(shop, 1)
    page = await work_on("listings", car.id)
    assert page.current is not None
    looked = page.current

    def change(session: Any) -> None:
        session.get_one(Vehicle, car.id).engine_number = "OTHER12345"

    write(change)
    told = await answers(page.decide("approve", looked.kind, looked.id, looked.seen, page.reason))
    assert "This has changed since you looked at it" in told
    assert not is_approved(car)
    assert page.current.seen != looked.seen


@journey
async def test_of_two_operators_with_one_persons_page_one_blocks(shop: Shop) -> None:
    pages = [await row_at(f"/operator/people/{shop.vendor.id}") for _ in range(2)]
    for page in pages:
        await answers(page.ask("block"))
    told = [await answers(page.act({"reason": "Three complaints"})) for page in pages]
    assert ["This has changed since you looked at it" in each for each in told] == [False, True]
    assert count("audit_entry") == 1


@journey
async def test_the_next_item_has_the_focus_after_a_key_and_after_a_decision(shop: Shop) -> None:
    first, second = waiting(shop, 2)
    page = await work_on("listings", first.id)
    assert ITEM in await answers(page.step(1))
    assert page.current.id == second.id
    assert page.current.spoken == f"{page.current.title}, Listing, {page.current.position}"
    looked = page.current
    assert ITEM in await answers(page.decide("approve", looked.kind, looked.id, looked.seen, ""))
    assert ITEM not in await answers(page.pick("listings", first.id or 0))


@journey
async def test_a_person_is_changed_with_what_the_account_has_now(shop: Shop) -> None:
    alter(User, shop.vendor.id, bank_name="State Bank", bank_account_no="30012345678", bank_ifsc="SBIN0001234")
    alter(User, shop.vendor.id, commission_bps=1250)
    page = await row_at(f"/operator/people/{shop.vendor.id}")
    await answers(page.ask("change"))
    fields = {field.name: (field.value, field.note) for field in page.asking.asks}
    assert fields == {
        "name": (shop.vendor.name, ""),
        "email": (shop.vendor.email, ""),
        "phoneNumber": (shop.vendor.phone_number, ""),
        "bank": ("", "Now State Bank, ...5678, SBIN0001234"),
        "commission": ("12.5", ""),
        "reason": ("", ""),
    }
    form = {name: value for name, (value, _) in fields.items()} | {"name": "Another", "reason": "Their deed"}
    assert people.CHANGED in await answers(page.act(form))
    entry = read(lambda session: session.scalars(select(AuditEntry).order_by(col(AuditEntry.id).desc())).first())
    # What stayed as it was filled in is no change.
    assert json.loads(entry.after).keys() == {"name"}
    # A customer has neither.
    await open_row(page, f"/operator/people/{shop.customer.id}")
    await answers(page.ask("change"))
    assert {field.name for field in page.asking.asks} == {"name", "email", "phoneNumber", "reason"}


@journey
async def test_what_stays_of_a_line_is_asked_beside_what_it_is_now(shop: Shop, stopped_clock: Clock) -> None:
    damage_objected_to(shop, stopped_clock)
    page = await list_at("/operator/objections")
    await open_row(page, page.listed.grid.rows[0].href)
    await answers(page.ask("partly"))
    amount = next(fact.text for fact in page.detail.facts if fact.label == "Amount")
    assert [field.note for field in page.asking.asks] == [f"Now {amount}", ""]


@journey
async def test_what_a_block_does_is_said_before_it(shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle))
    page = await row_at(f"/operator/people/{shop.vendor.id}")
    await answers(page.ask("block"))
    assert page.asking.means == "They are logged out everywhere. 1 listing hides. 1 request is declined."
    await answers(page.ask("note"))
    assert page.asking.means == ""


@journey
async def test_what_was_changed_since_the_approval_is_marked(shop: Shop) -> None:
    (car,) = waiting(shop, 1)
    for act, before in (
        (Act.LISTING_CHANGED, '{"year":2001}'),
        (Act.LISTING_APPROVED, "{}"),
        (Act.LISTING_CHANGED, '{"insurance_expiry_date":"2026-01-02"}'),
    ):
        put(AuditEntry(act=act.value, subject="vehicle", subject_id=car.id, before=before))
    page = await work_on("listings", car.id)
    was = {field.name: field.was for section in page.current.sections for field in section.fields if field.was}
    assert was == {"insured": "was 2026-01-02"}


@journey
async def test_an_operator_unmade_with_an_open_tab_sees_and_does_nothing_more(shop: Shop) -> None:
    user = operator()
    (car,) = waiting(shop, 1)
    page = await at(user, WorkState, "/operator")
    door = await page.get_state(OperatorDoorState)
    await answers(door.enter())
    assert door.standing == IN
    await answers(page.load())
    assert page.items

    def unmake(session: Any) -> None:
        session.get_one(User, user.id).role = "Customer"

    write(unmake)
    for event in (page.load(), page.decide("approve", "listings", car.id, "", "")):
        await answers(event)
    assert (door.standing, door.counts) == (OUT, {})
    assert page.items == []
    assert page.current is None
    assert not is_approved(car)


@each("role", ["", "Customer", "Vendor", "member"])
@journey
async def test_nobody_else_gets_in_or_anything_from_any_handler(shop: Shop, role: str) -> None:
    user = None if not role else add_user("Customer" if role == "member" else role)
    if user and role == "member":
        put(Member(user_id=user.id, vendor_id=shop.vendor.id))
    (car,) = waiting(shop, 1)
    before = fingerprint()
    door = await at(user, OperatorDoorState, "/operator")
    await answers(door.enter())
    assert (door.standing, door.counts) == (OUT, {})
    for owner, _, handler in OURS:
        for value in ("1", "listings", 1, {"everything": "9"}):
            state = await at(user, owner, f"/operator/listings/{car.id}")
            await answers(handler.fn(state, *arguments(handler, value)))
            shown = {**content(state), "title": "", "description": "", "standing": ""}
            assert shown == {**content(await tab_of(None, owner)), "title": "", "description": "", "standing": ""}
    after = fingerprint()
    assert {name: after[name] for name in after if name != "login_session"} == {
        name: before[name] for name in before if name != "login_session"
    }
    assert not is_approved(car)
    assert count("audit_entry") == 0


@journey
async def test_nonsense_from_an_operator_neither_raises_nor_changes_anything(shop: Shop) -> None:
    token = token_of(operator())
    before = fingerprint()
    for owner, _, handler in OURS:
        for value in NONSENSE if arguments(handler, "") else [None]:
            await call(owner, handler, arguments(handler, value), token)
    assert fingerprint() == before
    assert count("audit_entry") == 0


@journey
async def test_in_production_an_operator_without_a_second_step_is_told_to_set_one_up(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings(), "env", "production")
    door = await at(operator(), OperatorDoorState, "/operator")
    await answers(door.enter())
    assert (door.standing, door.counts) == (STEP, {})


@journey
async def test_an_entry_of_the_catalogue_is_added_changed_and_retired(shop: Shop) -> None:
    page = await list_at("/operator/types")
    await answers(page.ask(page.listed.adding_name))
    assert page.asking is not None
    await answers(page.act({"name": ""}))
    assert page.errors.keys() == {"name"}
    await answers(page.act({"name": "Bicycle"}))
    made = read(lambda session: session.scalars(select(AssetType).where(col(AssetType.name) == "Bicycle")).one())
    go(page, f"/operator/types/{made.id}")
    for name, form, now in (
        ("change", {"name": "Cycle"}, ("Cycle", False)),
        ("retire", {}, ("Cycle", True)),
        ("change", {"name": "Velo"}, ("Velo", True)),
        ("offer", {}, ("Velo", False)),
    ):
        await answers(page.load_row())
        await answers(page.ask(name))
        assert page.asking is not None
        await answers(page.act(form))
        found = read(lambda session: session.get_one(AssetType, made.id))
        assert (found.name, found.is_retired) == now


@journey
async def test_a_model_is_changed_with_what_it_was_filled_in(shop: Shop) -> None:
    page = await row_at("/operator/models/1")
    await answers(page.ask("change"))
    form = {field.name: field.value for field in page.asking.asks}
    before = read(lambda session: session.get_one(AssetModel, 1)).model_dump()
    plans = count("price_plan")
    await answers(page.act(form | {"topSpeed": "77"}))
    assert page.errors == {}
    assert read(lambda session: session.get_one(AssetModel, 1)).model_dump() == before | {"top_speed": 77}
    assert count("price_plan") == plans


@journey
async def test_the_shop_is_made_read_only_and_opened_again(shop: Shop) -> None:
    page = await at(operator(), ConsoleState, "/operator/people")
    door = await page.get_state(OperatorDoorState)
    for on, form in ((True, {"on": "true", "message": "Back at ten"}), (False, {"on": "false"})):
        await answers(page.switch(form))
        await answers(door.enter())
        assert door.read_only == on


@journey
async def test_what_is_wrong_is_said_in_the_dialog_which_keeps_what_was_typed(shop: Shop) -> None:
    page = await list_at("/operator/locations")
    await answers(page.ask(page.listed.adding_name))
    assert page.asking_title == "Add a locality"
    told = await answers(page.act({"name": "", "latitude": "17", "longitude": "200"}))
    assert page.errors.keys() == {"name", "longitude"}
    assert "ask-name" in told
    told = await answers(page.act({"name": shop.place.name, "latitude": "17", "longitude": "78"}))
    assert page.errors.keys() == {"name"}
    assert page.asking is not None
    assert "toast" not in told
    assert "toast" in await answers(page.act({"name": "Lake View", "latitude": "17", "longitude": "78"}))
    assert page.errors == {}


@journey
async def test_a_months_commission_is_noted_as_paid(shop: Shop) -> None:
    page = await list_at("/operator/money?state=owes")
    await open_row(page, page.listed.grid.rows[0].href)
    await answers(page.ask("paid"))
    await answers(page.act({"amount": "1", "reference": "UTR 1", "paidOn": "2099-01-01"}))
    assert list(page.errors) == ["paidOn"]
    await answers(page.act({"amount": "1", "reference": "UTR 1", "paidOn": ""}))
    assert page.errors == {}
    assert count("commission_payment") == 1
    assert next(figure.text for figure in page.detail.figures if figure.label == "Paid") == "₹0"
    await answers(page.load_row())
    assert next(figure.text for figure in page.detail.figures if figure.label == "Paid") == "₹1"


@journey
async def test_makers_types_and_drawings_are_chosen_by_their_names(shop: Shop) -> None:
    page = await row_at("/operator/models/1")
    await answers(page.ask("change"))
    asks = {field.name: field for field in page.asking.asks}
    makers = {option.value: option.label for option in asks["manufacturer"].options}
    model = read(lambda session: session.get_one(AssetModel, 1))
    assert asks["manufacturer"].value == str(model.manufacturer_id)
    assert all(", " in label for label in makers.values())
    assert model.shape in {option.value for option in asks["shape"].options}
    assert not [fact.label for fact in page.detail.facts if fact.label.startswith("Id of") or fact.label == "Retired"]
    maker = read(lambda session: session.get_one(Manufacturer, model.manufacturer_id))
    alter(Manufacturer, maker.id or 0, is_retired=True)
    await answers(page.ask("change"))
    (manufacturer,) = [field for field in page.asking.asks if field.name == "manufacturer"]
    assert (manufacturer.options[0].value, manufacturer.options[0].label) == (str(maker.id), "As it is (retired)")
    await open_list(page, "/operator/manufacturers")
    await answers(page.ask(page.listed.adding_name))
    assert {option.label for option in page.asking.asks[1].options} >= {"Scooter", "Car"}


@journey
async def test_an_operator_looks_at_a_persons_own_lists_and_it_is_recorded(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    path = f"/operator/people/{shop.customer.id}"
    page = await row_at(path)
    assert page.own_pages is None
    assert page.detail.own_pages == f"{path}?tab=theirs"
    looks = count("audit_entry")
    await open_row(page, page.detail.own_pages)
    assert page.own_pages
    assert page.own_pages.band.startswith(f"As {shop.customer.name} sees it")
    assert [(each.title, [made.reference in line.under for line in each.lines]) for each in page.own_pages.lists] == [
        ("My Bookings", [True])
    ]
    assert count("audit_entry") == looks + 1
    await open_row(page, f"/operator/people/{shop.vendor.id}?tab=theirs")
    assert [each.title for each in page.own_pages.lists] == ["Manage Bookings"]


@journey
async def test_a_bookings_page_begins_with_its_timeline(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    page = await row_at(f"/operator/bookings/{made.id}")
    assert [tab.label for tab in page.detail.tabs] == ["Overview", "History", "Messages"]
    assert [row.name for row in page.detail.related[0].grid.rows] == ["Requested"]
    # What has no page of its own is read in full here.
    assert all(each.in_full for row in page.detail.related[0].grid.rows for each in row.cells if each.text)
    token_of(shop.customer)
    await open_row(page, f"/operator/people/{shop.customer.id}?tab=devices")
    assert [related.title for related in page.detail.related] == ["Devices"]
    # What is asked for and empty says so.
    await open_row(page, f"/operator/people/{shop.customer.id}?tab=reviews")
    assert [(related.title, related.grid.rows) for related in page.detail.related] == [("Reviews", [])]


@journey
async def test_a_fact_shows_the_paper_that_proves_it(shop: Shop) -> None:
    (car,) = waiting(shop, 1)
    for group in ("RC", "Insurance"):
        kind = "application/pdf"
        put(VehicleFile(vehicle_id=car.id or 0, group_name=group, key=f"{group}.pdf", content_type=kind, size=9))
    page = await work_on("listings", car.id)
    numbers = {field.name: field.number for section in page.current.sections for field in section.fields}
    assert (numbers["owner"], numbers["insured"], numbers["pollution"]) == ("1", "2", "")
    await answers(page.show_paper(numbers["insured"]))
    assert page.paper.label == "Insurance"
    await answers(page.show_paper(""))
    assert page.paper.label == "Insurance"


@journey
async def test_the_head_of_the_work_shows_the_vehicles_picture_and_plate(shop: Shop) -> None:
    alter(Vehicle, shop.vehicle.id, is_approved=False)
    page = await at(operator(), WorkState, "/operator")
    await answers(page.choose_kind("listings"))
    await answers(page.pick("listings", shop.vehicle.id or 0))
    assert (page.current.plate, page.current.under) == (shop.vehicle.rc_number, "")
    assert page.current.picture.startswith("/media/art/")
    told = {field.name for section in page.current.sections for field in section.fields}
    assert told.isdisjoint({"photo", "shape"})
    photo = "/media/public/front.jpg"
    alter(Vehicle, shop.vehicle.id, image=photo)
    await answers(page.pick("listings", shop.vehicle.id or 0))
    assert page.current.picture == "/media/public/front.webp"


@journey
async def test_papers_of_a_listing_open_on_its_page(shop: Shop) -> None:
    kind = "image/jpeg"
    put(VehicleFile(vehicle_id=shop.vehicle.id, group_name="RC", key="rc.jpg", content_type=kind, size=9))
    page = await row_at(f"/operator/listings/{shop.vehicle.id}")
    assert [paper.label for paper in page.detail.papers] == ["RC"]
    assert page.paper is None
    await answers(page.show_paper("1"))
    assert page.paper == page.detail.papers[0]


@journey
async def test_lost_mail_and_phone_are_begun_and_stopped_on_a_persons_page(shop: Shop) -> None:
    page = await at(operator(), ConsoleState, f"/operator/people/{shop.customer.id}")
    for press, form, state in (
        ("recover", {"checked": "Called the employer", "email": "new@example.com", "phoneNumber": ""}, True),
        ("keep", {}, False),
    ):
        await answers(page.load_row())
        await answers(page.ask(press))
        if form:
            await answers(page.act(form | {"checked": ""}))
            assert page.errors.keys() == {"checked"}
        await answers(page.act(form))
        await answers(page.load_row())
        assert (page.detail.badges[0].text == "Lost mail or phone") is state
        assert ("Another email or mobile from" in {fact.label for fact in page.detail.facts}) is state


@journey
async def test_nothing_is_offered_about_guests_and_operators_that_is_refused(shop: Shop) -> None:
    guest = add_user(is_guest=True)
    for person, offered in ((guest, ["note"]), (operator(), [])):
        page = await at(operator(), ConsoleState, f"/operator/people/{person.id}")
        await answers(page.load_row())
        assert [action.name for action in page.detail.actions] == offered
        assert page.detail.own_pages == ""


@each(
    ("kind", "value", "text"),
    [
        ("code", "upi", "UPI"),
        ("code", "deposit_kept", "Deposit kept"),
        ("code", "electric-scooter", "Electric scooter"),
        ("text", "61d7a515@guest.invalid", ""),
        ("text", "v2.0", "v2.0"),
        ("number", 50.0, "50"),
        ("number", 17.4375, "17.4375"),
        ("money", -30_000, "-₹300"),
    ],
)
def test_a_value_is_told_as_people_write_it(kind: Any, value: Any, text: str) -> None:
    assert text_of(Column("value", "Value", None, kind), value) == text


def test_where_there_is_little_room_a_table_has_five_columns_and_the_state() -> None:
    table = tables.named("bookings")
    shown = grid(table, (), ListQuery(), table.sort)
    assert [head.label for head in shown.heads if head.spare] == ["Return", "Price", "Rent open"]
    assert shown.heads[-1].label == "State"


def test_what_an_entry_of_the_trail_changed_is_a_line_for_each_value() -> None:
    after = Column("after", "After", None, values=True)
    assert text_of(after, '{"bank_name":"S...","is_retired":false,"cap":null}') == (
        "Bank name: S...\nIs retired: no\nCap: none"
    )
    assert text_of(after, "{}") == ""


def test_a_balance_below_zero_is_to_be_given_back() -> None:
    owed = Column("owed", "Rent open", None, "money", balance=True)
    assert [text_of(owed, paise) for paise in (-30_000, 30_000)] == ["₹300 to give back", "₹300"]


@each(
    ("kind", "title", "note", "amount", "line"),
    [
        ("objections", "deposit_kept", "Sneha", 30_000, ("Deposit kept ₹300", "PH-1, Sneha")),
        ("objections", "handover", "Sneha", None, ("Handover", "PH-1, Sneha")),
        (
            "messages",
            "new_device",
            "SMTPResponseException: 452 mailbox full",
            None,
            ("New device", "PH-1, mailbox full"),
        ),
        ("messages", "new_device", "OSError: [Errno 111] No route", None, ("New device", "PH-1, No route")),
        ("messages", "new_device", "TimeoutError: ", None, ("New device", "PH-1")),
        ("reviews", "Divya Teja", "Rude: 100 words", None, ("Divya Teja", "PH-1, Rude: 100 words")),
    ],
)
def test_a_line_of_the_queue_says_in_words_what_it_is_about(
    kind: str, title: str, note: str, amount: int | None, line: tuple[str, str]
) -> None:
    now = clock.now()
    view = item_view(WorkItem(kind, 1, "PH-1", title, note, now, amount), work.kinds(), now)
    assert (view.title, view.note) == line


def test_five_kinds_of_work_are_shown_the_chosen_one_among_them_and_the_rest_behind_more() -> None:
    kinds = work.kinds()
    counts = dict.fromkeys(kinds, 1) | {"messages": 0}
    for chosen, first in (
        ("", ["", "listings", "requests", "identity", "objections"]),
        ("papers", ["", "listings", "requests", "identity", "papers"]),
    ):
        shown, others = kinds_shown(counts, kinds, chosen)
        assert [kind.name for kind in shown] == first
        assert {kind.name for kind in (*shown, *others)} == {"", *kinds} - {"messages"}
    assert kinds_shown({"papers": 2}, kinds, "")[1] == []
