"""Metrics for Prometheus; the counts of several workers are added up (`serve.share_counts`)."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from prometheus_client import Counter, Gauge, Histogram

from rental_app.domain.errors import RentalError

P = ParamSpec("P")
T = TypeVar("T")
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS = Histogram("rental_request_seconds", "Requests", ("method", "route", "status"), buckets=SECONDS)
EVENTS = Histogram("rental_event_seconds", "Events of pages", ("event", "outcome"), buckets=SECONDS)
BOOKINGS = Counter("rental_bookings", "What happened to bookings, and why some were not made", ("outcome",))
UNCOUNTED = Counter("rental_uncounted", "Uses that Redis did not count, and what became of them", ("outcome",))
DAMAGE = Counter("rental_database_damage", "Transactions that met damaged files of the database")
TABS = Gauge("rental_tabs", "Tabs connected", multiprocess_mode="livesum")
POOL = Gauge("rental_pool_connections", "Database connections in use", multiprocess_mode="livesum")
SWEEP = Histogram("rental_sweep_seconds", "Sweeps of what has lapsed", buckets=SECONDS)
SWEPT = Gauge("rental_sweep_done_timestamp_seconds", "When a sweep was last done", multiprocess_mode="mostrecent")

# Cached, because finding a child by its labels takes longer than counting; routes, events and codes are few.
request = functools.cache(REQUESTS.labels)
event = functools.cache(EVENTS.labels)
booking = functools.cache(BOOKINGS.labels)
uncounted = functools.cache(UNCOUNTED.labels)


def counted_refusals(service: Callable[P, T]) -> Callable[P, T]:
    """Count the reasons why a service makes no booking."""

    @functools.wraps(service)
    def counted(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return service(*args, **kwargs)
        except RentalError as refusal:
            booking(refusal.code).inc()
            raise

    return counted
