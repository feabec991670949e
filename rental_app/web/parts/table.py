"""A table whose rows are cards on a phone."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

_HEAD = "px-2.5 py-3 text-left font-semibold xl:px-4"
_ROW = (
    "border-b border-(--line) last:border-0 max-md:grid max-md:gap-x-4 max-md:gap-y-3 max-md:p-4"
    " max-[17.5rem]:grid-cols-1"
    " md:[&>td]:px-2.5 md:[&>td]:py-3 xl:[&>td]:px-4"
)
# On a phone the column's name is above the value, because the head of the table is hidden.
_NAMED = (
    "max-md:before:block max-md:before:text-xs max-md:before:text-(--muted) max-md:before:content-[attr(data-name)]"
)
_ACROSS = "max-md:col-span-full"


def table(label: str, columns: Sequence[str], rows: rx.Component, **props: Any) -> rx.Component:
    """A table called `label`; its `rows` are made by `row`."""
    heads = [rx.el.th(name, scope="col", role="columnheader", class_name=_HEAD) for name in columns]
    # Explicit roles: `display: grid`, which a phone gets, strips the table of its semantics.
    return rx.el.table(
        rx.el.thead(
            rx.el.tr(*heads, role="row"),
            role="rowgroup",
            class_name="border-b border-(--line) text-sm max-md:sr-only",
        ),
        rx.el.tbody(rows, role="rowgroup", class_name="max-md:block"),
        role="table",
        class_name="w-full max-md:block",
        custom_attrs={"aria-label": label},
        **props,
    )


def row(
    *cells: rx.Component, key: rx.Var[Any] | str, columns: str = "max-md:grid-cols-2", **props: Any
) -> rx.Component:
    """A row of cells, each made by `cell` or `bare_cell`; a phone has them in these `columns`."""
    return rx.el.tr(*cells, key=key, role="row", class_name=f"{_ROW} {columns}", **props)


def cell(column: str, *content: rx.Component | rx.Var[str] | str) -> rx.Component:
    """A value; on a phone it is below its column's name."""
    return rx.el.td(*content, role="cell", class_name=_NAMED, custom_attrs={"data-name": column})


def bare_cell(*content: rx.Component | rx.Var[str] | str, across: bool = False) -> rx.Component:
    """A cell that needs no name; on a phone it may span the card (`across`)."""
    return rx.el.td(*content, role="cell", class_name=_ACROSS if across else "")
