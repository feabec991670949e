"""Metrics for Prometheus; the counts of several workers are added up (`serve.share_counts`)."""

import functools
import os
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from prometheus_client import Counter, Gauge, Histogram, ProcessCollector

from rental_app.domain.errors import RentalError

P = ParamSpec("P")
T = TypeVar("T")
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS = Histogram("rental_request_seconds", "Requests", ("method", "route", "status"), buckets=SECONDS)
EVENTS = Histogram("rental_event_seconds", "Events of pages", ("event", "outcome"), buckets=SECONDS)
BOOKINGS = Counter("rental_bookings", "What happened to bookings, and why some were not made", ("outcome",))
LOGINS = Counter("rental_logins", "Logins, and why some were refused", ("outcome",))
MAIL = Counter("rental_mail", "What became of messages that were due", ("outcome",))
DEATHS = Counter("rental_worker_deaths", "Workers that ended though nobody stopped the server")
UNCOUNTED = Counter("rental_uncounted", "Uses that Redis did not count, and what became of them", ("outcome",))
DAMAGE = Counter("rental_database_damage", "Transactions that met damaged files of the database")
TABS = Gauge("rental_tabs", "Tabs connected", multiprocess_mode="livesum")
POOL = Gauge("rental_pool_connections", "Database connections in use", multiprocess_mode="livesum")
# A part that one worker does not reach is down. With a label, because without one it would be down in the master too,
# which never looks.
PARTS = Gauge("rental_part_up", "Whether a part answers: redis, files", ("part",), multiprocess_mode="livemin")
# By a label of our own, as the client's `pid` is missing where there is but one worker. Those of the dead are gone.
CPU = Gauge("rental_worker_cpu_seconds", "Processor time of a worker", ("worker",), multiprocess_mode="livesum")
MEMORY = Gauge("rental_worker_memory_bytes", "Memory of a worker", ("worker",), multiprocess_mode="livesum")
OPEN_FILES = Gauge("rental_worker_open_files", "Open files of a worker", ("worker",), multiprocess_mode="livesum")
MOST_FILES = Gauge("rental_worker_max_files", "Its limit of open files", ("worker",), multiprocess_mode="livesum")
SWEEP = Histogram("rental_sweep_seconds", "Sweeps of what has lapsed", buckets=SECONDS)
SWEPT = Gauge("rental_sweep_done_timestamp_seconds", "When a sweep was last done", multiprocess_mode="mostrecent")

RETENTION_HELD = Gauge(
    "rental_retention_held",
    "Whether so much of a table is over that nothing of it is deleted before an operator says so",
    ("table",),
    multiprocess_mode="mostrecent",
)

_PROCESS = {
    "process_cpu_seconds_total": CPU,
    "process_resident_memory_bytes": MEMORY,
    "process_open_fds": OPEN_FILES,
    "process_max_fds": MOST_FILES,
}


def measure_process() -> None:
    """Set the metrics of this worker; there are none on systems without /proc."""
    for family in ProcessCollector(registry=None).collect():
        for sample in family.samples:
            if gauge := _PROCESS.get(sample.name):
                gauge.labels(str(os.getpid())).set(sample.value)


def counted_refusals(counter: Counter) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Count the reasons why a service refuses, by the refusal's code."""

    def decorated(service: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(service)
        def counted(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return service(*args, **kwargs)
            except RentalError as refusal:
                counter.labels(refusal.code).inc()
                raise

        return counted

    return decorated
