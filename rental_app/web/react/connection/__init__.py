"""Says when the connection to the server is lost or back, what could not be sent, and which page is loading."""

import reflex as rx

from rental_app.web.react import translated  # noqa: F401  # The script imports its script.
from rental_app.web.session.base import SessionState

_SCRIPT = rx.asset("connection.jsx", shared=True)
rx.asset("kept_place.js", shared=True)
_TEXTS = {
    "lost": "You are offline or the shop cannot be reached. Trying again …",
    "back": "Connected again",
    "refused": "No connection: nothing was sent",
    "login": "Login",
    "unsure": "The connection was lost: check whether this was done before you try again",
}


class _Connection(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Connection"

    texts: rx.Var[dict[str, str]]
    known: rx.Var[bool]


def connection(_stateful: bool = True) -> rx.Component:
    """A bar at the bottom of every page; it takes the place of Reflex's own notices of connection errors."""
    # A component that wraps the app gets the app as another child.
    return rx.fragment(_Connection.create(texts=_TEXTS, known=SessionState.ready))
