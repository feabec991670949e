"""A list of the console as its page shows it, and a grid of rows wherever one stands."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from urllib.parse import urlencode

from pydantic import BaseModel

from rental_app.domain.characters import initials
from rental_app.domain.money import grouped
from rental_app.services.console.lists import ConsolePage, ConsoleRow, ListQuery
from rental_app.services.console.table import Column, Filter, Table
from rental_app.web.operator.cells_presenter import CellView, cell, name_of, text_of
from rental_app.web.parts.presenters.texts import Choice

CONSOLE = "/operator"
# What is aligned at its end.
NUMBERS = ("number", "money")
# How many columns a table has at most where there is little room, besides how a row stands.
MOST_NARROW = 5


class RowView(BaseModel):
    """A row of a list: what it is called, what stands below that, and its other cells.

    A person's has `initials` in place of a picture, and those of vendors another colour.
    """

    key: str
    href: str
    name: str
    under: str
    cells: list[CellView]
    initials: str = ""
    is_vendor: bool = False


class ColumnHeadView(BaseModel):
    """The head of a column; `href` sorts by it, `sorted` is what `aria-sort` says."""

    label: str
    href: str
    sorted: str
    is_number: bool
    spare: bool = False


class FilterView(BaseModel):
    """A filter with what it is set to, '' for nothing; `without` is the address of the list without it."""

    name: str
    label: str
    value: str
    shown: str
    without: str
    options: list[Choice]


class GridView(BaseModel):
    """The heads and the rows of a list."""

    heads: list[ColumnHeadView]
    rows: list[RowView]


class ListView(BaseModel):
    """A page of a list."""

    name: str
    title: str
    many: str
    csv: str
    csv_label: str
    adding: str
    adding_name: str
    q: str
    filters: list[FilterView]
    owner: str
    cleared: str
    grid: GridView
    span: str
    next: str
    back: str
    empty: str
    advice: str
    drop: str
    drop_label: str


def address(table: str, wanted: ListQuery, **more: str) -> str:
    """The address of a list with what was asked of it, and what replaces some of that; the first page, unless told."""
    query_values = {"q": wanted.q, **wanted.filters, "sort": wanted.sort} | more
    query = urlencode({name: value for name, value in query_values.items() if value})
    return f"{CONSOLE}/{table}" + (f"?{query}" if query else "")


Choices = Mapping[str, Sequence[tuple[str, str]]]


def list_view(table: Table, wanted: ListQuery, page: ConsolePage, choices: Choices) -> ListView:
    """A page of a list as its page shows it; `choices` are those of filters that are read, by their names."""
    filters = [_filter(table, each, wanted, choices) for each in table.filters if each.options or each.choices]
    # What was typed is what is looked for: a filter goes first.
    drop = max(page.without.items(), key=lambda item: (item[1] > 0, item[0] != "q", item[1]), default=("", 0))
    return ListView(
        name=table.name,
        title=table.title,
        many=f"{grouped(page.total)} of {grouped(page.whole)}" if page.total != page.whole else grouped(page.whole),
        csv=f"/api/operator/{table.name}.csv?{urlencode({'q': wanted.q, 'sort': wanted.sort, **wanted.filters})}",
        csv_label=f"CSV of these {grouped(page.total)}" if page.total else "",
        adding=table.adding.label if table.adding else "",
        adding_name=table.adding.name if table.adding else "",
        q=wanted.q,
        filters=filters,
        owner=", ".join(_owners(table, wanted).values()),
        cleared=address(table.name, ListQuery(sort=wanted.sort)) if wanted.q or any(wanted.filters.values()) else "",
        grid=grid(table, page.rows, wanted, page.sort),
        span=f"{grouped(page.first + 1)} to {grouped(page.first + len(page.rows))} of {grouped(page.total)}",
        next=address(table.name, wanted, cursor=page.next) if page.next else "",
        back=address(table.name, wanted, cursor=page.back) if page.back else "",
        empty="" if page.rows else ("Nothing fits" if page.whole else "There is nothing here yet"),
        **_advice(table, wanted, filters, drop),
    )


def _advice(table: Table, wanted: ListQuery, filters: list[FilterView], drop: tuple[str, int]) -> dict[str, str]:
    """Which filter to drop when nothing was found, and what there is without it."""
    name, many = drop
    if not many:
        return {"advice": "", "drop": "", "drop_label": ""}
    words = {each.name: f"{each.label}: {each.shown}" for each in filters}
    called = ({"q": f"“{wanted.q}”"} | _owners(table, wanted) | words)[name]
    return {
        "advice": f"Without {called} there {'is' if many == 1 else 'are'} {grouped(many)}.",
        "drop": address(table.name, wanted, **{name: ""}),
        "drop_label": f"Drop {called}",
    }


def _owners(table: Table, wanted: ListQuery) -> dict[str, str]:
    """Whose rows they are, where a link asked for those of one only: 'Vendor 12 only', by the names of filters."""
    linked = [each for each in table.filters if not each.options and not each.choices]
    return {each.name: f"{each.label} {value} only" for each in linked if (value := wanted.filters.get(each.name))}


def _filter(table: Table, chosen: Filter, wanted: ListQuery, choices: Choices) -> FilterView:
    fixed = [(option.value, option.label) for option in chosen.options]
    options = [Choice(value=value, label=label) for value, label in (*fixed, *choices.get(chosen.name, ()))]
    value = wanted.filters.get(chosen.name, "")
    meant = (each.label for each in options if value.casefold() in (each.value, each.label.casefold()))
    return FilterView(
        name=chosen.name,
        label=chosen.label,
        value=value,
        shown=next(meant, value),
        without=address(table.name, wanted, **{chosen.name: ""}),
        options=options,
    )


def grid(table: Table, rows: Iterable[ConsoleRow], wanted: ListQuery, sort: str, most: int = 20) -> GridView:
    """The heads and rows of a list; of more columns than `most` only the first, and how a row stands."""
    listed = [column for column in table.columns if column.listed and column.name != table.under]
    first, *others = [column for column in listed if column in listed[:most] or column.name == table.state]
    spare = {column.name for column in others[MOST_NARROW - 1 :] if column.name != table.state}
    heads = [_head(table, column, wanted, sort, column.name in spare) for column in (first, *others)]
    return GridView(heads=heads, rows=[_row(table, row, others, spare) for row in rows])


def _head(table: Table, column: Column, wanted: ListQuery, sort: str, spare: bool) -> ColumnHeadView:
    is_it, down = sort.removeprefix("-") == column.name, sort.startswith("-")
    turned = f"-{column.name}" if is_it and not down else column.name
    return ColumnHeadView(
        label=column.label,
        href=address(table.name, wanted, sort=turned) if column.sortable else "",
        sorted=("descending" if down else "ascending") if is_it else ("none" if column.sortable else ""),
        is_number=column.kind in NUMBERS,
        spare=spare,
    )


def _row(table: Table, row: ConsoleRow, columns: Sequence[Column], spare: Collection[str]) -> RowView:
    return RowView(
        key=f"{table.name}-{row.id}",
        href=f"{CONSOLE}/{table.name}/{row.id}",
        name=name_of(table, row),
        under=text_of(table.column(table.under), row.values.get(table.under)) if table.under else "",
        cells=[cell(column, row.values, spare=column.name in spare) for column in columns],
        initials=initials(name_of(table, row)) if table.name == "people" else "",
        is_vendor=row.values.get("role") == "Vendor",
    )
