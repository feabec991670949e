"""The page of prices saves all changes or none, and does not overwrite what others have changed meanwhile."""

from typing import Any

from rental_app.infrastructure.db import read, write
from rental_app.schemas.prices import FleetPrice, FleetPrices
from rental_app.schemas.search import PageSearch
from rental_app.services.fleet import prices as fleet_prices
from rental_app.web.screens.compare.presenter import comparison
from rental_app.web.vendor.prices.state import PricesState, ShownVehiclesState
from tests.support.page_states import vehicle_page
from tests.support.shop import VISITOR, Shop, actor, add_vehicle, add_vehicles, open_shop
from tests.support.state_tabs import answers, journey, loaded, tab_of


def form_of(tab: PricesState, **typed: str) -> dict[str, Any]:
    """Return what the browser sends: the cells shown, with some typed into; "2.1.price" is written `v2_1_price`."""
    form: dict[str, Any] = {"round": str(tab.round)}
    for cell in [cell for row in tab.rows for cell in row.cells]:
        form |= {f"{cell.name}.price": cell.price, f"{cell.name}.kms_limit": cell.kms_limit}
        form |= {f"{cell.name}.shown_{part}": text for part, text in cell.shown.model_dump().items()}
        form |= {f"{cell.name}.status": "Active"} if cell.active else {}
    return form | {name[1:].replace("_", ".", 2): text for name, text in typed.items()}


def plans(shop: Shop) -> dict[tuple[int, str], FleetPrice]:
    found = read(fleet_prices.of_vendor, actor(shop.vendor))
    return {(price.vehicle, price.price_name): price for price in found}


def elsewhere(shop: Shop, **change: Any) -> None:
    """Change the day's price in another tab of the vendor's."""
    plan = {"vehicle": shop.vehicle.id, "price_name": "Full Day"} | change
    write(fleet_prices.change, actor(shop.vendor), FleetPrices.model_validate([plan]))


@journey
async def test_only_what_was_changed_is_saved(shop: Shop) -> None:
    other, tab = add_vehicle(shop.vendor), await tab_of(shop.vendor, PricesState)
    await answers(tab.load())
    assert [(row.id, [cell.price for cell in row.cells]) for row in tab.rows] == [
        (other.id, ["", "500", "", ""]),
        (shop.vehicle.id, ["", "500", "", ""]),
    ]
    assert "Nothing has been changed" in await answers(tab.save(form_of(tab)))
    first, second = f"v{shop.vehicle.id}", f"v{other.id}"
    typed = {
        f"{first}_1_price": "Rs 12,345",
        f"{first}_2_price": "₹70,000/-",
        f"{first}_2_kms_limit": "1,500",
        f"{second}_1_kms_limit": "",
    }
    form = form_of(tab, **typed)
    del form[f"{other.id}.1.status"]
    elsewhere(shop, kms_limit=100)
    assert "3 prices saved" in await answers(tab.save(form))
    # The second of two quick clicks.
    assert await answers(tab.save(form)) == ""
    saved = plans(shop)
    day, week = saved[shop.vehicle.id or 0, "Full Day"], saved[shop.vehicle.id or 0, "Week"]
    assert (day.price_paise, day.kms_limit, day.status) == (1_234_500, 100, "Active")
    assert (week.price_paise, week.kms_limit, week.status) == (7_000_000, 1_500, "Active")
    assert saved[other.id or 0, "Full Day"].model_dump(exclude={"vehicle", "price_name"}) == {
        "price_paise": 500,
        "kms_limit": 0,
        "status": "Inactive",
    }
    assert [cell.price for cell in tab.rows[1].cells] == ["", "12345", "70000", ""]
    assert (tab.round, tab.busy, tab.errors) == (1, False, {})


@journey
async def test_what_is_refused_stands_at_its_cell_and_nothing_is_saved(shop: Shop) -> None:
    tab, vehicle = await tab_of(shop.vendor, PricesState), shop.vehicle.id
    await answers(tab.load())
    for typed, problem in (
        ("0", "Enter more than 0, or switch the plan off"),
        ("5,00,001", "Enter an amount between 0 and 5,00,000 rupees"),
        ("much", "Enter an amount in rupees"),
    ):
        told = await answers(tab.save(form_of(tab, **{f"v{vehicle}_1_price": typed, f"v{vehicle}_3_price": "9000"})))
        assert "Please correct the prices marked in red" in told
        assert f"{vehicle}.1.price" in told
        assert tab.errors == {f"{vehicle}.1.price": problem}
    await answers(tab.save(form_of(tab, **{f"v{vehicle}_1_kms_limit": "far", f"v{vehicle}_0_price": "x"})))
    assert list(tab.errors) == [f"{vehicle}.0.price", f"{vehicle}.1.kms_limit"]
    assert list(plans(shop)) == [(vehicle, "Full Day")]
    for forged in ("x.1", f"{vehicle}.9", f"{vehicle}.1.1", str(open_shop("Elsewhere").vehicle.id) + ".1"):
        shown = {f"{forged}.shown_price": "1", f"{forged}.shown_status": "Active"}
        await answers(tab.save({**shown, f"{forged}.price": "7"}))
        await answers(tab.save({f"{forged}.shown_price": "lots", f"{forged}.price": "7"}))
        await answers(tab.save({f"{forged}.shown_price": None, f"{forged}.price": ["7"]}))
    assert plans(shop)[vehicle or 0, "Full Day"].price_paise == 50_000


