"""What the date-time pickers offer and refuse, and what a search and a booking require of them."""

import re
from calendar import monthrange
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from rental_app.domain import clock
from rental_app.schemas.search import ANYWHERE
from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support.browser_steps import (
    moment_box,
    open_search,
    ready,
    request,
    search,
    settled,
    shown,
    toast,
    type_moment,
    visit,
)
from tests.support.pickers import PANEL, day, panel
from tests.support.shop import Shop, count, moment, open_shop

pytestmark = pytest.mark.e2e
# What the browser's zone could change apart from the calendar: javascript/test/date_time_picker.test.js.
# Whether each end's date stays within its button.
ROOM = """ends => ends.map((end) => {
  const date = end.querySelector("strong").getBoundingClientRect(), whole = end.getBoundingClientRect();
  return date.left > whole.left + 4 && date.right < whole.right - 4;
})"""
FOREIGN = "America/Los_Angeles"


@pytest.mark.long
def test_pickup_starts_at_the_next_full_hour_in_india_and_nothing_before_is_offered(browse: Browse) -> None:
    page = browse(timezone_id=FOREIGN)
    before = clock.default_pickup(clock.now())
    visit(page, "/")
    expect(moment_box(page, "Pickup")).not_to_have_value("")
    assert moment_box(page, "Pickup").input_value() in {shown(before), shown(clock.default_pickup(clock.now()))}
    expect(moment_box(page, "Return")).to_have_value("")
    expect(page.get_by_label("Duration")).to_have_text("Duration")
    opened = panel(page, "Pickup")
    today = clock.indian(clock.default_pickup(clock.now()))
    expect(opened.get_by_text(f"{today:%B %Y}")).to_be_visible()
    # The search has no hours before 8 AM.
    hours = [f"{hour % 12 or 12} {'AM' if hour < 12 else 'PM'}" for hour in range(max(8, today.hour), 24)]
    expect(opened.locator("[role=option]:not([aria-disabled=true])")).to_have_text(hours)
    yesterday = today - timedelta(days=1)
    cells = opened.get_by_role("button", name=f"{yesterday:%A, %-d %B %Y}").all()
    # No month before this one is shown.
    assert cells or today.day == 1
    for shown_cell in cells:
        expect(shown_cell).to_have_accessible_name(f"{yesterday:%A, %-d %B %Y}, not available")
        expect(shown_cell).to_have_attribute("aria-disabled", "true")


