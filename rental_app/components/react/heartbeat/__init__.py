"""What keeps a page live: it asks the server again and again while somebody is looking at it."""

import reflex as rx

# Where somebody waits for something, and where they look now and then.
SECONDS, LOOKED_AFTER = 10, 30
_SCRIPT = rx.asset("heartbeat.jsx", shared=True)


class _Heartbeat(rx.Component):
    """The React side; it draws nothing."""

    library = _SCRIPT.importable_path
    tag = "Heartbeat"

    seconds: rx.Var[int]
    on_beat: rx.EventHandler[rx.event.no_args_event_spec]


def heartbeat(handler: rx.EventHandler, seconds: int = SECONDS) -> rx.Component:
    """Send an event every few seconds, and when the tab is looked at again; leaving the page ends it."""
    # Temporal: without a connection, beats are dropped instead of saved up.
    return _Heartbeat.create(seconds=seconds, on_beat=handler.temporal)
