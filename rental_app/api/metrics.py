"""What operators see: every request is counted and has an id; the counts are served to the addresses they list."""

import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from ipaddress import ip_address

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from rental_app.domain import clock
from rental_app.domain.errors import UnavailableError
from rental_app.infrastructure import logs
from rental_app.infrastructure import metrics as infrastructure_metrics
from rental_app.infrastructure.db import read
from rental_app.infrastructure.logs import RequestLog
from rental_app.infrastructure.settings import settings
from rental_app.infrastructure.traces import PROBES
from rental_app.infrastructure.version import version
from rental_app.services.mail import outbox

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# A request that no route of ours answers is for a file of the built pages.
FILE = "file"
_IDENT = re.compile(rb"[A-Za-z0-9._-]{8,64}")


def begin(scope: Scope) -> RequestLog:
    """Begin a request, under the id that its client sent or a new one."""
    sent = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    entry = RequestLog(sent.decode()) if _IDENT.fullmatch(sent) else RequestLog()
    logs.request_log.set(entry)
    return entry


class RequestMetrics:
    """Counts requests and logs them, by the names of the routes that answered them."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._routes = routes

    def tell(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log a request that has been answered."""
        method = scope["method"] if scope["method"] in METHODS else "OTHER"
        route = self.route_of(scope)
        infrastructure_metrics.REQUESTS.labels(method, route, status).observe(seconds)
        # Probes and scrapes come every few seconds from each machine: only their failures say something.
        if route not in PROBES or status >= 400:
            logs.done("request", route, seconds, method=method, status=status)

    def route_of(self, scope: Scope) -> str:
        """The name of the route that answers a request: one of ours, never the address that was sent."""
        # FastAPI puts only its own routes into the scope.
        return getattr(scope.get("route"), "path", "") or self._plain.get(scope.get("endpoint"), FILE)

    @cached_property
    def _plain(self) -> dict[object, str]:
        return {route.endpoint: route.path for route in self._routes if isinstance(route, Route)}


def metrics(request: Request) -> Response:
    """All metrics, for Prometheus; 404 for addresses that are not listed."""
    if not request.client or not _is_listed(request.client.host):
        raise HTTPException(404)
    read_now = CollectorRegistry()
    read_now.register(RequestedMetrics())
    return Response(generate_latest(_counted()) + generate_latest(read_now), media_type=CONTENT_TYPE_LATEST)


def _is_listed(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    # An IPv4 client of a socket bound to `::`.
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in settings().metrics_allowed)


def _counted() -> CollectorRegistry:
    """The counts of this process, or of all workers together."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together


class RequestedMetrics(Collector):
    """What is read when the metrics are requested: the version, and what the database knows."""

    def describe(self) -> list[GaugeMetricFamily]:
        """Every metric that `collect` may yield, without values."""
        return [
            GaugeMetricFamily("rental_build_info", "The version that runs", labels=("version",)),
            GaugeMetricFamily("rental_database_up", "Whether the database answers"),
            GaugeMetricFamily("rental_outbox_waiting", "Messages to be sent"),
            GaugeMetricFamily("rental_outbox_oldest_seconds", "For how long the first of them is due"),
        ]

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield how many messages wait, how long the first has been due, and whether the database answered."""
        build, database, *outbox_metrics = self.describe()
        build.add_metric((version(),), 1)
        yield build
        try:
            values = read(outbox.waiting, clock.now())
        except UnavailableError:
            database.add_metric((), 0)
            yield database
            return
        database.add_metric((), 1)
        yield database
        for family, value in zip(outbox_metrics, values, strict=True):
            family.add_metric((), value)
            yield family
