"""A guest's page in a browser, and the vendor's way of sending its link again."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Browse, Complaints
from tests.support import axe
from tests.support.browser_steps import settled, taken_over, visit
from tests.support.guests import at_counter, secret_of, texts
from tests.support.rows import each
from tests.support.shop import Shop, moment

pytestmark = pytest.mark.e2e


@each(("width", "days"), [(390, 1), (1440, 5)])
def test_a_guest_reads_the_booking_before_scripts_and_after(browse: Browse, shop: Shop, width: int, days: int) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(days), moment(days + 1))
    path = f"/trip/{secret_of(texts()[-1])}"
    size: dict[str, Any] = {"viewport": {"width": width, "height": 900}}
    plain = browse(**size, java_script_enabled=False)
    plain.goto(path)
    said = plain.get_by_role("main").inner_text()
    assert made.reference in said
    page = browse(**size)
    visit(page, path)
    taken_over(page)
    settled(page)
    assert page.get_by_role("main").inner_text() == said
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate(axe.source())
    assert axe.violations_by_theme(page, width) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Receipt (PDF)").click()
    assert download.value.suggested_filename == "receipt.pdf"


def test_a_link_that_has_ended_is_not_found(browse: Browse, shop: Shop, complaints: Complaints) -> None:
    complaints.expected.append("status of 404")
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2))
    ended = f"/trip/{secret_of(texts()[-1])}"
    vendor = browse(shop.vendor)
    visit(vendor, f"/vendor/bookings/{made.reference}")
    vendor.get_by_role("button", name="Send the link again").click()
    expect(vendor.get_by_text("The link is on its way")).to_be_visible()
    page = browse()
    answer = page.goto(ended)
    assert answer
    assert answer.status == 404
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    visit(page, f"/trip/{secret_of(texts()[-1])}")
    taken_over(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Honda Activa 6G")
