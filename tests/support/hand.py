"""A hand on a phone, whose taps and keys are counted."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from tests.support.shop import moment


class Hand:
    """Taps and types on a phone's page, and counts both; what a phone fills in or proposes is not typed."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.keys = page, 0, 0

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def press(self, name: str | re.Pattern[str], role: Any = "button") -> None:
        """Tap what has this name, exactly if it is a text."""
        self.tap(self.page.get_by_role(role, name=name, exact=isinstance(name, str)))

    def type(self, label: str, text: str) -> None:
        """Type into a field of the dialog, which has the focus already."""
        field = self.page.get_by_role("dialog").get_by_label(label, exact=True)
        expect(field).to_be_focused()
        field.press_sequentially(text)
        self.keys += len(text)

    def next(self) -> None:
        """Press the on-screen keyboard's key for the next field."""
        self.page.keyboard.press("Tab")
        self.keys += 1

    def choose_day(self, days: int) -> None:
        """Choose a day on the sheet of the dates, which is open."""
        sheet = self.page.get_by_role("dialog", name="When do you ride?")
        wanted = f"{clock.indian(moment(days)):%A, %-d %B %Y}"
        self.tap(sheet.get_by_role("button", name=wanted, exact=True))
