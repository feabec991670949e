"""What all states share: calls to services, and the logged-in user."""

import contextlib
import dataclasses
import functools
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

import reflex as rx
from sqlmodel import Session

from rental_app.content.routes import is_guarded
from rental_app.domain.errors import NotAuthenticatedError, NotFoundError, RentalError
from rental_app.infrastructure import db, logs
from rental_app.schemas.search import ANYWHERE, NEAR
from rental_app.services import catalogue
from rental_app.services.accounts import profile, sessions
from rental_app.services.accounts.actor import Actor, require_unblocked
from rental_app.services.throttle import Caller
from rental_app.web.session import read_only_note
from rental_app.web.session.browser_drafts import forget_drafts
from rental_app.web.session.events import (
    error_toast,
    forget_token,
    plain_toast,
    redirect,
    refusal_toast,
    request_stored,
    request_token,
    success_toast,
    tell_other_tabs,
)
from rental_app.web.session.handlers import LapsedError, action, change
from rental_app.web.session.login_wanted import MY_BOOKING, ask_to_log_in

P = ParamSpec("P")
T = TypeVar("T")
# How many events wait, and how many characters they have in all.
MOST_WAITING, LONGEST_WAITING = 10, 200_000
# Of a device's key, in characters.
LONGEST_KEY = 100


