"""What an entry of the route table is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx

from rental_app.components.served import or_served
from rental_app.content.titles import SOCIAL_IMAGE
from rental_app.settings import settings
from rental_app.views import heads

_SOCIAL_IMAGE = f"{settings().public_url}{SOCIAL_IMAGE}"


@dataclass(frozen=True)
class Page:
    """One entry of the table; `on_load` follows the session's own start."""

    route: str
    build: Callable[[], rx.Component]
    title: str | rx.Var[str]
    description: str | rx.Var[str]
    on_load: tuple[Any, ...] = ()
    image: str | rx.Var[str] = _SOCIAL_IMAGE


def public(route: str, build: Callable[[], rx.Component], *on_load: Any) -> Page:
    """An entry with the texts of its kind of page."""
    head = heads.of(route)
    return Page(route, build, head.title, head.description, on_load)


def one_of_many(route: str, build: Callable[[], rx.Component], *on_load: Any, state: Any) -> Page:
    """An entry whose texts a state knows; until it does, those stay that the server has put into the page."""
    head = heads.of(route)
    return Page(
        route,
        build,
        or_served(state.title, "title", "textContent", head.title),
        or_served(state.description, 'meta[name="description"]', "content", head.description),
        on_load,
        or_served(None, 'meta[property="og:image"]', "content", _SOCIAL_IMAGE),
    )
