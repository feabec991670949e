"""Decorators that make a method an event handler, with arguments validated by their annotations and refusals shown as
toasts, or a computed var that knows the day."""

import asyncio
import functools
import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from time import perf_counter
from typing import Any, ParamSpec, TypeVar, get_type_hints

import reflex as rx
from pydantic import ConfigDict, TypeAdapter, ValidationError

from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.infrastructure import logs, metrics, traces
from rental_app.library_patches.reflex_states import add_event_actions
from rental_app.web.session.events import refusal_at_fields

P = ParamSpec("P")
T = TypeVar("T")


class LapsedError(Exception):
    """The session of a logged-in user is over, but their browser may hold a newer one.

    Not a refusal: `keep` holds the event until the browser has sent what it stores, and returns the events that ask
    for that.
    """

    def __init__(self, keep: Callable[[tuple[str, dict[str, Any]]], list[Any]]) -> None:
        super().__init__("The browser is asked for its token")
        self.keep = keep


def _reader(handler: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """A reader of a handler's arguments by their annotations: browsers may send anything, and Reflex passes it on."""
    signature, hints = inspect.signature(handler), get_type_hints(handler)
    kinds = {name: TypeAdapter(hints[name], config=ConfigDict(strict=True)) for name in [*signature.parameters][1:]}

    def arguments(*args: Any, **kwargs: Any) -> dict[str, Any]:
        try:
            bound = signature.bind(*args, **kwargs).arguments
            read = {name: kind.validate_python(bound[name]) for name, kind in kinds.items() if name in bound}
            # A lone surrogate, even deep inside a form, would break the connection it is sent back on.
            json.dumps(read, ensure_ascii=False, default=str).encode()
            return read
        except (TypeError, UnicodeError, RecursionError, ValidationError):
            raise InvalidInputError("This request could not be understood") from None

    return arguments


def action(handler: Callable[..., Any]) -> Any:
    """Make an async method an event handler whose refusals become toasts."""
    return rx.event(_guarded(handler))


def change(handler: Callable[..., Any]) -> Any:
    """The same for a handler that changes something: offline pages refuse it instead of sending it later."""
    guarded = _guarded(handler)
    # Read by `reflex_patches.client.without_queue`.
    add_event_actions(guarded, change=True)
    return rx.event(guarded)


def of_the_day(method: Callable[[Any], T]) -> Any:
    """Make a method a computed var that is re-evaluated every minute: a new day changes none of its state's vars."""
    return rx.var(method, interval=60)


def one_at_a_time(handler: Callable[P, AsyncIterator[Any]]) -> Callable[P, AsyncIterator[Any]]:
    """Set the state's `busy` while the handler runs, for its buttons to show; meanwhile further calls do nothing.

    It is reset however the handler ends: if its page is left, Reflex may end it at any of its yields.
    """

    @functools.wraps(handler)
    async def alone(*args: P.args, **kwargs: P.kwargs) -> AsyncIterator[Any]:
        state: Any = args[0]
        if state.busy:
            return
        state.busy = True
        try:
            async for event in handler(*args, **kwargs):
                yield event
        finally:
            state.busy = False

    return alone


def form_handler(*about: Any, alone: bool = True, door: Callable[[Any], Awaitable[Any]] | None = None) -> Any:
    """Make a method do what a form asks for; it stands below `change` and what else lets its sender in.

    The state's `_begins(form, *about)` takes down earlier refusals, or says that there is nothing to do; `form` is the
    argument of that name. What works `alone` is not called again meanwhile (`one_at_a_time`), which the page shows
    before anything else. What is raised until the method's first `yield` goes to the state's `_refused(error, *about)`:
    it shows that at the field and yields what goes with it, or raises it again for a toast. From the
    first `yield` on, the method shows what has come of it. With a `door` its first argument is who comes through that.
    """

    def of_form(handler: Callable[..., Any]) -> Callable[..., AsyncIterator[Any]]:
        @functools.wraps(handler)
        async def handled(self: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            if not self._begins(kwargs.get("form", {}), *about):
                return
            if alone:
                yield
            handling = handler(self, *([await door(self)] if door else []), *args, **kwargs)
            try:
                event = await (anext(handling, None) if inspect.isasyncgen(handling) else handling)
            except RentalError as error:
                async for event in events_of(self._refused(error, *about)):
                    yield event
                return
            if event:
                yield event
            if inspect.isasyncgen(handling):
                async for event in handling:
                    yield event

        called = handed_on(handled, handler) if door else handled
        return one_at_a_time(called) if alone else called

    return of_form


def handed_on(handed: Callable[..., Any], handler: Callable[..., Any]) -> Callable[..., Any]:
    """Describe a wrapped handler as pages call it: without the first argument, which it gets from the wrapper."""
    signature = inspect.signature(handler)
    state, first, *others = signature.parameters.values()
    handed.__signature__ = signature.replace(parameters=[state, *others])  # type: ignore[attr-defined]
    handed.__annotations__ = {name: kind for name, kind in handler.__annotations__.items() if name != first.name}
    return handed


async def events_of(handled: Any) -> AsyncIterator[Any]:
    """Yield the events that a called handler sends to the browser, whether it yields or returns them."""
    if inspect.isasyncgen(handled):
        async for event in handled:
            yield event
    elif event := await handled:
        yield event


def _guarded(handler: Callable[..., Any]) -> Callable[..., AsyncIterator[Any]]:
    read_arguments = _reader(handler)

    @functools.wraps(handler)
    async def guarded(self: rx.State, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        began, outcome = perf_counter(), "failed"
        logs.request_log.set(logs.RequestLog())
        span = traces.begin_event(handler.__qualname__)
        try:
            values = read_arguments(self, *args, **kwargs)
            async for event in events_of(handler(self, **values)):
                yield event
            outcome = "done"
        except RentalError as error:
            outcome = error.code
            yield refusal_at_fields(error, getattr(self, "errors", {}))
        except LapsedError as error:
            outcome = "lapsed"
            for event in error.keep((f"{type(self).get_full_name()}.{handler.__name__}", values)):
                yield event
        except (asyncio.CancelledError, GeneratorExit):
            outcome = "left"
            raise
        finally:
            seconds = perf_counter() - began
            metrics.EVENTS.labels(handler.__qualname__, outcome).observe(seconds)
            logs.done("event", handler.__qualname__, seconds, outcome=outcome)
            traces.end_event(span, outcome)

    return guarded
