"""Instants of long lists, read from SQLite in one step."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Dialect
from sqlmodel.sql.sqltypes import UTCDateTime


class Instant(UTCDateTime):
    """The same instants as SQLModel's own type reads, which takes three calls for each: long lists feel it."""

    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: Any) -> Callable[[Any], datetime | None] | None:
        """Return what makes an instant in UTC of a value of the driver."""
        return _from_text if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


def _from_text(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(f"{text}+00:00")