@journey
async def test_kilometres_are_grouped_wherever_a_plan_is_shown(shop: Shop) -> None:
    elsewhere(shop, kms_limit=1200)
    page = await vehicle_page(shop, shop.customer)
    assert (page.car and page.car.renting[2].value, page.price and page.price.kms) == ("1,200 km a day", "1,200 km")
    rows = read(comparison, VISITOR, str(shop.vehicle.id), PageSearch()).rows
    assert [row.texts for row in rows if row.label == "Kms included"] == [["1,200 km a day"]]
    tab, cell = await tab_of(shop.vendor, PricesState), f"{shop.vehicle.id}.1"
    await answers(tab.load())
    form = form_of(tab, **{f"v{shop.vehicle.id}_1_price": "700"})
    elsewhere(shop, price=600)
    await answers(tab.save(form))
    assert tab.errors == {f"{cell}.price": "Changed elsewhere in the meantime: now ₹600, 1,200 km, Active"}


@journey
async def test_a_form_says_what_its_page_showed_by_field(shop: Shop) -> None:
    """A restarted server has loaded newer prices since: what the browser was shown counts."""
    tab, cell = await tab_of(shop.vendor, PricesState), f"{shop.vehicle.id}.1"
    await answers(tab.load())
    form = form_of(tab, **{f"v{cell.replace('.', '_')}_price": "700"})
    elsewhere(shop, price=600)
    await answers(tab.load())
    assert "changed elsewhere in the meantime" in await answers(tab.save(form))
    assert [*tab.errors] == [f"{cell}.price"]


@journey
async def test_two_tabs_do_not_overwrite_each_other_unseen(shop: Shop) -> None:
    tab, vehicle = await tab_of(shop.vendor, PricesState), shop.vehicle.id
    await answers(tab.load())
    typed = {f"v{vehicle}_1_price": "700", f"v{vehicle}_2_price": "3000"}
    form = form_of(tab, **typed)
    elsewhere(shop, price=600)
    assert "changed elsewhere in the meantime" in await answers(tab.save(form))
    assert tab.errors == {f"{vehicle}.1.price": "Changed elsewhere in the meantime: now ₹600, 100 km, Active"}
    assert plans(shop)[vehicle or 0, "Full Day"].price_paise == 60_000
    # The row is not redrawn, as that would discard what was typed; once told, the vendor may insist.
    assert (tab.rows[0].version, tab.rows[0].cells[1].shown.model_dump()) == (
        0,
        {"price": "600", "kms_limit": "100", "status": "Active"},
    )
    assert "2 prices saved" in await answers(tab.save(form_of(tab, **typed)))
    assert plans(shop)[vehicle or 0, "Full Day"].price_paise == 70_000
    # After a reconnection only those vehicles are redrawn that were changed meanwhile.
    other = add_vehicle(shop.vendor)
    await answers(tab.load())
    elsewhere(shop, price=800)
    before = {row.id: row.version for row in tab.rows}
    await answers(tab.load())
    assert [row.version - before[row.id] for row in tab.rows] == [0, 1]
    assert [row.id for row in tab.rows] == [other.id, vehicle]


@journey
async def test_prices_are_copied_to_those_chosen(shop: Shop) -> None:
    chosen, left = add_vehicle(shop.vendor, 70_000), add_vehicle(shop.vendor, 90_000)
    tab, source = await tab_of(shop.vendor, PricesState), {"from": str(shop.vehicle.id)}
    await answers(tab.load())
    assert "Choose the vehicles that get the prices" in await answers(tab.copy_prices(source))
    itself = f"to.{shop.vehicle.id}"
    assert "cannot be copied to itself" in await answers(tab.copy_prices(source | {itself: "1"}))
    assert tab.refusal == "The prices of a vehicle cannot be copied to itself"
    foreign = open_shop("Elsewhere").vehicle.id
    assert "Choose the vehicles" in await answers(tab.copy_prices(source | {f"to.{foreign}": "1"}))
    assert tab.refusal.startswith("Choose the vehicles")
    assert "no such vehicle" in await answers(tab.copy_prices({"from": str(foreign), "all": "1"}))
    assert "Prices copied to 1 vehicle" in await answers(tab.copy_prices(source | {f"to.{chosen.id}": "1"}))
    prices = plans(shop)
    assert [prices[v.id or 0, "Full Day"].price_paise for v in (chosen, left)] == [50_000, 90_000]
    assert "Prices copied to 2 vehicles" in await answers(tab.copy_prices(source | {"all": "1"}))
    assert plans(shop)[left.id or 0, "Full Day"].price_paise == 50_000


