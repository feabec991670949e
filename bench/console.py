"""How long the console's lists take with 100,000 rows: the service against SELECTs by hand, in one run.

python -m bench.console --rows 100000 --database both
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlmodel import SQLModel

from alembic import command
from bench.availability import database
from bench.bare_lists import LISTS, BareMoney, run
from bench.fill import ALEMBIC, Rows, fill
from bench.fill import _insert as insert_rows
from rental_app.domain import clock
from rental_app.infrastructure.db import engine, read, write
from rental_app.models import (
    AccountChange,
    AuditEntry,
    BookingEvent,
    LedgerEntry,
    LoginSession,
    Outbox,
    PersonNote,
    Review,
    User,
)
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import lists, tables
from rental_app.services.console.lists import USUAL, ListQuery
from tests.support.environment import ENVIRONMENT

FIRST = 1_000_000
SEARCHED = "4711"
# Server time of a page of 100,000 rows, whichever column it is sorted by.
MOST_MS = 150
# Columns by which nothing is sorted but on demand.
SORTS = {"bookings": "price", "ledger": "amount"}


def main() -> None:
    """Fill, measure and print for each database asked for."""
    parser = argparse.ArgumentParser(description="Measure the console's lists")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--lists", nargs="+", choices=(every := (*LISTS, "money")), default=every)
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    asked = parser.parse_args()
    os.environ |= ENVIRONMENT
    for kind in ("sqlite", "postgresql") if asked.database == "both" else (asked.database,):
        print(f"{kind}: {asked.rows:,} rows of each list")
        with tempfile.TemporaryDirectory(prefix="rental-bench-") as folder, database(kind, Path(folder)):
            _without_triggers()
            fill(asked.rows, asked.rows)
            _fill_lists(asked.rows)
            operator = _operator()
            for name in asked.lists:
                for kind_of_page, wanted in _kinds(name, operator):
                    _measure(operator, name, kind_of_page, wanted, asked.rounds)
                _measure_orders(operator, name, asked.rounds)


def _without_triggers() -> None:
    """Migrate, and drop what runs at every write: it has nothing to do with reading, and makes filling take an hour."""
    command.upgrade(ALEMBIC, "head")
    with engine().begin() as connection:
        if connection.dialect.name == "postgresql":
            tables_with_some = connection.execute(text("SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger"))
            for (name,) in tables_with_some.all():
                connection.execute(text(f"ALTER TABLE {name} DISABLE TRIGGER USER"))
            return
        for (name,) in connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).all():
            connection.execute(text(f"DROP TRIGGER {name}"))


def _fill_lists(many: int) -> None:
    now = clock.now()
    insert_rows(User, _people(many, now), many)
    insert_rows(LoginSession, _sessions(many, now), many)
    insert_rows(LedgerEntry, _lines(many, now), many)
    insert_rows(Review, _reviews(many, now), many)
    insert_rows(Outbox, _messages(many, now), many)
    insert_rows(AuditEntry, _entries(many, now), many)
    insert_rows(AccountChange, _requests(many, now), many)
    insert_rows(BookingEvent, _objections(many, now), many)
    insert_rows(PersonNote, _notes(many, now), many)
    with engine().connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # The filler's bookings are all one customer's.
        connection.execute(text(f"UPDATE booking SET customer_id = {FIRST} + id"))
        owner = "(SELECT vendor_id FROM vehicle WHERE vehicle.id = review.vehicle_id)"
        connection.execute(text(f"UPDATE review SET vendor_id = {owner}"))
        connection.execute(text("ANALYZE" if connection.dialect.name == "sqlite" else "VACUUM ANALYZE"))


def _like(row: SQLModel) -> dict[str, Any]:
    """The columns of a row to make others like it, which is quicker than a model for each."""
    return row.model_dump(exclude={"id"})


def _people(many: int, now: datetime) -> Rows:
    address = {"address": "1, Main Road", "zip_code": "500032", "city": "Hyderabad"}
    like = _like(User(name="", email="", password_hash="-", phone_number="", **address))  # noqa: S106
    for number in range(1, many + 1):
        called = {"name": f"Customer {number % 5000}", "email": f"customer{number}@example.com"}
        state = {"status": "active" if number % 50 else "blocked", "created_at": now - timedelta(minutes=number)}
        yield like | called | state | {"id": FIRST + number, "phone_number": f"8{number:09}"}


def _sessions(many: int, now: datetime) -> Rows:
    like = LoginSession(jti="", user_id=0, created_at=now, expires_at=now + timedelta(days=7)).model_dump()
    for number in range(1, many + 1):
        yield like | {"jti": f"{number}", "user_id": FIRST + number}


def _lines(many: int, now: datetime) -> Rows:
    like = _like(LedgerEntry(booking_id=0, kind="payment", paise=0))
    for number in range(1, many + 1):
        at = now - timedelta(days=number % 700)
        yield like | {"booking_id": number, "paise": 100_00 + number, "at": at}


def _reviews(many: int, now: datetime) -> Rows:
    ids = {"booking_id": 0, "vehicle_id": 0, "vendor_id": 1, "customer_id": 0}
    like = _like(Review(side="customer", stars=1, show_by=now, **ids))
    for number in range(1, many + 1):
        at = now - timedelta(minutes=number)
        sides = {"booking_id": number, "vehicle_id": number, "customer_id": FIRST + number}
        reported = {"reported_at": at, "reported_by": 1} if number % 100 == 0 else {}
        told = {"stars": number % 5 + 1, "written_at": at, "show_by": at, "shown_at": at}
        yield like | {"reported_at": None, "reported_by": None} | sides | told | reported


def _messages(many: int, now: datetime) -> Rows:
    like = _like(Outbox(key="", kind="confirmed", user_id=0, due_at=None))
    for number in range(1, many + 1):
        at = now - timedelta(minutes=number)
        fate = {"error": "452 mailbox full"} if number % 100 == 0 else {"sent_at": at}
        yield like | fate | {"key": f"{number}", "user_id": FIRST + number, "booking_id": number, "created_at": at}


def _entries(many: int, now: datetime) -> Rows:
    like = _like(AuditEntry(act="login.done", role="Customer", subject="user", subject_id=0))
    for number in range(1, many + 1):
        who = {"user_id": FIRST + number, "subject_id": FIRST + number}
        yield like | who | {"at": now - timedelta(minutes=number)}


def _requests(many: int, now: datetime) -> Rows:
    like = _like(AccountChange(user_id=0, field="name", value="Another"))
    for number in range(1, many + 1):
        state = {"decision": "granted", "decided_at": now} if number % 100 else {}
        yield like | state | {"user_id": FIRST + number, "created_at": now - timedelta(minutes=number)}


def _objections(many: int, now: datetime) -> Rows:
    like = _like(BookingEvent(booking_id=0, what="objected", side="customer"))
    for number in range(1, many + 1):
        yield like | {"booking_id": number, "entry_id": number, "at": now - timedelta(minutes=number)}


def _notes(many: int, now: datetime) -> Rows:
    like = _like(PersonNote(user_id=0, text="Called about the deposit", at=now))
    for number in range(1, many + 1):
        yield like | {"user_id": FIRST + number, "at": now - timedelta(minutes=number)}


def _operator() -> Actor:
    like = next(_people(1, clock.now()))
    made = like | {"id": 3 * FIRST, "role": "Operator", "email": "o@example.com", "phone_number": "7" * 10}
    write(lambda session: session.add(User(**made)))
    return Actor("198.51.100.7", 3 * FIRST, "Operator", "operator")


def _kinds(name: str, operator: Actor) -> Iterator[tuple[str, ListQuery]]:
    """The list as it opens, the page after, a search, an order without an index and the first filter's first value."""
    yield "first page", ListQuery()
    yield "second page", ListQuery(cursor=read(lists.page, operator, name, ListQuery()).next)
    yield "search", ListQuery(q=SEARCHED)
    if name in SORTS:
        yield "sorted", ListQuery(sort=SORTS[name])
    chosen = tables.named(name).filters[0]
    if chosen.options:
        yield "filter", ListQuery(filters={chosen.name: chosen.options[0].value})


