"""How many requests a second the product answers, against a bare program that gives the same answers, in one run.

python -m bench.requests --seconds 5
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from datetime import time as clock_time
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from sqlalchemy import func, select

from bench.availability import database
from bench.fill import fill
from bench.pages import wait_for
from rental_app.db import write
from rental_app.models import User
from rental_app.rules import clock
from rental_app.seed.places import PLACES
from rental_app.services.accounts import open_session
from rental_app.settings import settings
from tests.e2e import npm
from tests.e2e.app import environment, free_port, running, stop
from tests.environment import ENVIRONMENT

AUTOCANNON = "9.0.0"
CLIENTS, WARM_UP_SECONDS = 16, 1
SEARCH, BOOK = "/api/bookings/check-availability", "/api/bookings/create"
PAGES = ("/", "/vehicles", "/vehicle-details/1", "/gachibowli/bike-rentals", "/offers", "/blog")
BROWSER = {"accept-encoding": "gzip, deflate, br"}
# For bookings: enough that no two of a run want the same vehicle on the same days.
FLEET, DAYS = 2000, 80
Asked = dict[str, Any]


class Load(NamedTuple):
    """Requests a second, how long they took (ms), and how many were answered with which kind of status."""

    rate: float
    p50: float
    p99: float
    slowest: float
    kinds: dict[str, int]
    lost: int


def main() -> None:
    """Measure and print each table."""
    parser = argparse.ArgumentParser(description="Measure requests a second")
    parser.add_argument("--seconds", type=int, default=5, help="how long each load lasts")
    parser.add_argument("--rounds", type=int, default=2, help="how often floor and product take turns")
    parser.add_argument("--parts",default="reads,writes")
    asked = parser.parse_args()
    os.environ |= ENVIRONMENT
    parts = asked.parts.split(",")
    if "reads" in parts:
      with tempfile.TemporaryDirectory(prefix="rental-bench-") as folder, running(Path(folder)) as app:
        with _bare(app.folder) as bare:
            _compare("GET /api/user/vehicles", bare, app.url, [[{"path": "/api/user/vehicles"}]], asked)
            _compare("check-availability", bare, app.url, _searches(), asked)
        _print_pages(app.url, asked.seconds)
    if "writes" in parts:
     with tempfile.TemporaryDirectory(prefix="rental-bench-") as folder, database("sqlite", Path(folder), "pahiya.db"):
        fill(FLEET, 0)
        bookings = _bookings()
        with running(Path(folder)) as app, _bare(app.folder) as bare:
            _compare("booking creation", bare, app.url, None, asked, bookings)
            _print_mix(app.url, bookings, asked.seconds)


def _compare(
    name: str, bare: str, product: str, lists: list[list[Asked]] | None, asked: argparse.Namespace, *taken: Iterator[Asked]
) -> None:
    """Print what floor and product give in turns, and the ratio of their requests a second."""
    if lists:
        _require_same(bare, product, lists[0][0])
    rates: dict[str, list[Load]] = {"bare": [], "product": []}
    for _ in range(asked.rounds):
        for kind, url in (("bare", bare), ("product", product)):
            given = lists or [list(islice(taken[0], asked.seconds * 200)) for _ in range(CLIENTS)]
            rates[kind].append(_loaded(url, given, CLIENTS, asked.seconds))
    for kind, loads in rates.items():
        best = max(loads)
        _print(f"{name}, {kind}", best, f"x {best.rate / max(rates['bare']).rate:.2f} of the floor")


def _require_same(bare: str, product: str, first: Asked) -> None:
    """Stop where the floor gives another answer than the product: it would be the floor of something else."""
    answers = [httpx.request(first.get("method", "GET"), url + first["path"], content=first.get("body"), headers=first.get("headers")).json() for url in (bare, product)]
    assert answers[0] == answers[1], "the bare program gives another answer"


def _print_pages(url: str, seconds: int) -> None:
    for path in PAGES:
        _print(f"page {path}", _loaded(url, [[{"path": path, "headers": BROWSER}]], CLIENTS, seconds))


def _print_mix(url: str, bookings: Iterator[Asked], seconds: int) -> None:
    """Eight searches for every two bookings."""
    searches = cycle(_searches()[0])
    for clients in (50, 500):
        each = seconds * 40
        lists = [
            [next(bookings) if number % 5 == 0 else next(searches) for number in range(each)] for _ in range(clients)
        ]
        _print(f"80/20, {clients} clients", _loaded(url, lists, clients, seconds))


def _searches() -> list[list[Asked]]:
    """Searches for two days in every locality, on one of twenty days."""
    today = clock.indian_today(clock.now())
    opens = [clock.indian(clock.at(today + timedelta(days=ahead), clock_time(10))) for ahead in range(3, 23)]
    weekdays = [at for at in opens if 6 not in (at.weekday(), (at.weekday() + 2) % 7)]
    windows = [(at.isoformat(), (at + timedelta(days=2)).isoformat()) for at in weekdays]
    bodies = [
        {"location": place.name, "pickupDate": pickup, "returnDate": end} for pickup, end in windows for place in PLACES
    ]
    return [[_post(SEARCH, body) for body in bodies]]


def _bookings() -> Iterator[Asked]:
    """Bookings of a day that do not get into each other's way."""
    token = write(lambda session: open_session(session, session.scalars(select(func.max(User.id))).one()))
    first = clock.indian(clock.at(clock.indian_today(clock.now()) + timedelta(days=2), clock_time(10)))
    for days in range(0, DAYS, 2):
        pickup = first + timedelta(days=days)
        if 6 in (pickup.weekday(), (pickup.weekday() + 1) % 7):
            continue
        ends = {"pickupDate": pickup.isoformat(), "returnDate": (pickup + timedelta(days=1)).isoformat()}
        for car in range(1, FLEET + 1):
            yield _post(BOOK, {"car": car} | ends, {"authorization": f"Bearer {token}"})


def _post(path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> Asked:
    sent = {"content-type": "application/json"} | (headers or {})
    return {"method": "POST", "path": path, "headers": sent, "body": json.dumps(body)}


def _loaded(url: str, lists: list[list[Asked]], clients: int, seconds: int) -> Load:
    """What autocannon measures, after a moment of the same to warm up."""
    if "create" not in json.dumps(lists[0][:1]):
        _run(url, lists, clients, WARM_UP_SECONDS)
    found = _run(url, lists, clients, seconds)
    latency = found["latency"]
    kinds = {kind: found[kind] for kind in ("2xx", "4xx", "5xx") if found[kind]}
    lost = found["errors"] + found["timeouts"]
    return Load(found["requests"]["total"] / found["duration"], latency["p50"], latency["p99"], latency["max"], kinds, lost)


def _run(url: str, lists: list[list[Asked]], clients: int, seconds: int) -> dict[str, Any]:
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
def _bare(folder: Path) -> Iterator[str]:
    """The bare program on the product's database, under the product's server."""
    port = free_port()
    code = f"from rental_app.supervisor import supervisor; supervisor('127.0.0.1', {port}, target='bench.bare_calls:made').serve()"
    variables = environment() | ENVIRONMENT | {"RENTAL_DATA_DIR": str(folder), "RENTAL_DATABASE_URL": ""}
    process = subprocess.Popen([sys.executable, "-c", code], env=variables, start_new_session=True)  # noqa: S603
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(process)


if __name__ == "__main__":
    main()
