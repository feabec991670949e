"""How many of a customer's windows overlap at once."""

from datetime import UTC, datetime, timedelta

import pytest

from rental_app.domain.clock import Window
from rental_app.domain.overlaps import most_at_once

START = datetime(2026, 12, 1, tzinfo=UTC)


def window(first: int, last: int) -> Window:
    return Window(START + timedelta(days=first), START + timedelta(days=last))


@pytest.mark.parametrize(
    ("others", "most"),
    [
        ([], 0),
        ([(0, 2)], 0),
        ([(8, 9)], 0),
        ([(0, 3)], 1),
        ([(7, 9)], 1),
        ([(0, 9), (3, 4), (5, 6)], 2),
        ([(3, 4), (4, 5), (5, 6)], 1),
        ([(0, 4), (3, 6), (3, 9)], 3),
        ([(0, 3), (2, 5), (4, 9)], 2),
    ],
)
def test_the_busiest_moment_within_a_window_counts(others: list[tuple[int, int]], most: int) -> None:
    assert most_at_once(window(2, 8), [window(*other) for other in others]) == most
