"""A table whose rows are cards where it has too little room: on a phone, and beside a sidebar on a tablet."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

_HEAD = "px-2.5 py-3 text-left font-semibold xl:px-4"
# So that figures stand one below the other.
_FIGURES_HEAD = "px-2.5 py-3 text-right font-semibold xl:px-4"
_ROW = (
    "border-b border-(--line) last:border-0 max-lg:grid max-lg:gap-x-4 max-lg:gap-y-3 max-lg:p-4"
    " max-[17.5rem]:grid-cols-1"
    " lg:[&>td]:px-2.5 lg:[&>td]:py-3 xl:[&>td]:px-4"
)
# In a card the column's name is above the value, because the head of the table is hidden.
_NAMED = (
    "max-lg:before:block max-lg:before:text-xs max-lg:before:text-(--muted) max-lg:before:content-[attr(data-name)]"
)
_ACROSS = "max-lg:col-span-full"


def table(
    label: str,
    columns: Sequence[str],
    rows: rx.Component,
    figures: Sequence[str] = (),
    before: rx.Component | None = None,
    **props: Any,
) -> rx.Component:
    """A table called `label`; its `rows` are made by `row`, cells of the columns `figures` by `figure_cell`.

    What is `before` the named columns is the head of a column without a name, such as one of boxes to tick.
    """
    looks = {name: _FIGURES_HEAD if name in figures else _HEAD for name in columns}
    heads = [rx.el.th(name, scope="col", role="columnheader", class_name=look) for name, look in looks.items()]
    if before is not None:
        heads.insert(0, rx.el.th(before, scope="col", role="columnheader", class_name=_HEAD))
    # Explicit roles: `display: grid`, which a phone gets, strips the table of its semantics.
    return rx.el.table(
        rx.el.thead(
            rx.el.tr(*heads, role="row"),
            role="rowgroup",
            class_name="border-b border-(--line) text-sm max-lg:sr-only",
        ),
        rx.el.tbody(rows, role="rowgroup", class_name="max-lg:block"),
        role="table",
        class_name="w-full max-lg:block",
        custom_attrs={"aria-label": label},
        **props,
    )


def row(
    *cells: rx.Component,
    key: rx.Var[Any] | str,
    columns: str = "max-md:grid-cols-2 md:max-lg:grid-cols-4",
    **props: Any,
) -> rx.Component:
    """A row of cells, each made by `cell` or `bare_cell`; a card has them in these `columns`."""
    return rx.el.tr(*cells, key=key, role="row", class_name=f"{_ROW} {columns}", **props)


def cell(column: str, *content: rx.Component | rx.Var[str] | str) -> rx.Component:
    """A value; in a card it is below its column's name."""
    return rx.el.td(*content, role="cell", class_name=_NAMED, custom_attrs={"data-name": column})


def figure_cell(column: str, *content: rx.Component | rx.Var[str] | str) -> rx.Component:
    """The same for a figure."""
    look = f"{_NAMED} tabular-nums lg:text-right"
    return rx.el.td(*content, role="cell", class_name=look, custom_attrs={"data-name": column})


def bare_cell(*content: rx.Component | rx.Var[str] | str, across: bool = False) -> rx.Component:
    """A cell that needs no name; it may span the card (`across`)."""
    return rx.el.td(*content, role="cell", class_name=_ACROSS if across else "")
