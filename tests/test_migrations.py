"""The migrations: up, down and up again on a filled database, equal to the models, and fit for the version before."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, SQLModel, col

from alembic import command
from rental_app import serve
from rental_app.infrastructure.db import engine, read, transaction, write
from rental_app.models import Booking
from rental_app.seed import seed_if_empty
from rental_app.services.accounts import sessions
from tests.conftest import ALEMBIC
from tests.support.rows import each
from tests.support.shop import count

SCHEMA = {
    "sqlite": "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'",
    "postgresql": """
        SELECT 'column', table_name || '.' || column_name,
               concat_ws(' ', data_type, is_nullable, column_default)
        FROM information_schema.columns WHERE table_schema = 'public'
        UNION ALL
        SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
        UNION ALL
        SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    """,
}
COLUMNS = (
    "vehicle_id, customer_id, pickup_at, return_at, status, price_paise, deposit_paise, lines, created_at, answer_by,"
    " cancel_reason"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


def schema(kind: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in read(lambda session: session.execute(text(SCHEMA[kind])).all()))


def rows_of(query: str) -> list[Any]:
    return read(lambda session: list(session.execute(text(query)).all()))


def held_booking() -> int:
    wanted = text("SELECT min(id) FROM booking WHERE status = 'confirmed' AND stage = 'booked'")
    return int(read(lambda session: session.execute(wanted).scalar_one()))


@pytest.mark.long
def test_up_down_and_up_again_gives_the_same_schema(database: str, kind: str) -> None:
    before = schema(kind)
    assert count("booking") > 0
    command.downgrade(ALEMBIC, "base")
    assert {row[1].split(".")[0] for row in schema(kind)} <= {"alembic_version", "alembic_version_pkc"}
    command.upgrade(ALEMBIC, "head")
    assert schema(kind) == before
    assert seed_if_empty()


def test_the_draft_of_a_vendor_is_taken_over_with_its_files(database: str, kind: str) -> None:
    command.downgrade(ALEMBIC, "0056")
    vendor = rows_of("SELECT min(vendor_id) AS id FROM vehicle")[0].id
    when = "'2026-11-01 10:00:00'"
    for statement in (
        f'INSERT INTO vehicle_draft (vendor_id, typed, saved_at) VALUES ({vendor}, \'{{"color": "Red"}}\', {when})',
        *(
            "INSERT INTO unclaimed_file (vendor_id, group_name, key, content_type, size, created_at, draft_of)"
            f" VALUES ({vendor}, 'RC', 'private/{number}', 'image/jpeg', 1, {when}, {draft})"
            for number, draft in ((1, vendor), (2, "NULL"))
        ),
    ):
        write(Session.execute, text(statement))
    command.upgrade(ALEMBIC, "head")
    ((draft, owner, edition),) = rows_of("SELECT id, vendor_id, edition FROM listing_draft WHERE title = ''")
    assert (owner, edition) == (vendor, 1)
    marks = rows_of("SELECT draft_id FROM unclaimed_file WHERE key LIKE 'private/_' ORDER BY key")
    assert [row.draft_id for row in marks] == [draft, None]


@pytest.mark.databases
@pytest.mark.parametrize("again", ["", *(pytest.param(since, marks=pytest.mark.long) for since in ("base", "0002"))])
def test_the_guards_against_overlaps_are_there(database: str, kind: str, again: str) -> None:
    if again:
        command.downgrade(ALEMBIC, again)
        command.upgrade(ALEMBIC, "head")
        seed_if_empty()
    booking = held_booking()
    insert = f"INSERT INTO booking ({COLUMNS}) SELECT {COLUMNS} FROM booking WHERE id = {booking}"
    with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
        write(lambda session: session.execute(text(insert)))
    apart = insert.replace("SELECT vehicle_id", "SELECT (SELECT max(id) FROM vehicle)")
    write(lambda session: session.execute(text(apart)))
    move = f"UPDATE booking SET vehicle_id = (SELECT vehicle_id FROM booking WHERE id = {booking})"
    with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
        write(lambda session: session.execute(text(f"{move} WHERE id = (SELECT max(id) FROM booking)")))
    # A vehicle that is back early is free for one other booking.
    write(Session.execute, text(f"UPDATE booking SET stage = 'returned' WHERE id = {booking}"))
    write(Session.execute, text(insert))
    with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
        write(Session.execute, text(insert))


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_booking_costs_the_same_however_many_its_vehicle_has_behind_it(database: str, kind: str) -> None:
    """On SQLite, where triggers guard; PostgreSQL's constraint brings its own index."""
    booking, day, last = held_booking(), timedelta(days=1), datetime(2031, 1, 1)
    ends = "pickup_at, return_at"
    insert = (
        f"INSERT INTO booking ({COLUMNS}) SELECT {COLUMNS.replace(ends, ':pickup, :back')} FROM booking WHERE id = :id"
    )

    def book(pickup: datetime) -> int:
        """Book a day, and return in how many steps SQLite did it."""
        window = {"pickup": f"{pickup}.000000", "back": f"{pickup + day}.000000"}
        steps: list[None] = []
        with transaction(writing=True) as session:
            driver: Any = session.connection().connection.driver_connection
            driver.set_progress_handler(lambda: steps.append(None), 1)
            session.execute(text(insert), window | {"id": booking})
            driver.set_progress_handler(None, 1)
        return len(steps)

    first = book(last)
    for number in range(1, 51):
        book(last - number * 3 * day)
    assert book(last + 3 * day) == first > 0


