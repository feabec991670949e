"""Many rows checked by one test."""

import inspect
import reprlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from sqlmodel import Session

from rental_app.infrastructure.db import write
from rental_app.models import Booking

Test = Callable[..., None]


def each(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, but the rows share one test and its fixtures.

    Every row is tried, and those that fail are named. Rows must leave nothing behind that affects the next one.
    """
    keys = (names,) if isinstance(names, str) else names
    values = [dict(zip(keys, [row] if isinstance(names, str) else row, strict=True)) for row in rows]

    def decorate(test: Test) -> Test:
        def run(**fixtures: Any) -> None:
            assert values
            if wrong := [error for row in values if (error := _error(test, fixtures, row))]:
                raise BaseExceptionGroup(f"{len(wrong)} of {len(values)} rows", wrong)

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        fixtures = [one for one in inspect.signature(test).parameters.values() if one.name not in keys]
        run.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return run

    return decorate


def _error(test: Test, fixtures: dict[str, Any], row: dict[str, Any]) -> BaseException | None:
    try:
        test(**fixtures, **row)
    # `pytest.raises` fails with an exception that is no subclass of Exception.
    except (Exception, pytest.fail.Exception) as error:
        error.add_note(f"Row: {reprlib.repr(row)}")
        return error
    return None


def cancelled_copies(booking_id: int, many: int) -> None:
    """Add more bookings of the same customer, which hold no vehicle."""

    def copy(session: Session) -> None:
        one = session.get_one(Booking, booking_id).model_dump(exclude={"id", "reference"})
        more = {"status": "cancelled", "cancelled_by": "vendor"}
        session.add_all(Booking(**(one | more)) for _ in range(many))

    write(copy)
