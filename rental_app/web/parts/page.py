"""Turns an entry of the route table into a page with its component, its texts and its first events."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx

from rental_app.content.routes import Route
from rental_app.infrastructure.settings import settings
from rental_app.web.parts.presenters import heads
from rental_app.web.react.server_rendered import or_server_rendered

_SOCIAL_IMAGE = f"{settings().public_url}{heads.SOCIAL_IMAGE}"


@dataclass(frozen=True)
class BoundPage:
    """A page as Reflex takes it; `on_load` runs after the session's own start."""

    route: str
    build: Callable[[], rx.Component]
    title: str | rx.Var[str]
    description: str | rx.Var[str]
    on_load: tuple[Any, ...] = ()
    image: str | rx.Var[str] = _SOCIAL_IMAGE


@dataclass(frozen=True)
class Binding:
    """What is bound to a route: component, first events and, for one page of many, the state that knows its texts."""

    build: Callable[[], rx.Component]
    on_load: tuple[Any, ...] = ()
    state: Any = None


def bound(route: Route, binding: Binding) -> BoundPage:
    """The page of a route; until its state knows its texts, those the server has put into the page stay."""
    head, state = heads.of(route.path), binding.state
    if state is None:
        return BoundPage(route.path, binding.build, head.title, head.description, binding.on_load)
    return BoundPage(
        route.path,
        binding.build,
        or_server_rendered(state.title, "title", "textContent", head.title),
        or_server_rendered(state.description, 'meta[name="description"]', "content", head.description),
        binding.on_load,
        or_server_rendered(None, 'meta[property="og:image"]', "content", _SOCIAL_IMAGE),
    )
