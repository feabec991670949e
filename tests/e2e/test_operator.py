"""The operator's console in a browser: the queue by keyboard and on a phone, lists as tables and cards, its weight."""

from datetime import timedelta
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import User, Vehicle
from rental_app.schemas.operating import ReadOnlyRequest
from rental_app.services.operating import read_only
from tests.e2e.conftest import Browse, Complaints
from tests.support import console as support_console
from tests.support import run_clock
from tests.support.app import App
from tests.support.axe import problems
from tests.support.browser_steps import visit
from tests.support.routes import OPERATORS
from tests.support.shop import Shop, actor, add_vehicle, token_of
from tests.support.traffic import Traffic
from tests.support.trips import confirmed

pytestmark = pytest.mark.e2e
BUDGET = 250 * 1024
MARIGOLD = "rgb(245, 166, 35)"
SMALL = {"width": 390, "height": 844}


@pytest.fixture(autouse=True)
def not_there(complaints: Complaints) -> None:
    """The server answers every address of the console as one at which there is nothing."""
    complaints.expected.append("status of 404")


def waiting(shop: Shop, many: int) -> list[Vehicle]:
    """Vehicles that have waited longer for their approval than anything else does."""
    before = clock.now() - timedelta(days=900)
    return [add_vehicle(shop.vendor, is_approved=False, created_at=before) for _ in range(many)]


def decided(car: Vehicle) -> tuple[bool, str]:
    found = read(lambda session: session.get_one(Vehicle, car.id))
    return found.is_approved, found.refusal


def queue(page: Page, car: Vehicle) -> None:
    """Wait until a vehicle is looked at."""
    expect(page.get_by_role("region", name="What is decided about")).to_contain_text(car.rc_number)


def pick(page: Page, car: Vehicle) -> None:
    """Look at a vehicle; other tests may have left some that wait for longer."""
    page.get_by_role("region", name="Queue").get_by_role("button", name=car.rc_number).click()
    queue(page, car)


def apart(one: Locator, other: Locator) -> bool:
    """Whether two parts of a page leave each other uncovered."""
    first, second = one.bounding_box(), other.bounding_box()
    assert first
    assert second
    beside = first["x"] + first["width"] <= second["x"] or second["x"] + second["width"] <= first["x"]
    return beside or first["y"] + first["height"] <= second["y"] or second["y"] + second["height"] <= first["y"]