def _measure(operator: Actor, name: str, kind: str, wanted: ListQuery, rounds: int) -> None:
    """Print how long a page takes, and how long the same rows and counts take by hand."""
    by_hand, given = _by_hand(name, kind, operator)
    ids = [row.id for row in read(lists.page, operator, name, wanted).rows]
    if ids != [row[0] for row in run(by_hand, given)[0][:USUAL]]:
        raise SystemExit(f"{name}, {kind}: the SELECT by hand finds other rows")
    service: list[float] = []
    bare: list[float] = []
    for _ in range(rounds):
        bare.append(_timed(lambda: run(by_hand, given)))
        service.append(_timed(lambda: read(lists.page, operator, name, wanted)))
    # The least of both, which other work on the machine changes least.
    ours, floor = min(service), min(bare)
    print(f"  {name + ', ' + kind:24} {ours:8.1f} ms, bare SQL {floor:8.1f} ms, x {ours / floor:.2f}")


def _measure_orders(operator: Actor, name: str, rounds: int) -> None:
    """Print how long the server works for the slowest page of a list, whichever column it is sorted by."""
    columns = [column.name for column in tables.named(name).columns if column.sortable]
    slowest = (0.0, "")
    for sort in (*columns, *(f"-{column}" for column in columns)):
        spent: list[float] = []
        for _ in range(rounds):
            began = time.process_time()
            read(lists.page, operator, name, ListQuery(sort=sort))
            spent.append((time.process_time() - began) * 1000)
        slowest = max(slowest, (min(spent), sort))
    took, sort = slowest
    print(f"  {name + ', slowest order':24} {took:8.1f} ms of server time, by {sort}; at most {MOST_MS} are wanted")


def _by_hand(name: str, kind: str, operator: Actor) -> tuple[list[str], dict[str, Any]]:
    bare = BareMoney() if name == "money" else LISTS[name]
    last = read(lists.page, operator, name, ListQuery()).rows[-1].id
    now = f"{clock.now():%Y-%m-%d %H:%M:%S.%f}"
    return [bare.rows(kind), *bare.counts(kind)], {"last": last, "word": f"%{SEARCHED}%", "now": now}


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
