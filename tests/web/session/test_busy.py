"""Buttons are busy while their handler runs, and no longer."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest

from rental_app.infrastructure import metrics
from rental_app.web.screens.booking_review.state import ReviewState
from rental_app.web.session.login import LoginState
from tests.support.page_states import review, run, vehicle_page
from tests.support.shop import PASSWORD, Shop
from tests.support.state_tabs import answers, journey, tab_of


async def logging_in(shop: Shop) -> tuple[LoginState, Callable[[], AsyncIterator[Any]]]:
    """Return the login dialog, and its button's handler."""
    tab = await tab_of(None, LoginState)
    return tab, lambda: tab.log_in({"email": shop.customer.email, "password": PASSWORD})


async def booking(shop: Shop) -> tuple[ReviewState, Callable[[], AsyncIterator[Any]]]:
    """Return the review of a request, and the handler of its button."""
    page = await review(await vehicle_page(shop, shop.customer))
    return page, lambda: page.send(50_000, 100_000)


@pytest.mark.parametrize("page", [logging_in, booking])
@journey
async def test_a_button_can_be_pressed_again_where_the_page_was_left_in_the_middle(shop: Shop, page: Any) -> None:
    """A button works again even if Reflex ended its handler at a yield, as the page was left or the line was cut."""
    tab, press = await page(shop)
    begun = press()
    await anext(begun)
    assert tab.busy
    await begun.aclose()
    # The inner generator is closed by the event loop.
    for _ in range(100):
        await asyncio.sleep(0.01)
        if not tab.busy:
            break
    assert not tab.busy
    assert await answers(press()) != ""


@pytest.mark.parametrize("leave", ["closed", "cancelled"])
def test_a_page_that_is_left_while_an_event_runs_is_no_failure(shop: Shop, leave: str) -> None:
    """Reflex ends the handler at one of its yields, or cancels it while it waits."""

    async def steps() -> None:
        _, press = await logging_in(shop)
        begun: Any = press()
        await anext(begun)
        if leave == "closed":
            await begun.aclose()
            return
        waiting = asyncio.ensure_future(anext(begun))
        await asyncio.sleep(0)
        waiting.cancel()
        with suppress(asyncio.CancelledError):
            await waiting

    before = counted()
    run(steps())
    more = {outcome: value - before.get(outcome, 0) for outcome, value in counted().items()}
    assert {outcome: value for outcome, value in more.items() if value} == {"left": 1}


def counted() -> dict[str, float]:
    """Return how often logging in has ended with each outcome."""
    samples = [sample for family in metrics.EVENTS.collect() for sample in family.samples]
    mine = [each for each in samples if each.name.endswith("_count") and each.labels["event"] == "LoginState.log_in"]
    return {each.labels["outcome"]: each.value for each in mine}
