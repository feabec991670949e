"""The scroll position in a list of results: kept while one of them is looked at."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("results.jsx", shared=True)


class _RestoredScroll(rx.Component):
    """The React side; it renders nothing."""

    library = _SCRIPT.importable_path
    tag = "RestoredScroll"

    ready: rx.Var[bool]


class _BackLink(rx.Component):
    library = _SCRIPT.importable_path
    tag = "BackLink"

    href: rx.Var[str]


def restored_scroll(ready: rx.Var[bool]) -> rx.Component:
    """Scroll back to where the visitor was, once the list is `ready`."""
    return _RestoredScroll.create(ready=ready)


def back_link(*content: rx.Component | rx.Var[str] | str, href: rx.Var[str] | str, **props: Any) -> rx.Component:
    """A link to the results, which is a step back in the history if they were the previous page."""
    return _BackLink.create(*content, href=href, **props)
