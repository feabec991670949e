"""Every screen, each on one visit: on a phone it looks as it was served, fits, and violates no rule of axe.

At length: the same on a desktop and in the dark; everything can be read and pressed, at 200 % zoom, on the narrowest
phone, with wider text, with a thumb.
"""

import re
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import select

from rental_app.infrastructure.db import read
from rental_app.models import User
from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.support import axe
from tests.support.axe import problems
from tests.support.booking_steps import book
from tests.support.browser_steps import open_search, visit
from tests.support.outline import served_and_shown
from tests.support.routes import PUBLIC
from tests.support.searches import WINDOW
from tests.support.shop import Shop, moment, wanted, wire
from tests.support.tabs import NEUTRAL

pytestmark = pytest.mark.e2e
SCRIPT = (Path(__file__).parent / "reach.js").read_text()
# The narrowest width a page must fit into (WCAG 1.4.10), a desktop screen at 200 % zoom, a phone.
NARROW, ZOOMED, USUAL, HEIGHT = 320, 720, 360, 800
# What readers may change for themselves (WCAG 1.4.12).
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }"""
# What a visit leaves behind for the next, save who is logged in.
FORGET = """
for (const kept of Object.keys(localStorage)) if (kept !== "token") localStorage.removeItem(kept);
sessionStorage.clear();
"""
Step = Callable[[Page], None]
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
    "unknown locality": ("/atlantis/bike-rentals", "Page not found"),
    "not found": ("/nowhere", "There is nothing at this address"),
}
PAGES |= {path: (path, "") for path in PUBLIC if path not in {known for known, _ in PAGES.values()}}


def press(name: str, then: str) -> Step:
    """A step: press the first button of that name and wait for a dialog."""

    def step(page: Page) -> None:
        page.get_by_role("button", name=name).filter(visible=True).first.click()
        expect(page.get_by_role("dialog", name=then)).to_be_visible()

    return step


def choose_item(item: str, then: str) -> Step:
    """A step: choose an item of the first row's menu and wait for a dialog."""

    def step(page: Page) -> None:
        page.get_by_role("button", name="More for").filter(visible=True).first.click()
        page.get_by_role("menuitem", name=item).click()
        expect(page.get_by_role("dialog", name=then)).to_be_visible()

    return step


def reprice(page: Page) -> None:
    """A step: select the vehicles found and open what changes their prices."""
    page.get_by_role("checkbox", name="Select Honda").first.check()
    page.get_by_role("button", name="Price", exact=True).click()
    expect(page.get_by_role("dialog", name="Change prices")).to_be_visible()


def change_picture(page: Page) -> None:
    """A step: press the picture, which a phone has behind More."""
    more = page.get_by_role("button", name="More", exact=True)
    if more.is_visible():
        more.click()
    press("Change profile picture", "Profile picture")(page)


def follow(name: str, then: str) -> Step:
    """A step: follow the first link of that name and wait for a heading."""

    def step(page: Page) -> None:
        page.get_by_role("link", name=name).first.click()
        expect(page.get_by_role("heading", name=then)).to_be_visible()

    return step


def open_the_first_booking(page: Page) -> None:
    page.get_by_role("cell").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="History")).to_be_visible()


def open_picker(page: Page) -> None:
    if page.get_by_role("main").get_by_role("button", name=re.compile("Change$")).is_visible():
        open_search(page)
    press("Open calendar for Pickup", "When do you ride?")(page)


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


def show_the_chart_as_a_table(page: Page) -> None:
    # What a phone has folded.
    for folded in ("The shop", "Last 12 months", "Show as a table"):
        if (opener := page.locator("summary").filter(has_text=folded, visible=True)).count():
            opener.click()
    expect(page.get_by_role("table", name="Last 12 months").filter(visible=True)).to_be_visible()


def open_an_answer(page: Page) -> None:
    page.get_by_role("heading", name="Is fuel included?", exact=True).click()
    expect(page.get_by_text("No, fuel is excluded.")).to_be_visible()


