"""Gunicorn's master and uvicorn's worker, whose methods ours extend (`infrastructure/supervisor.py`)."""

from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker
from gunicorn.workers.workertmp import WorkerTmp
from uvicorn_worker import UvicornWorker

from rental_app.library_patches import Name, require

__all__ = ["Arbiter", "Logger", "UvicornWorker", "Worker"]
NAMES = (
    Name(Arbiter, "handle_term"),
    Name(Arbiter, "handle_int"),
    Name(Arbiter, "handle_quit"),
    Name(Arbiter, "run", "manage_workers murder_workers"),
    Name(Arbiter, "murder_workers", "WORKERS tmp last_update timeout kill_worker"),
    Name(Arbiter, "reap_workers", "child_exit"),
    Name(Arbiter, "stop"),
    Name(WorkerTmp, "last_update"),
    Name(Worker, "__init__", "ppid tmp"),
    Name(Worker, "init_process", "run"),
    Name(Worker, "notify", "tmp"),
    Name(UvicornWorker, "__init__", "CONFIG_KWARGS callback_notify"),
    Name(Logger, "setup"),
)
require(*NAMES)
