"""The shop window: the home page's accordions and links, locality pages, offers."""

import re
from datetime import timedelta

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select
from sqlmodel import Session

from rental_app.domain.contacts import phone_link
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import Location, Offer
from rental_app.services import catalogue
from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support import axe
from tests.support.app import App
from tests.support.browser_steps import cards, moment_box, type_moment, visit
from tests.support.line import hold_scripts
from tests.support.shop import VISITOR, Shop, moment, put

pytestmark = pytest.mark.e2e
FUEL, HELMET = "Is fuel included?", "Do I get a helmet?"
FUEL_ANSWER, HELMET_ANSWER = "No, fuel is excluded.", "One helmet is free"
STEPS = {
    "Choose place and dates": "Pick a locality in",
    "Compare what is free": "Every vehicle shown is free for your dates",
    "Send the booking": "Your dates are held",
    "Pick up and ride": "Show your documents",
}


@pytest.fixture
def empty_place(shop: Shop) -> Location:
    """A locality next to the shop's, without vehicles."""
    name = f"Leer {shop.place.name}"
    # Other tests' shops share one position: this one moves to where it is certainly the nearest.
    latitude = 8 + (shop.place.id or 0) / 50
    write(_move, shop.place, latitude)
    near = {"latitude": latitude + 0.001, "longitude": shop.place.longitude}
    return put(Location(name=name, slug=name.lower().replace(" ", "-"), **near))


def _move(session: Session, place: Location, latitude: float) -> None:
    session.get_one(Location, place.id).latitude = latitude


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("heading", name=name, exact=True)


def the_steps_open_one_at_a_time(page: Page) -> None:
    """Open the steps one after another, by keyboard."""
    texts = [page.get_by_text(text) for text in STEPS.values()]
    expect(texts[0]).to_be_visible()
    for opened, name in list(enumerate(STEPS))[1:]:
        summary = page.locator("summary").filter(has_text=name)
        summary.focus()
        summary.press("Enter")
        for number, text in enumerate(texts):
            expect(text).to_be_visible(visible=number == opened)
    page.get_by_text("Pick up and ride").click()
    for text in texts:
        expect(text).to_be_hidden()


def the_search_keeps_the_keyboard(page: Page) -> None:
    """Walk round in the sheet of the search."""
    opener = page.get_by_role("button", name=re.compile("Change$"))
    opener.press("Enter")
    sheet = page.get_by_role("dialog", name="Where and when?")
    expect(sheet.get_by_role("heading")).to_be_focused()
    page.keyboard.press("Tab")
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(sheet.get_by_role("button", name="Near me")).to_be_focused()
    page.keyboard.press("Tab")
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_the_home_page_of_a_phone_is_short_and_searches_from_one_control(browse: Browse, script: str) -> None:
    page = browse(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    visit(page, "/")
    assert page.evaluate("document.documentElement.scrollHeight") < 2400
    words = page.get_by_role("button", name=re.compile("^Anywhere in .* add return.*Change$"))
    control = words.locator("..").bounding_box()
    assert control
    assert control["height"] == 76
    # At once, and what is missing is asked for.
    page.get_by_role("button", name="Search", exact=True).click()
    sheet = page.get_by_role("dialog", name="Where and when?")
    returned = moment_box(page, "Return")
    expect(returned).to_be_focused()
    expect(returned).to_have_accessible_description("Please select Pickup and Return date/time")
    page.evaluate(script)
    assert "\n".join(axe.violations(page)) == ""
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    words.click()
    expect(sheet.get_by_role("heading")).to_be_focused()
    # The same words in the sheet as on what opens it.
    anywhere = sheet.get_by_role("button", name=re.compile("^Anywhere in"))
    expect(anywhere).to_have_attribute("aria-pressed", "true")
    expect(sheet.get_by_label("Pickup location").locator("option:checked")).to_have_text(anywhere.inner_text())
    sheet.get_by_role("button", name="Madhapur", exact=True).click()
    # One place in both controls.
    expect(sheet.get_by_label("Pickup location")).to_have_value("Madhapur")
    expect(page.get_by_role("combobox", name="Location", exact=True)).to_have_value("Madhapur")
    type_moment(page, "Return", moment(5))
    sheet.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name=re.compile("^Madhapur.*day.*Change$"))).to_be_visible()
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("heading", name="Vehicles in Madhapur", level=1)).to_be_visible()


@pytest.mark.long
def test_the_search_of_a_phone_opens_before_scripts_and_is_a_form_without_them(browse: Browse) -> None:
    page = browse(viewport=PHONE, fresh=True)
    hold_scripts(page)
    page.goto("/", wait_until="commit")
    page.get_by_role("button", name=re.compile("Change$")).click()
    expect(page.get_by_label("Pickup location")).to_be_visible()
    plain = browse(viewport=PHONE, java_script_enabled=False, fresh=True)
    plain.goto("/")
    expect(plain.get_by_label("Pickup location")).to_be_visible()
    expect(plain.get_by_role("button", name=re.compile("Change$"))).to_be_hidden()