def test_bookings_made_before_snapshots_get_one_of_their_vehicle(database: str, kind: str) -> None:
    at_vendors = "SELECT booking.id FROM booking JOIN vehicle ON vehicle.id = vehicle_id WHERE vehicle.address = ''"
    # At that revision a vehicle has no address of its own.
    ids = [row.id for row in rows_of(at_vendors)]
    before = bookings_kept()
    assert all(before.values())
    command.downgrade(ALEMBIC, "0002")
    assert "booked" not in str(schema(kind))
    command.upgrade(ALEMBIC, "head")
    after = bookings_kept()
    assert after.keys() == before.keys()
    assert [after[one] for one in ids] == [before[one] for one in ids]


def bookings_kept() -> dict[int, Any]:
    kept = select(col(Booking.id), col(Booking.booked))
    return {row.id: row.booked for row in read(lambda session: session.execute(kept).all())}


@pytest.mark.long
def test_bookings_made_before_trips_get_a_reference_an_account_and_a_history(database: str, kind: str) -> None:
    wanted = {
        "account": "SELECT booking_id, kind, paise, at, note FROM ledger_entry"
        " WHERE kind IN ('rental', 'extra', 'discount') AND reverses IS NULL"
        # What was taken off later has a credit note.
        " AND NOT EXISTS (SELECT 1 FROM issued_paper WHERE about LIKE '%/' || ledger_entry.id AND kind LIKE '% note')"
        " ORDER BY booking_id, id",
        "history": "SELECT booking_id, what, at, side FROM booking_event"
        " WHERE what IN ('requested', 'confirmed', 'declined', 'lapsed', 'cancelled') ORDER BY booking_id, id",
        "prices": "SELECT id, full_day_paise FROM booking ORDER BY id",
        "without": "SELECT count(*) FROM booking WHERE reference IS NULL",
    }

    # What happened to these could not have happened then.
    later = {
        row[0]
        for row in rows_of(
            "SELECT booking_id FROM booking_event WHERE what IN ('vendor_cancelled', 'vehicle_changed')"
            " UNION SELECT id FROM booking WHERE source = 'counter'"
        )
    }

    def held() -> dict[str, list[Any]]:
        return {name: [row for row in rows_of(query) if row[0] not in later] for name, query in wanted.items()}

    before = held()
    assert before["account"]
    assert len(before["history"]) > count("booking")
    command.downgrade(ALEMBIC, "0004")
    assert "reference" not in str(schema(kind))
    command.upgrade(ALEMBIC, "head")
    assert held() == before
    for change in ("UPDATE ledger_entry SET note = 'x'", "DELETE FROM ledger_entry"):
        with pytest.raises(DatabaseError, match="append-only"):
            write(Session.execute, text(change))


