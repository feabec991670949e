"""Everything can be read and pressed: at 200 % zoom, on the narrowest phone, with wider text, with a thumb."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import select

from rental_app.infrastructure.db import read
from rental_app.models import User
from tests.e2e.conftest import Browse, Complaints
from tests.e2e.test_accessibility import PAGES, WINDOW
from tests.support.browser_steps import ready, visit

pytestmark = pytest.mark.e2e
SCRIPT = (Path(__file__).parent / "reach.js").read_text()
# The narrowest width a page must fit into (WCAG 1.4.10), a desktop screen at 200 % zoom, a phone.
NARROW, ZOOMED, PHONE, HEIGHT = 320, 720, 360, 800
# What readers may change for themselves (WCAG 1.4.12).
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }"""
Step = Callable[[Page], None]


def press(name: str, then: str) -> Step:
    """A step: press the first button of that name and wait for a dialog."""

    def step(page: Page) -> None:
        page.get_by_role("button", name=name).filter(visible=True).first.click()
        expect(page.get_by_role("dialog", name=then)).to_be_visible()

    return step


def follow(name: str, then: str) -> Step:
    """A step: follow the first link of that name and wait for a heading."""

    def step(page: Page) -> None:
        page.get_by_role("link", name=name).first.click()
        expect(page.get_by_role("heading", name=then)).to_be_visible()

    return step


def open_the_first_booking(page: Page) -> None:
    page.get_by_role("cell").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="History")).to_be_visible()


def log_in(page: Page) -> None:
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("dialog", name="Login")).to_be_visible()


def sign_up(page: Page) -> None:
    log_in(page)
    page.get_by_role("button", name="click here").click()
    expect(page.get_by_role("dialog", name="Sign Up")).to_be_visible()


def edit_profile(page: Page) -> None:
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.get_by_role("form", name="Profile")).to_be_visible()


def choose_model(page: Page) -> None:
    for label, choice in (("Vehicle Type", "Scooter"), ("Manufacturer", "Honda"), ("Model", "Activa 6G")):
        page.get_by_label(label, exact=True).select_option(choice)
    expect(page.get_by_role("table", name="Pricing").get_by_role("row")).to_have_count(5)


VISITOR, CUSTOMER, VENDOR = "", "customer@example.com", "vendor@example.com"
# Who is logged in, the address, a text shown once the page is ready, and what is done then.
SCREENS: dict[str, tuple[str, str, str, Step | None]] = {
    **{name: (VISITOR, path, shown, None) for name, (path, shown) in PAGES.items()},
    "menu": (VISITOR, "/", "Featured vehicles", press("Menu", "Menu")),
    "login": (VISITOR, "/my-bookings", "Log in to see your bookings", log_in),
    "sign-up": (VISITOR, "/my-bookings", "Log in to see your bookings", sign_up),
    "date-time picker": (VISITOR, "/", "Featured vehicles", press("Open calendar for Pickup", "Pickup")),
    "filters": (VISITOR, "/vehicles", "All vehicles", press("Filters", "Filters")),
    "customer's bookings": (CUSTOMER, "/my-bookings", "₹", None),
    "customer's booking": (CUSTOMER, "/my-bookings", "₹", follow("Booking PH-", "Your dates")),
    "customer's booking form": (CUSTOMER, f"/vehicle-details/1?{urlencode(WINDOW)}", "Book Now", None),
    "dashboard": (VENDOR, "/vendor", "Recent bookings", None),
    "profile": (VENDOR, "/vendor/profile", "Bank account", None),
    "profile's form": (VENDOR, "/vendor/profile", "Bank account", edit_profile),
    "add vehicle": (VENDOR, "/vendor/add-vehicle#all", "Documents & Photos", choose_model),
    "add vehicle's first step": (VENDOR, "/vendor/add-vehicle", "Where it is kept", None),
    "manage vehicles": (VENDOR, "/vendor/manage-vehicles", "RC Number", None),
    "edit vehicle": (VENDOR, "/vendor/manage-vehicles", "RC Number", press("Edit", "Edit Vehicle")),
    "vehicle's files": (VENDOR, "/vendor/manage-vehicles", "RC Number", press("Files of", "Documents & Photos")),
    "prices": (VENDOR, "/vendor/prices", "Price rules", None),
    "price rule": (VENDOR, "/vendor/prices", "Price rules", press("Add a rule", "Add a price rule")),
    "copied prices": (VENDOR, "/vendor/prices", "Price rules", press("Copy to others", "Copy prices")),
    "manage bookings": (VENDOR, "/vendor/manage-bookings", "offline", None),
    "vendor's booking": (VENDOR, "/vendor/manage-bookings?status=confirmed", "offline", open_the_first_booking),
}


def reached(browse: Browse, name: str) -> Page:
    """Open a page with the screen visible and the probes loaded."""
    email, path, shown, step = SCREENS[name]
    user = read(lambda session: session.exec(select(User).where(User.email == email)).first())
    page = browse(user, viewport={"width": PHONE, "height": HEIGHT}, reduced_motion="reduce")
    visit(page, path)
    ready(page)
    expect(page.get_by_role("main").get_by_text(shown).filter(visible=True).first).to_be_visible()
    if step:
        step(page)
    page.wait_for_load_state("networkidle")
    page.evaluate(SCRIPT)
    return page


def complaints_of(page: Page, width: int, *probes: str) -> list[str]:
    """Return what the probes find on the page at this width."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    # Panels follow their fields only after a moment.
    page.evaluate("scrollTo(0, 0); new Promise(done => setTimeout(done, 100))")
    return [f"{width}, {probe}: {line}" for probe in probes for line in page.evaluate(f"reach.{probe}()")]


@pytest.mark.parametrize("name", SCREENS)
def test_nothing_is_out_of_reach(browse: Browse, complaints: Complaints, name: str) -> None:
    complaints.expected.append("status of 404")
    page = reached(browse, name)
    found = complaints_of(page, PHONE, "tooSmall")
    for width in (PHONE, NARROW, ZOOMED):
        found += complaints_of(page, width, "tooWide", "cutOff", "unnamedScrollers", "covered")
    page.add_style_tag(content=SPACED)
    found += complaints_of(page, PHONE, "tooWide", "cutOff")
    assert "\n".join(found) == ""
