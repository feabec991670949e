"""What people do on the pages, by the roles and labels they find there."""

import re
from datetime import date, datetime
from typing import Any

from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from tests.support.shop import PASSWORD, Shop, moment

NEWCOMER = {
    "Name": "Test Person",
    "Mobile Number": "9876543210",
    "Address": "12 Long Road",
    "Pincode": "500032",
    "Password": "long-enough-1",
}
# Content comes over the websocket, so network traffic says nothing: a page is ready when it stops changing.
STILL = """
new Promise((done) => {
  let timer = setTimeout(done, 800);
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(done, 800);
  }).observe(document, { subtree: true, childList: true, attributes: true });
})
"""


def visit(page: Page, path: str) -> None:
    """Open an address and wait until the page responds."""
    page.goto(path)
    ready(page)
    taken_over(page)


def reload(page: Page) -> None:
    """Load a page anew after a dialog was closed: the step back to before it, if under way, would abort the load."""
    page.wait_for_function("!history.state?.dialog")
    page.reload()


def ready(page: Page) -> None:
    """Wait until the page knows who is logged in: its buttons work from then on."""
    bar = page.get_by_role("button", name=re.compile("^(Login|Logout|Load my account)$"), include_hidden=True)
    # A page without navigation says it itself.
    expect(bar.or_(page.locator('[data-known="true"]')).first).to_be_attached()


def taken_over(page: Page) -> None:
    """Wait until the page shows nothing that the server rendered into it: clicks there may do less."""
    expect(page.locator("[data-slot]")).to_have_count(0)


def without_beats(page: Page) -> None:
    """Keep a page from asking for news by itself until it is loaded anew."""
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")


def settled(page: Page) -> None:
    """Wait until nothing on the page has changed for a while."""
    page.evaluate(STILL)


def open_search(page: Page) -> Locator:
    """Open the search form, which a phone has in a sheet; returns the sheet."""
    page.get_by_role("main").get_by_role("button", name=re.compile("Change$")).click()
    return page.get_by_role("dialog", name="Where and when?")


def follow(page: Page, link: Locator) -> None:
    """Click a link and wait until its page has replaced this one; the address changes a little earlier."""
    page.evaluate("document.querySelector('main').dataset.left = ''")
    link.click()
    expect(page.locator("main[data-left]")).to_have_count(0)


def shown(instant: datetime) -> str:
    """Return an instant in the format that the pickers show and accept."""
    return f"{clock.indian(instant):%d/%m/%Y %I:%M %p}"


def moment_box(page: Page | Locator, label: str) -> Locator:
    """The text input of a date-time picker, or of one for days."""
    return page.get_by_role("textbox", name=label, exact=True)


def shown_day(day: date) -> str:
    """Return a day in the format that the pickers for days show and accept."""
    return f"{day:%d/%m/%Y}"


def type_moment(page: Page | Locator, label: str, instant: datetime | str) -> None:
    """Type a date and time into a picker."""
    box = moment_box(page, label)
    # Until the page takes over, the browser's native picker is there.
    expect(box).not_to_have_attribute("type", "datetime-local")
    box.fill(instant if isinstance(instant, str) else shown(instant))
    # Enter on unchanged text would submit the form.
    box.press("Tab")


def toast(page: Page, text: str) -> Locator:
    """A toast with this text."""
    return page.get_by_role("region", name="Notifications").get_by_role("listitem").filter(has_text=text)


def request(page: Page) -> None:
    """Press Book Now, and on the review it leads to the button that sends the request."""
    page.get_by_role("button", name="Book Now").click()
    page.get_by_role("button", name=re.compile("^Request to book")).click()


def cards(page: Page) -> Locator:
    """The vehicles in the grid."""
    return page.get_by_role("main").get_by_role("listitem").filter(has=page.get_by_role("heading", level=3))


def search(page: Page, place: str, pickup: datetime, return_at: datetime) -> None:
    """Search from the home page by place and typed dates."""
    visit(page, "/")
    page.get_by_label("Pickup location").select_option(place)
    type_moment(page, "Pickup", pickup)
    type_moment(page, "Return", return_at)
    page.get_by_role("button", name="Search").click()
    # The home page has cards, too.
    expect(page.get_by_role("heading", name=f"Vehicles in {place}", level=1)).to_be_visible()


def fill(page: Page, fields: dict[str, str]) -> Locator:
    """Fill the dialog's fields; returns the dialog."""
    dialog = page.get_by_role("dialog")
    for label, text in fields.items():
        dialog.get_by_label(label, exact=True).fill(text)
    return dialog


def sign_up(page: Page, email: str, **changes: Any) -> None:
    """Switch the open dialog to sign-up and make an account."""
    page.get_by_role("dialog").get_by_role("button", name="click here").click()
    dialog = fill(page, NEWCOMER | {"Email": email} | changes)
    expect(dialog.get_by_label("City")).not_to_have_value("")
    dialog.get_by_role("button", name="Create Account").click()


def log_in(page: Page, email: str, password: str = PASSWORD) -> None:
    """Log in through the navigation's button."""
    page.get_by_role("button", name="Login").click()
    dialog = fill(page, {"Email": email, "Password": password})
    dialog.get_by_role("button", name="Login").click()


def token(page: Page) -> str | None:
    """Return the token stored in the browser."""
    kept: str | None = page.evaluate("localStorage.getItem('token')")
    return kept


def login_dialog(page: Page) -> Locator:
    """The login dialog."""
    return page.get_by_role("dialog", name="Login")


def book(page: Page) -> None:
    """Book once the price is shown."""
    expect(page.get_by_text("Total", exact=True)).to_be_visible()
    request(page)


def enter(page: Page, shop: Shop) -> None:
    """Fill in the search form as it was served, with native pickers."""
    page.get_by_label("Pickup location").select_option(shop.place.name)
    page.get_by_label("Pickup", exact=True).fill(f"{clock.indian(moment(4)):%Y-%m-%dT%H:%M}")
    page.get_by_label("Return", exact=True).fill(f"{clock.indian(moment(6)):%Y-%m-%dT%H:%M}")


def search_sent(page: Page, shop: Shop) -> None:
    """Search with the form as it was served, and check the results."""
    page.goto("/", wait_until="commit")
    enter(page, shop)
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", name=f"Vehicles in {shop.place.name}")).to_be_visible()
    expect(cards(page)).to_have_count(1)
    expect(cards(page)).to_contain_text("total")
