"""The vendor's list of bookings, as a hand uses it."""

import re

from playwright.sync_api import Locator, Page

from rental_app.infrastructure.db import write
from rental_app.services.bookings import requests
from tests.support.shop import Shop, actor, wanted

HERE = "/vendor/manage-bookings"


def book(shop: Shop, days: int = 3) -> int:
    return write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=days)).id


def status(page: Page) -> Locator:
    return page.get_by_role("combobox", name=re.compile("^Status of "))


def choose(page: Page, option: str) -> None:
    """Choose a status for the first pending booking, which acts at once."""
    status(page).first.click()
    page.get_by_role("option", name=option).click()
