"""The pages' websockets: what is accepted, how much of it, and how long the server remembers a tab.

The id in a socket's address names a state and proves nothing; `web/session/connection.py` checks the proof."""

import asyncio
import logging
import time
import uuid
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Annotated, Any
from urllib.parse import parse_qs

import reflex as rx
from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from redis.exceptions import RedisError
from reflex.app import EventNamespace
from reflex.istate.manager.redis import StateManagerRedis
from reflex.state import FrontendEventExceptionState, State, StateUpdate
from reflex_base.config import get_config
from reflex_base.constants import RouteVar, SocketEvent
from reflex_base.event.context import EventContext
from reflex_base.utils.format import format_event_handler
from socketio.exceptions import ConnectionRefusedError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rental_app.domain.devices import network_of
from rental_app.domain.errors import UnavailableError
from rental_app.infrastructure import metrics
from rental_app.infrastructure.db import BUSY
from rental_app.infrastructure.settings import settings
from rental_app.library_patches.reflex_app import SocketsApp, handlers, redis_key, tell_other_version
from rental_app.library_patches.reflex_states import drop_from_memory
from rental_app.library_patches.socket_io import limit
from rental_app.web.session.connection import FIRST, LOAD, STORAGE, TOKEN, OwnerCheck, ReadOnlyBand, account_of
from rental_app.web.session.events import stored_vars
from rental_app.web.session.newcomers import NEWCOMER, Newcomer

# A message counts once, and once more for every thousand characters. Even the longest is less than a minute's worth
# (supervisor.py), and no page sends a tenth of it.
PACE = parse("1200 per minute")


def paced_sockets(app: ASGIApp) -> ASGIApp:
    """Read each websocket no faster than at a certain pace: whoever sends more has to wait, and loses nothing."""
    pace, numbers = FixedWindowRateLimiter(MemoryStorage()), count()

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        number = str(next(numbers))

        async def unhurried() -> Message:
            message = await receive()
            if not await pace.hit(PACE, number, cost=_cost(message)):
                minute = await pace.get_window_stats(PACE, number)
                await asyncio.sleep(minute.reset_time - time.time())
            return message

        is_paced = scope["type"] == "websocket" and settings().rate_limits == "on"
        await app(scope, unhurried if is_paced else receive, send)

    return wrapped


def _cost(message: Message) -> int:
    return 1 + len(message.get("text") or message.get("bytes") or "") // 1000


LONGEST_FRAME, LONGEST_TEXT, LONGEST_KEPT = 200_000, 20_000, 2_000
# Of the editor of the shop's words, by its state's name: a whole page's text, and all of a form as a tab has kept it.
OF_WORDS, LONGEST_WORDS = "___words_state____words_state.", 120_000
# Homes, offices and carriers have many people behind one address. Tabs that are gone make way for new ones.
ANONYMOUS_OF_AN_ADDRESS = 300
# Nobody has as many; their owners could log in from elsewhere.
TABS_OF_AN_ACCOUNT = 200
# Where there are more, gone ones are remembered no longer. Open ones are bounded by the connections of an address.
TABS_OF_AN_ADDRESS = 1000
# How long the server remembers a gone tab on which nobody has done anything: its page is loaded anew anyway.
BRIEF_SECONDS = 2.0
TOO_MANY_TABS = (
    "Too many tabs are open at your internet address. This page is tried again; people who are logged in always get in"
)
TOO_MANY_OF_ONE = "You have too many tabs open. Close some of them: this page is tried again"
IDLE_SECONDS = 1800.0
CRASH = format_event_handler(FrontendEventExceptionState.event_handlers["handle_frontend_exception"])
# What pages send by themselves.
OF_LOADING = frozenset({FIRST, STORAGE, LOAD, CRASH})
# An account, 0 for nobody's, at an address.
Group = tuple[int, str]
log = logging.getLogger(__name__)


class SocketPlace(BaseModel):
    """The address a tab is at."""

    pathname: Annotated[str, Field(max_length=2000)] = ""
    asPath: Annotated[str, Field(max_length=8000)] = ""


