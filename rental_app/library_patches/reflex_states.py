"""Reflex's states: their own fields, how they are dropped from memory, and what an event carries to the page."""

from collections.abc import Callable
from typing import Any

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.state import BaseState
from reflex_base.event import EVENT_ACTIONS_MARKER
from reflex_base.vars.base import Field, Var

from rental_app.library_patches import Name, require

NAMES = (
    Name(StateManagerMemory, "_purge_token", "_states_locks lock_key"),
    Name(StateManagerMemory, "_get_state_lock", "_states_locks lock_key"),
    Name(Field, "__set_name__", "_owner"),
    Name(BaseState, "get_fields"),
    Name(BaseState, "_create_event_handler", "EVENT_ACTIONS_MARKER"),
    Name(Var, "_get_all_var_data"),
)
require(*NAMES)


def drop_from_memory(manager: StateManagerMemory, token: rx.BaseStateToken) -> bool:
    """Drop a state; False, and nothing is dropped, while an event works on it."""
    if (lock := manager._states_locks.get(token.lock_key)) and lock.locked():
        return False
    manager._purge_token(token)
    return True


def own_fields(state: type[rx.State]) -> dict[str, Any]:
    """The fields that a state declares itself, by name."""
    return {name: field for name, field in state.get_fields().items() if field._owner is state}


def add_event_actions(handler: Callable[..., Any], **actions: bool) -> None:
    """Have each event of a handler carry further actions, which the page's client reads."""
    setattr(handler, EVENT_ACTIONS_MARKER, actions)


def read_by_script(script: str, kind: type, source: rx.Var[Any]) -> rx.Var:
    """What a JavaScript expression makes of another variable in the browser."""
    return rx.Var(f"({script})", _var_type=kind, _var_data=source._get_all_var_data())
