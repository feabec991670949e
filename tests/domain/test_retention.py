"""The table of what is kept: complete, and without anything that is not there."""

from collections import Counter

from sqlmodel import SQLModel

from rental_app import models
from rental_app.domain.retention import HOLDINGS, TABLES, End, in_full

assert models
COLUMNS = {table.name: [column.name for column in table.columns] for table in SQLModel.metadata.tables.values()}


def test_every_column_of_every_table_has_one_purpose_and_no_other_is_named() -> None:
    named = {name: " ".join(table.purposes.values()).split() for name, table in TABLES.items()}
    assert {name: Counter(columns) for name, columns in named.items()} == {
        name: Counter(columns) for name, columns in COLUMNS.items()
    }, "join a new column to the purpose it serves in domain/retention.py"


def test_every_purpose_is_described_and_serves_a_column() -> None:
    used = {purpose for table in TABLES.values() for purpose in table.purposes}
    assert used == set(HOLDINGS)


def test_every_period_counts_from_a_column_that_there_is() -> None:
    assert [name for name, table in TABLES.items() if table.period and table.period.since not in COLUMNS[name]] == []


def test_what_is_deleted_after_a_period_says_so_where_people_read_it() -> None:
    silent = {
        name
        for name, table in TABLES.items()
        if table.period and not any(HOLDINGS[purpose].until for purpose in table.purposes)
    }
    # Of the version before: rows that this one does not write.
    assert silent == {"vehicle_draft"}


def test_the_texts_name_no_figure_that_there_is_not() -> None:
    for holding in HOLDINGS.values():
        assert "{" not in in_full(holding.until)
    assert all(holding.what for holding in HOLDINGS.values() if holding.end == End.ACCOUNT and holding.why)
