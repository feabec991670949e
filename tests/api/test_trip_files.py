"""What a booking's customer takes along over REST: the calendar file and the receipt."""

import io
from typing import Any

import pytest
from fastapi.testclient import TestClient
from icalendar import Calendar
from pypdf import PdfReader

from rental_app.domain.money import format_rupees
from rental_app.models import User
from tests.support.booking_steps import alter
from tests.support.pdfs import NAMES
from tests.support.rest_helpers import Sides, ok, refused
from tests.support.shop import DEPOSIT_PAISE, Shop, moment
from tests.support.trips import pay


@pytest.fixture
def sides(client: TestClient, shop: Shop) -> Sides:
    """A client of a one-day booking, four days from now."""
    return Sides(client, shop)


def test_the_calendar_file_is_read_by_calendars_and_follows_the_booking(sides: Sides) -> None:
    asked = _entry(sides)
    sides.confirm()
    confirmed = _entry(sides)
    ok(sides.post("/cancel", {"kept": 0}))
    cancelled = _entry(sides)
    versions = (asked, confirmed, cancelled)
    assert len({entry["UID"] for _, entry in versions}) == 1
    assert [method for method, _ in versions] == ["PUBLISH", "PUBLISH", "CANCEL"]
    assert [entry["STATUS"] for _, entry in versions] == ["TENTATIVE", "CONFIRMED", "CANCELLED"]
    assert [int(entry["SEQUENCE"]) for _, entry in versions] == [0, 1, 2]
    assert (asked[1].start, asked[1].end) == (moment(4), moment(5))


def _entry(sides: Sides) -> tuple[str, Any]:
    file = sides.get("/calendar.ics")
    assert (file.status_code, file.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert file.headers["cache-control"] == "no-store"
    calendar = Calendar.from_ical(file.content)
    return str(calendar["METHOD"]), calendar.events[0]


def test_the_receipt_is_a_page_with_every_line(sides: Sides) -> None:
    refused(sides.get("/receipt.pdf"), 409, "not_confirmed")
    sides.confirm()
    for user in (sides.shop.customer, sides.shop.vendor):
        alter(User, user.id, name=NAMES["noto-sans-devanagari"])
    ok(sides.pay(100, note="पेशगी"))
    file = sides.get("/receipt.pdf")
    assert (file.status_code, file.headers["content-type"]) == (200, "application/pdf")
    assert file.headers["content-disposition"] == 'attachment; filename="receipt.pdf"'
    pdf = PdfReader(io.BytesIO(file.content))
    (page,) = [page.extract_text() for page in pdf.pages]
    assert "?" not in page, "names are shown in their scripts"
    assert sides.ref in str(pdf.metadata)
    amounts = [format_rupees(round(line["amount"] * 100)) for line in ok(sides.get())["booking"]["ledger"]]
    assert len(amounts) >= 2
    assert [amount for amount in amounts if amount not in page] == []
    assert "Nothing held" not in page


def test_the_receipt_says_who_holds_the_deposit_until_when(sides: Sides) -> None:
    sides.confirm()
    pay(sides.shop, sides.ref, DEPOSIT_PAISE, "deposit")
    text = PdfReader(io.BytesIO(sides.get("/receipt.pdf").content)).pages[0].extract_text()
    assert f"₹2,000 held by {sides.shop.vendor.name}, back " in " ".join(text.split())
    assert "Settled" not in text
