"""What keeps the console's lists quick: indexes in their usual order, no join for nothing, one statement a page."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, func, select

from rental_app.infrastructure.db import engine, read
from rental_app.services.console import lists, tables
from rental_app.services.console.lists import ListQuery
from tests.support.console import acting
from tests.support.rows import each
from tests.support.shop import Shop

NAMES = sorted(tables.TABLES)
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

    assert many(table.joined([*table.base])) == many(table.source)


# PostgreSQL sorts the few rows of an empty table.
@pytest.mark.parametrize("kind", ["sqlite"])
@each("name", BIG)
def test_a_big_list_is_read_in_an_indexs_order(name: str, database: str) -> None:
    who = acting()
    with _sent() as sent:
        read(lists.page, who, name, ListQuery())
    ids = next((statement, given) for statement, given in sent if "ORDER BY" in statement)
    with engine().connect() as connection:
        cursor = connection.connection.cursor()
        plan = cursor.execute(f"EXPLAIN QUERY PLAN {ids[0]}", ids[1]).fetchall()
    [step] = [row[3] for row in plan]
    assert "USING" in step
    assert "INDEX" in step


@each("name", NAMES)
def test_a_page_is_its_ids_their_columns_and_a_count(name: str, shop: Shop) -> None:
    who = acting()
    with _sent() as sent:
        read(lists.page, who, name, ListQuery())
    assert len(sent) <= 3


def test_each_booking_is_among_those_of_its_two_sides(shop: Shop) -> None:
    who = acting()
    everybody = [row.id for row in read(lists.page, who, "people", ListQuery(limit=100)).rows]
    found = [read(lists.page, who, "bookings", ListQuery(filters={"person": str(one)})).total for one in everybody]
    assert sum(found) == 2 * read(lists.page, who, "bookings", ListQuery()).total > 0
