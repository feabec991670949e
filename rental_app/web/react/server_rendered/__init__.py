"""Places of a page that the server fills when the page is opened by its address, and what it says in the head."""

import json
from pathlib import Path

import reflex as rx

from rental_app.web.session.base import SessionState

_SCRIPT = rx.asset("server_rendered.jsx", shared=True)
# The components that the build turns into the server's templates, by the names of their places.
PLACES: dict[str, rx.Component] = {}


class _ServerRendered(rx.Component):
    library = _SCRIPT.importable_path
    tag = "ServerRendered"

    name: rx.Var[str]
    known: rx.Var[bool]
    ready: rx.Var[bool]
    chosen: rx.Var[dict[str, str]]
    typed: rx.Var[dict[str, str]]
    on_take: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, str])]


class _ServerRenderedHead(rx.Component):
    library = _SCRIPT.importable_path
    tag = "ServerRenderedHead"


def server_rendered(
    name: str,
    ready: rx.Var[bool],
    content: rx.Component,
    waiting: rx.Component | None = None,
    on_take: rx.event.EventType[dict[str, str]] | None = None,
    chosen: dict[str, rx.Var[str]] | None = None,
    typed: dict[str, str] | None = None,
) -> rx.Component:
    """What the server put into the place until `ready`, then `content`; `waiting` if the server put nothing there.

    `on_take` gets what was entered into the served fields meanwhile, by the fields' names, and what was `chosen` on
    the page when the server has lost it. `typed` has the ids of the fields whose text the browser knows better.
    """
    PLACES[name] = content
    shown = content if waiting is content else rx.cond(ready, content, waiting or rx.fragment())
    handed = ({"on_take": on_take} if on_take else {}) | ({"chosen": chosen} if chosen else {})
    handed |= {"typed": typed} if typed else {}
    return _ServerRendered.create(shown, name=name, known=SessionState.ready, ready=ready, **handed)


def without_scripts(name: str, content: rx.Component) -> rx.Component:
    """A place that the served page has for browsers without scripts alone: the scripts of the page do not carry it."""
    PLACES[name] = rx.el.noscript(content)
    return _ServerRendered.create(name=name, known=SessionState.ready, ready=SessionState.ready)


def server_rendered_head() -> rx.Component:
    """Removes the server's additions to the head when another page is shown."""
    return _ServerRenderedHead.create()


def early_presses() -> rx.Component:
    """The script that the head of every page needs so that presses are not lost before its other scripts run."""
    lines = (line.strip() for line in Path(__file__).with_name("early.js").read_text(encoding="utf-8").splitlines())
    # It is part of every page: without what is there for readers alone.
    return rx.el.script("\n".join(line for line in lines if not line.startswith("//")))


def or_server_rendered(text: rx.Var[str] | None, selector: str, attribute: str, first: str) -> rx.Var[str]:
    """A text of the head; until a state knows it, what the served page said, and `first` when the page is built."""
    node = f"document.head.querySelector({json.dumps(selector)})"
    expression = f'(typeof document === "undefined" ? {json.dumps(first)} : {node}?.{attribute} ?? {json.dumps(first)})'
    served = rx.Var(expression, _var_type=str)
    return rx.cond(text, text, served) if text is not None else served
