"""The vendor's earnings on a phone: viewed, by vehicle, and downloaded as files."""

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.models import LedgerEntry
from rental_app.services.bookings import requests
from tests.e2e.conftest import PHONE, Browse
from tests.support import axe
from tests.support.axe import problems
from tests.support.browser_steps import visit
from tests.support.shop import Shop, actor, put, wanted

pytestmark = pytest.mark.e2e


@pytest.mark.dates
def test_earnings_are_read_and_taken_along(browse: Browse, shop: Shop) -> None:
    made = write(requests.create, actor(shop.customer), wanted(shop.vehicle))
    put(LedgerEntry(booking_id=made.id, kind="payment", paise=45_000))
    page = browse(shop.vendor, viewport=PHONE, reduced_motion="reduce")
    visit(page, "/vendor/earnings")
    table = page.get_by_role("table", name="Earnings")
    month = f"{clock.indian_today(clock.now()):%B %Y}"
    expect(table.get_by_role("row").filter(has_text=month)).to_contain_text("₹450")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert problems(page, axe.source()) == []
    with page.expect_download() as statement:
        page.get_by_role("button", name=f"PDF statement of {month}").click()
    assert statement.value.path().read_bytes().startswith(b"%PDF-")

    page.get_by_label("A row for each").select_option("Vehicle")
    expect(table.get_by_role("row").filter(has_text=shop.vehicle.rc_number)).to_contain_text("₹450")
    with page.expect_download() as sheet:
        page.get_by_role("button", name="Spreadsheet (CSV)").click()
    assert "450" in sheet.value.path().read_text("utf-8-sig")
