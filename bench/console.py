"""How long the console's lists take with 100,000 rows: the service against its bare SQL, in one run.

python -m bench.console --rows 100000 --database both
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import event, text

from alembic import command
from bench.availability import database
from bench.fill import ALEMBIC, fill
from bench.fill import _insert as insert_rows
from rental_app.domain import clock
from rental_app.infrastructure.db import engine, read, write
from rental_app.models import AccountChange, AuditEntry, LedgerEntry, LoginSession, Outbox, Review, User
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import reading, tables
from rental_app.services.console.reading import Wanted
from tests.support.environment import ENVIRONMENT

BIG = ("people", "bookings", "listings", "reviews", "messages", "audit", "requests", "money")
FIRST = 1_000_000


def main() -> None:
    """Fill, measure and print for each database asked for."""
    parser = argparse.ArgumentParser(description="Measure the console's lists")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
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
            for name in BIG:
                for label, wanted in _kinds(name, operator):
                    _measure(f"{name}, {label}", operator, name, wanted, asked.rounds)


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
    ids = range(1, many + 1)
    insert_rows(User, (_person(number, now) for number in ids), many)
    insert_rows(LoginSession, (_session(number, now) for number in ids), many)
    insert_rows(LedgerEntry, (_line(number, now) for number in ids), many)
    insert_rows(Review, (_review(number, now) for number in ids), many)
    insert_rows(Outbox, (_message(number, now) for number in ids), many)
    insert_rows(AuditEntry, (_entry(number, now) for number in ids), many)
    insert_rows(AccountChange, (_request(number, now) for number in ids), many)
    with engine().connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


def _person(number: int, now: datetime) -> dict[str, Any]:
    return User(
        id=FIRST + number,
        name=f"Customer {number % 5000}",
        email=f"customer{number}@example.com",
        password_hash="-",  # noqa: S106
        phone_number=f"8{number:09}",
        address="1, Main Road",
        zip_code="500032",
        city="Hyderabad",
        status="active" if number % 50 else "blocked",
        created_at=now - timedelta(minutes=number),
    ).model_dump()


def _session(number: int, now: datetime) -> dict[str, Any]:
    lasts = {"created_at": now, "expires_at": now + timedelta(days=7)}
    return LoginSession(jti=f"{number}", user_id=FIRST + number, **lasts).model_dump()


def _line(number: int, now: datetime) -> dict[str, Any]:
    at = now - timedelta(days=number % 700)
    return LedgerEntry(booking_id=number, kind="payment", paise=100_00 + number, at=at).model_dump(exclude={"id"})


def _review(number: int, now: datetime) -> dict[str, Any]:
    at = now - timedelta(minutes=number)
    sides = {"vehicle_id": number, "vendor_id": 1, "customer_id": FIRST + number}
    reported = {"reported_at": at, "reported_by": 1} if number % 100 == 0 else {}
    told = {"stars": number % 5 + 1, "written_at": at, "show_by": at, "shown_at": at}
    return Review(booking_id=number, side="customer", **sides, **told, **reported).model_dump(exclude={"id"})


def _message(number: int, now: datetime) -> dict[str, Any]:
    at = now - timedelta(minutes=number)
    given_up = {"due_at": None, "error": "452 mailbox full"} if number % 100 == 0 else {"due_at": None, "sent_at": at}
    row = Outbox(key=f"{number}", kind="confirmed", user_id=FIRST + number, created_at=at, **given_up)
    return row.model_dump(exclude={"id"})


def _entry(number: int, now: datetime) -> dict[str, Any]:
    who = {"user_id": FIRST + number, "role": "Customer", "subject": "user", "subject_id": FIRST + number}
    return AuditEntry(at=now - timedelta(minutes=number), act="login.done", **who).model_dump(exclude={"id"})


def _request(number: int, now: datetime) -> dict[str, Any]:
    asked = {"field": "name", "value": "Another", "created_at": now - timedelta(minutes=number)}
    state = {"decision": "granted", "decided_at": now} if number % 100 else {}
    return AccountChange(user_id=FIRST + number, **asked, **state).model_dump(exclude={"id"})


def _operator() -> Actor:
    made = User(**{**_person(FIRST, clock.now()), "id": 3 * FIRST, "role": "Operator", "email": "o@example.com"})
    write(lambda session: session.add(made))
    return Actor("198.51.100.7", 3 * FIRST, "Operator", "none")


def _kinds(name: str, operator: Actor) -> Iterator[tuple[str, Wanted]]:
    """The list as it opens, a page in its middle, a search and a filter."""
    yield "first page", Wanted()
    yield "second page", Wanted(cursor=read(reading.page, operator, name, Wanted()).next)
    yield "search", Wanted(q="4711")
    chosen = next((each for each in tables.named(name).filters if each.options), None)
    if chosen:
        yield "filter", Wanted(filters={chosen.name: chosen.options[0].value})


def _measure(label: str, operator: Actor, name: str, wanted: Wanted, rounds: int) -> None:
    sent = _statements(operator, name, wanted)
    service: list[float] = []
    bare: list[float] = []
    for _ in range(rounds):
        bare.append(_timed(lambda: _run(sent)))
        service.append(_timed(lambda: read(reading.page, operator, name, wanted)))
    ours, floor = statistics.median(service), statistics.median(bare)
    print(f"  {label:24} {ours:8.1f} ms, bare SQL {floor:8.1f} ms, x {ours / floor:.2f}")


def _statements(operator: Actor, name: str, wanted: Wanted) -> list[tuple[str, Any]]:
    """The statements of a page as they reach the driver."""
    sent: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        if not statement.startswith(("BEGIN", "COMMIT", "ROLLBACK")):
            sent.append((statement, parameters))

    event.listen(engine(), "before_cursor_execute", note)
    read(reading.page, operator, name, wanted)
    event.remove(engine(), "before_cursor_execute", note)
    return sent


def _run(sent: list[tuple[str, Any]]) -> None:
    with engine().connect() as connection:
        cursor = connection.connection.cursor()
        for statement, parameters in sent:
            cursor.execute(statement, parameters)
            cursor.fetchall()


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
