"""Whether a copy of the database is sound: readable to its end, without dangling references, its guards all there.

What the schema must be is what the migrations make, up to the revision that the copy has reached: they run once more,
in a database in memory or in a transaction that is rolled back.
"""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.pool import StaticPool

from alembic import command
from rental_app.infrastructure import db

# How many problems of a kind are named.
NAMED = 20
# Steps of SQLite's virtual machine between two looks at the clock.
STEPS = 100_000
# SQLite's own tables and indexes. Nobody can give a trigger or a view such a name.
_SQLITES_OWN = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR type NOT IN ('table', 'index')"
_CONSTRAINT = re.compile(r"\bCONSTRAINT \"?(\w+)")
# The entries of a dump that are compared, and those of which the text is, too. That of others changes by itself when a
# dump is restored: PostgreSQL writes the lists in constraints in another way then.
_COMPARED = frozenset(
    {"TABLE", "INDEX", "TRIGGER", "CONSTRAINT", "FK CONSTRAINT", "CHECK CONSTRAINT", "VIEW", "MATERIALIZED VIEW"}
    | {"FUNCTION", "RULE", "EVENT TRIGGER"}
)
_WITH_TEXT = frozenset({"TRIGGER", "FUNCTION"})
# What stands before an entry of a dump that is written as text, and at its end.
_ENTRY = re.compile(
    r"^--\n-- (?:Name: (.*); Type: ([A-Z ]+); Schema: (\S+); Owner: .*|PostgreSQL database dump complete)\n--\n",
    re.MULTILINE,
)
# Settings for the entries that follow; they stand at the end of the one before.
_SETTINGS = re.compile(r"(\s*^SET default_\w+ = [^;]*;)+\s*\Z", re.MULTILINE)
# A line of a table: a constraint that it checks, or a column.
_LINE = re.compile(r'^    (?:CONSTRAINT (\w+) CHECK|"?(\w+)"? )', re.MULTILINE)
_REACHED = re.compile(r"^COPY \S+alembic_version .*\n(\w+)$", re.MULTILINE)
_MADE = """
    SELECT CASE relkind WHEN 'r' THEN 'TABLE' WHEN 'v' THEN 'VIEW' END, relname, ''
    FROM pg_class WHERE relnamespace = 'rental_check'::regnamespace AND relkind IN ('r', 'v')
    UNION ALL
    SELECT 'COLUMN', relname || '.' || attname, '' FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'rental_check'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT 'INDEX', relname, '' FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
    WHERE relnamespace = 'rental_check'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT CASE contype WHEN 'f' THEN 'FK CONSTRAINT' WHEN 'c' THEN 'CHECK CONSTRAINT' ELSE 'CONSTRAINT' END,
        relname || ' ' || conname, ''
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE connamespace = 'rental_check'::regnamespace AND contype IN ('c', 'f', 'p', 'u', 'x')
    UNION ALL
    SELECT 'TRIGGER', relname || ' ' || tgname, pg_get_triggerdef(pg_trigger.oid) || ';' || CASE tgenabled WHEN 'A'
        THEN ' ALTER TABLE rental_check.' || relname || ' ENABLE ALWAYS TRIGGER ' || tgname || ';' ELSE '' END
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = 'rental_check'::regnamespace AND NOT tgisinternal
    UNION ALL
    SELECT 'FUNCTION', proname || '()', pg_get_functiondef(oid) || ';'
    FROM pg_proc WHERE pronamespace = 'rental_check'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
"""
Schema = dict[tuple[str, str], str]


