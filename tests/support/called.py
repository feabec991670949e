"""The functions of services that the edges call."""

import ast
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import rental_app

ROOT = Path(rental_app.__file__).parent
SERVICES = "rental_app.services"
Service = Callable[..., Any]


def services_called(modules: Iterable[Path]) -> dict[str, Service]:
    """Every function of a service that modules refer to, by its full path below the services."""
    return dict(named for path in modules for named in _called_by(ast.parse(path.read_text(encoding="utf-8"))))


def _called_by(tree: ast.Module) -> Iterator[tuple[str, Service]]:
    nodes = list(ast.walk(tree))
    imported = {
        name.asname or name.name: f"{node.module}.{name.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(SERVICES)
        for name in node.names
    }
    for full in imported.values():
        yield from _function(full)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
            yield from _function(f"{imported[node.value.id]}.{node.attr}")


def _function(full: str) -> Iterator[tuple[str, Service]]:
    module, _, name = full.rpartition(".")
    if not module.startswith(f"{SERVICES}."):
        return
    try:
        within = importlib.import_module(module)
    except ModuleNotFoundError:
        # What is imported is no module: a class, or a constant.
        return
    function = inspect.unwrap(getattr(within, name, None))
    if inspect.isfunction(function):
        yield f"{function.__module__.removeprefix(f'{SERVICES}.')}.{name}", getattr(within, name)
