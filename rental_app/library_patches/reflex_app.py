"""Reflex's app: how it sets up its websockets, which events it knows, how a page learns that it is of another version,
and under which key Reflex keeps a tab's id."""

import inspect
from collections.abc import Iterator
from datetime import timedelta

import reflex as rx
from reflex.app import EventNamespace
from reflex.state import State
from reflex.utils.token_manager import RedisTokenManager
from reflex_base.constants import SocketEvent
from reflex_base.environment import auto_reload_cooldown, environment
from reflex_base.utils import log

from rental_app.library_patches import Name, require

NAMES = (
    Name(rx.App, "_setup_state", "sio _event_namespace register_namespace"),
    Name(rx.App, "__init__", "_registration_context"),
    Name(rx.App, "_should_compile", "REFLEX_SKIP_COMPILE"),
    Name(rx.App, "__call__", "REFLEX_MOUNT_FRONTEND_COMPILED_APP"),
    Name(log, "_MANAGED_ENV_VAR"),
    Name(EventNamespace, "__init__", "_token_manager"),
    Name(EventNamespace, "on_connect"),
    Name(EventNamespace, "on_disconnect"),
    Name(EventNamespace, "on_event"),
    Name(EventNamespace, "emit_update"),
    Name(EventNamespace, "sid_to_token"),
    Name(RedisTokenManager, "_get_redis_key"),
    Name(State, "_to_frontend_schema"),
)
require(*NAMES)
# Set by `serve.py` and read by `infrastructure/logs.py`, where Reflex is not loaded.
SWITCHES = ("__REFLEX_SKIP_COMPILE", "__REFLEX_MOUNT_FRONTEND_COMPILED_APP", "REFLEX_MANAGED_LOGGING")


def require_switches() -> None:
    """Raise RuntimeError if Reflex calls one of SWITCHES by another name."""
    mounts = environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.name
    if (names := (environment.REFLEX_SKIP_COMPILE.name, mounts, log._MANAGED_ENV_VAR)) != SWITCHES:
        raise RuntimeError(f"A library has changed: Reflex has {names} for {SWITCHES}. See docs/reflex.md")


require_switches()


class SocketsApp(rx.App):
    """Reflex's app, which lets a subclass set up its websockets."""

    def _setup_state(self) -> None:
        super()._setup_state()
        self.set_up_sockets()

    def set_up_sockets(self) -> None:
        """Change what Reflex has set up."""

    def handle_sockets_by(self, namespace: EventNamespace) -> None:
        """Put a namespace in place of Reflex's own."""
        self._event_namespace = namespace
        self.sio.register_namespace(namespace)


def handlers(app: rx.App) -> Iterator[tuple[str, str, frozenset[str]]]:
    """The full name of each event handler, the module that its function is from, and the names of its parameters."""
    for name, entry in app._registration_context.event_handlers.items():
        handler = entry.handler.fn
        _state, *parameters = inspect.signature(handler).parameters
        yield name, handler.__module__, frozenset(parameters)


async def tell_other_version(namespace: EventNamespace, sid: str) -> None:
    """Have the page of a connection load itself anew, at most once in a while: it is of another version.

    Reflex tells that to a page whose states or handlers differ when it connects, but does not look at what handlers are
    called with.
    """
    told = {
        "backend": State._to_frontend_schema(),
        "reload_cooldown_ms": auto_reload_cooldown() // timedelta(milliseconds=1),
    }
    await namespace.emit(str(SocketEvent.STATE_MISMATCH), told, to=sid)


def redis_key(namespace: EventNamespace, ident: str) -> str:
    """The key in Redis under which Reflex keeps the connection of a tab's id."""
    key: str = namespace._token_manager._get_redis_key(ident)
    return key
