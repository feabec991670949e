"""The master process: serves through workers, replaces those that die, and gives up when new ones die as well."""

import os
import time
from collections.abc import Sequence
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels, logger
from granian.server import MPServer
from prometheus_client import multiprocess

APP = "rental_app.rental_app:app"
# Also how long a client may take for the head of a request.
IDLE_SECONDS = 75
MOST_DEATHS, DEATHS_SECONDS = 5, 120


class Supervisor(MPServer):
    """Granian's master, which itself only gives up on workers that die within 5.5 s: a slow start takes longer."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.respawn_failed_workers = True
        self.deaths: list[float] = []

    def _respawn_workers(self, workers: Sequence[int], *spawning: Any, **options: Any) -> None:
        """Replace each with a new worker; raises SystemExit when too many have died lately."""
        now = time.monotonic()
        dead = [index for index in workers if not self.wrks[index].inner.is_alive()]
        for index in dead if "PROMETHEUS_MULTIPROC_DIR" in os.environ else ():
            multiprocess.mark_process_dead(self.wrks[index].inner.pid)  # type: ignore[no-untyped-call]
        self.deaths = [death for death in self.deaths if now - death < DEATHS_SECONDS] + [now] * len(dead)
        if len(self.deaths) > MOST_DEATHS:
            logger.error("Workers die again and again: giving up")
            self.shutdown(exit_code=1)  # type: ignore[no-untyped-call]
        logger.warning("Starting a new worker")
        super()._respawn_workers(workers, *spawning, **options)
        # What Granian's own rule looks at.
        self.respawned_wrks.clear()


def supervisor(
    address: str, port: int, workers: int = 1, target: str = APP, idle_seconds: float = IDLE_SECONDS
) -> Supervisor:
    """The master of `workers` processes that serve an ASGI factory; its `serve` lasts until interrupted.

    Connections are closed after `idle_seconds` without a request.
    """
    return Supervisor(
        target,
        factory=True,
        address=address,
        port=port,
        interface=Interfaces.ASGI,
        workers=workers,
        log_level=LogLevels.warning,
        workers_kill_timeout=3,
        # Telling HTTP/2 from HTTP/1 would mean waiting for ever for clients that say nothing.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=int(idle_seconds * 1000)),
    )
