"""A tab on a page, and pressing Book Now there."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from reflex.istate.data import RouterData

from rental_app.models import User
from rental_app.web.parts.presenters.links import wall_text
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
    """Press Book Now at the price shown, if any."""
    shown = (page.price.total_paise, page.price.deposit_paise) if page.price else ()
    return await answers(page.book(*shown))
