"""The pickers of dates, as a hand uses them."""

import re

from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from tests.support.shop import moment

PANEL = re.compile("When do you ride|choose day and hour")


def panel(page: Page, label: str) -> Locator:
    """Open the panel of a picker and return it."""
    page.get_by_role("button", name=f"Open calendar for {label}").click()
    return page.get_by_role("dialog", name=PANEL)


def day(opened: Locator, days: int) -> Locator:
    """Return the cell of the day this many days from today, going to the next month if needed."""
    wanted = clock.indian(moment(days))
    expect(opened.get_by_role("option").first).to_be_visible()
    cell = opened.get_by_role("button", name=f"{wanted:%A, %-d %B %Y}")
    if not cell.count():
        opened.get_by_role("button", name="Next month").click()
    return cell