def test_return_moves_to_a_day_after_pickup(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    type_moment(page, "Pickup", moment(5))
    expect(moment_box(page, "Return")).to_have_value(shown(moment(6)))
    type_moment(page, "Return", moment(9))
    type_moment(page, "Pickup", moment(7))
    expect(page.get_by_label("Duration")).to_have_text("2 days")
    expect(moment_box(page, "Return")).to_have_value(shown(moment(9)))
    type_moment(page, "Pickup", moment(8, 20))
    expect(moment_box(page, "Return")).to_have_value(shown(moment(9, 20)))
    type_moment(page, "Return", moment(9, 19))
    expect(page.get_by_text(f"Not before {shown(moment(9, 20))}")).to_be_visible()
    expect(moment_box(page, "Return")).to_have_value(shown(moment(9, 19)))
    # An earlier pickup makes it possible.
    type_moment(page, "Pickup", moment(8, 19))
    expect(page.get_by_text("Not before")).to_have_count(0)
    expect(page.get_by_label("Duration")).to_have_text("1 day")


def test_a_vendors_hours_and_closing_days_bound_the_choice(browse: Browse) -> None:
    closed = clock.indian(moment(3))
    shop = open_shop("Testpur Hours", closing_days=[f"{closed:%A}"])
    page = browse(user=shop.customer)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    opened = panel(page, "Pickup")
    expect(day(opened, 3)).to_have_attribute("aria-disabled", "true")
    expect(day(opened, 3)).to_have_accessible_name(re.compile(", closed$"))
    day(opened, 4).click()
    opened.get_by_role("button", name="Pickup").click()
    hours = [f"{hour % 12 or 12} {'AM' if hour < 12 else 'PM'}" for hour in range(9, 21)]
    expect(opened.locator("[role=option]:not([aria-disabled=true])")).to_have_text(hours)
    expect(opened.get_by_role("option", name="8 AM, closed")).to_be_visible()


def test_booking_wants_both_dates_and_leads_to_the_missing_one(browse: Browse, shop: Shop) -> None:
    page = browse(user=shop.customer)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    # The form as served, with native pickers, would be submitted without a message.
    pickup, return_at = moment_box(page, "Pickup"), moment_box(page, "Return")
    expect(pickup).to_be_visible()
    page.get_by_role("contentinfo").scroll_into_view_if_needed()
    page.get_by_role("button", name="Book Now").press("Enter")
    expect(toast(page, "Please select Pickup and Return date/time")).to_be_visible()
    expect(pickup).to_be_focused()
    expect(pickup).to_be_in_viewport()
    type_moment(page, "Pickup", moment(5))
    page.get_by_role("button", name="Clear Return").click()
    page.get_by_role("button", name="Book Now").click()
    expect(return_at).to_be_focused()
    expect(return_at).to_be_in_viewport()
    phone = browse(user=shop.customer, viewport=PHONE)
    visit(phone, f"/vehicle-details/{shop.vehicle.id}")
    the_bar_leads_to_the_dates(phone)


def the_bar_leads_to_the_dates(page: Page) -> None:
    """On a phone the bar leads to the dates before it lets anybody book."""
    expect(moment_box(page, "Pickup")).to_be_visible()
    page.get_by_role("contentinfo").scroll_into_view_if_needed()
    page.get_by_role("button", name="Choose dates").press("Enter")
    sheet = page.get_by_role("dialog", name="When do you ride?")
    for days in (5, 6):
        sheet.get_by_role("button", name=f"{clock.indian(moment(days)):%A, %-d %B %Y}").click()
    for width in (390, 360, 320):
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        assert sheet.get_by_role("button", name=re.compile("^(Pickup|Return)")).evaluate_all(ROOM) == [True, True]


def test_the_panel_works_by_keyboard_alone(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    type_moment(page, "Pickup", moment(5))
    box = moment_box(page, "Pickup")
    box.press("ArrowDown")
    focused = page.locator(":focus")
    expect(focused).to_have_accessible_name(f"{clock.indian(moment(5)):%A, %-d %B %Y}")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(box).to_have_value(shown(moment(6)))
    opened = page.get_by_role("dialog", name=PANEL)
    opened.get_by_role("button", name="Pickup").press("Enter")
    opened.get_by_role("option", selected=True).press("ArrowRight")
    page.keyboard.press("Enter")
    expect(box).to_have_value(shown(moment(6, 11)))
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(box).to_be_focused()
    expect(page.get_by_role("status").filter(has_text=f"Pickup: {shown(moment(6, 11))}")).to_be_attached()


def month_of(days: int) -> tuple[datetime, str]:
    """Return the last day of the month of the day this many days from today, at 10 AM, and the name of that month."""
    chosen = clock.indian(moment(days))
    last = chosen.replace(day=monthrange(chosen.year, chosen.month)[1])
    return last, f"{last:%B %Y}"


@pytest.mark.long
def test_the_calendar_opens_at_the_chosen_day_and_crosses_the_months_end(browse: Browse, shop: Shop) -> None:
    page, (last, month) = browse(timezone_id=FOREIGN), month_of(32)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    type_moment(page, "Pickup", last)
    box, focused = moment_box(page, "Pickup"), page.locator(":focus")
    opened = panel(page, "Pickup")
    expect(opened.get_by_role("heading", name=month)).to_be_visible()
    expect(focused).to_have_accessible_name(f"{last:%A, %-d %B %Y}")
    page.keyboard.press("ArrowRight")
    after = last + timedelta(days=1)
    expect(focused).to_have_accessible_name(f"{after:%A, %-d %B %Y}")
    expect(opened.get_by_role("heading", name=f"{after:%B %Y}")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(focused).to_have_accessible_name(f"{last:%A, %-d %B %Y}")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(box).to_have_value(shown(after))
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(box).to_be_focused()
    box.press("ArrowDown")
    expect(focused).to_have_accessible_name(f"{after:%A, %-d %B %Y}")


@pytest.mark.dates
def test_a_phone_chooses_both_ends_in_one_sheet_with_two_presses(browse: Browse) -> None:
    page = browse(viewport=PHONE, has_touch=True, is_mobile=True)
    visit(page, "/")
    open_search(page)
    moment_box(page, "Pickup").tap()
    sheet = page.get_by_role("dialog", name=PANEL)
    # What is missing is said, and nothing can be used before.
    expect(sheet.get_by_role("status").filter(has_text="Choose a return day")).to_be_visible()
    expect(sheet.get_by_role("button", name="Use these dates")).to_be_disabled()
    day(sheet, 5).tap()
    expect(sheet.get_by_role("button", name="Return")).to_have_attribute("aria-pressed", "true")
    day(sheet, 8).tap()
    for label, chosen in (("Pickup", moment(5)), ("Return", moment(8))):
        expect(sheet.get_by_role("button", name=label)).to_contain_text(shown(chosen))
    expect(sheet.get_by_role("status").filter(has_text="3 days")).to_be_visible()
    sheet.get_by_role("option", name="6 PM").tap()
    expect(sheet.get_by_role("button", name="Return")).to_contain_text(shown(moment(8, 18)))
    # A later pickup leaves the return where it is.
    sheet.get_by_role("button", name="Pickup").tap()
    day(sheet, 6).tap()
    sheet.get_by_role("button", name="Use these dates").tap()
    expect(sheet).to_have_count(0)
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(6)))
    expect(moment_box(page, "Return")).to_have_value(shown(moment(8, 18)))


@pytest.mark.dates
def test_a_device_a_year_ahead_chooses_by_the_servers_clock(browse: Browse) -> None:
    page = browse()
    page.add_init_script("const real = Date.now; Date.now = () => real() + 365 * 86_400_000;")
    visit(page, "/")
    opened = panel(page, "Pickup")
    expect(day(opened, 5)).to_have_attribute("aria-disabled", "false")
    day(opened, 5).click()
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(5)))