def test_keys_walk_decide_and_are_off_while_typing(browse: Browse, shop: Shop) -> None:
    first, *others = waiting(shop, 3)
    second, third = others
    page = browse(support_console.operator(), reduced_motion="reduce")
    visit(page, "/operator")
    pick(page, first)
    page.keyboard.press("j")
    queue(page, second)
    item = page.get_by_role("region", name="What is decided about")
    expect(item).to_be_focused()
    expect(page.get_by_role("status").filter(has_text=", Listing, ")).to_have_count(1)
    page.keyboard.press("k")
    queue(page, first)
    page.keyboard.press("r")
    reason = page.get_by_label("Told to those it concerns when refused")
    expect(page.get_by_text("Say why: those it concerns read it")).to_be_visible()
    expect(reason).to_be_focused()
    page.keyboard.type("a rear photo")
    assert decided(first) == (False, "")
    # The way back to the keys.
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    queue(page, second)
    assert decided(first) == (False, "a rear photo")
    page.get_by_role("button", name="Owner name: not looked at").click()
    page.get_by_role("button", name="Owner name: looked at, equal").click()
    expect(reason).to_have_value("Owner name differs from the RC")
    page.keyboard.press("?")
    expect(page.get_by_text("refuse, with the reason in the box")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search everything")).to_be_focused()
    page.get_by_role("heading", name="Work").click()
    for car in others:
        queue(page, car)
        page.keyboard.press("a")
    expect(page.get_by_role("region", name="What is decided about")).not_to_contain_text(third.rc_number)
    assert [decided(car) for car in others] == [(True, "")] * 2


def test_a_listing_is_decided_on_a_phone_without_scrolling_sideways(browse: Browse, shop: Shop, script: str) -> None:
    car, following = waiting(shop, 2)
    page = browse(support_console.operator(), viewport=SMALL, reduced_motion="reduce")
    visit(page, "/operator")
    pick(page, car)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert problems(page, script) == []
    page.get_by_role("button", name="Approve").click()
    told = page.get_by_role("listitem").filter(has_text="Listed, and the vendor is told")
    expect(told).to_be_visible()
    assert decided(car) == (True, "")
    # What was done is said beside the buttons that decide about the next, never on them.
    queue(page, following)
    for size in (SMALL, {"width": 1440, "height": 900}):
        page.set_viewport_size(size)
        assert [apart(told, page.get_by_role("button", name=name)) for name in ("Approve", "Refuse")] == [True, True]


def test_a_list_is_searched_filtered_sorted_and_turned(browse: Browse, shop: Shop, script: str) -> None:
    page = browse(support_console.operator(), reduced_motion="reduce")
    visit(page, "/operator/bookings")
    table = page.get_by_role("table", name="Bookings")
    expect(table.get_by_role("row")).to_have_count(26)
    first = table.get_by_role("rowheader").first.inner_text().partition("\n")[0]
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_text("26 to 50 of")).to_be_visible()
    page.get_by_role("link", name="Back", exact=True).click()
    expect(table.get_by_role("rowheader").first).to_contain_text(first)
    page.get_by_role("link", name="Price").click()
    expect(table.get_by_role("columnheader", name="Price")).to_have_attribute("aria-sort", "ascending")
    page.get_by_label("State", exact=True).select_option("Cancelled")
    expect(page.get_by_role("link", name="State: Cancelled")).to_be_visible()
    assert problems(page, script) == []
    search = page.get_by_role("searchbox", name="Search this list")
    search.fill("nobody at all")
    search.press("Enter")
    expect(page.get_by_text("Nothing fits")).to_be_visible()
    page.get_by_role("link", name="Drop “nobody at all”").click()
    expect(page.get_by_text("Nothing fits")).to_have_count(0)
    with page.expect_download() as sheet:
        page.get_by_role("button", name="CSV of these").click()
    assert "Cancelled" in sheet.value.path().read_text("utf-8-sig")


@pytest.mark.long
def test_rows_are_cards_below_900_pixels(browse: Browse, shop: Shop, script: str) -> None:
    page = browse(support_console.operator(), viewport={"width": 899, "height": 900}, reduced_motion="reduce")
    visit(page, "/operator/people")
    row = page.get_by_role("row").nth(1)
    expect(row).to_have_css("display", "grid")
    page.set_viewport_size({"width": 900, "height": 900})
    expect(row).to_have_css("display", "table-row")
    # None of its columns is cut off where there is little room for them.
    reference = confirmed(shop).reference
    lists = (("people", shop.customer.name), ("listings", shop.vehicle.rc_number), ("bookings", reference))
    for path, q in lists:
        # Names without a space, which other tests make, may widen them.
        visit(page, f"/operator/{path}?q={quote(q)}")
        for width in (1024, 1280) if path == "bookings" else (900, 1024):
            page.set_viewport_size({"width": width, "height": 900})
            fits = "table => table.scrollWidth <= table.parentElement.clientWidth"
            assert page.get_by_role("table").evaluate(fits), (path, width)
            expect(page.get_by_role("columnheader", name="State")).to_be_in_viewport()
    visit(page, "/operator/people")
    page.set_viewport_size(SMALL)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert problems(page, script) == []


