"""The door of the vendor area."""

import functools
import inspect
from collections.abc import AsyncIterator, Callable
from typing import Any

import reflex as rx

from rental_app.errors import ForbiddenError, NotAuthenticatedError, RentalError
from rental_app.services.accounts import Actor, require_vendor
from rental_app.states.base import SessionState, action, change, events_of
from rental_app.states.events import redirect
from rental_app.states.login_wanted import ask_to_log_in_there


async def acting_vendor(state: rx.State) -> Actor:
    """The vendor behind a state's session; raises NotAuthenticatedError and ForbiddenError."""
    actor = await (await state.get_state(SessionState))._actor()
    require_vendor(actor)
    return actor


def vendor_action(handler: Callable[..., Any]) -> Any:
    """Make an `action` of a method that takes the acting vendor first; everyone else is refused."""
    return action(_handed_the_vendor(handler))


def vendor_change(handler: Callable[..., Any]) -> Any:
    """Make a `change` of a method that takes the acting vendor first; everyone else is refused."""
    return change(_handed_the_vendor(handler))


def vendor_load(handler: Callable[..., Any]) -> Any:
    """Make the `vendor_action` that fills a page.

    When it fails, the state's `_failed(message)` says so on the page, besides the toast. Nobody but the vendor sees
    what the state held before.
    """
    handed = _handed_the_vendor(handler)

    @functools.wraps(handed)
    async def load(self: Any) -> AsyncIterator[Any]:
        try:
            async for event in events_of(handed(self)):
                yield event
        except (NotAuthenticatedError, ForbiddenError):
            self.reset()
            raise
        except RentalError as error:
            self._failed(error.message)
            raise

    return action(load)


def _handed_the_vendor(handler: Callable[..., Any]) -> Callable[..., AsyncIterator[Any]]:
    """The handler as pages call it: without the vendor, who is identified again at every call."""
    signature = inspect.signature(handler)
    state, actor, *given = signature.parameters.values()

    @functools.wraps(handler)
    async def handed(self: rx.State, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        async for event in events_of(handler(self, await acting_vendor(self), *args, **kwargs)):
            yield event

    handed.__signature__ = signature.replace(parameters=[state, *given])  # type: ignore[attr-defined]
    handed.__annotations__ = {name: kind for name, kind in handler.__annotations__.items() if name != actor.name}
    return handed


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
