"""The address of the page that sends a state's event."""

from urllib.parse import unquote

import reflex as rx

from rental_app.domain.characters import address_text


def here(state: rx.State) -> str:
    """Path and query of the page that sends a state's event."""
    url = state.router.url
    return f"{url.path}?{url.query}" if url.query else url.path


def address_part(state: rx.State, part: int = -1) -> str:
    """What the address of a state's page asks for, by default in the last part of its path."""
    # A browser may send any event from any page, also from one whose path is shorter.
    parts = state.router.url.path.strip("/").split("/")
    return address_text(unquote(parts[part])) if -len(parts) <= part < len(parts) else ""