def problems_of_file(path: Path, *, newer: bool) -> Iterator[str]:
    """What is wrong with a SQLite database that nobody writes to.

    `newer` allows for one that a later version has migrated, whose schema is not known here.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as copy:
            # Functions that its schema calls must not reach outside.
            copy.execute("PRAGMA trusted_schema=OFF")
            problems = [row[0] for row in copy.execute(f"PRAGMA integrity_check({NAMED})") if row[0] != "ok"]
            dangling = copy.execute("PRAGMA foreign_key_check").fetchmany(NAMED)
            yield from problems
            yield from (f"row {row} of {table} refers to nothing in {other}" for table, row, other, _ in dangling)
            yield from [] if problems else _differences_of_file(copy, newer=newer)
    except sqlite3.DatabaseError as error:
        yield str(error)


def _differences_of_file(copy: sqlite3.Connection, *, newer: bool) -> Iterator[str]:
    reached = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    if revision := _known_revision(reached[0] if reached else ""):
        with closing(_migrated(revision)) as made:
            yield from _differences(_schema(copy), _schema(made))
    elif not newer:
        yield _unknown(reached[0] if reached else "none")


def _migrated(revision: str) -> sqlite3.Connection:
    """A database in memory, migrated up to a revision."""
    made = sqlite3.connect(":memory:")
    engine = create_engine("sqlite://", creator=lambda: made, poolclass=StaticPool)
    with engine.connect() as connection:
        _migrate(connection, revision)
        connection.commit()
    return made


def _schema(database: sqlite3.Connection) -> Schema:
    """What a schema has: triggers and views with their text, tables with their columns and named constraints."""
    schema: Schema = {}
    for kind, name, sql in database.execute(f"SELECT type, name, sql FROM sqlite_master WHERE {_SQLITES_OWN}"):  # noqa: S608
        schema[kind, name] = " ".join((sql or "").split()) if kind in ("trigger", "view") else ""
        if kind == "table":
            columns = database.execute("SELECT name FROM pragma_table_info(?)", (name,))
            schema |= {("column", f"{name}.{column}"): "" for (column,) in columns}
            schema |= {("constraint", constraint): "" for constraint in _CONSTRAINT.findall(sql)}
    return schema


def problems_of_dump(schema: str, reached: str, *, newer: bool) -> Iterator[str]:
    """What is wrong with a PostgreSQL dump, given its schema and its data of alembic_version as text."""
    match = _REACHED.search(reached)
    if not match:
        yield "it does not say which revision of the schema it has"
    elif revision := _known_revision(match[1]):
        with db.preparing(), db.engine().connect() as connection, connection.begin() as transaction:
            connection.execute(text("CREATE SCHEMA rental_check"))
            connection.execute(text("SET LOCAL search_path TO rental_check"))
            _migrate(connection, revision, schema="rental_check")
            # As in a dump, names in definitions are written in full.
            connection.execute(text("SET LOCAL search_path TO ''"))
            made = {(kind, name): _normal(sql) for kind, name, sql in connection.execute(text(_MADE))}
            transaction.rollback()
        yield from _differences(dict(_entries(schema)), made)
    elif not newer:
        yield _unknown(match[1])


def _entries(dump: str) -> Iterator[tuple[tuple[str, str], str]]:
    """What a dump's schema has: triggers and functions with their text, tables with their columns and checks."""
    _, *parts = _ENTRY.split(dump)
    for name, kind, schema, sql in zip(*[iter(parts)] * 4, strict=True):
        if kind not in _COMPARED:
            continue
        full_name = name if schema in ("public", "-") else f"{schema}.{name}"
        yield (kind, full_name), _normal(_SETTINGS.sub("", sql)) if kind in _WITH_TEXT else ""
        for check, column in _LINE.findall(sql) if kind == "TABLE" else ():
            yield ("CHECK CONSTRAINT", f"{full_name} {check}") if check else ("COLUMN", f"{full_name}.{column}"), ""


def _normal(sql: str) -> str:
    """A definition as a dump and PostgreSQL itself both write it."""
    short = " ".join(sql.split()).replace("CREATE OR REPLACE ", "CREATE ").replace("$function$", "$$")
    return short.replace("rental_check.", "public.").replace("$$ ;", "$$;")


def _differences(actual: Schema, made: Schema) -> Iterator[str]:
    """What a schema lacks, has in another form, or has that no migration makes."""
    differences = {
        "is missing": made.keys() - actual.keys(),
        "is not as the migrations make it": {key for key in made.keys() & actual.keys() if made[key] != actual[key]},
        "is not ours": actual.keys() - made.keys(),
    }
    for what, keys in differences.items():
        yield from (f"the {kind.lower()} {name} {what}" for kind, name in sorted(keys)[:NAMED])


def _migrate(connection: Connection, revision: str, schema: str | None = None) -> None:
    migrations = Config("alembic.ini")
    migrations.attributes.update(connection=connection, schema=schema)
    command.upgrade(migrations, revision)


def _known_revision(revision: str) -> str:
    revisions = {script.revision for script in ScriptDirectory.from_config(Config("alembic.ini")).walk_revisions()}
    return revision if revision in revisions else ""


def _unknown(revision: str) -> str:
    return f"its schema has the revision {revision}, which this version does not know: use the version it was made with"


def quick_check(path: Path, seconds: float) -> str | None:
    """What a quick check finds wrong with a SQLite database, '' for nothing; None if it takes longer than that."""
    deadline = time.monotonic() + seconds
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as database:
            database.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
            result: str = database.execute("PRAGMA quick_check(1)").fetchone()[0]
            return "" if result == "ok" else result
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return None
        raise
    except sqlite3.DatabaseError as error:
        return str(error)
