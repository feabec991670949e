"""Passing a vehicle on: by the browser's own sheet, else over the clipboard, without the server."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Browse
from tests.support.browser_steps import visit

pytestmark = pytest.mark.e2e


def test_a_vehicle_is_shared_or_its_link_is_copied(browse: Browse, address: str) -> None:
    page = browse(viewport=PHONE, permissions=["clipboard-read", "clipboard-write"])
    visit(page, "/vehicle-details/1?pickupDate=2026-01-01")
    share = page.get_by_role("button", name="Share ")
    page.evaluate("navigator.share = undefined")
    share.click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}/vehicle-details/1"
    page.evaluate("navigator.share = async (given) => { window.shared = given; }")
    share.click()
    page.wait_for_function("window.shared?.url.endsWith('/vehicle-details/1') && window.shared.title")
