"""What the date-time pickers offer, and what a search and a booking require of them."""

import re
from calendar import monthrange
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import ViewportSize, expect

from rental_app.domain import clock
from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support.browser_steps import moment_box, open_search, shown, toast, type_moment, visit
from tests.support.line import Answers
from tests.support.pickers import PANEL, day, panel
from tests.support.shop import Shop, moment, open_shop

pytestmark = pytest.mark.e2e
# What the browser's zone could change apart from the calendar: javascript/test/date_time_picker.test.js.
# Whether each end's date stays within its button.
ROOM = """ends => ends.map((end) => {
  const date = end.querySelector("strong").getBoundingClientRect(), whole = end.getBoundingClientRect();
  return date.left > whole.left + 4 && date.right < whole.right - 4;
})"""
FOREIGN = ["America/Los_Angeles", "Pacific/Auckland"]


@pytest.mark.parametrize("zone", FOREIGN)
def test_pickup_starts_at_the_next_full_hour_in_india_and_nothing_before_is_offered(browse: Browse, zone: str) -> None:
    page = browse(timezone_id=zone)
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
    expect(page.get_by_text(f"Cannot be chosen: before {shown(moment(9, 20))}")).to_be_visible()
    expect(moment_box(page, "Return")).to_have_value(shown(moment(9, 19)))
    # An earlier pickup makes it possible.
    type_moment(page, "Pickup", moment(8, 19))
    expect(page.get_by_text("Cannot be chosen")).to_have_count(0)
    expect(page.get_by_label("Duration")).to_have_text("1 day")


def test_a_return_typed_while_the_automatic_one_arrives_takes_its_place(browse: Browse) -> None:
    page = browse(fresh=True)
    answers = Answers(page)
    visit(page, "/")
    expect(moment_box(page, "Pickup")).not_to_have_value("")
    answers.held = True
    type_moment(page, "Pickup", moment(5))
    moment_box(page, "Return").focus()
    answers.await_one()
    answers.let_through()
    expect(moment_box(page, "Return")).to_have_value(shown(moment(6)))
    page.keyboard.type(shown(moment(9)), delay=20)
    page.keyboard.press("Tab")
    expect(page.get_by_label("Duration")).to_have_text("4 days")
    expect(moment_box(page, "Return")).to_have_value(shown(moment(9)))


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


def test_a_search_wants_both_dates_and_a_location(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("button", name="Search").click()
    expect(toast(page, "Please select Pickup and Return date/time")).to_be_visible()
    type_moment(page, "Pickup", moment(5))
    expect(moment_box(page, "Return")).not_to_have_value("")
    page.get_by_role("button", name="Search").click()
    expect(toast(page, "Please select a location")).to_be_visible()
    page.get_by_role("button", name="Clear Return").click()
    page.get_by_label("Pickup location").select_option(shop.place.name)
    page.get_by_role("button", name="Search").click()
    expect(toast(page, "Please select Pickup and Return date/time").last).to_be_visible()
    assert page.url.endswith("/")


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_booking_wants_both_dates_and_leads_to_the_missing_one(
    browse: Browse, shop: Shop, viewport: ViewportSize
) -> None:
    page = browse(user=shop.customer, viewport=viewport)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    # The form as served, with native pickers, would be submitted without a message.
    pickup, return_at = moment_box(page, "Pickup"), moment_box(page, "Return")
    expect(pickup).to_be_visible()
    page.get_by_role("contentinfo").scroll_into_view_if_needed()
    if viewport == PHONE:
        # There the bar leads to the dates before it lets anybody book.
        page.get_by_role("button", name="Choose dates").press("Enter")
        sheet = page.get_by_role("dialog", name="When do you ride?")
        for days in (5, 6):
            sheet.get_by_role("button", name=f"{clock.indian(moment(days)):%A, %-d %B %Y}").click()
        for width in (390, 360, 320):
            page.set_viewport_size({"width": width, "height": viewport["height"]})
            assert sheet.get_by_role("button", name=re.compile("^(Pickup|Return)")).evaluate_all(ROOM) == [True, True]
        return
    page.get_by_role("button", name="Book Now").press("Enter")
    expect(toast(page, "Please select Pickup and Return date/time")).to_be_visible()
    expect(pickup).to_be_focused()
    expect(pickup).to_be_in_viewport()
    type_moment(page, "Pickup", moment(5))
    page.get_by_role("button", name="Clear Return").click()
    page.get_by_role("button", name="Book Now").click()
    expect(return_at).to_be_focused()
    expect(return_at).to_be_in_viewport()


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


@pytest.mark.parametrize(("path", "zone"), [*zip(["/vehicles", "vehicle"], FOREIGN, strict=True)])
def test_the_calendar_opens_at_the_chosen_day_and_crosses_the_months_end(
    browse: Browse, shop: Shop, path: str, zone: str
) -> None:
    page, (last, month) = browse(timezone_id=zone), month_of(32)
    visit(page, f"/vehicle-details/{shop.vehicle.id}" if path == "vehicle" else path)
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


def test_arrow_down_enters_and_escape_closes_wherever_the_focus_is(browse: Browse) -> None:
    page, (last, _) = browse(), month_of(32)
    visit(page, "/")
    type_moment(page, "Pickup", last)
    box, opened = moment_box(page, "Pickup"), page.get_by_role("dialog", name=PANEL)
    # In the field.
    box.click()
    expect(opened).to_be_visible()
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(box).to_be_focused()
    # On a day, after the field had the focus again.
    box.click()
    for _ in range(2):
        box.press("ArrowDown")
        expect(page.locator(":focus")).to_have_accessible_name(f"{last:%A, %-d %B %Y}")
        box.focus()
    box.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(box).to_be_focused()
    # On another control of the panel, and nowhere.
    for place in ("button[aria-label='Next month']", "[role=option][aria-selected=true]", ""):
        panel(page, "Pickup")
        if place:
            opened.locator(place).focus()
        else:
            page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Escape")
        expect(opened).to_have_count(0)
        expect(box).to_be_focused()
    expect(box).to_have_value(shown(last))


@pytest.mark.dates
def test_a_phone_chooses_both_ends_in_one_sheet_with_two_presses(browse: Browse) -> None:
    page = browse(viewport=PHONE, has_touch=True, is_mobile=True)
    visit(page, "/")
    open_search(page)
    moment_box(page, "Pickup").tap()
    sheet = page.get_by_role("dialog", name=PANEL)
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