def test_lines_of_the_account_get_the_vehicle_of_their_booking(database: str, kind: str) -> None:
    command.downgrade(ALEMBIC, "0038")
    command.upgrade(ALEMBIC, "head")
    other = "SELECT count(*) FROM ledger_entry JOIN booking ON booking.id = booking_id"
    assert rows_of(f"{other} WHERE ledger_entry.vehicle_id IS NULL OR ledger_entry.vehicle_id <> booking.vehicle_id")[
        0
    ] == (0,)
    assert rows_of(other)[0][0] > 0
    # The version before leaves it empty.
    wanted = "booking_id, kind, paise, method, at, note"
    write(Session.execute, text(f"INSERT INTO ledger_entry ({wanted}) SELECT {wanted} FROM ledger_entry LIMIT 1"))


def test_a_login_by_code_does_not_pass_for_one_by_password_in_the_version_before(database: str, kind: str) -> None:
    user, before = int(rows_of('SELECT min(id) FROM "user"')[0][0]), count("login_session")
    for by_code in (True, False):
        write(sessions.open_session, user, by_code=by_code)
    command.downgrade(ALEMBIC, "0033")
    assert count("login_session") == before + 1


@pytest.mark.parametrize("kind", ["sqlite"])
def test_no_line_of_the_account_is_replaced_by_another(database: str, kind: str) -> None:
    """On SQLite, where REPLACE removes rows that have the same key without firing triggers for DELETE."""
    last = "SELECT {} FROM ledger_entry WHERE id = (SELECT max(id) FROM ledger_entry)"
    wanted = "booking_id, kind, paise, method, at, note"
    reversal = last.format("booking_id, kind, -paise, method, at, note, id, 'key'")
    write(Session.execute, text(f"INSERT INTO ledger_entry ({wanted}, reverses, request_key) {reversal}"))
    before = rows_of("SELECT * FROM ledger_entry ORDER BY id")
    for key in ("id", "reverses", "request_key"):
        other = last.format(f"booking_id, 'payment', 1, method, at, note, {key}")
        with pytest.raises(DatabaseError, match="append-only"):
            write(Session.execute, text(f"INSERT OR REPLACE INTO ledger_entry ({wanted}, {key}) {other}"))
    assert rows_of("SELECT * FROM ledger_entry ORDER BY id") == before


def test_a_demo_that_lost_its_offers_on_the_way_gets_offers_again(database: str, kind: str) -> None:
    seeded = "SELECT code, percent, off_paise FROM offer ORDER BY code"
    before = rows_of(seeded)
    command.downgrade(ALEMBIC, "0007")
    command.upgrade(ALEMBIC, "head")
    assert count("offer") == 0
    assert not seed_if_empty(people=False)
    assert count("offer") == 0, "a shop of its own gets no demo offers"
    assert not seed_if_empty()
    assert not seed_if_empty()
    assert rows_of(seeded) == before
    write(Session.execute, text("DELETE FROM offer WHERE code <> 'WEEKLONG'"))
    seed_if_empty()
    assert count("offer") == 1, "offers that are there are left as they are"


@pytest.mark.databases
@each(
    "statement",
    [
        "UPDATE booking SET return_at = pickup_at",
        "UPDATE booking SET status = 'done'",
        "UPDATE booking SET price_paise = -1",
        "UPDATE booking SET status = 'cancelled', cancelled_by = NULL",
        "UPDATE booking SET customer_id = 0",
        "UPDATE booking SET stage = 'lost'",
        "UPDATE booking SET stage = 'out' WHERE status = 'cancelled'",
        "UPDATE booking SET reference = 'PH-000000'",
        "INSERT INTO ledger_entry (booking_id, kind, paise, method, at, note)"
        " SELECT booking_id, 'payment', -1, 'cash', at, '' FROM ledger_entry",
        "UPDATE \"user\" SET role = 'Admin'",
        "UPDATE \"user\" SET email = 'UPPER@example.com'",
        "UPDATE \"user\" SET open_time = '21:00:00', close_time = '09:00:00'",
        "UPDATE vehicle SET rc_number = 'X'",
        "UPDATE vehicle SET deposit_paise = -1",
        "UPDATE vehicle_price SET price_name = 'Hour'",
        "DELETE FROM vehicle",
    ],
)
def test_the_database_refuses_what_can_never_be(database: str, kind: str, statement: str) -> None:
    with pytest.raises(DatabaseError):
        write(lambda session: session.execute(text(statement)))


