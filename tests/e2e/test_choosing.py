"""Choosing where and when: the return follows the pickup, errors appear at their fields, bar and form agree."""

import re

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from rental_app.schemas.search import ANYWHERE
from tests.e2e.conftest import Browse
from tests.support.browser_steps import follow, moment_box, ready, search, settled, shown, toast, type_moment, visit
from tests.support.line import Answers
from tests.support.pickers import day, panel
from tests.support.shop import Shop, moment

pytestmark = pytest.mark.e2e


def test_a_day_and_then_an_hour_make_one_day(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    opened = panel(page, "Pickup")
    day(opened, 5).click()
    opened.get_by_role("button", name="Pickup").click()
    opened.get_by_role("option", name="10 AM").click()
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(5)))
    expect(moment_box(page, "Return")).to_have_value(shown(moment(6)))
    expect(page.get_by_label("Duration")).to_have_text("1 day")


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


def test_an_impossible_search_is_told_at_its_field(browse: Browse, shop: Shop) -> None:
    page = browse()
    ends = f"pickupDate={moment(5):%Y-%m-%dT10:00}&returnDate={moment(5):%Y-%m-%dT12:00}"
    visit(page, f"/vehicles?pickupLocation={shop.place.name}&{ends}")
    message = "The shortest rental is 24 hours"
    expect(toast(page, message)).to_be_visible()
    expect(moment_box(page, "Return")).to_be_focused()
    expect(page.get_by_role("main").get_by_text(message)).to_have_count(1)
    expect(page.get_by_role("heading", name="This search is not possible")).to_be_visible()
    expect(page.get_by_text("Showing 0")).to_have_count(0)


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


def test_a_new_search_starts_without_the_old_filter(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/vehicles")
    box = page.get_by_label("Filter vehicles")
    box.press_sequentially("zeppelin", delay=60)
    expect(page.get_by_role("heading", name="No vehicle matches that filter")).to_be_visible()
    # Typed, and left before the debounce delay after which it is sent.
    box.press_sequentially("s")
    page.get_by_role("banner").get_by_role("combobox", name="Location", exact=True).select_option(shop.place.name)
    expect(page.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()
    expect(box).to_have_value("")
    expect(page).not_to_have_url(re.compile("zeppelin"))


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


def test_who_follows_a_link_meanwhile_is_not_led_to_the_results(browse: Browse, shop: Shop) -> None:
    page = browse()
    answers = Answers(page)
    visit(page, "/")
    page.get_by_label("Pickup location").select_option(shop.place.name)
    type_moment(page, "Return", moment(5))
    expect(page.get_by_label("Duration", exact=True)).not_to_have_text("Duration")
    answers.held = True
    page.get_by_role("button", name="Search").click()
    follow(page, page.get_by_role("navigation", name="Main").get_by_role("link", name="Offers"))
    answers.let_through()
    settled(page)
    assert page.url.endswith("/offers")
