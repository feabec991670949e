"""Keeps a page live: asks the server again and again while somebody is looking at it."""

import reflex as rx

# For pages on which people wait for something, and for those that they look at now and then.
SECONDS, SLOW_SECONDS = 10, 30
_SCRIPT = rx.asset("heartbeat.jsx", shared=True)


class _Heartbeat(rx.Component):
    """The React side; it renders nothing."""

    library = _SCRIPT.importable_path
    tag = "Heartbeat"

    seconds: rx.Var[int]
    on_beat: rx.EventHandler[rx.event.no_args_event_spec]


def heartbeat(handler: rx.EventHandler, seconds: int = SECONDS) -> rx.Component:
    """Send an event every few seconds, and when the tab becomes visible again; leaving the page stops it."""
    # Temporal: without a connection, beats are dropped instead of queued.
    return _Heartbeat.create(seconds=seconds, on_beat=handler.temporal)
