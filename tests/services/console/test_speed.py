"""What keeps the console's lists quick: indexes in their usual order, no join for nothing, one statement a page."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, func, select

from rental_app.infrastructure.db import engine, read
from rental_app.services.console import reading, sources, tables
from rental_app.services.console.reading import Wanted
from tests.support.console import acting
from tests.support.rows import each
from tests.support.shop import Shop

NAMES = sorted(tables.every())
BIG = ("audit", "bookings", "ledger", "listings", "messages", "objections", "people", "requests", "reviews")


@contextmanager
def _sent() -> Iterator[list[tuple[str, Any]]]:
    """The statements sent to the database meanwhile."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        if statement.startswith(("SELECT", "WITH")):
            found.append((statement, parameters))

    event.listen(engine(), "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine(), "before_cursor_execute", note)


@each("name", NAMES)
def test_joins_neither_add_nor_drop_rows(name: str, shop: Shop) -> None:
    table = tables.named(name)

    def many(source: Any) -> int:
        counted = select(func.count()).select_from(source).where(*table.base)
        return int(read(lambda session: session.execute(counted).scalar_one()))

    least = sources.needed(table.source, [table.key, *table.base])
    assert many(least) == many(table.source)


# PostgreSQL sorts the few rows of an empty table.
@pytest.mark.parametrize("kind", ["sqlite"])
@each("name", BIG)
def test_a_big_list_is_read_in_an_indexs_order(name: str, database: str) -> None:
    who = acting()
    with _sent() as sent:
        read(reading.page, who, name, Wanted())
    ids = next((statement, given) for statement, given in sent if "ORDER BY" in statement)
    with engine().connect() as connection:
        cursor = connection.connection.cursor()
        plan = cursor.execute(f"EXPLAIN QUERY PLAN {ids[0]}", ids[1]).fetchall()
    [found] = [row[0] for row in plan if row[3].startswith("LIST SUBQUERY")]
    [step] = [row[3] for row in plan if row[1] == found]
    assert "USING" in step
    assert "INDEX" in step


@each("name", NAMES)
def test_a_page_as_it_opens_is_read_by_one_statement(name: str, shop: Shop) -> None:
    who = acting()
    with _sent() as sent:
        page = read(reading.page, who, name, Wanted())
    # Of an empty list no row tells how many there are.
    assert len(sent) == (1 if page.rows else 2)


def test_each_booking_is_among_those_of_its_two_sides(shop: Shop) -> None:
    who = acting()
    everybody = [row.id for row in read(reading.page, who, "people", Wanted(limit=100)).rows]
    found = [read(reading.page, who, "bookings", Wanted(filters={"person": str(one)})).found for one in everybody]
    assert sum(found) == 2 * read(reading.page, who, "bookings", Wanted()).found > 0
