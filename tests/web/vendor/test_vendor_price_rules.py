"""Price rules on their page: previewed while typing, created, changed and removed; and the day's price in the fleet."""

import json
from datetime import timedelta

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.schemas.prices import FleetPrices, PriceRuleIn
from rental_app.services.fleet import price_rules, prices
from rental_app.web.vendor.manage_vehicles.day_price import DayPriceState
from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.prices.rules_state import PriceRulesState
from rental_app.web.vendor.prices.state import PricesState
from tests.support.shop import Shop, actor, add_vehicle, moment, open_shop
from tests.support.state_tabs import answers, journey, tab_of

TODAY = clock.indian_today(moment(0))


async def rules_of(user: User) -> PriceRulesState:
    """Load the page of prices."""
    tab = await tab_of(user, PriceRulesState)
    await answers((await tab.get_state(PricesState)).load())
    await answers(tab.load())
    return tab


def paid(tab: PriceRulesState) -> tuple[str, str]:
    assert tab.preview, tab.preview_problem
    return tab.preview.before, tab.preview.total


@journey
async def test_a_rule_is_tried_as_it_is_typed_then_made_changed_and_removed(shop: Shop) -> None:
    tab = await rules_of(shop.vendor)
    assert "price-rule" in await answers(tab.begin())
    assert (tab.rule, tab.preview, tab.form["car"]) == (0, None, str(shop.vehicle.id))
    await answers(tab.note_typed({"percent": "20 %"}))
    assert paid(tab) == ("₹500", "₹600")
    assert tab.preview.dates.startswith("Sat ")
    assert [(line.label, line.value) for line in tab.preview.lines] == [("1 × Full Day at ₹600", "₹600")]
    await answers(tab.note_typed({"direction": "cheaper"}))
    assert paid(tab) == ("₹500", "₹400")
    first = TODAY + timedelta(days=5)
    dates = {"when": "dates", "from": first.isoformat(), "to": (first + timedelta(days=1)).isoformat()}
    await answers(
        tab.note_typed(dates | {"direction": "dearer", "returnDate": (TODAY + timedelta(days=8)).isoformat()})
    )
    assert tab.by_dates
    assert paid(tab) == ("₹1,500", "₹1,700")
    assert read(price_rules.of_vendor, actor(shop.vendor)) == []

    form = dict(tab._typed)
    assert "Price rule added" in await answers(tab.save(form))
    (line,) = tab.rules
    assert line.days == f"{clock.friendly_day(first)} to {clock.friendly_day(first + timedelta(days=1))}"
    assert (line.vehicles, line.change) == ("All vehicles", "20 % dearer")
    await answers(tab.edit(line.id))
    await answers(tab.note_typed({"percent": "50", "vehicle": str(shop.vehicle.id)}))
    assert (paid(tab), tab.for_all) == (("₹600", "₹750"), False)
    assert "Price rule changed" in await answers(tab.save(tab._typed | {"rule": str(line.id)}))
    assert [(line.change, line.vehicles[:13]) for line in tab.rules] == [("50 % dearer", "Honda Activa ")]
    assert "remove-price-rule" in await answers(tab.ask_remove(line.id))
    assert "Price rule removed" in await answers(tab.remove())
    assert tab.rules == []


@journey
async def test_weekdays_in_a_row_are_shown_as_they_were_chosen(shop: Shop) -> None:
    tab = await rules_of(shop.vendor)
    for when, until, shown in (
        ("Saturday", "Monday", "Saturday to Monday"),
        ("Monday", "Sunday", "Monday to Sunday"),
        ("Monday,Thursday", "", "Every Monday, Thursday"),
    ):
        form = {"when": when, "until": until, "vehicle": "", "direction": "dearer", "percent": "10"}
        await answers(tab.save(form))
        line = next(one for one in tab.rules if one.days == shown)
        assert (line.form["when"], line.form.get("until", "")) == (when, until)
        await answers(tab.ask_remove(line.id))
        await answers(tab.remove())