def test_a_persons_page_takes_a_note_shows_what_they_see_and_blocks_them(
    browse: Browse, shop: Shop, script: str
) -> None:
    page = browse(support_console.operator(), reduced_motion="reduce")
    visit(page, "/operator")
    everything = page.get_by_role("searchbox", name="Search everything")
    everything.fill(shop.customer.email)
    everything.press("Enter")
    expect(page.get_by_role("heading", name=shop.customer.name)).to_be_visible()
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Add a note").click()
    dialog.get_by_label("Note, for operators alone").fill("Called twice")
    dialog.get_by_role("button", name="Add a note").click()
    expect(page.get_by_role("rowheader", name="Called twice")).to_be_visible()
    for width in (390, 768, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    assert problems(page, script) == []
    page.get_by_role("button", name="Block").click()
    dialog.get_by_role("button", name="Block").click()
    expect(dialog.get_by_text("Say why")).to_be_visible()
    assert problems(page, script) == []
    dialog.get_by_label("Why").fill("Damaged two vehicles")
    dialog.get_by_role("button", name="Block").click()
    expect(page.get_by_text("Blocked", exact=True)).to_be_visible()
    assert read(lambda session: session.get_one(User, shop.customer.id)).status == "blocked"
    page.get_by_role("link", name="As they see it").click()
    expect(page.get_by_text("this look is recorded")).to_be_visible()
    expect(page.get_by_role("heading", name="My Bookings")).to_be_visible()


def test_the_console_is_not_there_for_others(browse: Browse, shop: Shop) -> None:
    for user, paths in ((None, OPERATORS[:1]), (shop.customer, OPERATORS[:1]), (shop.vendor, OPERATORS)):
        page = browse(user)
        for path in paths:
            visit(page, path)
            expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
            assert "Pahiya" in page.title()
            assert "Work" not in page.title()


@pytest.mark.long
def test_its_pages_weigh_at_most_250_kilobytes_and_are_kept_nowhere(app: App, browser: Browser) -> None:
    for path in OPERATORS:
        context = browser.new_context()
        context.add_init_script(run_clock.page_script())
        context.add_init_script(f"localStorage.setItem('token', '{token_of(support_console.operator())}')")
        traffic = Traffic(context.new_page())
        traffic.open(app.url + path)
        traffic.rest()
        assert traffic.size("script", "style") <= BUDGET, path
        answer = context.request.get(app.url + path)
        assert (answer.status, answer.headers["cache-control"]) == (404, "no-store")
        assert "noindex" in answer.headers["x-robots-tag"]
        context.close()


@pytest.mark.long
def test_the_read_only_switch_tells_everybody_and_is_marigold_while_on(
    browse: Browse, shop: Shop, script: str, complaints: Complaints
) -> None:
    # What is refused meanwhile, such as the count of a visit.
    complaints.expected.append("status of 503")
    operator = support_console.operator()
    page = browse(operator, viewport={"width": 768, "height": 900}, color_scheme="dark", reduced_motion="reduce")
    # Logged in before: a session is written down.
    visitor = browse(shop.customer, viewport=SMALL, color_scheme="dark", reduced_motion="reduce")
    visit(visitor, "/my-bookings")
    visit(page, "/operator/people")
    switch = page.get_by_role("button", name="Read-only mode")
    dialog = page.get_by_role("dialog", name="Read-only mode")
    try:
        switch.click()
        dialog.get_by_label("What people are told").fill("Back at five")
        dialog.get_by_role("button", name="Make it read-only").click()
        expect(switch).to_contain_text("On")
        expect(switch).to_have_css("background-color", MARIGOLD)
        assert problems(page, script) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        band, menu = page.get_by_text("Back at five"), page.get_by_role("navigation", name="Console", exact=True)
        expect(band).to_be_visible()
        # It stands above the columns, whose widths it leaves as they are.
        assert band.evaluate("element => element.clientWidth === document.documentElement.clientWidth")
        assert menu.evaluate("element => element.clientWidth < 72")
        # The switch is in sight on a low window too.
        page.set_viewport_size({"width": 1280, "height": 600})
        expect(switch).to_be_in_viewport(ratio=1)
        # A tab that was open before is told with its next event, as it asks for its bookings.
        told = visitor.get_by_role("status").filter(has_text="Back at five")
        expect(told).to_be_visible()
        assert problems(visitor, script) == []
        switch.click()
        dialog.get_by_role("button", name="Open the shop").click()
        expect(switch).to_contain_text("Off")
        expect(page.get_by_text("Back at five")).to_have_count(0)
        expect(told).to_have_count(0)
    finally:
        write(read_only.switch, actor(operator), ReadOnlyRequest(on=False))