@pytest.mark.long
def test_every_link_of_the_home_page_leads_somewhere(browse: Browse, app: App) -> None:
    page = browse()
    visit(page, "/")
    expect(page.get_by_role("link", name="Bike on rent in")).not_to_have_count(0)
    links = page.get_by_role("link").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    outside = {link for link in links if not link.startswith(("/", "#"))}
    assert outside == {
        phone_link(settings().support_phone),
        f"mailto:{settings().support_email}",
    }
    inside = {link for link in links if link.startswith("/")}
    localities = {f"/{place.slug}/bike-rentals" for place in read(catalogue.locations, VISITOR)}
    assert {link for link in inside if link.endswith("/bike-rentals")} <= localities
    for link in inside:
        assert httpx2.get(app.url + link, follow_redirects=True, timeout=30).status_code == 200, link


def test_the_home_page_tells_what_listing_brings_and_leads_to_localities(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    main = page.get_by_role("main")
    for name in ("List your vehicle", "Lease it out", "List to sell", "Float a wish"):
        expect(main.get_by_role("link", name=name, exact=True)).to_have_attribute("href", "/list-your-vehicle")
    for claim in ("Earn up to ₹15,000 per month per bike", "₹10,000 to ₹15,000"):
        expect(main.get_by_text(claim)).to_be_visible()
    places = page.get_by_role("navigation", name="Bike on rent near you")
    expect(places.get_by_role("list").first).to_have_css("grid-template-columns", re.compile(r"^(\S+ ){3}\S+$"))
    places.get_by_role("link", name="Bike on rent in Madhapur").click()
    page.wait_for_url("**/madhapur/bike-rentals")
    expect(page.get_by_role("heading", name="Bike on rent in Madhapur", level=1)).to_be_visible()
    expect(page).to_have_title(re.compile("^Bike on rent in Madhapur"))
    expect(page.get_by_label("Pickup location")).to_have_value("Madhapur")


def test_a_locality_shows_what_stands_there_and_an_empty_one_leads_to_the_nearest(
    browse: Browse, shop: Shop, empty_place: Location, script: str
) -> None:
    page = browse(reduced_motion="reduce")
    visit(page, f"/{empty_place.slug}/bike-rentals")
    expect(heading(page, "No vehicles here right now")).to_be_visible()
    assert axe.problems(page, script) == []
    page.get_by_role("main").get_by_role("link", name=re.compile(f"^{shop.place.name}, 0 km away")).click()
    expect(page.get_by_role("heading", name=f"Bike on rent in {shop.place.name}", level=1)).to_be_visible()
    expect(page.get_by_text("From ₹500 a day, 1 vehicle to rent.")).to_be_visible()
    vehicle = cards(page).filter(has_text="Honda Activa 6G")
    expect(vehicle).to_have_count(1)
    terms = page.get_by_role("definition")
    expect(terms).to_have_text(["9 AM to 8 PM", "₹2,000", "₹50 an hour"])
    heading(page, FUEL).click()
    expect(page.get_by_text(FUEL_ANSWER)).to_be_visible()
    page.get_by_role("link", name="See all and filter").click()
    page.wait_for_url(re.compile(r"/vehicles\?pickupLocation="))
    expect(page.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()


def test_offers_in_force_are_shown_with_their_codes(browse: Browse) -> None:
    page = browse()
    visit(page, "/offers")
    offers = page.get_by_role("main").get_by_role("article")
    expect(offers).to_have_count(3)
    expect(offers.filter(has_text="WEEKLONG")).to_contain_text("₹300 off")
    expect(offers.filter(has_text="WEEKLONG")).to_contain_text("From 7 days")
    expect(page.get_by_text("FESTIVE26")).to_have_count(0)
    expect(page.get_by_text("Type it into the booking form")).to_be_visible()
    _move_offers(years=1)
    try:
        visit(page, "/offers")
        expect(heading(page, "No offers are running right now")).to_be_visible()
    finally:
        _move_offers(years=-1)
    page.get_by_role("main").get_by_role("link", name="See all vehicles").click()
    expect(heading(page, "All vehicles")).to_be_visible()


def _move_offers(years: int) -> None:
    write(_moved, timedelta(days=365 * years))


def _moved(session: Session, by: timedelta) -> None:
    for offer in session.scalars(select(Offer)):
        offer.starts_on, offer.ends_on = offer.starts_on + by, offer.ends_on + by


def test_a_phone_starts_with_the_search_ends_within_eight_screens_and_unfolds_the_rest(
    browse: Browse, shop: Shop
) -> None:
    page = browse(viewport=PHONE)
    visit(page, "/")
    expect(cards(page).first).to_be_visible()
    expect(page.get_by_role("navigation", name="Bike on rent near you").get_by_role("link").first).to_be_attached()
    expect(page.get_by_role("main").get_by_role("button", name="Search")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollHeight") <= 8 * PHONE["height"]
    the_steps_open_one_at_a_time(page)
    the_search_keeps_the_keyboard(page)
    page.get_by_text("more localities").click()
    places = page.get_by_role("navigation", name="Bike on rent near you")
    expect(places.get_by_role("link").last).to_be_visible()
    question = heading(page, "Is my booking confirmed straight away?")
    expect(question).to_be_hidden()
    page.get_by_text("more questions").click()
    expect(question).to_be_visible()
    page.set_viewport_size(DESKTOP)
    page.reload()
    expect(question).to_be_visible()
    expect(page.get_by_text("more questions")).to_be_hidden()