VISITOR, CUSTOMER, VENDOR, OPERATOR = "", "customer@example.com", "vendor@example.com", "operator@example.com"
# Who is logged in, the address, a text shown once the page is ready, and what is done then.
SCREENS: dict[str, tuple[str, str, str, Step | None]] = {
    **{name: (VISITOR, path, shown, None) for name, (path, shown) in PAGES.items()},
    "open answer": (VISITOR, "/", "Featured vehicles", open_an_answer),
    "menu": (VISITOR, "/", "Featured vehicles", press("Menu", "Menu")),
    "login": (VISITOR, "/my-bookings", "Log in to see your bookings", log_in),
    "sign-up": (VISITOR, "/my-bookings", "Log in to see your bookings", sign_up),
    "date-time picker": (VISITOR, "/", "Featured vehicles", open_picker),
    "filters": (VISITOR, "/vehicles", "All vehicles", press("Filters", "Filters")),
    "customer's bookings": (CUSTOMER, "/my-bookings", "₹", None),
    "customer's booking": (CUSTOMER, "/my-bookings", "₹", follow("View booking PH-", "Your dates")),
    "customer's trip": (CUSTOMER, "/my-bookings", "On the road", follow("Honda Activa 6G", "Your dates")),
    "customer's review": (CUSTOMER, f"/vehicle-details/1/review?{urlencode(WINDOW)}", "Rules in short", None),
    "customer's booking form": (CUSTOMER, f"/vehicle-details/1?{urlencode(WINDOW)}", "Book Now", None),
    "account": (CUSTOMER, "/account", "Who looked at your documents", None),
    "document": (CUSTOMER, "/account", "Who looked at your documents", press("Add", "Residential proof")),
    "copy of one's data": (CUSTOMER, "/account", "Your data", press("Download everything", "Download everything")),
    "deletion": (CUSTOMER, "/account/delete", "What stays, and why", None),
    "vendor's account": (VENDOR, "/account", "Delete account", None),
    "dashboard": (VENDOR, "/vendor", "Answer now", None),
    "chart as a table": (VENDOR, "/vendor", "Answer now", show_the_chart_as_a_table),
    "picture": (VENDOR, "/vendor", "Answer now", change_picture),
    "profile": (VENDOR, "/vendor/profile", "Bank account", None),
    "profile's form": (VENDOR, "/vendor/profile", "Bank account", edit_profile),
    "add vehicle": (VENDOR, "/vendor/add-vehicle#all", "Documents & Photos", choose_model),
    "add vehicle's first step": (VENDOR, "/vendor/add-vehicle", "Where it is kept", None),
    "manage vehicles": (VENDOR, "/vendor/manage-vehicles", "RC Number", None),
    "edit vehicle": (VENDOR, "/vendor/manage-vehicles", "RC Number", press("Edit", "Edit Vehicle")),
    "many vehicles": (VENDOR, "/vendor/manage-vehicles", "RC Number", reprice),
    "vehicle's maintenance": (
        VENDOR,
        "/vendor/manage-vehicles",
        "RC Number",
        choose_item("Maintenance", "Maintenance"),
    ),
    "renewed paper": (VENDOR, "/vendor/manage-vehicles", "RC Number", choose_item("Renew", "Renew a document")),
    "vehicle's files": (VENDOR, "/vendor/manage-vehicles", "RC Number", choose_item("Files", "Documents & Photos")),
    "prices": (VENDOR, "/vendor/prices", "Price rules", None),
    "price rule": (VENDOR, "/vendor/prices", "Price rules", press("Add a rule", "Add a price rule")),
    "copied prices": (VENDOR, "/vendor/prices", "Price rules", press("Copy to others", "Copy prices")),
    "manage bookings": (VENDOR, "/vendor/manage-bookings?part=all", "offline", None),
    "vendor's booking": (VENDOR, "/vendor/manage-bookings?status=confirmed", "offline", open_the_first_booking),
    "words of the shop": (OPERATOR, "/operator/words", "Questions and answers", None),
    "questions": (OPERATOR, "/operator/words/faq", "Is fuel included?", None),
    "house rules": (OPERATOR, "/operator/words/house_rules", "Preview", None),
    "terms' editor": (OPERATOR, "/operator/words/terms", "The terms on which", None),
    "numbers of the shop": (OPERATOR, "/operator/words/numbers", "Speeding once", None),
    "customers' documents": (OPERATOR, "/operator/papers", "Documents", None),
}


