"""The door of the vendor area."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.errors import ForbiddenError, NotAuthenticatedError
from rental_app.services.accounts import Actor, require_vendor
from rental_app.states.base import SessionState, action
from rental_app.states.events import redirect


async def acting_vendor(state: rx.State) -> Actor:
    """The vendor behind a state's session; raises NotAuthenticatedError and ForbiddenError."""
    actor = await (await state.get_state(SessionState))._actor()
    require_vendor(actor)
    return actor


class GateState(rx.State):
    """Sends everyone but vendors to the home page."""

    @action
    async def enter(self) -> AsyncIterator[Any]:
        """The first event of every vendor page."""
        try:
            await acting_vendor(self)
        except (NotAuthenticatedError, ForbiddenError):
            yield redirect("/")