@journey
async def test_only_what_has_a_price_for_a_day_is_offered_to_copy_from(shop: Shop) -> None:
    bare, tab = add_vehicle(shop.vendor, None), await tab_of(shop.vendor, PricesState)
    await answers(tab.load())
    assert [choice.value for choice in tab.choices] == [str(bare.id), str(shop.vehicle.id)]
    assert [choice.value for choice in tab.sources] == [str(shop.vehicle.id)]
    await answers(tab.begin_copy())
    assert tab.source == str(shop.vehicle.id)
    await answers(tab.choose_source(str(bare.id)))
    assert tab.source == str(bare.id)
    told = await answers(tab.copy_prices({"from": str(bare.id), "all": "1"}))
    assert "This vehicle has no active Full Day price" in told
    assert tab.refusal == "This vehicle has no active Full Day price"
    assert list(plans(shop)) == [(shop.vehicle.id, "Full Day")]


@journey
async def test_a_search_finds_what_is_not_drawn_yet_and_draws_on(shop: Shop) -> None:
    for _ in range(59):
        add_vehicle(shop.vendor)
    tab = await loaded(tab_of(shop.vendor, PricesState))
    newest, red = [row.id for row in tab.rows], add_vehicle(shop.vendor, color="Red")
    await answers(tab.search("activa red"))
    assert (tab.visible, tab.count_line) == ([red.id], "1 vehicle")
    # Rows already drawn are only hidden: they may hold typed prices that nobody has saved.
    assert [row.id for row in tab.rows] == [red.id, *newest]
    await answers(tab.search("white"))
    assert (tab.visible, tab.total) == (newest, 60)
    await answers(tab.show_more())
    assert (len(tab.visible), red.id in tab.visible) == (50, False)
    await answers(tab.show_more())
    assert len(tab.visible) == 60
    await answers(tab.search("zeppelin"))
    assert (tab.visible, tab.count_line, len(tab.rows)) == ([], "0 vehicles", 61)
    await answers(tab.search("x" * 10_000))
    assert tab.text == "zeppelin"
    await answers(tab.clear())
    assert (tab.text, tab.total, len(tab.visible)) == ("", 61, 61)


@journey
async def test_a_server_that_has_lost_the_page_draws_what_the_tab_has_drawn(shop: Shop) -> None:
    add_vehicles(shop.vendor, 60)
    before, after = await tab_of(shop.vendor, PricesState), await tab_of(shop.vendor, PricesState)
    await answers(before.load())
    await answers(before.search(shop.vehicle.rc_number))
    await answers(before.clear())
    marks = (await before.get_state(ShownVehiclesState)).marks
    # Only a limited part of what a tab stores is read: each vehicle takes one character of it, whatever its id.
    assert len(marks) == 61
    (await after.get_state(ShownVehiclesState)).marks = marks
    await answers(after.load())
    assert [row.id for row in after.rows] == [row.id for row in before.rows]
    assert (len(after.rows), after.rows[-1].id) == (26, shop.vehicle.id)
    # The tab may claim anything.
    other = open_shop("Elsewhere")
    foreign = await tab_of(other.vendor, PricesState)
    (await foreign.get_state(ShownVehiclesState)).marks = f"{marks} \x00 x 1_0 {'9' * 30}"
    await answers(foreign.load())
    assert [row.id for row in foreign.rows] == [other.vehicle.id]


@journey
async def test_what_is_refused_is_shown_whatever_is_searched(shop: Shop) -> None:
    red, tab = add_vehicle(shop.vendor, color="Red"), await tab_of(shop.vendor, PricesState)
    await answers(tab.load())
    form = form_of(tab, **{f"v{shop.vehicle.id}_1_price": "much"})
    await answers(tab.search("red"))
    assert tab.visible == [red.id]
    await answers(tab.save(form))
    assert tab.visible == [red.id, shop.vehicle.id]


@journey
async def test_the_page_shows_vehicles_by_and_by(shop: Shop) -> None:
    for _ in range(30):
        add_vehicle(shop.vendor)
    tab = await loaded(tab_of(shop.vendor, PricesState))
    assert (len(tab.rows), len(tab.choices)) == (25, 31)
    await answers(tab.show_more())
    assert len(tab.rows) == 31
