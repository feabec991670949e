"""No page, dialog or panel violates an axe rule, on desktop and phone, light and dark."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from rental_app.seed.people import DEMO_PASSWORD
from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.e2e.test_vendor_bookings import choose
from tests.support import axe
from tests.support.booking_steps import book
from tests.support.browser_steps import fill, ready, visit
from tests.support.shop import Shop, moment, wanted, wire

pytestmark = pytest.mark.e2e
WINDOW = {"pickupDate": wire(moment(4)), "returnDate": wire(moment(6))}
AT_NIGHT = {"pickupDate": wire(moment(4, 3)), "returnDate": wire(moment(6, 3))}
SEARCH, VEHICLE = "/vehicles?pickupLocation=", "/vehicle-details/1?"
# Address, and a text shown once the page is ready.
PAGES = {
    "home": ("/", "Featured vehicles"),
    "vehicles": ("/vehicles", "All vehicles"),
    "results": (f"{SEARCH}Gachibowli&{urlencode(WINDOW)}", "/ day"),
    "nothing found": (f"{SEARCH}Secunderabad&{urlencode(AT_NIGHT)}", "No cars available"),
    "vehicle": (VEHICLE + urlencode(WINDOW), "Renting Info"),
    "unknown vehicle": ("/vehicle-details/999999", "This vehicle is not listed"),
    "visitor's bookings": ("/my-bookings", "Log in to see your bookings"),
    "visitor's booking": ("/my-bookings/PH-4X7K20", "Log in to see this booking"),
    "offers": ("/offers", "Offers"),
    "blog": ("/blog", "Blog"),
    "post": ("/blog/how-the-deposit-works", "deposit"),
    "city": ("/gachibowli/bike-rentals", "Bike on rent in Gachibowli"),
    "listing": ("/list-your-vehicle", "What it brings"),
    "privacy": ("/privacy", "In your browser"),
    "terms": ("/terms", "Cancelling"),
    "security": ("/security", "Report a weakness"),
    "not found": ("/nowhere", "There is nothing at this address"),
}


def problems(page: Page, script: str) -> list[str]:
    """Return axe's findings on the page as it is, without waiting, in each colour scheme."""
    page.evaluate(script)
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.locator(f"html.{scheme}")).to_be_attached()
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{scheme}: {line}" for line in axe.violations(page)]
    return found


def log_in_on_a_phone(page: Page, email: str) -> None:
    """Log in to a demo account."""
    visit(page, "/my-bookings")
    page.get_by_role("button", name="Log in", exact=True).click()
    fill(page, {"Email": email, "Password": DEMO_PASSWORD})
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are logged in")).to_be_visible()


@pytest.mark.parametrize("name", list(PAGES))
def test_pages(browse: Browse, complaints: Complaints, script: str, name: str) -> None:
    complaints.expected.append("status of 404")
    path, content = PAGES[name]
    page = browse(viewport=PHONE, reduced_motion="reduce")
    visit(page, path)
    expect(page.get_by_role("main").get_by_text(content).first).to_be_visible()
    found = problems(page, script)
    page.set_viewport_size(DESKTOP)
    assert found + problems(page, script) == []


def test_bookings_of_a_vendor(browse: Browse, script: str) -> None:
    page = browse(viewport=PHONE, reduced_motion="reduce")
    log_in_on_a_phone(page, "vendor@example.com")
    page.goto("/vendor/manage-bookings")
    expect(page.get_by_role("navigation", name="Vendor").locator("[aria-current=page]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    found = problems(page, script)
    page.set_viewport_size(DESKTOP)
    assert found + problems(page, script) == []


def test_a_vendors_refusal(browse: Browse, shop: Shop, script: str) -> None:
    book(shop.customer, wanted(shop.vehicle))
    page = browse(shop.vendor, reduced_motion="reduce")
    visit(page, "/vendor/manage-bookings")
    choose(page, "Cancelled")
    assert problems(page, script) == []


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_dialogs_menu_and_picker(browse: Browse, script: str, viewport: dict[str, int]) -> None:
    page, found = browse(viewport=viewport, reduced_motion="reduce"), []
    visit(page, "/")
    if viewport == PHONE:
        page.get_by_role("button", name="Menu", exact=True).click()
        expect(page.get_by_role("dialog", name="Menu")).to_be_visible()
        found += problems(page, script)
        page.get_by_role("dialog").get_by_role("button", name="Login").click()
    else:
        page.get_by_role("button", name="Login").click()
    expect(page.get_by_role("dialog", name="Login")).to_be_visible()
    found += problems(page, script)
    page.get_by_role("button", name="click here").click()
    expect(page.get_by_role("dialog", name="Sign Up")).to_be_visible()
    found += problems(page, script)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Open calendar for Pickup").click()
    expect(page.get_by_role("dialog", name="When do you ride?")).to_be_visible()
    assert found + problems(page, script) == []


def test_a_bookings_page_with_its_form_and_its_question(browse: Browse, shop: Shop, script: str) -> None:
    asked, found = book(shop.customer, wanted(shop.vehicle)), []
    page = browse(shop.customer, viewport=PHONE, reduced_motion="reduce")
    visit(page, f"/my-bookings/{asked.reference}")
    page.get_by_role("button", name="Change dates").click()
    expect(page.get_by_role("heading", name="Other dates")).to_be_visible()
    found += problems(page, script)
    page.get_by_role("button", name="Cancel booking").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("Cancelling now costs nothing.")
    found += problems(page, script)
    page.set_viewport_size(DESKTOP)
    assert found + problems(page, script) == []


def test_bookings_and_toasts(browse: Browse, script: str) -> None:
    page = browse(viewport=PHONE, reduced_motion="reduce")
    log_in_on_a_phone(page, "customer@example.com")
    page.goto("/my-bookings")
    ready(page)
    expect(page.get_by_role("article").first).to_be_visible()
    found = problems(page, script)
    page.set_viewport_size(DESKTOP)
    assert found + problems(page, script) == []
