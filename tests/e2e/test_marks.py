"""Favourites and comparisons respond at once, outlive a login, and belong to nobody else."""

import re

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.domain.ids import slug_of
from rental_app.infrastructure.db import read, write
from rental_app.services import favourites
from rental_app.web.parts.presenters.links import vendor_url
from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support.app import App
from tests.support.browser_steps import cards, fill, ready, settled, toast, visit
from tests.support.shop import PASSWORD, Shop, actor, add_vehicle, moment, put, wire

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("database")]


def of_the_shop(page: Page, shop: Shop) -> None:
    """Open the list of the shop's locality."""
    visit(page, f"/vehicles?pickupLocation={shop.place.name}")
    expect(cards(page).first).to_be_visible()


def hearts(page: Page) -> Locator:
    """The visible heart buttons."""
    return page.get_by_role("main").get_by_role("button", name=re.compile("^Favourite: "))


def compares(page: Page) -> Locator:
    """The buttons that select vehicles to compare, in the menus of their cards."""
    return page.get_by_role("main").get_by_role("button", name=re.compile("^Compare "), include_hidden=True)


def compare(page: Page, place: int) -> None:
    """Select the vehicle at a place of the list, or no longer, in its menu."""
    menu = page.get_by_role("main").locator("summary[aria-label^='More about']").nth(place)
    menu.click()
    compares(page).nth(place).click()
    menu.click()


def is_pressed(button: Locator, pressed: bool = True) -> None:
    """Wait until a button shows that it is pressed, or no longer."""
    expect(button).to_have_attribute("aria-pressed", "true" if pressed else "false")


def test_favourites_on_a_phone_before_and_after_a_login(browse: Browse, shop: Shop) -> None:
    page = browse(viewport=PHONE, has_touch=True)
    of_the_shop(page, shop)
    hearts(page).first.tap()
    is_pressed(hearts(page).first)
    page.wait_for_function("id => localStorage.favourites === id", arg=f"{shop.vehicle.id}")
    page.reload()
    ready(page)
    is_pressed(hearts(page).first)
    visit(page, "/favourites")
    expect(cards(page)).to_have_count(1)
    expect(cards(page)).to_contain_text("Free now")
    hearts(page).tap()
    expect(cards(page)).to_contain_text("No longer a favourite")
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    is_pressed(hearts(page))
    page.get_by_role("button", name="Menu", exact=True).tap()
    page.get_by_role("dialog", name="Menu").get_by_role("button", name="Login").tap()
    fill(page, {"Email": shop.customer.email, "Password": PASSWORD}).get_by_role("button", name="Login").tap()
    expect(toast(page, "You are logged in")).to_be_visible()
    page.wait_for_function("localStorage.favourites === ''")
    assert read(favourites.ids, actor(shop.customer)) == [shop.vehicle.id]
    visit(page, "/favourites")
    is_pressed(hearts(page))
    # An answer that is still on its way would bring the token back.
    settled(page)
    # A visitor in the same browser sees none of it.
    page.evaluate("localStorage.removeItem('token')")
    visit(page, "/favourites")
    expect(page.get_by_role("heading", name="No favourites yet")).to_be_visible()


@pytest.mark.long
def test_a_heart_that_is_refused_or_pressed_without_a_connection_goes_back(browse: Browse, shop: Shop) -> None:
    write(favourites.put, actor(shop.customer), shop.vehicle.id)
    page = browse(shop.customer, fresh=True)
    # A vendor's page that is opened by its address knows the favourites.
    visit(page, vendor_url(slug_of(shop.vendor.name, shop.vendor.id or 0)))
    is_pressed(hearts(page).first)
    hearts(page).first.click()
    is_pressed(hearts(page).first, pressed=False)
    of_the_shop(page, shop)
    shop.vehicle.is_active = False
    put(shop.vehicle)
    hearts(page).first.click()
    expect(toast(page, "not listed")).to_be_visible()
    is_pressed(hearts(page).first, pressed=False)
    page.context.set_offline(True)
    hearts(page).first.click()
    expect(page.get_by_text("No connection: nothing was sent")).to_be_visible()
    is_pressed(hearts(page).first, pressed=False)


def test_vehicles_are_compared_side_by_side(browse: Browse, shop: Shop, app: App) -> None:
    cheap = add_vehicle(shop.vendor, daily=10_000)
    page = browse(viewport=DESKTOP)
    of_the_shop(page, shop)
    for place in (0, 1):
        compare(page, place)
        is_pressed(compares(page).nth(place))
    bar = page.get_by_role("complementary", name="Vehicles to compare")
    expect(bar.get_by_role("listitem")).to_have_count(2)
    bar.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_url(re.compile(r"/compare\?ids="))
    table = page.get_by_role("region", name="Comparison")
    expect(table.get_by_role("columnheader")).to_have_count(2)
    expect(table.get_by_role("row", name=re.compile("Price a day"))).to_contain_text("₹500")
    expect(table.get_by_role("row", name=re.compile("Price a day"))).to_contain_text("₹100")
    table.get_by_role("link", name=re.compile("^Remove")).first.click()
    expect(table.get_by_role("columnheader")).to_have_count(1)
    # The same from the address alone, without scripts, on a phone.
    plain = browse(viewport=PHONE, java_script_enabled=False)
    plain.goto(f"/compare?ids={shop.vehicle.id},{cheap.id},nonsense")
    expect(plain.get_by_role("region", name="Comparison").get_by_role("columnheader")).to_have_count(2)
    expect(plain.get_by_text("Some vehicles in this link do not exist.")).to_be_visible()
    assert plain.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "₹100" in httpx2.get(f"{app.url}/compare?ids={cheap.id}").text


@pytest.mark.long
def test_who_finds_a_vehicle_taken_or_gone_finds_others(browse: Browse, shop: Shop, complaints: object) -> None:
    add_vehicle(shop.vendor)
    dates = {"pickupDate": wire(moment(4)), "returnDate": wire(moment(5))}
    asked = "&".join(f"{name}={at.replace('+', '%2B')}" for name, at in dates.items())
    shop.vehicle.is_active = False
    put(shop.vehicle)
    complaints.expected.append("status of 404")  # type: ignore[attr-defined]
    for options in ({"java_script_enabled": False}, {}):
        page = browse(**options)
        page.goto(f"/vehicle-details/{shop.vehicle.id}?{asked}")
        expect(page.get_by_role("heading", name="This vehicle is not listed")).to_be_visible()
        free = page.locator("section").filter(has=page.get_by_role("heading", name="Free on your dates"))
        expect(free.get_by_role("listitem").first).to_contain_text("total")
        expect(page.get_by_role("heading", name="Similar vehicles")).to_be_visible()
    free.get_by_role("link").first.click()
    page.wait_for_url(lambda address: f"/vehicle-details/{shop.vehicle.id}?" not in address)
    expect(page.get_by_role("button", name="Book Now")).to_be_visible()