@pytest.mark.long
def test_back_closes_the_sheet_of_a_phone(browse: Browse) -> None:
    page = browse(viewport=PHONE, has_touch=True, is_mobile=True)
    visit(page, "/offers")
    visit(page, "/")
    open_search(page)
    moment_box(page, "Pickup").tap()
    sheet = page.get_by_role("dialog", name=PANEL)
    sheet.get_by_role("button", name="Return").tap()
    expect(sheet.get_by_role("button", name="Return")).to_have_attribute("aria-pressed", "true")
    page.go_back()
    expect(sheet).to_have_count(0)
    expect(page).to_have_url(re.compile("[0-9]/$"))
    page.go_back()
    page.wait_for_url("**/offers")


@pytest.mark.long
def test_a_screen_reader_finds_names_roles_and_states(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    type_moment(page, "Pickup", moment(5))
    button = page.get_by_role("button", name="Open calendar for Pickup")
    expect(button).to_have_attribute("aria-expanded", "false")
    opened = panel(page, "Pickup")
    expect(button).to_have_attribute("aria-expanded", "true")
    chosen = clock.indian(moment(5))
    cell = day(opened, 5)
    expect(cell).to_have_attribute("aria-pressed", "true")
    hours = opened.get_by_role("listbox", name=f"Pickup hour {chosen:%a %-d %b}")
    expect(hours.get_by_role("option", selected=True)).to_have_text(f"{chosen:%-I %p}")
    for name in ("Previous month", "Next month"):
        expect(opened.get_by_role("button", name=name)).to_be_visible()
    day(opened, 6).click()
    later = clock.indian(moment(7))
    expect(opened.get_by_role("listbox", name=f"Return hour {later:%a %-d %b}")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=f"Pickup: {shown(moment(6))}")).to_be_attached()


