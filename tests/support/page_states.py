"""A tab on a page, pressing Book Now there, and sending the request it leads to."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from reflex.istate.data import RouterData

from rental_app.models import User
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.screens.booking_review.state import ReviewState
from rental_app.web.screens.vehicle_details.state import DetailState
from tests.support.shop import Shop, moment
from tests.support.state_tabs import S, answers, tab_of


def run(steps: Coroutine[Any, Any, None]) -> None:
    """Run a tab's steps."""
    asyncio.run(steps)


async def page_of(user: User | None, kind: type[S], path: str) -> S:
    """Return the state of a tab on a page."""
    state = await tab_of(user, kind)
    state._get_root_state().router = RouterData.from_router_data({"pathname": path, "asPath": path})
    return state


async def vehicle_page(shop: Shop, user: User | None, pickup: int = 4, return_at: int = 5) -> DetailState:
    """Open the shop's vehicle with a window chosen, some days from today."""
    page = await page_of(user, DetailState, f"/vehicle-details/{shop.vehicle.id}")
    await answers(page.load())
    await answers(page.choose_pickup(wall_text(moment(pickup))))
    await answers(page.choose_return(wall_text(moment(return_at))))
    return page


async def press(page: DetailState) -> str:
    """Press Book Now and, on the review it leads to, Request to book; returns what the last of them answers."""
    told = await answers(page.book(page.pickup, page.return_at))
    return await answers(send(await review(page))) if "/review" in told else told


async def review(page: DetailState) -> ReviewState:
    """Open the review of what is chosen on a vehicle's page, in the same tab."""
    assert page.car
    return await opened(await page.get_state(ReviewState), page._review(page.car.id))


async def opened(reviewed: ReviewState, address: str) -> ReviewState:
    """Open a review by its address in a tab."""
    root = reviewed._get_root_state()
    root.router = RouterData.from_router_data({"pathname": address.partition("?")[0], "asPath": address})
    await answers(reviewed.load())
    return reviewed


def send(reviewed: ReviewState) -> Any:
    """Press Request to book at the price shown, if any."""
    price = reviewed.price
    if not price:
        return reviewed.send()
    assert reviewed.meaning
    shown = price.total_paise, price.deposit_paise
    return reviewed.send(*shown, reviewed.address, reviewed.meaning.at_once, price.numbers)
