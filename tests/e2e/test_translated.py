"""Under a browser's translation, which puts elements of its own into the place of texts, pages go on as without one.

The translation of these tests says the same words (translator.js): what is asked of a page then shows any text that
the page has forgotten.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rental_app.domain.money import format_rupees
from tests.e2e import (
    test_account,
    test_booking,
    test_booking_review,
    test_dialogs,
    test_my_booking,
    test_operator,
    test_results,
    test_vendor_bookings,
    test_vendor_dashboard,
    test_vendor_prices,
    test_vendor_trip,
)
from tests.e2e.conftest import Browse, Complaints
from tests.support.booking_steps import vehicle_path
from tests.support.browser_steps import cards, type_moment, visit
from tests.support.shop import Shop, moment, wire

pytestmark = pytest.mark.e2e
TRANSLATOR = Path(__file__).with_name("translator.js")
# Each screen that changes while it is read: its own test, under a translation.
ROADS: list[Callable[..., None]] = [
    test_results.test_a_phone_finds_a_fitting_vehicle_and_its_way_back,
    test_results.test_a_desk_narrows_sorts_and_leafs,
    test_booking.test_a_visitor_searches_signs_up_and_books,
    test_booking.test_extras_a_code_and_a_cheaper_return_are_priced_and_booked,
    test_booking_review.test_a_double_press_books_once_and_back_says_so,
    test_dialogs.test_what_was_typed_stays_until_it_has_been_sent,
    test_my_booking.test_cancelling_is_previewed_and_staying_is_what_enter_does,
    test_my_booking.test_a_request_moves_to_dates_priced_first,
    test_my_booking.test_a_later_return_is_priced_first_and_granted_at_once,
    test_account.test_a_second_step_is_set_up_and_asked_for,
    test_vendor_dashboard.test_a_request_is_answered_with_one_press_or_with_one_of_four_reasons,
    test_vendor_bookings.test_a_walk_in_is_booked_with_nine_taps_and_25_keys_at_most,
    test_vendor_trip.test_a_vehicle_is_handed_over_with_twelve_presses,
    test_vendor_trip.test_a_wrong_line_is_taken_back_and_a_booking_extended,
    test_vendor_prices.test_a_fleets_prices_are_typed_refused_corrected_and_saved_at_once,
    test_operator.test_keys_walk_decide_and_are_off_while_typing,
    test_operator.test_a_list_is_searched_filtered_sorted_and_turned,
]


@pytest.fixture
def translated(browse: Browse) -> Iterator[Browse]:
    """Open pages as `browse` does, in a browser that translates them."""
    pages: list[Page] = []

    def start(*given: Any, **options: Any) -> Page:
        page = browse(*given, **options | {"fresh": True})
        page.context.add_init_script(path=TRANSLATOR)
        pages.append(page)
        return page

    yield start
    assert all(page.evaluate("window.translatedTexts > 0") for page in pages)


def test_counts_prices_and_dialogs_are_the_servers(translated: Browse, shop: Shop) -> None:
    page = translated()
    visit(page, "/vehicles")
    page.wait_for_function("window.translatedTexts > 50")
    count = page.get_by_role("main").get_by_text(re.compile(r"^Showing \d+ (of \d+ )?vehicles?$"))
    for text in ("activa", "swift", "scooter", ""):
        page.get_by_label("Filter vehicles").fill(text)
        free = page.request.get("/api/user/vehicles", params={"q": text, "limit": 1}).json()["total"]
        expect(count).to_have_text(re.compile(rf"(of|Showing) {free} vehicle"))
    page.get_by_role("button", name="Show more").click()
    expect(cards(page).nth(24)).to_be_visible()
    expect(count).to_contain_text("Showing 48 of")

    visit(page, vehicle_path(shop, moment(4), moment(6)))
    form = page.get_by_role("form", name="Book this vehicle")
    expect(form.locator("font").first).to_be_attached()
    expect(form.get_by_role("status").last).to_contain_text(total(page, shop, moment(6)))
    type_moment(page, "Return", moment(7))
    expect(form.get_by_role("status").last).to_contain_text(total(page, shop, moment(7)))
    form.get_by_role("checkbox", name="Second helmet").check()
    expect(form.get_by_role("status").last).to_contain_text(total(page, shop, moment(7), extras="helmet"))
    page.get_by_role("textbox", name="Offer code").fill("firstride")
    page.get_by_role("button", name="Apply").click()
    charged = total(page, shop, moment(7), extras="helmet", offer="FIRSTRIDE")
    expect(form.get_by_role("status").last).to_contain_text(charged)

    for _ in range(3):
        page.get_by_role("button", name="Login").click()
        dialog = page.get_by_role("dialog", name="Login")
        dialog.get_by_role("button", name="click here").click()
        sign_up = page.get_by_role("dialog", name="Sign Up")
        sign_up.get_by_role("button", name="Create Account").click()
        expect(sign_up).to_contain_text("Please fill this in")
        sign_up.get_by_role("button", name="click here").click()
        dialog.get_by_role("button", name="Login").click()
        expect(dialog.get_by_label("Email")).to_have_accessible_description(re.compile("."))
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def total(page: Page, shop: Shop, return_at: datetime, **terms: str) -> str:
    """Return what the server asks for the shop's vehicle from the fourth day on, as a page writes it."""
    asked = {"car": str(shop.vehicle.id), "pickupDate": wire(moment(4)), "returnDate": wire(return_at)}
    quote = page.request.get("/api/bookings/quote", params=asked | terms).json()["quote"]
    return f"Total{format_rupees(quote['total'] * 100)}"


@pytest.mark.long
@pytest.mark.parametrize("road", ROADS, ids=lambda road: road.__name__)
def test_each_road_is_gone_as_without_a_translation(
    road: Callable[..., None], translated: Browse, request: pytest.FixtureRequest, complaints: Complaints
) -> None:
    # As which the server answers the addresses of the console.
    complaints.expected.append("status of 404")
    given = {name: request.getfixturevalue(name) for name in signature(road).parameters if name != "browse"}
    road(browse=translated, **given)
