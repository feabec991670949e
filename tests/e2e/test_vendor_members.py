"""People who help a vendor: added on the profile, they answer a request, see no money, and lose access at once."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Browse
from tests.support import axe
from tests.support.axe import problems
from tests.support.browser_steps import settled, toast, visit, without_beats
from tests.support.shop import Shop, add_user
from tests.support.vendor_requests import book, stored_status

pytestmark = pytest.mark.e2e


def test_a_member_answers_sees_no_money_and_is_out_at_once(browse: Browse, shop: Shop) -> None:
    first, second, person = book(shop), book(shop, 6), add_user()
    vendor = browse(shop.vendor, reduced_motion="reduce")
    visit(vendor, "/vendor/profile")
    people = vendor.get_by_role("region", name="People who help you")
    expect(people.get_by_text("Nobody yet.")).to_be_visible()
    email = people.get_by_label("Email of a person with an account here")
    email.press_sequentially("nobody@example.com")
    email.press("Enter")
    expect(people.get_by_text("ask them to create an account first")).to_be_visible()
    email.fill("")
    email.press_sequentially(person.email)
    email.press("Enter")
    expect(people.get_by_role("listitem").filter(has_text=person.email)).to_be_visible()
    expect(email).to_have_value("")
    assert problems(vendor, axe.source()) == []

    helper = browse(person, viewport=PHONE, reduced_motion="reduce")
    visit(helper, "/vendor")
    expect(helper.get_by_text(f"You work for {shop.vendor.name}.")).to_be_visible()
    pages = helper.get_by_role("navigation", name="Vendor").get_by_role("link")
    expect(pages).to_have_text(["Dashboard", "Manage Bookings", "Calendar"])
    expect(helper.get_by_role("heading", name="Answer now")).to_be_visible()
    expect(helper.get_by_role("region", name="Figures")).to_have_count(0)
    expect(helper.get_by_text("Monthly Revenue")).to_have_count(0)
    settled(helper)
    assert problems(helper, axe.source()) == []
    helper.goto("/vendor/earnings")
    helper.wait_for_url(re.compile(r"/vendor$"))

    settled(helper)
    helper.get_by_role("button", name="Accept").first.click()
    expect(toast(helper, "accepted")).to_be_visible()
    expect(helper.get_by_role("button", name="Accept")).to_have_count(1)
    assert stored_status(first) == "confirmed"

    without_beats(helper)
    people.get_by_role("button", name=f"Remove {person.email}").click()
    vendor.get_by_role("alertdialog").get_by_role("button", name="Remove").click()
    expect(people.get_by_text("Nobody yet.")).to_be_visible()
    helper.get_by_role("button", name="Accept").click()
    helper.wait_for_url(lambda url: urlsplit(url).path == "/")
    assert stored_status(second) == "pending"
