"""Drafts and sheets over REST: what a script of a vendor's own can do with them."""

import io
from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.domain.uploads import MAX_SHEET_BYTES, MEGABYTE
from rental_app.services.fleet import drafts
from tests.support.rest_helpers import bearer, ok, part, pdf, refused
from tests.support.sheets import HEADER, xlsx
from tests.support.shop import Shop

HERE = "/api/vendor/drafts"


class Vendor:
    """Makes the calls of one vendor."""

    def __init__(self, client: TestClient, shop: Shop) -> None:
        self.client, self.headers = client, bearer(shop.vendor)

    def call(self, method: str, end: str = "", **more: Any) -> Any:
        return self.client.request(method, f"{HERE}{end}", headers=self.headers, **more)

    def send(self, data: bytes, name: str = "fleet.xlsx") -> Any:
        return self.call("POST", "/import", files=[part("file", data, name)])


@pytest.fixture
def vendor(client: TestClient, shop: Shop) -> Vendor:
    return Vendor(client, shop)


def test_a_draft_is_begun_read_saved_and_deleted(vendor: Vendor) -> None:
    begun = ok(vendor.call("POST", json={"fields": {"rc_number": "TS09EA0001", "color": ""}}))["draft"]
    assert begun == {
        "id": begun["id"],
        "title": "TS09EA0001",
        "edition": 1,
        "savedAt": begun["savedAt"],
        "fields": {"rc_number": "TS09EA0001"},
    }
    path = f"/{begun['id']}"
    assert ok(vendor.call("GET", path))["draft"] == begun
    change = {"fields": {"color": "Red"}, "edition": 1}
    saved = ok(vendor.call("PUT", path, json=change))["draft"]
    assert (saved["edition"], saved["fields"]) == (2, {"color": "Red"})
    refused(vendor.call("PUT", path, json=change), 409, "draft_elsewhere")
    (listed,) = ok(vendor.call("GET"))["drafts"]
    assert listed == {name: saved[name] for name in ("id", "title", "edition", "savedAt")}
    ok(vendor.call("DELETE", path))
    for method, more in (("GET", {}), ("DELETE", {}), ("PUT", {"json": change | {"edition": 2}})):
        refused(vendor.call(method, path, **more), 404, "unknown_draft")
    assert ok(vendor.call("GET"))["drafts"] == []


def test_a_draft_can_be_like_a_vehicle(vendor: Vendor, shop: Shop) -> None:
    made = ok(vendor.call("POST", json={"like": shop.vehicle.id}))["draft"]["fields"]
    assert (made["model"], made["security_deposit"], made["prices.0.price"]) == ("1", "2000", "500")
    assert "rc_number" not in made
    refused(vendor.call("POST", json={"like": 999_999}), 404, "unknown_vehicle")


def test_the_two_hundred_and_first_is_refused(vendor: Vendor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_DRAFTS", 1)
    ok(vendor.call("POST", json={}))
    refused(vendor.call("POST", json={}), 409, "too_many_drafts")


def test_malformed_drafts_are_refused(vendor: Vendor) -> None:
    draft = ok(vendor.call("POST", json={}))["draft"]
    many = {str(number): "" for number in range(99)}
    wrong: list[Any] = [{"a": 5}, [], {"x" * 61: ""}, many]
    for fields in wrong:
        assert vendor.call("POST", json={"fields": fields}).status_code == 422
    refused(vendor.call("POST", json={"field": {}}), 422, "unknown_field", "field")
    refused(vendor.call("PUT", f"/{draft['id']}", json={"fields": {}}), 422, "invalid_input", "edition")
    assert vendor.call("PUT", f"/{draft['id']}", json={"fields": {"files.RC": "[5]"}, "edition": 1}).status_code == 422
    unseen = ok(vendor.call("POST", json={"fields": {"color": "a\x00b"}}))["draft"]
    assert unseen["fields"] == {"color": "a�b"}


def test_a_sheet_becomes_drafts(vendor: Vendor, shop: Shop) -> None:
    rows: list[list[Any]] = [
        ["TS09EA0001", "Activa 6G", 450, "2,000"],
        ["TS09EA0002", "Zephyr"],
        [shop.vehicle.rc_number, "Activa 6G"],
    ]
    answer = ok(vendor.send(xlsx([["Our fleet"], HEADER, *rows])))
    assert answer["message"] == "2 drafts made, 2 problems"
    assert [draft["title"] for draft in answer["drafts"]] == ["TS09EA0002", "Honda Activa 6G TS09EA0001"]
    assert answer["problems"] == [
        {"row": 4, "column": "Model", "message": "Zephyr: We do not have this model: choose it in the draft"},
        {"row": 5, "column": "Reg No", "message": "You have listed a vehicle with this RC number"},
    ]
    assert len(ok(vendor.call("GET"))["drafts"]) == 2
    again = ok(vendor.send("﻿Reg No;Model\nTS09EA0003;=1+1\n".encode(), "fleet.csv"))
    assert [draft["title"] for draft in again["drafts"]] == ["TS09EA0003"]


def test_a_sheet_is_taken_once_with_a_key(vendor: Vendor) -> None:
    vendor.headers |= {"Idempotency-Key": "one"}
    sheet = xlsx([HEADER, ["TS09EA0001", "Activa 6G"]])
    assert ok(vendor.send(sheet)) == ok(vendor.send(sheet))
    assert len(ok(vendor.call("GET"))["drafts"]) == 1
    refused(vendor.send(xlsx([HEADER, ["TS09EA0002", ""]])), 409, "idempotency_key_reused")


def test_what_is_no_sheet_is_refused_and_makes_nothing(vendor: Vendor) -> None:
    refused(vendor.send(pdf()), 415, "unsupported_type", "file")
    refused(vendor.send(xlsx([])), 422, "empty_sheet", "file")
    refused(vendor.send(xlsx([["a", "b"], [1, 2]])), 422, "no_header", "file")
    refused(vendor.send(bytes(MAX_SHEET_BYTES + 1)), 413, "too_large", "file")
    refused(vendor.send(bytes(40 * MEGABYTE)), 413, "too_large")
    refused(vendor.call("POST", "/import", files=[part("sheet", b"x")]), 422, "missing_part", "file")
    assert ok(vendor.call("GET"))["drafts"] == []


def test_another_vendors_drafts_do_not_exist(client: TestClient, vendor: Vendor, shop: Shop) -> None:
    draft = ok(vendor.call("POST", json={}))["draft"]
    other = dict(headers=bearer(shop.customer))
    refused(client.get(HERE, **other), 403, "vendors_only")
    refused(client.post(f"{HERE}/import", files=[part("file", io.BytesIO(b"x").read())], **other), 403, "vendors_only")
    assert ok(vendor.call("GET", f"/{draft['id']}"))["draft"] == draft
