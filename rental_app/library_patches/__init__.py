"""What the running product uses of libraries that these do not promise to keep: one module for each subject.

Each lists the names in NAMES and requires them as it is imported, so that a start fails after an upgrade that has
renamed one or uses it in another way. `docs/reflex.md` says what to compare then. The lowest layer: it knows nothing of
the product. What Reflex generates is changed in `reflex_patches`, while the pages are built.
"""

import inspect
from types import CodeType
from typing import Any, NamedTuple


class Name(NamedTuple):
    """A name of a library's module or class and, if that is a function, the names that it has to go on using."""

    owner: Any
    name: str
    uses: str = ""


def require(*names: Name) -> None:
    """Raise RuntimeError for a name that is gone, or whose function no longer uses what we rely on."""
    for each in names:
        function: Any = getattr(each.owner, each.name, None)
        missing = set(each.uses.split()) - _names_used(getattr(inspect.unwrap(function), "__code__", None))
        if function is None or missing:
            what = f"{each.owner.__name__}.{each.name}"
            change = f"no longer uses {sorted(missing)}" if function else "is gone"
            raise RuntimeError(f"A library has changed: {what} {change}. See docs/reflex.md")


def _names_used(code: CodeType | None) -> set[str]:
    """The names that a function and those defined in it use, attributes included."""
    if code is None:
        return set()
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return {*code.co_names}.union(*map(_names_used, inner))
