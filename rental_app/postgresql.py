"""Connections to PostgreSQL; imported where there is one."""

from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from rental_app.errors import NoAnswerError
from rental_app.settings import settings


class Impatient(psycopg.Connection[Any]):
    """A connection that gives up on a server that does not answer: libpq by itself waits for ever."""

    patience: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, timeout or self.patience)
        except psycopg.OperationalError as error:
            if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise
            # What the server says later belongs to what was given up.
            self.pgconn.finish()
            raise NoAnswerError from error


def connect(seconds: float, *args: Any, **given: Any) -> Impatient:
    """A connection whose statements may take so many seconds, 0 for any; raises NoAnswerError where nobody answers."""
    options = f"-c statement_timeout={int(seconds * 1000)} -c timezone=UTC"
    try:
        made = Impatient.connect(*args, **given, connect_timeout=settings().connect_timeout, options=options)
    except psycopg.errors.ConnectionTimeout as error:
        raise NoAnswerError from error
    # The server is the first to say that a statement takes too long.
    made.patience = seconds + 1 if seconds else None
    return made
