"""The pages' websockets: what is accepted, how much of it, and how long the server remembers a tab.

The id in a socket's address names a state and proves nothing; `states/connection.py` checks the proof.
"""

import asyncio
import logging
import time
import uuid
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import parse_qs

import reflex as rx
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from redis.exceptions import RedisError
from reflex.app import EventNamespace
from reflex.istate.manager.redis import StateManagerRedis
from reflex.state import FrontendEventExceptionState, State, StateUpdate
from reflex_base.config import get_config
from reflex_base.constants import RouteVar, SocketEvent
from reflex_base.event.context import EventContext
from reflex_base.utils.format import format_event_handler

from rental_app import watch
from rental_app.frames import TextPacket, Unsent
from rental_app.rules.addresses import network_of
from rental_app.settings import settings
from rental_app.states.connection import FIRST, LOAD, STORAGE, TOKEN, Doorkeeper, account_of
from rental_app.states.events import kept_vars

LONGEST_FRAME, LONGEST_TEXT, LONGEST_KEPT = 200_000, 20_000, 2_000
# Homes, offices and carriers have many people behind one address; each of their tabs counts until it is forgotten.
ANONYMOUS_OF_AN_ADDRESS = 300
# Nobody has as many; their owners could log in from elsewhere.
TABS_OF_AN_ACCOUNT = 200
IDLE_SECONDS = 1800.0
CRASH = format_event_handler(FrontendEventExceptionState.event_handlers["handle_frontend_exception"])
log = logging.getLogger(__name__)


class Place(BaseModel):
    """The address a tab is at."""

    pathname: Annotated[str, Field(max_length=2000)] = ""
    asPath: Annotated[str, Field(max_length=8000)] = ""


class Asked(BaseModel):
    """An event as pages send it; what else they send with it is not kept."""

    model_config = ConfigDict(str_max_length=LONGEST_TEXT)

    name: Annotated[str, Field(max_length=300)]
    payload: dict[str, JsonValue] = {}
    router_data: Place = Place()


@dataclass
class Tab:
    """A connection: the id of its state, its address, when it last sent something, and the account it counts as."""

    ident: str
    address: str
    heard: float
    account: int = 0


