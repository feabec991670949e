"""Invoices, notes and agreements over REST: for both sides, members, operators, and whoever has a guest's link."""

import io
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pypdf import PdfReader

from rental_app.models import User
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.guests import secret_of, texts
from tests.support.rest_helpers import Sides, asked, bearer, hire, ok, refused
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, add_user, moment
from tests.support.site import page, words
from tests.support.trips import at_return, charge, hand_over, pay, seen, take_back

GST = {"gst_name": "Sri Balaji Rentals", "gst_number": "36ZZZFZ1001Z1ZT"}


@pytest.fixture
def sides(client: TestClient, shop: Shop) -> Sides:
    """A client of a confirmed booking of a vendor with a GST number."""
    alter(User, shop.vendor.id, **GST)
    sides = Sides(client, shop)
    sides.confirm()
    return sides


def bring_back(shop: Shop, ref: str, clock: Clock) -> None:
    trip = seen(shop.vendor, ref)
    clock.instant = trip.pickup
    pay(shop, ref, trip.price)
    pay(shop, ref, DEPOSIT_PAISE, "deposit")
    hand_over(shop, ref)
    at_return(clock, trip)
    take_back(shop, ref)


def text_of(answer: Any) -> str:
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    pages = PdfReader(io.BytesIO(answer.content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_an_invoice_and_its_notes_are_listed_and_loaded_by_everybody_of_the_booking(
    sides: Sides, stopped_clock: Clock
) -> None:
    refused(sides.get("/invoice.pdf"), 409, "not_issued")
    assert ok(sides.get())["booking"]["invoices"] == []
    bring_back(sides.shop, sides.ref, stopped_clock)
    line = charge(sides.shop, sides.ref, "toll", 80).ledger[-2].id
    invoice, note = ok(sides.get())["booking"]["invoices"]
    assert invoice == {
        "number": "26-27/0001",
        "kind": "invoice",
        "issuedAt": invoice["issuedAt"],
        "total": DAILY_PAISE // 100,
        "url": f"/api/bookings/{sides.ref}/invoice.pdf",
    }
    assert (note["number"], note["kind"], note["total"]) == ("DN/26-27/0001", "debit note", 80)
    assert note["url"] == f"/api/bookings/{sides.ref}/notes/{line}.pdf"
    for user in (sides.shop.customer, sides.shop.vendor, hire(sides.shop), add_user("Operator")):
        for paper in (invoice, note):
            told = text_of(sides.client.get(paper["url"], headers=bearer(user)))
            assert (paper["number"] in told, GST["gst_number"] in told) == (True, True)
    refused(sides.get("/notes/1.pdf"), 404, "unknown_note")
    refused(sides.get("/notes/x.pdf"), 422, "invalid_input", "entry")


def test_a_vendor_without_a_gst_number_issues_none(client: TestClient, shop: Shop, stopped_clock: Clock) -> None:
    sides = Sides(client, shop)
    refused(sides.get("/invoice.pdf"), 409, "no_gst_number")
    refused(sides.get("/agreement.pdf"), 409, "not_confirmed")
    sides.confirm()
    bring_back(shop, sides.ref, stopped_clock)
    refused(sides.get("/invoice.pdf"), 409, "no_gst_number")
    assert "GSTIN" not in text_of(sides.get("/agreement.pdf"))


def test_an_agreement_is_there_from_the_confirmation_on(sides: Sides) -> None:
    told = text_of(sides.get("/agreement.pdf"))
    for fact in (sides.ref, GST["gst_name"], sides.shop.customer.name, sides.shop.vehicle.rc_number):
        assert fact in told, fact
    assert sides.get("/agreement.pdf").content == sides.get("/agreement.pdf").content


def test_a_guest_finds_them_below_the_link(
    client: TestClient, shop: Shop, built_pages: Path, stopped_clock: Clock
) -> None:
    alter(User, shop.vendor.id, **GST)
    stopped_clock.instant = moment(0, 12)
    made = ok(client.post("/api/vendor/bookings", json=asked(shop), headers=bearer(shop.vendor)))["booking"]
    path = f"/trip/{secret_of(texts()[0])}"
    refused(client.get(f"{path}/invoice.pdf"), 409, "not_issued")
    bring_back(shop, made["reference"], stopped_clock)
    line = charge(shop, made["reference"], "late", 118, proof=[]).ledger[-2].id
    html = page(client, path)
    for file in ("invoice.pdf", f"notes/{line}.pdf", "agreement.pdf"):
        assert f'href="{path}/{file}"' in html
        assert made["reference"] in text_of(client.get(f"{path}/{file}"))
    assert "Tax invoice 26-27/0001" in words(html)
    refused(client.get(f"{path}/notes/1.pdf"), 404, "unknown_note")
    for file in ("invoice.pdf", f"notes/{line}.pdf", "agreement.pdf"):
        refused(client.get(f"/trip/wrong/{file}"), 404, "unknown_booking")


def test_a_profile_without_a_rate_keeps_its_own_and_no_other_rate_is_taken(client: TestClient, shop: Shop) -> None:
    vendor = bearer(shop.vendor)
    form = {"address": "12 Road", "zipCode": "500032", "city": "Hyderabad", "gst_number": GST["gst_number"]}
    for sent, kept in (({}, 18), ({"gst_rate": 5}, 5), ({}, 5), ({"gst_rate": "40"}, 40), ({"gst_rate": None}, 40)):
        ok(client.put("/api/user/update", json=form | sent, headers=vendor))
        assert ok(client.get("/api/user/data", headers=vendor))["user"]["gst_rate"] == kept
    for wrong in (17, 0, -18, "", 18.5):
        refused(
            client.put("/api/user/update", json=form | {"gst_rate": wrong}, headers=vendor),
            422,
            "invalid_input",
            "gst_rate",
        )


def test_earnings_say_what_was_invoiced_and_list_it_for_a_spreadsheet(sides: Sides, stopped_clock: Clock) -> None:
    bring_back(sides.shop, sides.ref, stopped_clock)
    tax = ok(sides.client.get("/api/vendor/earnings", headers=sides.vendor))["tax"]
    assert tax == {"count": 1, "taxable": 423.72, "cgst": 38.14, "sgst": 38.14, "igst": 0, "untaxed": 0, "total": 500}
    sheet = sides.client.get("/api/vendor/invoices.csv", headers=sides.vendor)
    assert sheet.headers["content-type"].startswith("text/csv")
    head, row, total = sheet.text.removeprefix("\ufeff").splitlines()
    assert head.startswith("Date,Number,Kind,Booking,Taxable value,CGST,SGST,IGST,Not taxed,Total")
    assert row.endswith(f"26-27/0001,invoice,{sides.ref},423.72,38.14,38.14,0.00,0.00,500.00")
    assert total == "Total,,,,423.72,38.14,38.14,0.00,0.00,500.00"
    refused(sides.client.get("/api/vendor/invoices.csv", headers=sides.customer), 403, "vendors_only")
