"""Who owns a tab's state: until a connection has sent what its browser stores, it can neither read nor do anything."""

from typing import Any

import reflex as rx
from reflex.compiler.utils import compile_client_storage
from reflex.istate.manager.memory import StateManagerMemory
from reflex.middleware import Middleware
from reflex.state import OnLoadInternalState, State, StateUpdate, UpdateVarsInternalState
from reflex_base.constants import RouteVar
from reflex_base.event import Event
from reflex_base.event.context import EventContext
from reflex_base.utils.format import format_event_handler

from rental_app.domain.errors import RentalError
from rental_app.library_patches.reflex_states import own_fields
from rental_app.services.accounts import sessions
from rental_app.services.throttle import Caller
from rental_app.web.session import read_only_note
from rental_app.web.session.base import SessionState, caller_of, read
from rental_app.web.session.events import ABOUT_LOGIN, error_toast

_OTHER = "Another account is now logged in. Nothing was changed."


def _name(state: type[rx.State], handler: str) -> str:
    name: str = format_event_handler(state.event_handlers[handler])
    return name


def _stored_var(state: type[rx.State], storage: str, name: str) -> str:
    variables = compile_client_storage(state)[storage].items()
    return next(var for var, how in variables if how["name"] == name)


TOKEN = _stored_var(SessionState, "local_storage", "token")
SHOWN_TO = _stored_var(SessionState, "session_storage", "account")
# What runs after another tab has changed what the browser stores: handlers by the names of vars.
_AFTER_CHANGE: dict[str, str] = {}
# A connection's first event, and those of each navigation; both kinds carry what the browser stores.
FIRST = _name(State, "hydrate_and_load")
STORAGE = _name(UpdateVarsInternalState, "update_vars_internal")
LOAD = _name(OnLoadInternalState, "on_load_internal")
LOADED = _name(OnLoadInternalState, "set_is_hydrated")


def on_change_in_other_tabs(state: type[rx.State], name: str, handler: str) -> None:
    """Have a state's handler run after another tab has changed what the browser stores for the state as `name`."""
    _AFTER_CHANGE[_stored_var(state, "local_storage", name)] = _name(state, handler)


class OwnerCheck(Middleware):
    """Checks every event, under the lock of the state it is for, before anything is read, changed or sent."""

    async def preprocess(self, app: Any, state: rx.State, event: Event) -> StateUpdate | None:
        """Let an event pass, or answer it in its handler's place."""
        session: SessionState = await state.get_state(SessionState)
        connection = EventContext.get().router_data.get(RouteVar.SESSION_ID, "")
        if event.name == FIRST:
            await _begin(state, session, connection, event)
        elif session._shown_by != connection or session._asked == connection:
            return _keep_waiting(session, connection, event)
        elif event.name == STORAGE:
            if _token_of(event) not in ("", session.token):
                await session._forget_user()
            changed = event.payload.get("vars") or {}
            await _enqueue(*((handler, {}) for var, handler in _AFTER_CHANGE.items() if var in changed))
        elif event.name == LOADED and session._waiting:
            waiting, session._waiting = session._waiting, []
            await _enqueue(*waiting)
        return None


class ReadOnlyBand(Middleware):
    """Shows in each tab that sends an event the note about a read-only shop, and removes it once the shop is open."""

    async def preprocess(self, app: Any, state: rx.State, event: Event) -> StateUpdate | None:
        """Note in the tab's state what people are told, if that is not what it shows."""
        session: SessionState = await state.get_state(SessionState)
        note = await read_only_note.lately(caller_of(session))
        if session.read_only_note != note:
            session.read_only_note = note
        return None


async def account_of(address: str, token: str) -> int:
    """The account that a token sent from an address belongs to right now; 0 for none."""
    try:
        return (await read(sessions.authenticate, Caller(address), token)).id if token else 0
    except RentalError:
        return 0


async def _enqueue(*events: tuple[str, dict[str, Any]]) -> None:
    """Queue events to run after the current one."""
    await EventContext.get().enqueue(*[Event(name=name, payload=payload) for name, payload in events])


def _token_of(event: Event) -> str:
    return _stored_in(event, TOKEN)


def _stored_in(event: Event, var: str) -> str:
    return (event.payload.get("vars") or {}).get(var) or ""


async def _begin(state: rx.State, session: SessionState, connection: str, event: Event) -> None:
    """Give the state to this connection; empty it unless the browser holds its owner's token."""
    is_answer = session._asked == connection
    waiting = session._waiting if is_answer else []
    # In memory a state is made and dropped as a whole; in Redis its parts expire one by one, maybe this one first.
    is_new = not session._shown_by and isinstance(EventContext.get().state_manager, StateManagerMemory)
    refusal = "" if is_new else await _refusal(session, _token_of(event))
    is_others = await _shows_another(session, event)
    if waiting and (is_others or (refusal and session.account)):
        # The events came from a user who is gone: they are neither run for another one nor kept for a later login.
        waiting = []
        toast = error_toast(refusal, **ABOUT_LOGIN) if refusal else error_toast(_OTHER)
        await EventContext.get().emit_event(*Event.from_event_type([toast]))
    if refusal:
        _empty(state)
    # Events wait until the page shows nothing of the other account any more; then the page is asked again.
    session._shown_by = connection if is_answer or not is_others else ""
    session._asked, session._waiting, session._leaving = "", waiting, False


async def _shows_another(session: SessionState, event: Event) -> bool:
    """Whether a page says that it shows a different account from that of its browser's token."""
    shown_to = _stored_in(event, SHOWN_TO)
    if not shown_to:
        return False
    try:
        return str((await read(sessions.authenticate, caller_of(session), _token_of(event))).id) != shown_to
    except RentalError:
        return False


def _empty(state: rx.State) -> None:
    """Reset all substates that hold anything; the others need not be stored again."""
    for part in state.substates.values():
        if any(getattr(part, name) != field.default_value() for name, field in own_fields(type(part)).items()):
            part.reset()
        else:
            _empty(part)


async def _refusal(session: SessionState, token: str) -> str:
    """Why the holder of this token may see nothing of a state; '' if it is theirs."""
    if not session._shown_by:
        return _OTHER
    if not session.token and not session.account:
        return _OTHER if token else ""
    try:
        actor = await read(sessions.authenticate, caller_of(session), token)
    except RentalError as error:
        return error.message
    return "" if actor.id == session.account else _OTHER


def _keep_waiting(session: SessionState, connection: str, event: Event) -> StateUpdate:
    events = [] if event.name in (STORAGE, LOAD, LOADED) else [(event.name, event.payload)]
    asks = session._keep_waiting(connection, *events)
    return StateUpdate(events=Event.from_event_type(asks) if asks else [])
