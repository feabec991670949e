"""Access to the vendor area: for vendors alone, for those who manage for them as well, or for all of their members."""

import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import reflex as rx

from rental_app.domain.errors import ForbiddenError, NotAuthenticatedError, RentalError
from rental_app.services.accounts.actor import Actor, require_manager, require_staff, require_vendor
from rental_app.web.session.address import here
from rental_app.web.session.base import SessionState
from rental_app.web.session.events import redirect, refusal_toast
from rental_app.web.session.handlers import action, change, events_of, handed_on
from rental_app.web.session.login_wanted import ask_to_log_in_there

# Set by states whose services hold a blocked vendor to finishing trips (`bookings.access.hold`).
FINISHES_TRIPS = "finishes_trips"
Door = Callable[[rx.State], Awaitable[Actor]]


async def acting_vendor(state: rx.State) -> Actor:
    """The vendor behind a state's session; raises NotAuthenticatedError and ForbiddenError."""
    actor = await acting_staff(state)
    require_vendor(actor)
    return actor


async def acting_manager(state: rx.State) -> Actor:
    """The vendor, or a member who manages for them; raises as `acting_vendor` does."""
    actor = await acting_staff(state)
    require_manager(actor)
    return actor


async def acting_staff(state: rx.State) -> Actor:
    """The same, or one of their members; the tab of anyone else, or of a former member, forgets what it showed.

    A blocked vendor is let in by the states whose services let them finish trips and nothing else (`FINISHES_TRIPS`).
    """
    return await _acting(state, finishes_trips=getattr(type(state), FINISHES_TRIPS, False))


async def _acting(state: rx.State, *, finishes_trips: bool) -> Actor:
    session = await state.get_state(SessionState)
    actor = await session._actor(finishes_trips=finishes_trips)
    await session._note_role(actor)
    require_staff(actor)
    return actor


def vendor_action(handler: Callable[..., Any]) -> Any:
    """Make an `action` of a method whose first argument is the acting vendor; everyone else is refused."""
    return action(_handed(handler, acting_vendor))


def vendor_change(handler: Callable[..., Any]) -> Any:
    """Make a `change` of a method whose first argument is the acting vendor; everyone else is refused."""
    return change(_handed(handler, acting_vendor))


def manager_action(handler: Callable[..., Any]) -> Any:
    """The same as `vendor_action`, for the members who manage for the vendor as well."""
    return action(_handed(handler, acting_manager))


def manager_change(handler: Callable[..., Any]) -> Any:
    """The same as `vendor_change`, for the members who manage for the vendor as well."""
    return change(_handed(handler, acting_manager))


def manager_load(handler: Callable[..., Any]) -> Any:
    """The same as `vendor_load`, for the members who manage for the vendor as well."""
    return _load(handler, acting_manager)


def for_manager(method: Callable[..., Any]) -> Callable[..., AsyncIterator[Any]]:
    """Pass the acting vendor or manager to a part of a handler; everyone else is refused."""
    return _handed(method, acting_manager)


def vendor_load(handler: Callable[..., Any]) -> Any:
    """Make the `vendor_action` that fills a page.

    When it fails, the state's `_failed(message)` says so on the page, in addition to the toast. Nobody but the vendor
    sees what the state held before.
    """
    return _load(handler, acting_vendor)


def staff_action(handler: Callable[..., Any]) -> Any:
    """The same as `vendor_action`, for the vendor's members as well."""
    return action(_handed(handler, acting_staff))


def staff_change(handler: Callable[..., Any]) -> Any:
    """The same as `vendor_change`, for the vendor's members as well."""
    return change(_handed(handler, acting_staff))


def staff_load(handler: Callable[..., Any]) -> Any:
    """The same as `vendor_load`, for the vendor's members as well."""
    return _load(handler, acting_staff)


def staff_refresh(handler: Callable[..., Any]) -> Any:
    """Make the `action` that refreshes an open page; its first argument is the acting vendor or member.

    When it fails, the state's `_missed(message)` may say so on the page: a toast at every beat would add nothing. The
    tab of somebody who is no longer either of them forgets what it showed.
    """
    return _refresh(handler, acting_staff)


def manager_refresh(handler: Callable[..., Any]) -> Any:
    """The same as `staff_refresh`, for the vendor and those who manage for them."""
    return _refresh(handler, acting_manager)


def _refresh(handler: Callable[..., Any], door: Door) -> Any:
    handed = _handed(handler, door, leads_away=False)

    @functools.wraps(handed)
    async def refresh(self: Any) -> AsyncIterator[Any]:
        try:
            async for event in events_of(handed(self)):
                yield event
        except (NotAuthenticatedError, ForbiddenError):
            self.reset()
            yield redirect(await _way_out(self))
        except RentalError as error:
            self._missed(error.message)

    return action(refresh)


def _load(handler: Callable[..., Any], door: Door) -> Any:
    # A page's gate redirects strangers.
    handed = _handed(handler, door, leads_away=False)

    @functools.wraps(handed)
    async def load(self: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        try:
            async for event in events_of(handed(self, *args, **kwargs)):
                yield event
        except (NotAuthenticatedError, ForbiddenError):
            self.reset()
            raise
        except RentalError as error:
            self._failed(error.message)
            raise

    return action(load)


def _handed(handler: Callable[..., Any], door: Door, *, leads_away: bool = True) -> Callable[..., AsyncIterator[Any]]:
    """The handler as pages call it: without the actor, who is identified again at every call."""

    @functools.wraps(handler)
    async def handed(self: rx.State, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        try:
            actor = await door(self)
        except ForbiddenError as error:
            # Somebody who was a member until now, or managed, may see nothing more of the page.
            is_staff = (await self.get_state(SessionState)).is_staff
            if leads_away and (error.code == "managers_only" or not is_staff):
                yield redirect(await _way_out(self), replace=True)
            raise
        async for event in events_of(handler(self, actor, *args, **kwargs)):
            yield event

    return handed_on(handed, handler)


async def _way_out(state: rx.State) -> str:
    """Where somebody is sent from a page of the vendor area that is closed to them."""
    return "/vendor" if (await state.get_state(SessionState)).is_staff else "/"


class VendorAuthState(rx.State):
    """Sends strangers to the home page, where those who have not logged in can do so and come back."""

    @action
    async def enter(self) -> AsyncIterator[Any]:
        """The first event of every page that is for vendors alone: their members are sent to the dashboard.

        The same happens to members at the counter on a page of `enter_as_manager`.
        """
        async for event in self._let_in(acting_vendor):
            yield event

    @action
    async def enter_as_manager(self) -> AsyncIterator[Any]:
        """The first event of every page that is for vendors and those who manage for them."""
        async for event in self._let_in(acting_manager):
            yield event

    @action
    async def enter_as_staff(self) -> AsyncIterator[Any]:
        """The first event of every other vendor page."""
        async for event in self._let_in(acting_staff):
            yield event

    @action
    async def enter_trip(self) -> AsyncIterator[Any]:
        """The first event of the page of a booking, which a blocked vendor may finish."""
        async for event in self._let_in(functools.partial(_acting, finishes_trips=True)):
            yield event

    async def _let_in(self, door: Door) -> AsyncIterator[Any]:
        try:
            await door(self)
        except NotAuthenticatedError as error:
            yield refusal_toast(error)
            yield ask_to_log_in_there(here(self))
            yield redirect("/", replace=True)
        except ForbiddenError as error:
            # The toast comes first: the redirect cancels the remaining events of this page.
            yield refusal_toast(error)
            yield redirect(await _way_out(self), replace=True)
