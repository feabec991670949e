"""Reviews, in browsers: both sides write, everybody reads, the vendor answers."""

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select
from sqlmodel import col

from rental_app.infrastructure.db import read, write
from rental_app.models import Vehicle
from rental_app.schemas.reviews import ReviewRequest
from rental_app.services.reviews import writing
from tests.e2e.conftest import PHONE, Browse
from tests.support.booking_steps import book
from tests.support.browser_listing import problems
from tests.support.browser_steps import follow, ready, reload, toast, visit
from tests.support.shop import Shop, actor, add_user, open_shop, wanted
from tests.support.vendor_trips import ON_THE_PHONE, returned

pytestmark = pytest.mark.e2e
WORDS = "Spotless scooter. <b>Quick</b> handover!"
# How often the page's reviews have gone away.
NOTE_GAPS = """
window.gaps = 0;
let there = 0;
new MutationObserver(() => {
  const now = document.querySelectorAll('#reviews li').length;
  if (there && !now) window.gaps += 1;
  there = now;
}).observe(document, {subtree: true, childList: true});
"""


def choose_stars(page: Page, downs: int) -> None:
    """Choose by keyboard, as with any radio buttons: the first, then this many further down."""
    first = page.get_by_role("radio", name="1 Bad")
    first.focus()
    page.keyboard.press("Space")
    for _ in range(downs):
        page.keyboard.press("ArrowRight")


def test_both_sides_write_everybody_reads_and_the_vendor_answers(browse: Browse, shop: Shop, script: str) -> None:
    trip = returned(shop)
    customer = browse(shop.customer, **ON_THE_PHONE)
    visit(customer, f"/my-bookings/{trip.reference}")
    form = customer.get_by_role("form", name="Your review")
    form.get_by_role("button", name="Send the review").click()
    expect(form.get_by_text("Choose one to five stars")).to_be_visible()
    choose_stars(customer, 3)
    expect(customer.get_by_role("radio", name="4 Good")).to_be_checked()
    expect(form.get_by_text("Choose one to five stars")).to_be_hidden()
    form.get_by_label("In your words").press_sequentially("Nice")
    form.get_by_role("button", name="Send the review").click()
    expect(customer.get_by_text("Written, not shown yet.")).to_be_visible()
    form.get_by_label("In your words").fill(WORDS)
    form.get_by_role("button", name="Change the review").click()
    expect(toast(customer, "Thank you for your review").first).to_be_visible()
    assert problems(customer, script) == []

    vendor = browse(shop.vendor)
    visit(vendor, f"/vendor/bookings/{trip.reference}")
    choose_stars(vendor, 4)
    vendor.get_by_role("form", name="Your review").get_by_role("button", name="Send the review").click()
    expect(vendor.get_by_text(WORDS)).to_be_visible()
    reply = vendor.get_by_role("form", name="Answer the review")
    reply.get_by_label("Your answer").press_sequentially("Come again!")
    reply.get_by_role("button", name="Answer").click()
    expect(reply).to_have_count(0)
    expect(vendor.get_by_text("Come again!")).to_be_visible()
    assert problems(vendor, script) == []

    somebody = browse(add_user())
    visit(somebody, f"/vehicle-details/{shop.vehicle.id}")
    for text in (WORDS, "Come again!", "4.0 of 5 from 1 review"):
        expect(somebody.get_by_text(text).first).to_be_visible()
    assert problems(somebody, script) == []
    follow(somebody, somebody.get_by_role("link", name=shop.vendor.name))
    somebody.wait_for_url("**/vendors/**")
    expect(somebody.get_by_role("heading", name=shop.vendor.name, level=1)).to_be_visible()
    expect(somebody.get_by_text("Trips made")).to_be_visible()
    somebody.get_by_role("button", name="Report what").click()
    dialog = somebody.get_by_role("dialog", name="Report this review")
    dialog.get_by_label("What is wrong with it?").press_sequentially("Advertising")
    dialog.get_by_role("button", name="Report").click()
    expect(dialog).to_have_count(0)
    reload(somebody)
    ready(somebody)
    expect(somebody.get_by_text(WORDS)).to_be_visible()
    assert problems(somebody, script) == []


@pytest.mark.long
def test_a_vendor_answers_from_the_page_of_all_reviews(browse: Browse, shop: Shop, script: str) -> None:
    trip = returned(shop)
    for user, words in ((shop.customer, WORDS), (shop.vendor, "")):
        write(writing.write, actor(user), trip.reference, ReviewRequest(stars=4, text=words))
    page = browse(shop.vendor, viewport=PHONE)
    visit(page, "/vendor/reviews")
    expect(page.get_by_text(WORDS)).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="Honda Activa 6G")).to_be_visible()
    page.get_by_text("Answer Person").click()
    form = page.get_by_role("form", name="Answer Person")
    form.get_by_role("button", name="Send the answer").click()
    expect(form.get_by_role("textbox")).to_have_accessible_description("Please fill this in")
    assert problems(page, script) == []
    form.get_by_role("textbox").press_sequentially("Come again!")
    form.get_by_role("button", name="Send the answer").click()
    expect(page.get_by_text("Come again!")).to_be_visible()
    expect(form).to_have_count(0)
    # Another vendor sees this vendor's rating of the customer on a request.
    other = open_shop("Otherpur")
    book(shop.customer, wanted(other.vehicle))
    desk = browse(other.vendor)
    visit(desk, "/vendor")
    expect(desk.get_by_role("group").get_by_text("4.0 (1) from vendors")).to_be_visible()
    visit(desk, "/vendor/manage-bookings")
    expect(desk.get_by_role("table").get_by_text("4.0 of 5 from 1 vendor review")).to_be_visible()


@pytest.mark.long
def test_reviews_stay_while_the_page_replaces_the_served_one(browse: Browse) -> None:
    reviewed = read(lambda session: session.scalars(select(col(Vehicle.id)).where(col(Vehicle.reviews) > 0)).first())
    page = browse(fresh=True)
    page.add_init_script(NOTE_GAPS)
    visit(page, f"/vehicle-details/{reviewed}")
    expect(page.locator("#reviews li").first).to_be_attached()
    assert page.evaluate("window.gaps") == 0
