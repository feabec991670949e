"""By keyboard alone: every focus stop is visible, has a name, and is not covered by what sticks to the screen."""

import re
from itertools import product
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support.browser_steps import NEWCOMER, fill, toast, visit
from tests.support.searches import WINDOW
from tests.support.shop import Shop

pytestmark = pytest.mark.e2e
MOST_STOPS = 150
LOW: ViewportSize = {"width": 360, "height": 480}
# Counts how often the page's own login button has been another element than before.
WATCH_PROMPT = """
window.replaced = 0;
let prompt = null;
new MutationObserver(() => {
    const now = document.querySelector('main [data-opens=login]');
    if (prompt && now !== prompt) window.replaced += 1;
    prompt = now;
}).observe(document, {subtree: true, childList: true});
"""
# The focused element: whether a focus ring is drawn, and whether something covers it.
STOP = """async () => {
    const at = document.activeElement;
    if (at === document.body || at.tagName === 'IFRAME' || window.stops.includes(at)) return null;
    window.stops.push(at);
    const isSeen = () => {
        const { left, top, width, height } = at.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return width < 2 || at.contains(hit) || hit?.contains(at) || [...at.labels ?? []].some((l) => l.contains(hit));
    };
    // What the focus scrolls to is there a frame later, or some if the machine has much to do.
    let [seen, frames] = [false, 60];
    while (!seen && frames--) {
        await new Promise(requestAnimationFrame);
        seen = isSeen();
    }
    const drawn = [at, at.parentElement, at.nextElementSibling].filter(Boolean).map((part) => getComputedStyle(part));
    return {
        what: at.outerHTML.slice(0, 120),
        label: at.ariaLabel ?? (at.localName === 'summary' ? at.innerText : ''),
        ring: drawn.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2),
        seen,
    };
}"""


def stops(page: Page, key: str = "Tab") -> list[dict[str, Any]]:
    """Return the stops that the key reaches, in order, until it leaves the page or comes round."""
    page.evaluate("window.stops = []")
    found: list[dict[str, Any]] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        if (stop := page.evaluate(STOP)) is None:
            break
        # A role and, in quotation marks, a name: `- link "Home"`.
        role = page.locator(":focus").aria_snapshot().partition("\n")[0]
        # Snapshots know no role of a summary, and leave its name out.
        found.append(stop | {"name": "".join(re.findall('"(.+?)"', role)) or stop["label"]})
    return found


def problems_of(found: list[dict[str, Any]]) -> list[str]:
    """Return what is wrong with the stops."""
    wrong = [(part, stop["what"]) for stop in found for part in ("name", "ring", "seen") if not stop[part]]
    return [f"no {part}: {what}" for part, what in wrong]


SCREENS = {
    "home": ("/", "Featured vehicles", 25),
    "vehicles": ("/vehicles?pickupLocation=Gachibowli", "Showing", 15),
    "vehicle": (f"/vehicle-details/1?{urlencode(WINDOW)}", "Renting Info", 12),
}


SCHEMES = ("light", "dark")
# One walk is enough to see that focus rings and names are there.
WALKS = [
    pytest.param(name, scheme, marks=[] if (name, scheme) == ("vehicles", "light") else [pytest.mark.long])
    for name, scheme in product(SCREENS, SCHEMES)
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "scheme"), WALKS)
def test_every_stop_is_seen_and_named(browse: Browse, name: str, scheme: str) -> None:
    path, shown, least = SCREENS[name]
    page = browse(color_scheme=scheme, reduced_motion="reduce")
    visit(page, path)
    expect(page.get_by_role("main").get_by_text(shown).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(f"html.{scheme}")).to_be_attached()
    forwards = stops(page)
    page.evaluate("document.querySelector('footer a:last-of-type').focus()")
    # Leaves the page at its beginning, where the next round starts.
    backwards = stops(page, "Shift+Tab")
    assert problems_of(forwards + backwards) == []
    assert min(len(forwards), len(backwards)) >= least
    assert forwards[0]["name"] == "Skip to content"


@pytest.mark.long
def test_a_vendors_dialogs_keep_the_keyboard(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, reduced_motion="reduce")
    visit(page, "/vendor/manage-vehicles")
    for viewport in (DESKTOP, PHONE):
        page.set_viewport_size(viewport)
        for button, dialog in (("Edit", "Edit Vehicle"), ("More for", "Documents & Photos")):
            opener = page.get_by_role("button", name=f"{button} Honda Activa 6G, {shop.vehicle.rc_number}")
            opener.press("Enter")
            if button == "More for":
                expect(page.get_by_role("menuitem", name="Files")).to_be_focused()
                page.keyboard.press("Enter")
            window = page.get_by_role("dialog", name=dialog)
            expect(window).to_be_visible()
            found = stops(page)
            assert problems_of(found) == []
            assert len(found) > 10
            assert window.evaluate("dialog => stops.every((stop) => dialog.contains(stop))")
            page.keyboard.press("Escape")
            expect(window).to_be_hidden()
            expect(opener).to_be_focused()


@pytest.mark.long
def test_signing_up_keeps_the_keyboard(browse: Browse) -> None:
    page = browse(reduced_motion="reduce")
    page.add_init_script(WATCH_PROMPT)
    for viewport, path in ((DESKTOP, "/account"), (LOW, "/account"), (DESKTOP, "/my-bookings"), (LOW, "/my-bookings")):
        page.set_viewport_size(viewport)
        visit(page, path)
        opener = page.get_by_role("button", name="Log in", exact=True)
        opener.press("Enter")
        page.get_by_role("button", name="click here").press("Enter")
        window = page.get_by_role("dialog", name="Sign Up")
        expect(window).to_be_visible()
        found = stops(page)
        if viewport is LOW:
            # In two steps on a phone.
            fill(page, {name: NEWCOMER[name] for name in ("Name", "Mobile Number", "Password")} | {"Email": "k@b.in"})
            page.get_by_role("button", name="Next: where you live").press("Enter")
            expect(window.get_by_text("2 of 2")).to_be_visible()
            expect(window.get_by_label("Pincode")).to_be_focused()
            found += stops(page)
            assert page.evaluate("window.replaced") == 0, "a press could be lost"
            # A page may be drawn anew below the dialog.
            page.locator("main [data-opens=login]").evaluate("button => button.replaceWith(button.cloneNode(true))")
        assert problems_of(found) == []
        assert len(found) > 10
        page.keyboard.press("Escape")
        expect(window).to_be_hidden()
        expect(opener).to_be_focused()


def test_counts_and_toasts_are_announced(browse: Browse) -> None:
    page = browse()
    visit(page, "/vehicles")
    expect(page.get_by_role("status").filter(has_text="Showing")).to_be_visible()
    page.get_by_role("textbox", name="Search").or_(page.get_by_role("searchbox")).first.fill("no such vehicle")
    expect(page.get_by_role("status").filter(has_text="Showing 0 vehicles")).to_be_attached()
    visit(page, "/")
    page.get_by_role("button", name="Search").click()
    expect(toast(page, "Please select Pickup and Return")).to_be_visible()
    region = page.get_by_role("region", name="Notifications")
    assert region.evaluate("region => region.closest('[aria-live]').getAttribute('aria-live')") == "polite"
