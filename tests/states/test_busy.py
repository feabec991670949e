"""Buttons are busy while their handler runs, and no longer."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from rental_app.states.detail import DetailState
from rental_app.states.login import LoginState
from rental_app.states.vendor.prices import PricesState
from rental_app.states.vendor.profile import ProfileState
from tests.helpers import PASSWORD, Shop
from tests.states.pages import run, vehicle_page
from tests.states.tabs import answers, tab_of


async def logging_in(shop: Shop) -> tuple[LoginState, Callable[[], AsyncIterator[Any]]]:
    """Return the login dialog, and its button's handler."""
    tab = await tab_of(None, LoginState)
    return tab, lambda: tab.log_in({"email": shop.customer.email, "password": PASSWORD})


async def saving_a_profile(shop: Shop) -> tuple[ProfileState, Callable[[], AsyncIterator[Any]]]:
    """Return the vendor's profile, and its button's handler."""
    tab = await tab_of(shop.vendor, ProfileState)
    return tab, lambda: tab.save({"address": "7 Hill Road"})


async def pricing(shop: Shop) -> tuple[PricesState, Callable[[], AsyncIterator[Any]]]:
    """Return the table of prices, and its button's handler."""
    tab = await tab_of(shop.vendor, PricesState)
    return tab, lambda: tab.save({f"{shop.vehicle.id}.Full Day.price": "600"})


async def booking(shop: Shop) -> tuple[DetailState, Callable[[], AsyncIterator[Any]]]:
    """Return a vehicle's page with dates chosen, and Book Now's handler."""
    page = await vehicle_page(shop, shop.customer)
    return page, lambda: page.book(50_000, 100_000)


@pytest.mark.parametrize("page", [logging_in, saving_a_profile, pricing, booking])
def test_a_button_can_be_pressed_again_where_the_page_was_left_in_the_middle(shop: Shop, page: Any) -> None:
    """A button works again even if Reflex ended its handler at a yield, as the page was left or the line was cut."""

    async def steps() -> None:
        tab, press = await page(shop)
        begun = press()
        await anext(begun)
        assert tab.busy
        await begun.aclose()
        # The inner generator is closed by the event loop.
        await asyncio.sleep(0.01)
        assert not tab.busy
        assert await answers(press()) != ""

    run(steps())
