"""The vendor's table of prices, as a hand uses it."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page

from rental_app.models import Vehicle

Figure = Callable[[Vehicle, str], Locator]


def figures(page: Page, part: str = "price in ₹") -> Figure:
    """The fields of a page's table by vehicle and plan."""
    form = page.get_by_role("form", name="Prices", exact=True)
    return lambda vehicle, plan: form.get_by_label(f"Honda Activa 6G, {vehicle.rc_number}: {plan}: {part}")


def retype(field: Locator, text: str) -> None:
    """Replace a field's text, key by key."""
    field.press("Control+a")
    field.press_sequentially(text)
