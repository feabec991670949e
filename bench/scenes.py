"""Scenes for screenshots: every page, dialog and state worth a picture, and how to reach it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.support.browser_steps import settled
from tests.support.shop import moment, wire

WINDOW = {"pickupDate": wire(moment(4)), "returnDate": wire(moment(6))}
AT_NIGHT = {"pickupDate": wire(moment(4, 3)), "returnDate": wire(moment(6, 3))}
FLEET, VENDOR_BOOKINGS = "/vendor/manage-vehicles", "/vendor/manage-bookings"


@dataclass(frozen=True)
class Scene:
    """A page as `who` (nobody, customer, vendor) sees it after `act`; viewports wider than `widest` do not have it."""

    name: str
    path: str
    who: str = ""
    act: Callable[[Page], None] = settled
    whole: bool = True
    widest: int = 10_000


def _press(name: str) -> Callable[[Page], None]:
    """Make an action: press the first visible button whose name starts so."""

    def press(page: Page) -> None:
        page.get_by_role("button", name=re.compile(f"^{name}")).locator("visible=true").first.click()

    return press


def _choose(item: str) -> Callable[[Page], None]:
    """Make an action: choose an item of the first vehicle's menu."""

    def choose(page: Page) -> None:
        _press("More for ")(page)
        page.get_by_role("menuitem", name=item).click()

    return choose


def _select(page: Page) -> None:
    """Select three vehicles."""
    for number in range(3):
        page.get_by_role("checkbox", name=re.compile("^Select (?!all)")).nth(number).check()


def log_in(page: Page) -> None:
    """Open the login dialog."""
    if (menu := page.get_by_role("button", name="Menu", exact=True)).is_visible():
        menu.click()
    _press("Login")(page)
    expect(page.get_by_role("dialog", name="Login")).to_be_visible()


def _sign_up(page: Page) -> None:
    log_in(page)
    page.get_by_role("button", name="click here").click()
    expect(page.get_by_role("dialog", name="Sign Up")).to_be_visible()


def wrong_password(page: Page) -> None:
    """Submit a login that is refused."""
    log_in(page)
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Email").fill("nobody@example.com")
    dialog.get_by_label("Password", exact=True).fill("not the password")
    dialog.get_by_role("button", name="Login").click()
    expect(page.get_by_role("region", name="Notifications").get_by_role("listitem")).to_be_visible()


def _choose_dates(page: Page) -> None:
    """Open the calendar, which a phone has in the sheet of the search."""
    if (words := page.get_by_role("main").get_by_role("button", name=re.compile("Change$"))).is_visible():
        words.click()
    _press("Open calendar for Pickup")(page)


def _open_booking(page: Page) -> None:
    page.get_by_role("main").get_by_role("heading", level=3).get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="Your dates")).to_be_visible()
    settled(page)


def _answer(page: Page) -> None:
    page.get_by_role("combobox", name=re.compile("^Status of ")).first.click()
    page.get_by_role("option", name="Confirmed").click()
    expect(page.get_by_role("alertdialog")).to_be_visible()


def _into_a_booking(page: Page) -> None:
    page.get_by_role("cell").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    settled(page)


def _discard(page: Page) -> None:
    _press("Edit ")(page)
    page.get_by_role("dialog").get_by_label("Color").fill("Pink")
    page.keyboard.press("Escape")
    expect(page.get_by_role("alertdialog")).to_be_visible()


SCENES = (
    Scene("home", "/"),
    Scene("date-picker", "/", act=_choose_dates, whole=False),
    Scene("menu", "/", act=_press("Menu"), whole=False, widest=1023),
    Scene("login", "/", act=log_in, whole=False),
    Scene("sign-up", "/", act=_sign_up, whole=False),
    Scene("wrong-password", "/", act=wrong_password, whole=False),
    Scene("vehicles", "/vehicles"),
    Scene("results", f"/vehicles?pickupLocation=Gachibowli&{urlencode(WINDOW)}"),
    Scene("nothing-found", f"/vehicles?pickupLocation=Secunderabad&{urlencode(AT_NIGHT)}"),
    Scene("filters", "/vehicles?type=Scooter&transmission=Automatic", act=_press("Filters"), whole=False),
    Scene("map", "/vehicles?view=map"),
    Scene("vehicle", f"/vehicle-details/1?{urlencode(WINDOW)}"),
    Scene("review", f"/vehicle-details/1/review?{urlencode(WINDOW)}", "customer"),
    Scene("vendor", "/vendors/sai-kiran-reddy-1"),
    Scene("compare", "/compare?ids=1,2,3"),
    Scene("favourites", "/favourites"),
    Scene("unknown-vehicle", "/vehicle-details/999999"),
    Scene("city", "/gachibowli/bike-rentals"),
    Scene("offers", "/offers"),
    Scene("blog", "/blog"),
    Scene("post", "/blog/how-the-deposit-works"),
    Scene("list-your-vehicle", "/list-your-vehicle"),
    Scene("privacy", "/privacy"),
    Scene("terms", "/terms"),
    Scene("security", "/security"),
    Scene("not-found", "/nowhere"),
    Scene("visitors-bookings", "/my-bookings"),
    Scene("my-bookings", "/my-bookings", "customer"),
    Scene("my-booking", "/my-bookings", "customer", _open_booking),
    Scene("account", "/account", "customer"),
    Scene("dashboard", "/vendor", "vendor"),
    Scene("profile", "/vendor/profile", "vendor"),
    Scene("add-vehicle", "/vendor/add-vehicle", "vendor"),
    Scene("manage-vehicles", FLEET, "vendor"),
    Scene("selected-vehicles", FLEET, "vendor", _select, whole=False),
    Scene("maintenance", FLEET, "vendor", _choose("Maintenance"), whole=False),
    Scene("renew", FLEET, "vendor", _choose("Renew"), whole=False),
    Scene("edit-vehicle", FLEET, "vendor", _press("Edit "), whole=False),
    Scene("discard-changes", FLEET, "vendor", _discard, whole=False),
    Scene("vehicle-files", FLEET, "vendor", _choose("Files"), whole=False),
    Scene("manage-bookings", VENDOR_BOOKINGS, "vendor"),
    Scene("vendor-booking", f"{VENDOR_BOOKINGS}?status=confirmed", "vendor", _into_a_booking),
    Scene("calendar", "/vendor/calendar", "vendor"),
    Scene("prices", "/vendor/prices", "vendor"),
    Scene("earnings", "/vendor/earnings", "vendor"),
    Scene("reviews", "/vendor/reviews", "vendor"),
    Scene("answer-a-request", VENDOR_BOOKINGS, "vendor", _answer, whole=False),
)
