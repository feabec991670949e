"""What a page does with the token of the link it was opened by."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("by_link.jsx", shared=True)
# Of what is shown only where the page was not opened by a link: to paste it, or to ask for one.
UNLESS_LINKED = "group-data-linked:hidden"


class _ByLink(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "ByLink"

    done: rx.Var[bool]
    on_link: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def by_link(*content: rx.Component, done: rx.Var[bool], class_name: str = "", **events: Any) -> rx.Component:
    """Content with a field `token` unless it is `done`, filled from the page's address, which then loses it at once.

    The token stays in that field, and reaches the server only when the form is sent, or at once for an `on_link` that
    shows what the link is about.
    """
    return _ByLink.create(*content, done=done, class_name=class_name, **events)