def test_a_database_that_a_newer_version_has_migrated_is_left_as_it_is(
    database: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(Session.execute, text("UPDATE alembic_version SET version_num = 'newer'"))
    assert not serve.prepare_database()
    assert "by a newer version" in capsys.readouterr().out


# Tables that only 1.0.0 reads and writes (record 43); dropped when nobody can be upgrading from it any more.
WITHOUT_MODEL = {"idempotency_key"}


def of_the_models(item: Any, name: str | None, kind: str, *_named: object) -> bool:
    """Return whether a table or an index should be as a model says; some indexes are for another kind of database."""
    condition = getattr(item, "_ddl_if", None)
    is_of_this_database = condition is None or condition.dialect == engine().dialect.name
    return is_of_this_database and not (kind == "table" and name in WITHOUT_MODEL)


@pytest.mark.databases
def test_the_migrations_make_what_the_models_say(database: str) -> None:
    with engine().connect() as connection:
        opts = {"compare_type": True, "compare_server_default": True, "include_object": of_the_models}
        context = MigrationContext.configure(connection, opts=opts)
        differences = compare_metadata(context, SQLModel.metadata)
    assert differences == []


# Nothing had been released before this revision: the earlier ones could change anything.
FIRST_RELEASED = "0008"
Columns = dict[str, dict[str, Any]]


def columns() -> Columns:
    """Return every table's columns by name."""
    found = inspect(engine())
    tables = [name for name in found.get_table_names() if not name.startswith("alembic")]
    return {table: {column["name"]: column for column in found.get_columns(table)} for table in tables}


def is_required(column: dict[str, Any]) -> bool:
    return not column["nullable"] and column["default"] is None


def broken(before: Columns, after: Columns) -> list[str]:
    """Return what the version of `before` reads and `after` lacks, or leaves out and `after` requires."""
    found = []
    for table, old in before.items():
        new = after.get(table, {})
        found += [f"{table}.{name} is gone" for name in old.keys() - new.keys()]
        wanted = {name for name, column in new.items() if is_required(column)}
        already = {name for name, column in old.items() if is_required(column)}
        found += [f"{table}.{name} is required" for name in wanted - already]
    return sorted(found)


@pytest.mark.parametrize("latest", [2, pytest.param(None, marks=pytest.mark.long)])
def test_the_version_before_goes_on_with_each_migrated_database(database: str, kind: str, latest: int | None) -> None:
    scripts = ScriptDirectory.from_config(ALEMBIC).iterate_revisions("head", FIRST_RELEASED)
    *later, first = [*[script.revision for script in scripts], FIRST_RELEASED][: latest and latest + 1]
    assert later
    command.downgrade(ALEMBIC, first)
    for revision in reversed(later):
        before = columns()
        rows = {table: count(table) for table in before}
        command.upgrade(ALEMBIC, revision)
        assert broken(before, columns()) == [], revision
        assert {table: count(table) for table in before} == rows, revision


@pytest.mark.databases
def test_stored_texts_are_composed(database: str, kind: str) -> None:
    command.downgrade(ALEMBIC, "0047")
    loose, composed, places = (
        "Zoe\u0308 \u0917\u095d",
        "Zo\u00eb \u0917\u0922\u093c",
        "SELECT min(id), max(id) FROM location",
    )
    ((first, last),) = rows_of(places)
    for table, name in (("user", "name"), ("vehicle", "terms"), ("booking", "cancel_reason"), ("offer", "title")):
        write(Session.execute, text(f'UPDATE "{table}" SET {name} = :text'), {"text": loose})
    for place, called in ((first, loose), (last, composed)):
        write(Session.execute, text("UPDATE location SET name = :text WHERE id = :id"), {"text": called, "id": place})
    command.upgrade(ALEMBIC, "head")
    for table, name in (("user", "name"), ("vehicle", "terms"), ("booking", "cancel_reason"), ("offer", "title")):
        assert {row[0] for row in rows_of(f'SELECT {name} FROM "{table}"')} == {composed}, table
    left = {row[0] for row in rows_of(f"SELECT name FROM location WHERE id IN ({first}, {last})")}
    assert left == {loose, composed}, "no two places have one name"