@journey
async def test_a_rule_that_the_server_has_lost_is_changed_all_the_same(shop: Shop) -> None:
    first, last = TODAY + timedelta(days=5), TODAY + timedelta(days=6)
    dates = {"from": first.isoformat(), "to": last.isoformat()}
    rule = write(price_rules.add, actor(shop.vendor), PriceRuleIn.model_validate(dates | {"percent": 20}))
    kept = {"rule": str(rule.id), "when": "dates", "vehicle": "", "direction": "cheaper", "percent": "30"} | dates
    # What is left of the tab after a restart.
    tab = await rules_of(shop.vendor)
    await answers(tab.regain(True, json.dumps(kept)))
    assert (tab.rule, tab.editing, tab.by_dates) == (rule.id, True, True)
    assert (tab.form["percent"], tab.form["from"]) == ("30", dates["from"])
    assert paid(tab) == ("₹600", "₹350")
    tab = await rules_of(shop.vendor)
    assert "Price rule changed" in await answers(tab.save(kept))
    assert [line.change for line in tab.rules] == ["30 % cheaper"]


@journey
async def test_what_cannot_be_a_rule_is_told_beside_its_field(shop: Shop) -> None:
    tab = await rules_of(shop.vendor)
    await answers(tab.begin())
    rule = {"when": "dates", "from": "2026-12-02", "to": "2026-12-01", "direction": "dearer", "percent": "20"}
    for wrong, field in (
        ({}, "to"),
        ({"to": ""}, "to"),
        ({"when": "Someday"}, "when"),
        ({"when": "Sunday", "percent": ""}, "percent"),
        ({"when": "Sunday", "vehicle": "x"}, "vehicle"),
    ):
        assert f"rule-{field}" in await answers(tab.save(rule | wrong))
        assert list(tab.errors) == [field]
    theirs = open_shop("Elsewhere")
    foreign = {"when": "Sunday", "vehicle": str(theirs.vehicle.id)}
    assert "There is no such vehicle" in await answers(tab.save(rule | foreign))
    for typed, problem in (
        (rule, "The last day comes before the first"),
        (rule | foreign, "There is no such vehicle"),
        (rule | {"when": "Sunday", "vehicle": "", "pickupDate": "2026-12-01", "returnDate": "2026-11-01"}, "after"),
        ({"pickupDate": "9999-12-31", "returnDate": ""}, "Choose the days of pickup and return"),
        ({"pickupDate": "soon"}, "Choose the days of pickup and return"),
    ):
        await answers(tab.note_typed(typed))
        assert tab.preview is None
        assert problem in tab.preview_problem
    assert read(price_rules.of_vendor, actor(shop.vendor)) == []


@journey
async def test_the_days_price_is_changed_in_the_row(shop: Shop) -> None:
    bare = add_vehicle(shop.vendor, None)
    tab = await tab_of(shop.vendor, DayPriceState)
    fleet = await tab.get_state(FleetState)
    await answers(fleet.load())
    vehicle = shop.vehicle.id or 0

    def stored() -> dict[int, tuple[int, int, str]]:
        found = read(prices.of_vendor, actor(shop.vendor))
        return {price.vehicle: (price.price_paise, price.kms_limit, price.status) for price in found}

    await answers(tab.begin(open_shop("Elsewhere").vehicle.id or 0))
    assert tab.vehicle == 0
    await answers(tab.begin(vehicle))
    assert (tab.vehicle, tab.shown) == (vehicle, "500")
    assert "error" in await answers(tab.save({"day-price": "0"}))
    assert tab.error
    other = {"vehicle": vehicle, "price_name": "Full Day", "price": 600}
    write(prices.change, actor(shop.vendor), FleetPrices.model_validate([other]))
    assert "₹600" in await answers(tab.save({"day-price": "Rs 1,250"}))
    assert stored()[vehicle] == (60_000, 100, "Active")
    assert "Price saved" in await answers(tab.save({"day-price": "Rs 1,250"}))
    assert (stored()[vehicle], tab.vehicle) == ((125_000, 100, "Active"), 0)
    await answers(fleet.load())
    await answers(tab.begin(bare.id or 0))
    assert tab.shown == ""
    assert "Price saved" in await answers(tab.save({"day-price": "450"}))
    assert stored()[bare.id or 0] == (45_000, 0, "Active")
    await answers(tab.begin(vehicle))
    assert f"day-price-{vehicle}" in await answers(tab.leave())
    assert tab.vehicle == 0