async def read(service: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service that only reads, off the event loop."""
    return await db.run(functools.partial(db.read, service, *args, **kwargs))


async def write(service: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service that writes, off the event loop."""
    return await db.run(functools.partial(db.write, service, *args, **kwargs))


def take_news(state: rx.State, **values: Any) -> None:
    """Assign what has changed: every assignment is sent to the browser, and most refreshes find nothing new."""
    for name, value in values.items():
        if value != getattr(state, name):
            setattr(state, name, value)


async def removed(service: Callable[[Session, Actor, int], str], actor: Actor, number: int) -> rx.event.EventSpec:
    """Remove something by its id; the toast says so, or that it is gone already, as when another tab removed it."""
    try:
        return success_toast(await write(service, actor, number))
    except NotFoundError as error:
        return refusal_toast(error)


def caller_of(state: rx.State) -> Caller:
    """The sender of a state's event, known by the address of the connection."""
    return Caller(state.router.session.client_ip, user_agent=state.router.headers.user_agent[:300])


async def acting_user(state: rx.State) -> Actor:
    """Whoever is logged in here; raises NotAuthenticatedError, and ForbiddenError for a blocked vendor."""
    return await (await state.get_state(SessionState))._actor()


def session_over(error: NotAuthenticatedError) -> tuple[Any, Any]:
    """Tell the user that the session is over, and ask the browser whether it holds a newer one."""
    return request_token(SessionState.take_token), refusal_toast(error)


class PrivateState(rx.State):
    """The parent of states that belong to one account: all of them are reset at logout."""

    def _failed(self, message: str) -> None:
        """Say on the page why it could not be loaded; a state without a `problem` overrides this."""
        page: Any = self
        page.problem = message

    def _missed(self, message: str) -> None:
        """Say why an open page could not be refreshed."""
        self._failed(message)


class PendingActionForm:
    """A part of a state that everybody sees, with what somebody has chosen there: it is forgotten with the account."""

    def _forget_choices(self) -> None:
        raise NotImplementedError


async def _forget_choices(state: rx.State) -> None:
    """Forget what somebody has chosen in this tab, on pages that everybody sees."""
    for kind in rx.State.get_substates():
        if issubclass(kind, PendingActionForm):
            (await state.get_state(kind))._forget_choices()


class SessionState(rx.State):
    """The token in the browser, and what the server knows about its owner."""

    token: str = rx.LocalStorage("", name="token")
    selected_location: str = rx.LocalStorage("", name="selectedLocation")
    locations: list[str] = []
    # By which the account knows the device again: a random text that never leaves this browser but for logging in.
    device: str = rx.LocalStorage("", name="device")
    # The locality around which to look for vehicles; what "Near me" found is not stored anywhere.
    near: str = ""
    # The account that the state belongs to, 0 for none: personal data in it was loaded for that account.
    account: int = 0
    # The account whose page the tab shows, as the tab itself stores it: an unproved claim, used only to refuse.
    shown_to: str = rx.SessionStorage("", name="account")
    user_name: str = ""
    is_vendor: bool = False
    # A vendor, or a member of one.
    is_staff: bool = False
    # A vendor, or a member who manages for one.
    can_manage: bool = False
    is_operator: bool = False
    logged_in: bool = False
    ready: bool = False
    # What everybody is told while the shop is read-only.
    read_only_note: str = ""
    # For connection.py: the connection that has sent what its browser stores, the one that was asked for it,
    # and the events that wait for it.
    _shown_by: str = ""
    _asked: str = ""
    _waiting: list[tuple[str, dict[str, Any]]] = []
    # Whether the browser is being asked, by a logout, for a newer login's token; then the page that the logout leaves.
    _leaving: bool = False
    _left: str = ""
    # Why the user could not be identified.
    problem: str = ""
    # Whether the page is being left for the home page: of two redirects, either could win.
    _sent_home: bool = False

    @rx.var
    def choice(self) -> str:
        """What the location controls show."""
        return f"{NEAR}{self.near}" if self.near else self.selected_location

    @action
    async def start(self) -> AsyncIterator[Any]:
        """Every page's first event: identify the user, and fill the location drop-down."""
        self._left = ""
        self._sent_home = False
        with contextlib.suppress(RentalError):
            self.read_only_note = await read_only_note.read_now(caller_of(self))
        if not self.locations:
            try:
                self.locations = [place.name for place in await read(catalogue.locations, caller_of(self))]
            except RentalError:
                yield error_toast("Failed to load locations")
        try:
            await self._recognise()
            self.problem = ""
        except NotAuthenticatedError as error:
            for event in session_over(error):
                yield event
            path = self.router.url.path
            # What was chosen on a booking's page continues there, after a login over it.
            if path.startswith("/my-bookings/"):
                yield ask_to_log_in(MY_BOOKING, path)
            # On the home page itself, a redirect would reload it, again and again on a slow line. A vendor's and an
            # operator's page have their own gates: a page that is left does not get to its next events.
            elif path != "/" and not is_guarded(path):
                self._sent_home = True
                yield redirect("/")
        except RentalError as error:
            self.problem = error.message
            raise
        finally:
            self.ready = True

    @action
    async def take_token(self, stored_token: str | None) -> AsyncIterator[Any]:
        """Continue with the browser's token if another tab has logged in since this session ended, or forget it.

        A login on this page may have come first; it stays.
        """
        with contextlib.suppress(NotAuthenticatedError):
            await self._bearer(finishes_trips=True)
            return
        if not await self._resume_with(stored_token):
            yield forget_token()

    @change
    async def logout(self) -> AsyncIterator[Any]:
        """Revoke the token, and ask whether the browser still holds it: another tab may have logged in since."""
        # An expired or revoked session is logged out already.
        with contextlib.suppress(NotAuthenticatedError):
            await write(sessions.sign_out, await self._bearer(finishes_trips=True))
        # The home page is the one that it leads to.
        self._left = self.router.url.path.removesuffix("/")
        self._leaving = True
        (await self.get_state(PrivateState)).reset()
        # Before the answer comes, because by then the page's own check may have led to another page.
        yield forget_drafts()
        yield request_token(SessionState.logged_out)

    @action
    async def logged_out(self, stored_token: str | None) -> AsyncIterator[Any]:
        """Forget the revoked token here and in the browser, but not the token of a newer login."""
        left, self._left, self._leaving = self._left, "", False
        if not await self._resume_with(stored_token):
            self._left = left
            yield forget_token()
            yield tell_other_tabs()
        yield plain_toast(sessions.LOGGED_OUT)
        yield redirect("/")

    def _choose(self, name: str) -> None:
        """Remember what was chosen in a location control anywhere on the site; '' for nothing."""
        place = name.removeprefix(NEAR)
        self.near = place if place != name and place in self.locations else ""
        if self.near:
            return
        location = name if name in (ANYWHERE, *self.locations) else ""
        # Even an unchanged value would be written to the browser's storage, as an empty key.
        if location != self.selected_location:
            self.selected_location = location

    def _place(self) -> str:
        """The remembered locality, if one of that name exists: the browser may send anything."""
        return self.selected_location if self.selected_location in self.locations else ""

    def _chosen(self) -> str:
        """What the location controls show; '' if they do not offer it."""
        return self.choice if self.near or self.selected_location == ANYWHERE else self._place()

    async def _resume_with(self, stored_token: str | None) -> bool:
        """Whether the token that the browser keeps identifies a user; if not, nobody is logged in."""
        await self._forget_user()
        if stored_token and stored_token != self.token:
            self.token = stored_token
        try:
            await self._recognise()
        except NotAuthenticatedError:
            await self._forget()
            return False
        return True

    async def _recognise(self) -> None:
        if not self.token:
            await self._forget()
            return
        actor = await self._actor()
        self.user_name = (await read(profile.profile, actor)).name
        await self._note_role(actor)
        self.logged_in = True

    async def _actor(self, *, finishes_trips: bool = False) -> Actor:
        """The owner of the browser's token right now; raises NotAuthenticatedError, and ForbiddenError for a blocked
        vendor, except for what finishes trips.

        If somebody was logged in until now, the event waits instead: another tab may have logged in since. What the
        forms of a page send that a logout is leaving is dropped, and what of its loading comes after the logout: nobody
        asked for that.
        """
        if self._leaving or (self._left and self._left == self.router.url.path):
            raise LapsedError(lambda _event: [])
        try:
            return await self._bearer(finishes_trips=finishes_trips)
        except NotAuthenticatedError:
            if self.account:
                raise LapsedError(functools.partial(self._keep_waiting, self._shown_by)) from None
            raise

    async def _bearer(self, *, finishes_trips: bool = False) -> Actor:
        """The same, for handlers that continue in their own way when a session is over."""
        if not self.token:
            raise NotAuthenticatedError("Please log in", code="token_missing")
        actor = await read(sessions.authenticate, caller_of(self), self.token)
        logs.note_user(actor.id)
        if not finishes_trips:
            require_unblocked(actor)
        if (self.account, self.shown_to) != (actor.id, str(actor.id)):
            self.account, self.shown_to = actor.id, str(actor.id)
        return actor

    def _keep_waiting(self, connection: str, *events: tuple[str, dict[str, Any]]) -> list[Any]:
        """Have the browser send what it stores, as it does when it connects; then its page loads, then the events run.

        This happens when a state has expired, after a restart of the server or of Redis (the state is new, the tab is
        not), and when a session is over.
        """
        is_asked = self._asked == connection
        if not is_asked:
            self._asked, self._waiting = connection, []
        waiting = [*self._waiting, *events]
        if len(waiting) <= MOST_WAITING and len(str(waiting)) <= LONGEST_WAITING:
            self._waiting = waiting
        return [] if is_asked else [request_stored()]

    def _caller_on_device(self) -> Caller:
        """The sender of an event with the key of their device, which gets one if it has none."""
        if not 0 < len(str(self.device)) <= LONGEST_KEY:
            self.device = secrets.token_urlsafe(16)
        return dataclasses.replace(caller_of(self), device_key=str(self.device))

    async def _remember(self, token: str) -> None:
        """Continue as the user who has just logged in, with nothing left of the previous one."""
        await self._forget_user()
        self.token = token

    async def _forget_user(self) -> None:
        if self.token:
            (await self.get_state(PrivateState)).reset()
            await _forget_choices(self)
            # The waiting events belonged to that user as well.
            self._waiting = []
        self.account, self.user_name, self.logged_in = 0, "", False
        self.is_vendor, self.is_staff, self.can_manage, self.is_operator = False, False, False, False
        # Even an unchanged value would be written to the browser's storage.
        if self.shown_to:
            self.shown_to = ""

    async def _note_role(self, actor: Actor) -> None:
        """Note the user's role in a vendor's business; with less of one than before, its pages forget what they
        showed."""
        if (self.is_staff and not actor.vendor) or (self.can_manage and not actor.is_manager):
            (await self.get_state(PrivateState)).reset()
        roles = (actor.is_vendor, actor.vendor != 0, actor.is_manager)
        if (self.is_vendor, self.is_staff, self.can_manage) != roles:
            self.is_vendor, self.is_staff, self.can_manage = roles
        if self.is_operator != (actor.role == "Operator"):
            self.is_operator = actor.role == "Operator"

    async def _forget(self) -> None:
        await self._forget_user()
        # Even an unchanged value would be written to the browser's storage, as an empty key.
        if self.token:
            self.token = ""
