"""The numbers of the shop over REST, and where they show: what is refused, what pages and messages say afterwards."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.models import User
from rental_app.web.parts.presenters.links import vehicle_url
from tests.support.console import operator
from tests.support.rest_helpers import bearer, ok, refused, window
from tests.support.rows import each
from tests.support.shop import Shop
from tests.support.site import page, words
from tests.support.trips import confirmed, pay, terms

NUMBERS, CREATE = "/api/operator/words/numbers", "/api/bookings/create"


def sent(client: TestClient, who: User, version: int = 0, **changed: object) -> Any:
    """Put the numbers in force, but for those given."""
    headers = bearer(who)
    value = ok(client.get(NUMBERS, headers=headers))["value"] | changed
    return client.put(NUMBERS, json={"value": value, "version": version}, headers=headers)


def test_numbers_are_read_changed_and_put_back(client: TestClient, shop: Shop) -> None:
    who = operator()
    told = ok(client.get(NUMBERS, headers=bearer(who)))
    assert (told["version"], told["kind"], told["default"]) == (0, "numbers", True)
    assert (told["value"]["earlyHours"], told["value"]["secondHelmet"], told["value"]["commission"]) == (72, 200, 0)
    saved = ok(sent(client, who, secondHelmet=150.5, commission=12.25, speedingFine="₹1,200"))
    assert (saved["version"], saved["value"]["secondHelmet"], saved["value"]["speedingFine"]) == (1, 150.5, 1200)
    assert saved["value"]["commission"] == 12.25
    quote = ok(client.get("/api/bookings/quote", params={"car": shop.vehicle.id, "extras": "helmet"} | window(3, 4)))
    assert [line["amount"] for line in quote["quote"]["lines"]] == [2000, 150.5]
    ok(client.put(NUMBERS, json={"value": told["value"], "version": 1}, headers=bearer(who)))
    assert ok(client.get(NUMBERS, headers=bearer(who)))["value"] == told["value"]


@each(
    ("name", "value"),
    [
        ("speedingFine", -1),
        ("secondHelmet", 99.999),
        ("secondHelmet", "2 hundred"),
        ("commission", 100.5),
        ("commission", 1.234),
        ("earlyPercent", 25.5),
        ("graceMinutes", 10**30),
        ("graceMinutes", True),
        ("graceMinutes", {"minutes": 15}),
        ("helmetDays", None),
        ("earlyHours", 5),
        ("longestDays", 60),
    ],
)
def test_a_wrong_number_changes_nothing_and_is_named(client: TestClient, shop: Shop, name: str, value: object) -> None:
    who = operator()
    refused(sent(client, who, **{name: value}), 422, "invalid_input", f"value.{name}")
    assert ok(client.get(NUMBERS, headers=bearer(who)))["version"] == 0


def test_a_missing_number_an_older_version_and_others_are_refused(client: TestClient, shop: Shop) -> None:
    who = operator()
    value = ok(client.get(NUMBERS, headers=bearer(who)))["value"]
    del value["graceMinutes"]
    short = client.put(NUMBERS, json={"value": value, "version": 0}, headers=bearer(who))
    refused(short, 422, "invalid_input", "value.graceMinutes")
    oddities: tuple[object, ...] = ("72", [], None, 5)
    for odd in oddities:
        assert client.put(NUMBERS, json={"value": odd, "version": 0}, headers=bearer(who)).status_code == 422
    ok(sent(client, who, graceMinutes=20))
    late = sent(client, who, graceMinutes=30)
    assert (late.status_code, late.json()["code"], late.json()["version"]) == (409, "changed_meanwhile", 1)
    assert late.json()["value"]["graceMinutes"] == 20
    refused(
        client.put(NUMBERS, json={"value": value, "version": 1}, headers=bearer(shop.vendor)), 403, "operators_only"
    )
    refused(client.get(NUMBERS, headers=bearer(shop.customer)), 403, "operators_only")


def test_a_booking_over_rest_is_refused_once_its_terms_have_changed(client: TestClient, shop: Shop) -> None:
    asked = {"car": shop.vehicle.id} | window(10, 11)
    shown = ok(client.get("/api/bookings/quote", params=asked))["quote"]["numbers"]
    ok(sent(client, operator(), earlyPercent=50))
    headers = bearer(shop.customer)
    late = client.post(CREATE, json=asked | {"expectedNumbers": shown}, headers=headers)
    assert (late.status_code, late.json()["code"]) == (409, "price_changed")
    now = late.json()["quote"]["numbers"]
    ok(client.post(CREATE, json=asked | {"expectedNumbers": now}, headers=headers))


@pytest.mark.usefixtures("built_pages")
def test_pages_say_the_new_numbers_without_a_build(client: TestClient, shop: Shop) -> None:
    path = vehicle_url(shop.vehicle.id)
    before = words(page(client, path))
    assert "72 hours" in before
    assert "₹200 per 5 days" in before
    ok(sent(client, operator(), earlyHours=96, helmetDays=1))
    after = words(page(client, path))
    assert "96 hours" in after
    assert "72 hours" not in after
    assert "₹200 per day," in after


def test_what_is_about_a_booking_says_its_own_numbers(client: TestClient, shop: Shop) -> None:
    before = confirmed(shop, days=20)
    pay(shop, before.id, before.price)
    ok(sent(client, operator(), noShowHours=6, earlyPercent=60))
    assert terms(shop, before.id).percent == 25
    shown = ok(client.get(f"/api/bookings/{before.reference}/cancellation", headers=bearer(shop.customer)))
    assert shown["percent"] == 25
