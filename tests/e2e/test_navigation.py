"""What each kind of user finds in the navigation, on desktop and phone, and how long toasts stay."""

import re

import pytest
from playwright.sync_api import Page, expect

from rental_app.infrastructure.settings import settings
from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.support.browser_steps import cards, follow, type_moment, visit
from tests.support.routes import VENDORS
from tests.support.shop import Shop, moment

pytestmark = pytest.mark.e2e
LINKS = {
    "Home": "/",
    "Vehicles": "/vehicles",
    "My Bookings": "/my-bookings",
    "Favourites": "/favourites",
    "Offers": "/offers",
    "Blog": "/blog",
}
EXTRAS = {"visitor": {"List Your Vehicles", "Login"}, "customer": {"Logout"}, "vendor": {"Dashboard", "Logout"}}

# Records how long each list item was on the page.
NOTE_STAYS = """
window.stays = [];
const items = nodes => [...nodes].flatMap(node => [node, ...node.querySelectorAll?.('li') ?? []]);
new MutationObserver(changes => changes.forEach(({ addedNodes, removedNodes }) => {
  for (const node of items(addedNodes)) node.cameAt = performance.now();
  const gone = items(removedNodes).filter(node => node.localName === 'li');
  window.stays.push(...gone.map(node => ({ said: node.textContent, passed: performance.now() - node.cameAt })));
})).observe(document, { subtree: true, childList: true });
"""


def open_menu(page: Page) -> None:
    """Open the slide-in panel of a phone."""
    if page.viewport_size == PHONE:
        page.get_by_role("button", name="Menu", exact=True).click()
        expect(page.get_by_role("dialog", name="Menu")).to_be_visible()


def close_menu(page: Page) -> None:
    """Close it again."""
    if page.viewport_size == PHONE:
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="Menu")).to_have_count(0)


def finds_their_entries(page: Page, who: str) -> None:
    """Check the main navigation's links, and what only some users find beside them."""
    open_menu(page)
    for name, path in LINKS.items():
        link = page.get_by_role("navigation", name="Main").get_by_role("link", name=name, exact=True)
        expect(link).to_be_visible()
        expect(link).to_have_attribute("href", path)
    for name in set().union(*EXTRAS.values()):
        button, link = (page.get_by_role(role, name=name, exact=True) for role in ("button", "link"))
        expect(button.or_(link).filter(visible=True)).to_have_count(1 if name in EXTRAS[who] else 0)
    if who == "visitor":
        listing = page.get_by_role("link", name="List Your Vehicles", exact=True).filter(visible=True)
        expect(listing).to_have_attribute("href", "/list-your-vehicle")
    close_menu(page)


@pytest.mark.long
def test_the_bar_is_the_same_everywhere_and_light_on_the_home_page(
    browse: Browse, complaints: Complaints, shop: Shop
) -> None:
    complaints.expected.append("status of 404")
    page = browse(color_scheme="light")
    backgrounds = {}
    for path in (*LINKS.values(), f"/vehicle-details/{shop.vehicle.id}", "/nowhere"):
        visit(page, path)
        has_the_bar(page, EXTRAS["visitor"])
        bar = page.get_by_role("banner")
        backgrounds[path] = bar.evaluate("bar => getComputedStyle(bar).backgroundColor")
    home = backgrounds.pop("/")
    assert home == "rgb(255, 255, 255)"
    assert set(backgrounds.values()) == {"rgb(11, 59, 57)"}


@pytest.mark.long
def test_everyone_finds_their_entries(browse: Browse, shop: Shop) -> None:
    for who, user in (("visitor", None), ("customer", shop.customer), ("vendor", shop.vendor)):
        page = browse(user)
        visit(page, "/")
        for size in (DESKTOP, PHONE):
            page.set_viewport_size(size)
            has_the_bar(page, EXTRAS[who])
            finds_their_entries(page, who)


def has_the_bar(page: Page, entries: set[str]) -> None:
    """Check the product's name, the location select and the user's own entries, in the bar or behind its button."""
    bar = page.get_by_role("banner")
    expect(bar.get_by_role("link", name=settings().product_name, exact=True)).to_have_attribute("href", "/")
    location = bar.get_by_role("combobox", name="Location", exact=True)
    expect(location.locator("option").first).to_have_text("Location")
    expect(location).to_have_value("")
    open_menu(page)
    for name in entries:
        button, link = (page.get_by_role(role, name=name, exact=True) for role in ("button", "link"))
        expect(button.or_(link).filter(visible=True)).to_have_count(1)
    close_menu(page)