class SocketRequest(BaseModel):
    """An event as pages send it; what else they send with it is not kept."""

    model_config = ConfigDict(str_max_length=LONGEST_TEXT)

    name: Annotated[str, Field(max_length=300)]
    payload: dict[str, JsonValue] = {}
    router_data: SocketPlace = SocketPlace()


class LongRequest(SocketRequest):
    """An event of the editor of words, whose texts are longer than those of any other page."""

    model_config = ConfigDict(str_max_length=LONGEST_WORDS)


@dataclass
class Tab:
    """A connection: the id of its state, its address, when it last sent something, its websocket, the account it counts
    as, and whether its user has done anything on it."""

    ident: str
    address: str
    heard: float
    socket: Newcomer
    account: int = 0
    is_used: bool = False


class Connections(EventNamespace):
    """Reflex's end of the websockets, with admission checks in front of it."""

    def __init__(self, namespace: str, app: rx.App) -> None:
        super().__init__(namespace, app)
        self._tabs: dict[str, Tab] = {}
        # The ids of the tabs of an account (0 for nobody's) at one address, including remembered ones, and when those
        # are forgotten.
        self._counted: defaultdict[Group, set[str]] = defaultdict(set)
        self._gone: defaultdict[Group, dict[str, asyncio.TimerHandle]] = defaultdict(dict)
        self._dropping: set[asyncio.Task[None]] = set()
        # What the events that pages send are called with, by their names; None if that is Reflex's matter.
        self._parameters: dict[str, frozenset[str] | None] = {}

    async def on_connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> bool | None:
        """Accept a client that sends an id and, with it, what the browser has stored; return False to refuse one that
        is no page, and raise ConnectionRefusedError with what to tell the user of one that is."""
        ident, boot = _ident(environ), self._understood(auth.get("event") if isinstance(auth, dict) else None)
        if not ident or boot is None or boot["name"] != FIRST:
            log.warning("a connection that no page would make was refused")
            return False
        await self._require_states()
        scope = environ["asgi.scope"]
        tab = Tab(ident, scope["client"][0], time.monotonic(), scope[NEWCOMER])
        account = await account_of(tab.address, _token_in(boot))
        if not self._counts_as(tab, account):
            log.warning("an address has too many tabs of one account, or without any")
            raise ConnectionRefusedError(TOO_MANY_OF_ONE if account else TOO_MANY_TABS, {"code": "too_many_tabs"})
        self._tabs[sid] = tab
        metrics.TABS.inc()
        try:
            await super().on_connect(sid, environ, auth | {"event": boot})
        except BaseException:
            self._forget(self._tabs.pop(sid))
            metrics.TABS.dec()
            raise
        # Reflex assigns a different id if this one is taken: a duplicated tab sends that of its original.
        if (assigned := self.sid_to_token[sid]) != tab.ident:
            claimed, tab.ident = replace(tab), assigned
            self._forget(claimed)
            self._counted[_group(tab)].add(assigned)
        tab.socket.enter()
        return None

    async def _require_states(self) -> None:
        """Raise ConnectionRefusedError if the states of tabs are kept in a Redis that does not answer."""
        manager = self.app.state_manager
        if not isinstance(manager, StateManagerRedis):
            return
        try:
            async with asyncio.timeout(settings().redis_timeout):
                await manager.redis.ping()
        except (RedisError, OSError):
            raise ConnectionRefusedError(BUSY, {"code": UnavailableError.code}) from None

    def on_disconnect(self, sid: str) -> asyncio.Task[None] | None:
        """Forget the connection; its state follows unless the tab is back soon."""
        if tab := self._tabs.pop(sid, None):
            metrics.TABS.dec()
            self._remember(tab)
            tab.socket.wait()
        done: asyncio.Task[None] | None = super().on_disconnect(sid)
        return done

    async def on_event(self, sid: str, data: Any) -> None:
        """Pass on an event that pages send; any other costs no more than this check.

        One that only pages of another version send, such as a tab that was open during an upgrade, has its page loaded
        anew.
        """
        event, tab = self._understood(data), self._tabs.get(sid)
        if event is None or tab is None:
            log.warning("an event that no page would send was refused")
            return
        if not self._knows(event):
            log.warning("an event that no page of this version would send was refused")
            await tell_other_version(self, sid)
            return
        tab.heard = time.monotonic()
        if event["name"] in (FIRST, STORAGE):
            self._counts_as(tab, await account_of(tab.address, _token_in(event)))
        tab.is_used = tab.is_used or event["name"] not in OF_LOADING
        await super().on_event(sid, event)

    async def emit_update(self, update: StateUpdate, token: str) -> None:
        """Send an update to the connection that asked, not to one that has taken over its id since."""
        sid = EventContext.get().router_data.get(RouteVar.SESSION_ID)
        if sid in self._tabs:
            await self.emit(str(SocketEvent.EVENT), update, to=sid)
            await asyncio.sleep(0)

    async def keep_states(self) -> None:
        """Keep the states of connected tabs for as long as this process runs; all others expire."""
        while True:
            await asyncio.sleep(_grace() / 3)
            try:
                for tab in list(self._tabs.values()):
                    if tab.account or time.monotonic() - tab.heard < IDLE_SECONDS:
                        await self._touch(rx.BaseStateToken(ident=tab.ident, cls=State))
            except RedisError as error:
                log.warning("states could not be kept: %s", type(error).__name__)

    async def _touch(self, token: rx.BaseStateToken) -> None:
        manager = self.app.state_manager
        if not isinstance(manager, StateManagerRedis):
            await manager.get_state(token)
            return
        line = manager.redis.pipeline(transaction=False)
        for kind in _kinds(State):
            line.expire(str(token.with_cls(kind)), _grace())
        line.expire(redis_key(self, token.ident), _grace())
        await line.execute()

    def _understood(self, data: Any) -> dict[str, Any] | None:
        """The event, if it is of a kind that pages send, otherwise None."""
        try:
            kind = LongRequest if isinstance(data, dict) and OF_WORDS in str(data.get("name")) else SocketRequest
            event = kind.model_validate(data).model_dump(exclude_unset=True)
        except ValidationError:
            return None
        event.setdefault("router_data", {})
        event.setdefault("payload", {})
        if event["name"] in (FIRST, STORAGE):
            # The acceptable part of what a browser claims to have stored.
            stored = event["payload"].get("vars")
            entries = stored if isinstance(stored, dict) else {}
            fitting = {
                name: value for name, value in entries.items() if name in stored_vars() and isinstance(value, str)
            }
            event["payload"]["vars"] = {name: value for name, value in fitting.items() if len(value) <= LONGEST_KEPT}
        return event

    def _knows(self, event: dict[str, Any]) -> bool:
        """Whether this version has an event of this name that is called with arguments of these names."""
        if not self._parameters:
            own = {name: of for name, module, of in handlers(self.app) if module.startswith("rental_app.")}
            self._parameters = {**own, **dict.fromkeys(OF_LOADING)}
        parameters = self._parameters.get(event["name"], frozenset())
        return event["name"] in self._parameters and (parameters is None or event["payload"].keys() <= parameters)

    def _counts_as(self, tab: Tab, account: int) -> bool:
        """Count a tab as this account's, or as nobody's; False if its address has too many, and nothing changes."""
        now = replace(tab, account=account)
        if settings().rate_limits == "on" and not self._make_room(_group(now), tab.ident):
            return False
        if tab.account != account:
            before, tab.account = replace(tab), account
            self._forget(before)
        self._counted[_group(tab)].add(tab.ident)
        self._return(_group(tab), tab.ident)
        return True

    def _make_room(self, group: Group, ident: str) -> bool:
        """Whether another tab may be counted; if necessary, a closed one is forgotten for it.

        Tabs of other accounts at the address, however many, keep out nobody.
        """
        account, network = group
        if len(self._counted.get(group, set()) - {ident}) >= (
            TABS_OF_AN_ACCOUNT if account else ANONYMOUS_OF_AN_ADDRESS
        ):
            return self._forget_a_gone_one([group], ident)
        at_address = [each for each in self._counted if each[1] == network]
        if sum(len(self._counted[each]) for each in at_address) >= TABS_OF_AN_ADDRESS:
            self._forget_a_gone_one(at_address, ident)
        return True

    def _forget_a_gone_one(self, groups: list[Group], ident: str) -> bool:
        """Forget the tab of these groups, other than `ident`, that would be forgotten next; False if none is gone."""
        gone = [(later.when(), group, each) for group in groups for each, later in self._gone.get(group, {}).items()]
        others = [each for each in gone if each[2] != ident]
        if others:
            _, group, first = min(others)
            self._give_up(group, first)
        return bool(others)

    def _remember(self, tab: Tab) -> None:
        """Keep a gone tab's state for a while, in case it comes back."""
        group, seconds = _group(tab), _grace() if tab.account or tab.is_used else min(BRIEF_SECONDS, _grace())
        if not self._is_here(group, tab.ident):
            self._return(group, tab.ident)
            later = asyncio.get_running_loop().call_later(seconds, self._give_up, group, tab.ident)
            self._gone[group][tab.ident] = later

    def _return(self, group: Group, ident: str) -> None:
        """Cancel the time after which a closed tab would be forgotten."""
        if later := self._gone.get(group, {}).pop(ident, None):
            later.cancel()
        if not self._gone.get(group, True):
            del self._gone[group]

    def _give_up(self, group: Group, ident: str) -> None:
        """Forget a gone tab and its state."""
        self._return(group, ident)
        self._discard(group, ident)
        if not any(tab.ident == ident for tab in self._tabs.values()):
            self._drop(ident)

    def _drop(self, ident: str) -> None:
        """Drop a state, as soon as no event works on it."""
        manager, token = self.app.state_manager, rx.BaseStateToken(ident=ident, cls=State)
        if ident in {tab.ident for tab in self._tabs.values()}:
            return
        if isinstance(manager, StateManagerRedis):
            self._dropping.add(task := asyncio.create_task(_unlink(manager, token)))
            task.add_done_callback(self._dropping.discard)
        elif not drop_from_memory(manager, token):
            asyncio.get_running_loop().call_later(BRIEF_SECONDS, self._drop, ident)

    def _forget(self, gone: Tab) -> None:
        if not self._is_here(_group(gone), gone.ident):
            self._discard(_group(gone), gone.ident)

    def _is_here(self, group: Group, ident: str) -> bool:
        return any((tab.ident, _group(tab)) == (ident, group) for tab in self._tabs.values())

    def _discard(self, group: Group, ident: str) -> None:
        self._counted[group].discard(ident)
        if not self._counted[group]:
            del self._counted[group]


