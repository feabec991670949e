"""The log's bounds and words, and what workers and their master measure."""

import asyncio
import gc
import io
import json
import logging
import os
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from psycopg.errors import UniqueViolation
from sqlalchemy.exc import IntegrityError

from rental_app.infrastructure.logs import LINES, Bounded, Kinds, KindsAsJson

# A library's own logger, which nobody has set up.
ELSEWHERE = """
import logging
from rental_app.infrastructure import logs
logs.set_up()
log = logging.getLogger("opentelemetry.exporter")
try:
    raise ValueError("hunter2")
except ValueError:
    log.exception("hunter2")
log.info("hunter2")
"""


def written(logger: str, formatter: logging.Formatter) -> list[str]:
    """Return the lines of twice as many warnings as one place may write, then one from another place."""
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(formatter)
    handler.addFilter(Bounded())
    log = logging.Logger(logger)
    log.addHandler(handler)
    for number in range(2 * LINES):
        log.warning("told %s", number + 1)
    log.warning("elsewhere")
    lines: list[str] = handler.stream.getvalue().splitlines()
    return lines


@pytest.mark.parametrize(
    ("logger", "words"),
    [("rental_app.x", f"told {LINES}"), ("gunicorn.error", f"told {LINES}"), ("reflex.x", "written")],
)
def test_the_last_line_of_a_place_says_that_the_rest_is_left_out(logger: str, words: str) -> None:
    *lines, last, elsewhere = written(logger, Kinds())
    assert len(lines) == LINES - 1
    assert last.endswith(f" {words} (no more from here for a minute)")
    assert not [line for line in (*lines, elsewhere) if "no more" in line]


def test_json_says_so_too() -> None:
    told = [json.loads(line)["event"] for line in written("rental_app.x", KindsAsJson())]
    assert told[LINES - 2 :] == [f"told {LINES - 1}", f"told {LINES} (no more from here for a minute)", "elsewhere"]


def test_what_other_libraries_log_is_a_line_without_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_LOGS", "json")
    told = subprocess.run([sys.executable, "-c", ELSEWHERE], check=True, capture_output=True, text=True).stderr
    line = json.loads(told)
    assert line["level"] == "error"
    assert line["place"].startswith("opentelemetry.exporter ")
    assert "ValueError" in line["event"]
    assert "hunter2" not in told


def line_of(log: Callable[[logging.Logger], None], name: str = "uvicorn.error") -> str:
    """Return the line of what a function logs as a library does."""
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(Kinds())
    logger = logging.Logger(name)
    logger.addHandler(handler)
    log(logger)
    return str(handler.stream.getvalue())


SENT = uuid.uuid4().hex


def _a_task_fails(log: logging.Logger) -> None:
    async def fails() -> None:
        raise ValueError(SENT)

    async def steps() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: loop.default_exception_handler(context))
        task = asyncio.create_task(fails(), name=SENT)
        await asyncio.sleep(0)
        del task

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("asyncio.base_events.logger", log)
        asyncio.run(steps())
        gc.collect()


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (lambda log: log.warning("Odd request of %s", SENT), "<lambda>"),
        (lambda log: log.warning(f"Odd request of {SENT}, left out"), "<lambda>"),
        (lambda log: log.log(logging.WARNING, "%s", SENT), "<lambda>"),
        (lambda log: log.warning(SENT), "<lambda>"),
        (lambda log: log.error(ValueError(SENT)), "<lambda>"),
        (lambda log: log.warning(f"{SENT} %s %s", SENT), "<lambda>"),
        (_a_task_fails, "default_exception_handler: ValueError at tests/infrastructure/test_logs.py:"),
    ],
)
def test_of_what_libraries_log_only_the_place_and_the_function_are_told(
    log: Callable[[logging.Logger], None], words: str
) -> None:
    line = line_of(log).rstrip("\n")
    assert line.endswith(f" {words}") or (words.endswith(":") and f" {words}" in line)
    assert SENT not in line


def _fail_on(original: Exception) -> Callable[[logging.Logger], None]:
    def log(logger: logging.Logger) -> None:
        try:
            raise IntegrityError(SENT, {}, original)
        except IntegrityError:
            logger.exception(SENT)

    return log


def _unique_row_twice() -> sqlite3.IntegrityError:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (x UNIQUE)")
        with pytest.raises(sqlite3.IntegrityError) as refused:
            connection.execute("INSERT INTO t VALUES (1), (1)")
    return refused.value


def test_a_failure_of_the_database_has_its_code_and_the_path_of_its_module() -> None:
    for original, code in ((UniqueViolation(SENT), "23505"), (_unique_row_twice(), "SQLITE_CONSTRAINT_UNIQUE")):
        line = line_of(_fail_on(original))
        assert f": IntegrityError {code} at tests/infrastructure/test_logs.py:" in line
        assert " uvicorn.error tests/infrastructure/test_logs.py:" in line
        assert SENT not in line


# A master whose worker has died, and the worker that took its place.
MASTER = """
import json, os
from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
from rental_app.infrastructure import metrics

metrics.DEATHS.inc()
read, write = os.pipe()
if os.fork():
    os.close(write)
    print(os.read(read, 100_000).decode())
    os.wait()
else:
    metrics.measure_process()
    metrics.PARTS.labels("redis").set(1)
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
    samples = [[s.name, *s.labels.values(), s.value] for family in registry.collect() for s in family.samples]
    os.write(write, json.dumps([os.getpid(), [s for s in samples if s[0].startswith("rental_")]]).encode())
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_tells_its_own_measures_and_the_deaths_of_others(workers: int, tmp_path: Path) -> None:
    shared = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)} if workers > 1 else {}
    command = [sys.executable, "-c", MASTER]
    done = subprocess.run(command, env=os.environ | shared, capture_output=True, text=True, check=True)
    worker, samples = json.loads(done.stdout)
    told = {" ".join(names): value for *names, value in samples}
    assert told["rental_worker_deaths_total"] == 1
    assert told["rental_part_up redis"] == 1
    assert [name for name in told if name.startswith("rental_worker_memory")] == [
        f"rental_worker_memory_bytes {worker}"
    ]
    assert told[f"rental_worker_open_files {worker}"] > 0
