"""The application: pages, REST edge, lifespan tasks. Nothing else."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial

import anyio.to_thread
import reflex as rx
from starlette.types import ASGIApp, Receive, Scope, Send

from rental_app import api
from rental_app.domain import clock
from rental_app.domain.errors import ReadOnlyError
from rental_app.infrastructure import db, logs, metrics, traces
from rental_app.infrastructure.background import repeat
from rental_app.infrastructure.data_dir import keep_new_files
from rental_app.infrastructure.headers import behind_proxies, with_headers
from rental_app.infrastructure.security import warm_up
from rental_app.infrastructure.settings import settings
from rental_app.infrastructure.version import version
from rental_app.services import health, maintenance
from rental_app.services.accounts import erasure, hashing, sessions
from rental_app.services.calendar.ical import imports
from rental_app.services.files import orphans, storage
from rental_app.services.mail import delivery, outbox
from rental_app.web import pages
from rental_app.web.frame.boundary import boundary
from rental_app.web.react.connection import connection
from rental_app.web.react.server_rendered import early_presses
from rental_app.web.react.toaster import toaster
from rental_app.web.session.failures import page_error, server_error
from rental_app.web.session.newcomers import brief_newcomers
from rental_app.web.session.sockets import App, paced_sockets

SWEEP_SECONDS, SEND_SECONDS, LOOK_SECONDS = 60, 5, 30
# What is looked at; the database is whenever the metrics are asked for.
PARTS = ("redis", "files")
HOUR_SECONDS, DAY_SECONDS = 3600, 86_400


@asynccontextmanager
async def _process() -> AsyncIterator[None]:
    """Set up each worker: its own connections, a limit on threads, the sweep of what has lapsed, outgoing e-mail."""
    keep_new_files()
    db.engine().dispose(close=False)
    # Existing objects stay for good: the collector need not scan them again and again (serve.py has disabled it).
    gc.freeze()
    gc.enable()
    # A request leaves hardly any cycles behind, but more objects than Python's own threshold of 700.
    gc.set_threshold(10_000, 20, 20)
    anyio.to_thread.current_default_thread_limiter().total_tokens = settings().threads
    traces.send(db.engine())
    await hashing.run_hashing(warm_up)
    # Before anybody can log in: the database may be a backup that was restored. Not before workers are forked, which
    # would lack the threads of the file store.
    await db.run(erasure.replay)
    logs.started(version())
    forever = (
        repeat("the sweep", SWEEP_SECONDS, _sweep),
        repeat("looking at the process and its parts", LOOK_SECONDS, _look),
        repeat("sending mail", SEND_SECONDS, _send),
        repeat("importing calendars", SWEEP_SECONDS, partial(_import_calendars, imports.Importer())),
        repeat("the sweep of files", DAY_SECONDS, _sweep_files),
    )
    tasks = [asyncio.create_task(each) for each in forever]
    yield
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _sweep() -> bool:
    with metrics.SWEEP.time():
        try:
            await db.run(storage.remove, await db.run(db.write, maintenance.sweep, clock.now()))
            await db.run(erasure.carry_out_due, clock.now())
        except ReadOnlyError:
            # Nothing lapses meanwhile, and nothing is forgotten that a session needs.
            await db.run(db.write, sessions.write_uses)
    metrics.SWEPT.set_to_current_time()
    return False


async def _look() -> bool:
    # Here and not when the metrics are asked for: that could not wait for a store that does not answer.
    metrics.measure_process()
    down = await anyio.to_thread.run_sync(health.failing_parts, PARTS)
    for part in PARTS:
        metrics.PARTS.labels(part).set(part not in down)
    return False


async def _sweep_files() -> bool:
    # A start has enough to do, and whoever started it with another shop's files has time to notice.
    await asyncio.sleep(HOUR_SECONDS)
    # Stores date files by the machine's time, whatever the product's clock says.
    await db.run(orphans.sweep, datetime.now(UTC))
    await db.run(delivery.drop_older, datetime.now(UTC))
    await db.run(erasure.replay)
    return False


async def _import_calendars(importer: imports.Importer) -> bool:
    return await importer.step() > 0 or importer.is_importing


async def _send() -> bool:
    try:
        return await outbox.send_due() > 0
    finally:
        metrics.POOL.set(db.connections_in_use())


# Called before the app creates the loggers of its sockets.
logs.set_up()


class RentalApp(App):
    """The application inside the middleware for every response, even for those of Reflex's own outermost layer."""

    def __call__(self) -> ASGIApp:
        """The ASGI application."""
        return behind_proxies(paced_sockets(brief_newcomers(with_headers(_past_reflex(super().__call__())))))


def _past_reflex(whole: ASGIApp) -> ASGIApp:
    """Route HTTP requests straight to `rest`; Reflex's own layers handle its sockets and the process's lifespan."""

    async def divided(scope: Scope, receive: Receive, send: Send) -> None:
        await (rest if scope["type"] == "http" else whole)(scope, receive, send)

    return divided


rest = api.build()
app = RentalApp(
    api_transformer=rest,
    stylesheets=["/site.css"],
    html_lang="en-IN",
    # In place of Reflex's own notices; inside the theme, which has priority 20.
    app_wraps={(10, "ErrorBoundary"): boundary, (5, "Overlay"): connection},
    toaster=toaster(),
    backend_exception_handler=server_error,
    frontend_exception_handler=page_error,
    head_components=[
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/apple-touch-icon.png"),
        rx.el.link(rel="manifest", href="/manifest.webmanifest"),
        # The night bar's colours, which browsers extend over their own bars.
        rx.el.meta(name="theme-color", content="#0b3b39", custom_attrs={"media": "(prefers-color-scheme: light)"}),
        rx.el.meta(name="theme-color", content="#0b2b29", custom_attrs={"media": "(prefers-color-scheme: dark)"}),
        early_presses(),
        rx.el.link(rel="alternate", href="/blog/rss.xml", type="application/rss+xml", title="Blog"),
    ],
)
app.register_lifespan_task(_process)
pages.add_all(app)

# A missing or weak key must prevent the start, not the first login.
_ = settings().signing_key
