"""The vendor's earnings on a phone: viewed, by vehicle, and downloaded as files."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.models import LedgerEntry, User
from rental_app.services.bookings import create
from tests.e2e.conftest import PHONE, Browse
from tests.support import axe
from tests.support.axe import problems
from tests.support.booking_steps import alter
from tests.support.browser_steps import visit
from tests.support.shop import Shop, actor, put, wanted

pytestmark = pytest.mark.e2e
FITS = "table => table.parentElement.scrollWidth <= table.parentElement.clientWidth"


@pytest.mark.dates
def test_earnings_are_read_and_taken_along(browse: Browse, shop: Shop) -> None:
    made = write(create.create, actor(shop.customer), wanted(shop.vehicle))
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


def test_a_tablet_shows_the_whole_table(browse: Browse, shop: Shop) -> None:
    alter(User, shop.vendor.id, created_at=clock.now() - timedelta(days=400))
    made = write(create.create, actor(shop.customer), wanted(shop.vehicle))
    put(LedgerEntry(booking_id=made.id, kind="payment", paise=12_345_600))
    put(LedgerEntry(booking_id=made.id, kind="deposit taken", paise=12_345_600))
    page = browse(shop.vendor, reduced_motion="reduce")
    for width in (768, 1024):
        page.set_viewport_size({"width": width, "height": 900})
        visit(page, "/vendor/earnings")
        table = page.get_by_role("table", name="Earnings")
        expect(table.get_by_role("button")).to_have_count(12)
        assert table.evaluate(FITS), width