# So many screens are visited in one test.
A_TEST = 20
OF_ONE_USER = [[name for name in SCREENS if SCREENS[name][0] == user] for user in (VISITOR, CUSTOMER, VENDOR, OPERATOR)]
GROUPS = [names[start : start + A_TEST] for names in OF_ONE_USER for start in range(0, len(names), A_TEST)]


def reached(page: Page, name: str) -> None:
    """Show a screen to a page that remembers nothing but its user."""
    _, path, shown, step = SCREENS[name]
    page.goto(NEUTRAL)
    page.evaluate(FORGET)
    page.emulate_media(color_scheme="null", reduced_motion="reduce")
    page.set_viewport_size({"width": USUAL, "height": HEIGHT})
    visit(page, path)
    expect(page.get_by_role("main").get_by_text(shown).filter(visible=True).first).to_be_visible()
    if step:
        step(page)
    page.wait_for_load_state("networkidle")


def differences(page: Page, path: str) -> list[str]:
    """Return how the page differs from what was served."""
    served, shown = served_and_shown(page, page.evaluate("location.origin") + path)
    assert served
    return list(unified_diff(served, shown, "served", "shown", n=0, lineterm=""))


def out_of_reach(page: Page) -> list[str]:
    """Return what cannot be read or pressed."""
    page.evaluate(SCRIPT)
    found = complaints_of(page, DESKTOP["width"], "tooWide") + complaints_of(page, USUAL, "tooSmall")
    for width in (USUAL, NARROW, ZOOMED):
        found += complaints_of(page, width, "tooWide", "cutOff", "unnamedScrollers", "covered")
    page.add_style_tag(content=SPACED)
    return found + complaints_of(page, USUAL, "tooWide", "cutOff")


def complaints_of(page: Page, width: int, *probes: str) -> list[str]:
    """Return what the probes find on the page at this width."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    # Panels follow their fields only after a moment, which begins with the frame that has the new width.
    page.evaluate("scrollTo(0, 0); new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
    return [f"{width}, {probe}: {line}" for probe in probes for line in page.evaluate(f"reach.{probe}()")]


def of_their_user(browse: Browse, complaints: Complaints, names: list[str]) -> Page:
    """Open a tab of the user whose screens these are."""
    complaints.expected.append("status of 404")
    email = SCREENS[names[0]][0]
    return browse(read(lambda session: session.exec(select(User).where(User.email == email)).first()))


@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_screens_on_a_phone(browse: Browse, complaints: Complaints, script: str, names: list[str]) -> None:
    page, found = of_their_user(browse, complaints, names), []
    for name in names:
        reached(page, name)
        _, path, _, step = SCREENS[name]
        here = differences(page, path) if path in PUBLIC and not step else []
        page.evaluate(script)
        page.evaluate(SCRIPT)
        here += axe.violations(page) + complaints_of(page, USUAL, "tooWide", "translatable")
        found += [f"{name}: {line}" for line in here]
    assert "\n".join(found) == ""


@pytest.mark.long
@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_screens_of_all_widths_in_both_schemes(
    browse: Browse, complaints: Complaints, script: str, names: list[str]
) -> None:
    page, found = of_their_user(browse, complaints, names), []
    for name in names:
        reached(page, name)
        here = problems(page, script)
        page.set_viewport_size(DESKTOP)
        here += [f"desktop {line}" for line in problems(page, script)]
        found += [f"{name}: {line}" for line in here + out_of_reach(page)]
    assert "\n".join(found) == ""


def test_questions_about_a_booking(browse: Browse, shop: Shop, script: str) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    page = browse(shop.customer, viewport=PHONE, reduced_motion="reduce")
    visit(page, f"/my-bookings/{asked.reference}")
    page.get_by_role("button", name="Change dates").click()
    expect(page.get_by_role("heading", name="Other dates")).to_be_visible()
    page.get_by_role("button", name="Cancel request").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("Cancelling now costs nothing.")
    found = problems(page, script)
    vendor = browse(shop.vendor, viewport=PHONE, reduced_motion="reduce")
    visit(vendor, "/vendor/manage-bookings")
    vendor.get_by_role("group").get_by_text("Decline", exact=True).click()
    expect(vendor.get_by_role("button", name="The vehicle needs repair")).to_be_visible()
    assert found + problems(vendor, script) == []
