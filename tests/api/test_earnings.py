"""Earnings, statements and the list of bookings over REST, as JSON, CSV and PDF."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from limits import parse
from pypdf import PdfReader

from rental_app.domain import clock
from rental_app.models import User, Vehicle
from rental_app.services import throttle
from rental_app.services.throttle import Limit
from tests.conftest import Clock
from tests.support.booking_steps import alter, book
from tests.support.pdfs import NAMES
from tests.support.rest_helpers import bearer, ok, refused
from tests.support.shop import DAILY_PAISE, Shop, add_user, add_vehicle, wanted
from tests.support.trips import confirmed, pay

BOOKINGS, EARNINGS = "/api/bookings/vendor", "/api/vendor/earnings"


def table(body: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(body.decode("utf-8-sig"))))


def test_earnings_as_json_and_for_a_spreadsheet(client: TestClient, shop: Shop) -> None:
    joined = clock.now() - timedelta(days=800)
    alter(User, shop.vendor.id, commission_bps=1000, created_at=joined, name=NAMES["noto-sans-telugu"])
    trip = confirmed(shop)
    pay(shop, trip.reference, DAILY_PAISE + 5)
    vendor, month = bearer(shop.vendor), f"{clock.indian(clock.now()):%Y-%m}"
    body = ok(client.get(EARNINGS, headers=vendor))
    assert (len(body["rows"]), body["rows"][-1]["key"]) == (12, month)
    money = {"charged": 1000, "received": 500.05, "commission": 50.01, "net": 450.04}
    assert body["total"] == money | {"depositsHeld": 0, "utilisation": 0}
    by_vehicle = client.get(f"{EARNINGS}.csv", params={"by": "vehicle"}, headers=vendor)
    assert by_vehicle.headers["content-type"].startswith("text/csv")
    head, row, total = table(by_vehicle.content)
    assert head == ["Vehicle", "Charged", "Received", "Commission", "Net", "Deposits held", "Utilisation %"]
    assert row[0].endswith(shop.vehicle.rc_number)
    assert row[1:] == total[1:] == ["1000.00", "500.05", "50.01", "450.04", "0.00", "0.00"]
    paper = client.get(f"/api/vendor/statements/{month}.pdf", headers=vendor)
    assert (paper.status_code, paper.headers["content-type"]) == (200, "application/pdf")
    (page,) = PdfReader(io.BytesIO(paper.content)).pages
    assert "?" not in page.extract_text(), "names are shown in their scripts"
    for unknown in ("2026-13", "2021-01"):
        refused(client.get(f"/api/vendor/statements/{unknown}.pdf", headers=vendor), 404, "unknown_month")
    refused(client.get(EARNINGS, params={"by": "day"}, headers=vendor), 422, "invalid_input", "by")
    refused(client.get(EARNINGS, params={"from": "2020-01-01"}, headers=vendor), 422, "invalid_input", "to")


def test_the_statement_of_a_month_that_is_over_is_the_same_file_for_good(
    client: TestClient, shop: Shop, stopped_clock: Clock
) -> None:
    pay(shop, confirmed(shop).reference, DAILY_PAISE)
    path, vendor = f"/api/vendor/statements/{clock.indian(clock.now()):%Y-%m}.pdf", bearer(shop.vendor)
    running = client.get(path, headers=vendor).content
    stopped_clock.instant = clock.month_bounds(stopped_clock.instant)[1] + timedelta(minutes=1)
    vendor = bearer(shop.vendor)
    before = client.get(path, headers=vendor).content
    assert before != running
    alter(Vehicle, shop.vehicle.id, rc_number="TS99ZZ9999")
    alter(User, shop.vendor.id, name="Somebody Else")
    assert client.get(path, headers=vendor).content == before


@pytest.mark.usefixtures("rate_limits")
def test_a_line_on_paper_weighs_more_than_a_row(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "ROWS", Limit(parse("20 per hour"), parse("1000 per hour")))
    confirmed(shop)
    month, vendor = f"{clock.indian(clock.now()):%Y-%m}", bearer(shop.vendor)
    assert client.get(f"/api/vendor/statements/{month}.pdf", headers=vendor).status_code == 200
    assert client.get(f"/api/vendor/statements/{month}.pdf", headers=vendor).status_code == 429


def test_formulas_in_a_table_stay_texts(client: TestClient, shop: Shop) -> None:
    formulas = ("=HYPERLINK(1)", "+1", "-1", "@SUM(1)", " =1", "\uff1d1", "\n-1")
    for name in (*formulas, 'Asha, "the" Rider'):
        day = 3 + 2 * len(table(client.get("/api/vendor/bookings.csv", headers=bearer(shop.vendor)).content))
        book(add_user(name=name), wanted(shop.vehicle, day))
    rows = table(client.get("/api/vendor/bookings.csv", headers=bearer(shop.vendor)).content)
    assert [row[2] for row in rows[:0:-1]] == [*(f"'{name}" for name in formulas), 'Asha, "the" Rider']
    assert {row[5] for row in rows[1:]} == {shop.vehicle.rc_number}


@pytest.mark.databases
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_bookings_are_found_filtered_and_sorted(client: TestClient, shop: Shop, kind: str) -> None:
    vendor = bearer(shop.vendor)
    second = add_vehicle(shop.vendor)
    asha, ravi = add_user(name="Asha Rao", phone_number="9848012345"), add_user(name="Ravi 100%")
    late = book(asha, wanted(shop.vehicle, 9))
    soon = book(ravi, wanted(second, 2))
    done = confirmed(shop, days=5)

    def found(**asked: Any) -> list[str]:
        return [one["reference"] for one in ok(client.get(BOOKINGS, params=asked, headers=vendor))["bookings"]]

    assert found() == [done.reference, soon.reference, late.reference]
    assert found(sort="pickup") == [soon.reference, done.reference, late.reference]
    assert found(sort="deadline")[-1] == done.reference
    assert found(vehicle=second.id) == found(q="100%") == found(q=second.rc_number.lower()) == [soon.reference]
    assert found(q="asha rao") == found(q=late.reference[3:].lower()) == [late.reference]
    assert found(q="9848012345") == [], "a phone number that is not shown yet is not found either"
    assert found(q=shop.customer.phone_number) == [done.reference]
    copied = f"+91 {shop.customer.phone_number[:5]}-{shop.customer.phone_number[5:]}"
    assert found(q=copied) == [done.reference]
    assert found(q=f"{second.rc_number[:2]}-{second.rc_number[2:4]} {second.rc_number[4:]}") == [soon.reference]
    assert found(q="_") == []
    assert found(status="pending", sort="pickup") == [soon.reference, late.reference]
    first = ok(client.get(BOOKINGS, params={"sort": "pickup", "limit": 2}, headers=vendor))
    assert (first["total"], first["next_cursor"]) == (3, 2)
    assert found(sort="pickup", limit=2, cursor=2) == [late.reference]
    listed = client.get("/api/vendor/bookings.csv", params={"sort": "pickup", "vehicle": second.id}, headers=vendor)
    assert [row[0] for row in table(listed.content)[1:]] == [soon.reference]
    refused(client.get(BOOKINGS, params={"sort": "price"}, headers=vendor), 422, "invalid_input", "sort")
    refused(client.get(BOOKINGS, params={"month": "2026-13"}, headers=vendor), 422, "invalid_input", "month")
    reversed_days = {"from": "2030-12-01", "to": "2030-11-30"}
    for path in (BOOKINGS, "/api/vendor/bookings.csv"):
        refused(client.get(path, params=reversed_days, headers=vendor), 422, "invalid_input", "to")
    assert found(**{"from": "2030-12-01", "to": "2030-12-01"}) == found(month="2030-12") == []
