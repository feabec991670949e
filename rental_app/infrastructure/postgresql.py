"""Connections to PostgreSQL; imported only where it is used."""

from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from rental_app.domain.errors import NoAnswerError
from rental_app.infrastructure.settings import settings


class TimedConnection(psycopg.Connection[Any]):
    """A connection that gives up on a server that does not answer: libpq by itself waits forever."""

    patience: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, timeout or self.patience)
        except psycopg.OperationalError as error:
            if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise
            # A later answer of the server would belong to the abandoned statement.
            self.pgconn.finish()
            raise NoAnswerError from error


def connect(seconds: float, *args: Any, **parameters: Any) -> TimedConnection:
    """A connection with a statement timeout in seconds, 0 for none; raises NoAnswerError if the server is silent."""
    options = f"-c statement_timeout={int(seconds * 1000)} -c timezone=UTC"
    try:
        made = TimedConnection.connect(*args, **parameters, connect_timeout=settings().connect_timeout, options=options)
    except psycopg.errors.ConnectionTimeout as error:
        raise NoAnswerError from error
    # A second more, so that the server is the first to report a statement timeout.
    made.patience = seconds + 1 if seconds else None
    return made
