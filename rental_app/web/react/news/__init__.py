"""Tells of new requests on an open page, whether or not somebody looks at it: in the tab's title and by a sound."""

import reflex as rx

# A new request is shown within this time.
SECONDS = 3
_SCRIPT = rx.asset("news.jsx", shared=True)
rx.asset("news.css", shared=True)
rx.asset("title.js", shared=True)


class _News(rx.Component):
    """The React side: the switch of the sound, and a line for screen readers."""

    library = _SCRIPT.importable_path
    tag = "News"

    seconds: rx.Var[int]
    count: rx.Var[int]
    newest: rx.Var[str]
    on_beat: rx.EventHandler[rx.event.no_args_event_spec]


def news(handler: rx.EventHandler, count: rx.Var[int], newest: rx.Var[str]) -> rx.Component:
    """Send an event every few seconds, in a tab behind others too. `count` stands in the title; `newest` is said and
    heard when it changes, unless the sound is switched off, which the browser remembers."""
    # Temporal: without a connection, beats are dropped instead of queued.
    return _News.create(seconds=SECONDS, count=count, newest=newest, on_beat=handler.temporal)
