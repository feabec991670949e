"""The vendor's profile form, as a hand uses it."""

from playwright.sync_api import Locator, Page, expect

from rental_app.infrastructure.db import read
from rental_app.schemas.accounts import UserView
from rental_app.services.accounts import profile
from tests.support.browser_steps import visit
from tests.support.shop import Shop, actor

HERE = "/vendor/profile"


def editing(page: Page) -> Locator:
    """Open the profile form."""
    visit(page, HERE)
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("form", name="Profile")
    expect(form).to_be_visible()
    return form


def stored(shop: Shop) -> UserView:
    return read(profile.profile, actor(shop.vendor))
