"""The door of the vendor area."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.errors import ForbiddenError, NotAuthenticatedError
from rental_app.services.accounts import Actor, require_vendor
from rental_app.states.base import SessionState, action
from rental_app.states.events import redirect
from rental_app.states.login_wanted import ask_to_log_in_there


async def acting_vendor(state: rx.State) -> Actor:
    """The vendor behind a state's session; raises NotAuthenticatedError and ForbiddenError."""
    actor = await (await state.get_state(SessionState))._actor()
    require_vendor(actor)
    return actor


class GateState(rx.State):
    """Sends everyone but vendors to the home page, where those who have not logged in can do so and come back."""

    @action
    async def enter(self) -> AsyncIterator[Any]:
        """The first event of every vendor page."""
        try:
            await acting_vendor(self)
        except NotAuthenticatedError:
            url = self.router.url
            yield ask_to_log_in_there(f"{url.path}?{url.query}" if url.query else url.path)
            yield redirect("/", replace=True)
        except ForbiddenError:
            yield redirect("/", replace=True)