class App(SocketsApp):
    """Reflex's app with those checks."""

    def set_up_sockets(self) -> None:
        """Put the checks in front of Reflex's end of the websockets."""
        limit(self.sio, LONGEST_FRAME)
        connections = Connections(get_config().get_event_namespace(), self)
        self.handle_sockets_by(connections)
        self.add_middleware(OwnerCheck(), index=0)
        self.add_middleware(ReadOnlyBand(), index=1)
        self.register_lifespan_task(connections.keep_states)


def _grace() -> int:
    seconds: int = get_config().redis_token_expiration
    return seconds


def _ident(environ: dict[str, Any]) -> str:
    """The id in a socket's address; '' unless it is one that a browser would make."""
    idents = parse_qs(environ.get("QUERY_STRING", "")).get("token", [""])
    try:
        return idents[0] if str(uuid.UUID(idents[0])) == idents[0] else ""
    except ValueError:
        return ""


def _group(tab: Tab) -> Group:
    return tab.account, network_of(tab.address)


def _token_in(event: dict[str, Any]) -> str:
    token: str = event["payload"]["vars"].get(TOKEN, "")
    return token


async def _unlink(manager: StateManagerRedis, token: rx.BaseStateToken) -> None:
    with suppress(RedisError):
        await manager.redis.unlink(*[str(token.with_cls(kind)) for kind in _kinds(State)])


def _kinds(of: type[rx.State]) -> list[type[rx.State]]:
    return [of, *(kind for part in of.get_substates() for kind in _kinds(part))]
