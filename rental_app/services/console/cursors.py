"""Where a page of a list begins: the sorted value and the id of the row that it follows, or that it stands before."""

import base64
import binascii
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

import orjson

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.ids import MAX_ID
from rental_app.services.console.table import TEXTS, Column

LONGEST = 600


class Cursor(NamedTuple):
    """The rows after one (or before it, with `back`); `first` is the number of the page's first row, from 0 on."""

    sort: str
    back: bool
    first: int
    value: Any
    key: int

    @property
    def text(self) -> str:
        """As it travels: opaque to whoever carries it."""
        return base64.urlsafe_b64encode(orjson.dumps(list(self), default=str)).decode().rstrip("=")


def read(text: str, sort: str, column: Column) -> Cursor | None:
    """The cursor in a text, None for a blank one; raises InvalidInputError for any other, or one of another order."""
    if not text:
        return None
    try:
        padded = text + "=" * (-len(text) % 4)
        cursor = Cursor(*orjson.loads(base64.urlsafe_b64decode(padded.encode("ascii"))))
        return _checked(cursor, sort, column)
    except (ValueError, TypeError, AttributeError, OverflowError, binascii.Error):
        message = "This is not a page of this list: begin with the first"
        raise InvalidInputError(message, code="bad_cursor", fields={"cursor": message}) from None


def _checked(cursor: Cursor, sort: str, column: Column) -> Cursor:
    numbers = type(cursor.first) is int and type(cursor.key) is int and 0 <= cursor.first <= MAX_ID
    if cursor.sort != sort or type(cursor.back) is not bool or not numbers or abs(cursor.key) > 10**15:
        raise ValueError
    return cursor._replace(value=_value(cursor.value, column))


def _value(value: Any, column: Column) -> Any:
    """A value of a column as it came in JSON; raises ValueError and TypeError if it cannot be one."""
    if column.kind == "moment":
        return _instant(value)
    if column.kind == "day":
        return date.fromisoformat(value)
    if column.kind in TEXTS:
        if type(value) is not str or "\x00" in value:
            raise ValueError
        return value
    if type(value) not in (int, float) or abs(value) > 10**15:
        raise ValueError
    return value


def _instant(value: Any) -> datetime:
    instant = datetime.fromisoformat(value)
    if instant.tzinfo is None:
        raise ValueError
    # In the first or last hours of the calendar there is none: OverflowError.
    return instant.astimezone(UTC)
