"""What an entry of the route table is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx


@dataclass(frozen=True)
class Page:
    """One entry of the table; `on_load` follows the session's own start."""

    route: str
    build: Callable[[], rx.Component]
    title: str | rx.Var[str]
    description: str
    on_load: tuple[Any, ...] = ()
