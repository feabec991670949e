"""What the date-time fields refuse and how they say so, and how the server responds when it is asked anyway."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from rental_app.domain import clock
from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support.browser_steps import moment_box, open_search, request, settled, shown, toast, type_moment, visit
from tests.support.shop import Shop, count, moment, open_shop, wire

pytestmark = pytest.mark.e2e
# The positions of a form's fields from its top, and its height.
LAID_OUT = """
(form) => {
  const { top, height } = form.getBoundingClientRect();
  const fields = [...form.querySelectorAll("select, input:not([type=hidden])")];
  return [height, ...fields.map((field) => field.getBoundingClientRect().top - top)].map(Math.round);
}
"""


def edges(part: Locator) -> tuple[float, float]:
    """Return the top and bottom positions of an element."""
    box = part.bounding_box()
    assert box
    return box["y"], box["y"] + box["height"]


def test_what_cannot_be_chosen_stays_in_its_field_with_what_is_wrong(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    type_moment(page, "Pickup", moment(5))
    box = moment_box(page, "Pickup")
    for typed, told in (
        ("31/02/2027 10:00 AM", "Cannot be read: write "),
        ("tomorrow", "Cannot be read: write "),
        ("25/12/2020 10:00 AM", "Cannot be chosen: before "),
        (f"{clock.indian(moment(5)):%d/%m/%Y} 10:30", "Cannot be chosen: only full hours"),
    ):
        type_moment(page, "Pickup", typed)
        expect(box).to_have_accessible_description(re.compile(told))
        expect(box).to_have_attribute("aria-invalid", "true")
        expect(box).to_have_value(typed)
    type_moment(page, "Pickup", "tomorrow")
    expect(page.get_by_text(re.compile("Cannot be read: write [0-9/]{10} [0-9]{2}:00 [AP]M"))).to_be_visible()
    box.press("Escape")
    expect(box).to_have_value(shown(moment(5)))
    expect(page.get_by_text("Cannot be")).to_have_count(0)


def test_a_refused_text_gives_way_to_a_choice_from_the_calendar(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    type_moment(page, "Pickup", moment(5))
    type_moment(page, "Pickup", "tomorrow")
    page.get_by_role("button", name="Open calendar for Pickup").click()
    page.get_by_role("option", name="4 PM").click()
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(5, 16)))
    expect(page.get_by_text("Cannot be")).to_have_count(0)


@pytest.mark.dates
def test_a_date_may_be_typed_in_other_spellings(browse: Browse, shop: Shop) -> None:
    page, chosen = browse(), clock.indian(moment(5))
    # All spellings: javascript/test/date_time_picker.test.js.
    for path, typed in (
        ("/", f"{chosen:%-d-%-m-%y} 10 am"),
        ("/vehicles", f"{chosen:%Y-%m-%d} 10:00"),
        (f"/vehicle-details/{shop.vehicle.id}", f"{chosen:%-d %b %Y} 10:00"),
    ):
        visit(page, path)
        expect(moment_box(page, "Pickup")).to_be_visible()
        type_moment(page, "Pickup", typed)
        expect(moment_box(page, "Pickup")).to_have_value(shown(moment(5)))
        page.get_by_role("button", name="Clear Pickup").click()
    # The hour that was chosen before stays.
    type_moment(page, "Pickup", moment(5))
    type_moment(page, "Pickup", f"{clock.indian(moment(6)):%-d %b %Y}")
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(6)))


def test_what_cannot_be_chosen_is_said_where_it_covers_nothing(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    form = page.get_by_role("form", name="Book this vehicle")
    for label in ("Pickup", "Return"):
        type_moment(page, label, "25/12/2020 10:00 AM and some words more than fit into a line")
    belows = {"Pickup": form.get_by_text("Return", exact=True), "Return": form.get_by_text("Extras")}
    for viewport in (PHONE, DESKTOP):
        page.set_viewport_size(viewport)
        for label, below in belows.items():
            told = moment_box(page, label).locator("..").get_by_role("status")
            expect(told).to_contain_text("Cannot be read")
            (top, bottom), refusal = edges(moment_box(page, label)), edges(told)
            button = edges(page.get_by_role("button", name=f"Open calendar for {label}"))
            assert top <= button[0] < button[1] <= bottom <= refusal[0] < refusal[1] <= edges(below)[0]


def shown_at(page: Page, viewport: ViewportSize) -> None:
    """Show the page in another size, on a phone with its search form, which is in a sheet there."""
    page.set_viewport_size(viewport)
    if viewport == PHONE and page.url.endswith("/"):
        open_search(page)


def test_nothing_moves_when_a_date_is_refused(browse: Browse, shop: Shop) -> None:
    page = browse()
    for path, name in (("/", "Search vehicles"), (f"/vehicle-details/{shop.vehicle.id}", "Book this vehicle")):
        visit(page, path)
        form = page.get_by_role("form", name=name)
        expect(form.get_by_role("button", name="Open calendar for Return")).to_be_visible()
        settled(page)
        before = {}
        for viewport in (PHONE, DESKTOP):
            shown_at(page, viewport)
            before[viewport["width"]] = form.evaluate(LAID_OUT)
        for typed, told in (("25/12/2020 10:00 AM", "Cannot be chosen: before"), ("tomorrow", "Cannot be read: write")):
            for label in ("Pickup", "Return"):
                type_moment(page, label, typed)
            expect(form.get_by_text(told)).to_have_count(2)
            for viewport in (PHONE, DESKTOP):
                shown_at(page, viewport)
                assert form.evaluate(LAID_OUT) == before[viewport["width"]]


def test_of_two_refusals_of_a_date_the_newer_one_stands_there(browse: Browse) -> None:
    page = browse(viewport=PHONE)
    visit(page, "/")
    settled(page)
    sheet = open_search(page)
    form = sheet.get_by_role("form", name="Search vehicles")
    before = form.evaluate(LAID_OUT)
    sheet.get_by_role("button", name="Search", exact=True).click()
    missing = form.get_by_text("Please select Pickup and Return date/time")
    expect(missing).to_be_visible()
    type_moment(page, "Return", "tomorrow")
    expect(form.get_by_text("Cannot be read: write")).to_be_visible()
    expect(missing).to_be_hidden()
    assert form.evaluate(LAID_OUT) == before


def test_what_was_typed_and_refused_is_not_sent_as_the_date_from_before(browse: Browse, shop: Shop) -> None:
    page, before = browse(shop.customer), count("booking")
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    type_moment(page, "Pickup", moment(5))
    expect(page.get_by_text("1 × Full Day at ₹500")).to_be_visible()
    box, book = moment_box(page, "Pickup"), page.get_by_role("button", name="Book Now")
    box.select_text()
    box.press_sequentially("31/02/2027 10:00 AM")
    book.click()
    expect(page.get_by_text("Cannot be read: write")).to_be_visible()
    expect(box).to_be_focused()
    book.click()
    expect(box).to_have_value("31/02/2027 10:00 AM")
    settled(page)
    assert count("booking") == before
    type_moment(page, "Pickup", moment(5))
    request(page)
    page.wait_for_url("**/my-bookings/PH-*")
    assert count("booking") == before + 1


def test_the_server_refuses_what_was_asked_all_the_same(browse: Browse) -> None:
    closed = clock.indian(moment(3))
    shop = open_shop("Testpur Closed", closing_days=[f"{closed:%A}"])
    page, before = browse(user=shop.customer), count("booking")
    for pickup, return_at, told, field in (
        (moment(4, 7), moment(6, 7), "Pickup must be between 09:00 AM and 08:00 PM", "Pickup"),
        (moment(3), moment(5), f"Pickup is not possible on a {closed:%A}", "Pickup"),
        (moment(4), moment(4, 18), "The shortest rental is 24 hours", "Return"),
    ):
        ends = f"pickupDate={wire(pickup)}&returnDate={wire(return_at)}".replace("+", "%2B")
        visit(page, f"/vehicle-details/{shop.vehicle.id}?{ends}")
        expect(page.get_by_role("main").get_by_text(told)).to_be_visible()
        expect(toast(page, told).first).to_be_visible()
        page.get_by_role("button", name="Book Now").click()
        expect(toast(page, told).last).to_be_visible()
        expect(moment_box(page, field)).to_be_focused()
        expect(page.get_by_role("button", name="Book Now")).to_be_enabled()
    assert count("booking") == before