def test_what_is_wrong_with_a_search_stands_at_its_field(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("button", name="Search").click()
    message = "Please select Pickup and Return date/time"
    expect(toast(page, message)).to_be_visible()
    expect(moment_box(page, "Return")).to_be_focused()
    expect(moment_box(page, "Return")).to_have_accessible_description(message)
    tops = [
        control.bounding_box() for control in (moment_box(page, "Return"), page.get_by_role("button", name="Search"))
    ]
    assert tops[0]
    assert tops[1]
    assert tops[0]["y"] == tops[1]["y"]
    type_moment(page, "Return", moment(4))
    expect(moment_box(page, "Return")).to_have_accessible_description("")
    page.get_by_role("button", name="Search").click()
    place = page.get_by_label("Pickup location")
    expect(place).to_be_focused()
    expect(place).to_have_accessible_description("Please select a location")
    place.select_option(shop.place.name)
    expect(place).to_have_accessible_description("")


def test_the_bar_searches_among_the_vehicles_and_agrees_with_the_form(browse: Browse, shop: Shop) -> None:
    page, pickup, return_at = browse(), moment(4), moment(6)
    search(page, "Madhapur", pickup, return_at)
    bar = page.get_by_role("banner").get_by_role("combobox", name="Location", exact=True)
    form = page.get_by_label("Pickup location")
    for box in (bar, form):
        expect(box).to_have_value("Madhapur")
    bar.select_option(shop.place.name)
    expect(page.get_by_role("heading", name=f"Vehicles in {shop.place.name}")).to_be_visible()
    expect(page).to_have_url(re.compile(re.escape(f"{clock.indian(pickup):%Y-%m-%d}")))
    expect(form).to_have_value(shop.place.name)
    expect(moment_box(page, "Return")).to_have_value(shown(return_at))
    expect(page.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()
    form.select_option("")
    # The dates that the form shows stay those of the list.
    expect(page).not_to_have_url(re.compile("Location"))
    expect(page.get_by_role("heading", name="All vehicles")).to_be_visible()
    expect(page).to_have_url(re.compile("returnDate"))
    expect(bar).to_have_value(ANYWHERE)
    expect(moment_box(page, "Return")).to_have_value(shown(return_at))
    expect(form).to_have_value(ANYWHERE)


@pytest.mark.long
def test_a_tab_that_is_looked_at_again_renews_its_pickup(browse: Browse) -> None:
    page = browse(fresh=True)
    visit(page, "/")
    box = moment_box(page, "Pickup")
    expect(box).not_to_have_value("")
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    page.reload()
    ready(page)
    settled(page)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    settled(page)
    assert any("search_state.renew" in frame for frame in sent)


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
        ("31/02/2027 10:00 AM", "Write it like "),
        ("tomorrow", "Write it like "),
        ("25/12/2020 10:00 AM", "Not before "),
        (f"{clock.indian(moment(5)):%d/%m/%Y} 10:30", "Full hours only"),
    ):
        type_moment(page, "Pickup", typed)
        expect(box).to_have_accessible_description(re.compile(told))
        expect(box).to_have_attribute("aria-invalid", "true")
        expect(box).to_have_value(typed)
    type_moment(page, "Pickup", "tomorrow")
    expect(page.get_by_text(re.compile("Write it like [0-9/]{10} [0-9]{2}:00 [AP]M"))).to_be_visible()
    box.press("Escape")
    expect(box).to_have_value(shown(moment(5)))
    expect(page.get_by_text("Write it like")).to_have_count(0)
    # A refused text gives way to a choice from the calendar, too.
    type_moment(page, "Pickup", "tomorrow")
    page.get_by_role("button", name="Open calendar for Pickup").click()
    page.get_by_role("option", name="4 PM").click()
    expect(box).to_have_value(shown(moment(5, 16)))
    expect(page.get_by_text("Write it like")).to_have_count(0)


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


@pytest.mark.long
def test_what_cannot_be_chosen_is_said_where_it_covers_nothing(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    form = page.get_by_role("form", name="Book this vehicle")
    for label in ("Pickup", "Return"):
        type_moment(page, label, "25/12/2020 10:00 AM and some words more than fit into a line")
    extras = form.get_by_text("Extras")
    told = {label: moment_box(page, label).locator("..").get_by_role("status") for label in ("Pickup", "Return")}
    page.set_viewport_size(DESKTOP)
    for label, below in (("Pickup", form.get_by_text("Return", exact=True)), ("Return", extras)):
        expect(told[label]).to_contain_text("Write it like")
        (top, bottom), refusal = edges(moment_box(page, label)), edges(told[label])
        button = edges(page.get_by_role("button", name=f"Open calendar for {label}"))
        assert top <= button[0] < button[1] <= bottom <= refusal[0] < refusal[1] <= edges(below)[0]
    # A phone has both in one row, and below it one line for what is wrong with the first that is.
    page.set_viewport_size(PHONE)
    boxes = [edges(moment_box(page, label)) for label in ("Pickup", "Return")]
    assert boxes[0] == boxes[1]
    refusal = edges(told["Pickup"])
    assert boxes[0][1] <= refusal[0] < refusal[1] <= edges(extras)[0]
    expect(told["Return"]).to_be_hidden()


def shown_at(page: Page, viewport: ViewportSize) -> None:
    """Show the page in another size, on a phone with its search form, which is in a sheet there."""
    page.set_viewport_size(viewport)
    if viewport == PHONE and page.url.endswith("/"):
        open_search(page)


@pytest.mark.long
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
        for typed, told in (("25/12/2020 10:00 AM", "Not before"), ("tomorrow", "Write it like")):
            for label in ("Pickup", "Return"):
                type_moment(page, label, typed)
            expect(form.get_by_text(told)).to_have_count(2)
            for viewport in (PHONE, DESKTOP):
                shown_at(page, viewport)
                assert form.evaluate(LAID_OUT) == before[viewport["width"]]


def test_what_was_typed_and_refused_is_not_sent_as_the_date_from_before(browse: Browse, shop: Shop) -> None:
    page, before = browse(shop.customer), count("booking")
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    type_moment(page, "Pickup", moment(5))
    expect(page.get_by_text("1 × Full Day at ₹500")).to_be_visible()
    box, book = moment_box(page, "Pickup"), page.get_by_role("button", name="Book Now")
    box.select_text()
    box.press_sequentially("31/02/2027 10:00 AM")
    book.click()
    expect(page.get_by_text("Write it like")).to_be_visible()
    expect(box).to_be_focused()
    book.click()
    expect(box).to_have_value("31/02/2027 10:00 AM")
    settled(page)
    assert count("booking") == before
    type_moment(page, "Pickup", moment(5))
    request(page)
    page.wait_for_url("**/my-bookings/PH-*")
    assert count("booking") == before + 1