def test_the_location_is_remembered_by_its_name_and_forgotten_by_the_empty_option(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    location = page.get_by_role("banner").get_by_role("combobox", name="Location", exact=True)
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        location.select_option(shop.place.name)
        expect(location).to_have_value(shop.place.name)
        page.wait_for_function("name => localStorage.selectedLocation === name", arg=shop.place.name)
        location.select_option(label="Location")
        page.wait_for_function("!localStorage.selectedLocation")
    location.select_option(shop.place.name)
    page.wait_for_function("localStorage.selectedLocation")
    other = page.context.new_page()
    visit(other, "/vehicles")
    expect(other.get_by_role("combobox", name="Location", exact=True)).to_have_value(shop.place.name)
    expect(other.get_by_role("heading", name=f"Vehicles in {shop.place.name}")).to_be_visible()
    expect(cards(other)).to_have_count(1)
    visit(other, "/")
    expect(other.get_by_label("Pickup location")).to_have_value(shop.place.name)


@pytest.mark.long
def test_links_lead_where_they_say(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    # A phone has the same links in its menu.
    for size, names in ((DESKTOP, [*LINKS]), (PHONE, ["Home", "Offers"])):
        page.set_viewport_size(size)
        for name in reversed(names):
            path = LINKS[name]
            open_menu(page)
            follow(page, page.get_by_role("navigation", name="Main").get_by_role("link", name=name, exact=True))
            page.wait_for_url(re.compile(f"//[^/]+{path}$"))
            expect(page.get_by_role("dialog", name="Menu")).to_have_count(0)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.set_viewport_size(DESKTOP)
    here = page.get_by_role("navigation", name="Main").locator("[aria-current=page]")
    for path, name in (("/vehicles", "Vehicles"), ("/vehicles/", "Vehicles"), ("/offers", "Offers")):
        visit(page, path)
        expect(here).to_have_text(name)


def test_the_menu_keeps_the_focus_and_closes_by_escape(browse: Browse) -> None:
    page = browse(viewport=PHONE)
    visit(page, "/")
    opener = page.get_by_role("button", name="Menu", exact=True)
    opener.focus()
    page.keyboard.press("Enter")
    menu = page.get_by_role("dialog", name="Menu")
    expect(menu).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert menu.evaluate("panel => panel.contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(opener).to_be_focused()


def test_the_vendor_area_is_for_vendors(browse: Browse, shop: Shop) -> None:
    visitor, vendor = browse(), browse(shop.vendor)
    visitor.goto("/vendor")
    visitor.wait_for_url(re.compile("//[^/]+/$"))
    expect(visitor.get_by_role("dialog", name="Login")).to_be_visible()
    visitor.keyboard.press("Escape")
    expect(visitor.get_by_role("heading", name="Featured vehicles")).to_be_visible()
    # All of them are opened by address in test_accessibility, and from the menu in test_vendor_dashboard.
    for path in VENDORS[:3]:
        vendor.goto(path)
        expect(vendor.get_by_text(f"Welcome, {shop.vendor.name}")).to_be_visible()
        expect(vendor.get_by_role("navigation", name="Main")).to_have_count(0)
        expect(vendor.get_by_role("contentinfo")).to_have_count(0)
        entries = vendor.get_by_role("navigation", name="Vendor").get_by_role("link")
        expect(entries).to_have_count(10)
        if path != "/vendor/new-booking":  # Opened by buttons, not from the menu.
            expect(entries.and_(vendor.locator(f"[href='{path}']"))).to_have_attribute("aria-current", "page")
        assert vendor.url.rstrip("/").endswith(path)


@pytest.mark.long
def test_the_page_can_be_skipped_to_and_links_are_reached_by_keyboard(browse: Browse) -> None:
    page = browse()
    visit(page, "/vehicles?pickupLocation=Gachibowli")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    nearby = page.get_by_role("link", name="Include nearby areas")
    expect(nearby).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Pickup location")).to_be_focused()
    assert "pickupLocation=Gachibowli" in page.url
    # A phone's summary has a shadow of half a rem above it, under which letters would lose their tails.
    page.set_viewport_size({"width": 390, "height": 844})
    link, summary = nearby.bounding_box(), page.locator(".summary").bounding_box()
    assert link
    assert summary
    assert link["y"] + link["height"] <= summary["y"] - 8


@pytest.mark.long
def test_errors_stay_four_seconds_and_successes_two(browse: Browse, shop: Shop) -> None:
    page = browse(fresh=True)
    page.add_init_script(NOTE_STAYS)
    visit(page, "/")
    page.get_by_role("button", name="Search").click()
    assert 4 <= seconds_on_show(page, "Please select Pickup and Return") < 8
    page.get_by_role("button", name="Login").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Email").fill("customer@example.com")
    dialog.get_by_label("Password").fill("demo-pass-123")
    dialog.get_by_role("button", name="Login").click()
    assert 2 <= seconds_on_show(page, "You are logged in") < 4


def seconds_on_show(page: Page, text: str) -> float:
    """Return how long a toast stays, by the browser's own clock: an observer outside may be late."""
    page.mouse.move(700, 800)
    stay = page.wait_for_function("text => window.stays.find(({ said }) => said.includes(text))", arg=text)
    milliseconds: float = stay.evaluate("({ passed }) => passed")
    return milliseconds / 1000


# What extensions do to pages: elements at both ends of the body and attributes, before and after React takes over.
EXTENSION = """
document.addEventListener('DOMContentLoaded', () => {
  document.documentElement.setAttribute('data-extension', '');
  document.body.setAttribute('cz-shortcut-listen', 'true');
  for (const place of ['afterbegin', 'beforeend']) document.body.insertAdjacentHTML(place, '<div class="added"></div>');
  setTimeout(() => document.body.prepend(document.createElement('aside')), 1500);
});
"""


@pytest.mark.long
def test_what_an_extension_adds_to_the_body_breaks_nothing(browse: Browse, shop: Shop) -> None:
    page = browse(fresh=True)
    page.add_init_script(EXTENSION)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    expect(page.locator("body > .added").first).to_be_attached()
    type_moment(page, "Pickup", moment(4))
    type_moment(page, "Return", moment(6))
    expect(page.get_by_text("Total", exact=True)).to_be_visible()
    page.get_by_role("button", name="Login").click()
    expect(page.get_by_role("dialog", name="Login")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Back to all vehicles").click()
    expect(page.get_by_role("heading", name="All vehicles", level=1)).to_be_visible()
