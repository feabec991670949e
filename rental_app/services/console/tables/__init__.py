"""The tables of the console, one in each module: what a module here calls TABLE is one."""

import importlib
import pkgutil
from functools import cache

from rental_app.domain.errors import NotFoundError
from rental_app.services.console.table import Table


@cache
def every() -> dict[str, Table]:
    """All tables by their names."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = [importlib.import_module(f"{__name__}.{name}").TABLE for name in modules]
    return {table.name: table for table in found}


def named(name: str) -> Table:
    """A table by its name; raises NotFoundError (`unknown_table`)."""
    if name not in every():
        raise NotFoundError("There is no such list", code="unknown_table")
    return every()[name]
