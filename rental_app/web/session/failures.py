"""Handling of unexpected failures, on the server or in a page."""

import logging
import re

import reflex as rx
from redis.exceptions import RedisError

from rental_app.infrastructure.db import BUSY
from rental_app.web.session.events import error_toast

log = logging.getLogger(__name__)
_KIND = re.compile(r"(?:\[SID: \S+\] )?([A-Za-z_]{1,40})\b")


def server_error(exception: Exception) -> rx.event.EventSpec:
    """Log what kind of exception ended a handler and where; the page only learns that something failed, or that its
    state cannot be had right now."""
    log.error("a handler failed", exc_info=exception)
    if isinstance(exception, RedisError):
        return error_toast(BUSY)
    return error_toast("Something went wrong on our side, please try again")


def page_error(exception: Exception) -> None:
    """Log what kind of error a page reports; the rest of the report is whatever the browser likes to send."""
    kind = _KIND.match(str(exception))
    log.error("a page reports: %s", kind[1] if kind else "an error")