class Connections(EventNamespace):  # type: ignore[misc]
    """Reflex's end of the websockets, with admission checks in front of it."""

    def __init__(self, namespace: str, app: rx.App) -> None:
        super().__init__(namespace, app)
        self._tabs: dict[str, Tab] = {}
        # The ids of the tabs of an account (0 for nobody's) at one address, including remembered ones.
        self._counted: defaultdict[tuple[int, str], set[str]] = defaultdict(set)
        self._names: frozenset[str] = frozenset()

    async def on_connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> bool | None:
        """Accept a client that sends an id and, with it, what the browser has stored; return False to refuse."""
        ident, boot = _ident(environ), self._understood(auth.get("event") if isinstance(auth, dict) else None)
        if not ident or boot is None or boot["name"] != FIRST:
            log.warning("a connection that no page would make was refused")
            return False
        tab = Tab(ident, environ["asgi.scope"]["client"][0], time.monotonic())
        if not self._counts_as(tab, await account_of(tab.address, _token_in(boot))):
            log.warning("an address has too many tabs of one account, or without any")
            return False
        self._tabs[sid] = tab
        watch.TABS.inc()
        try:
            await super().on_connect(sid, environ, auth | {"event": boot})
        except BaseException:
            self._forget(self._tabs.pop(sid))
            watch.TABS.dec()
            raise
        # Reflex assigns a different id if this one is taken: a duplicated tab sends that of its original.
        if (given := self.sid_to_token[sid]) != tab.ident:
            claimed, tab.ident = replace(tab), given
            self._forget(claimed)
            self._counted[_group(tab)].add(given)
        return None

    def on_disconnect(self, sid: str) -> asyncio.Task[None] | None:
        """Forget the connection; its state follows unless the tab is back soon."""
        if tab := self._tabs.pop(sid, None):
            watch.TABS.dec()
            asyncio.get_running_loop().call_later(_grace(), self._forget, tab)
        done: asyncio.Task[None] | None = super().on_disconnect(sid)
        return done

    async def on_event(self, sid: str, data: Any) -> None:
        """Pass on an event that pages send; any other costs no more than this check."""
        event, tab = self._understood(data), self._tabs.get(sid)
        if event is None or tab is None:
            log.warning("an event that no page would send was refused")
            return
        tab.heard = time.monotonic()
        if event["name"] in (FIRST, STORAGE):
            self._counts_as(tab, await account_of(tab.address, _token_in(event)))
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
        line.expire(self._token_manager._get_redis_key(token.ident), _grace())
        await line.execute()

    def _understood(self, data: Any) -> dict[str, Any] | None:
        """The event, if it is of a kind that pages send, otherwise None."""
        try:
            event = Asked.model_validate(data).model_dump(exclude_unset=True)
        except ValidationError:
            return None
        if event["name"] not in self._known_names():
            return None
        event.setdefault("router_data", {})
        event.setdefault("payload", {})
        if event["name"] in (FIRST, STORAGE):
            event["payload"]["vars"] = _modest(event["payload"].get("vars"))
        return event

    def _known_names(self) -> frozenset[str]:
        if not self._names:
            handlers = self.app._registration_context.event_handlers.items()
            own = {name for name, entry in handlers if entry.handler.fn.__module__.startswith("rental_app.")}
            self._names = frozenset(own | {FIRST, STORAGE, LOAD, CRASH})
        return self._names

    def _counts_as(self, tab: Tab, account: int) -> bool:
        """Count a tab as this account's, or as nobody's; False if its address has too many, and nothing changes."""
        now = replace(tab, account=account)
        most = TABS_OF_AN_ACCOUNT if account else ANONYMOUS_OF_AN_ADDRESS
        if len(self._counted.get(_group(now), set()) - {tab.ident}) >= most and settings().rate_limits == "on":
            return False
        if tab.account != account:
            before, tab.account = replace(tab), account
            self._forget(before)
        self._counted[_group(tab)].add(tab.ident)
        return True

    def _forget(self, gone: Tab) -> None:
        group = _group(gone)
        if any((tab.ident, _group(tab)) == (gone.ident, group) for tab in self._tabs.values()):
            return
        self._counted[group].discard(gone.ident)
        if not self._counted[group]:
            del self._counted[group]


class App(rx.App):  # type: ignore[misc]
    """Reflex's app with those checks."""

    def _setup_state(self) -> None:
        super()._setup_state()
        self.sio.eio.max_http_buffer_size = LONGEST_FRAME
        self.sio.eio.create_queue, self.sio.packet_class = Unsent, TextPacket
        self._event_namespace = Connections(get_config().get_event_namespace(), self)
        self.sio.register_namespace(self._event_namespace)
        self.add_middleware(Doorkeeper(), index=0)
        self.register_lifespan_task(self._event_namespace.keep_states)


def _grace() -> int:
    seconds: int = get_config().redis_token_expiration
    return seconds


def _ident(environ: dict[str, Any]) -> str:
    """The id in a socket's address; '' unless it is one that a browser would make."""
    given = parse_qs(environ.get("QUERY_STRING", "")).get("token", [""])
    try:
        return given[0] if str(uuid.UUID(given[0])) == given[0] else ""
    except ValueError:
        return ""


def _group(tab: Tab) -> tuple[int, str]:
    return tab.account, network_of(tab.address)


def _modest(kept: Any) -> dict[str, str]:
    """The part of what a browser says it has stored that is acceptable."""
    given = kept if isinstance(kept, dict) else {}
    fitting = {name: value for name, value in given.items() if name in kept_vars() and isinstance(value, str)}
    return {name: value for name, value in fitting.items() if len(value) <= LONGEST_KEPT}


def _token_in(event: dict[str, Any]) -> str:
    token: str = event["payload"]["vars"].get(TOKEN, "")
    return token


def _kinds(of: type[rx.State]) -> list[type[rx.State]]:
    return [of, *(kind for part in of.get_substates() for kind in _kinds(part))]
