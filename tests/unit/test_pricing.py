"""What a rental costs."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from rental_app.rules.clock import Window
from rental_app.rules.pricing import FULL_DAY, Line, Quote, quote

PICKUP = datetime(2026, 11, 21, 4, 30, tzinfo=UTC)
LENGTHS = st.timedeltas(timedelta(hours=1), timedelta(days=30))
AMOUNTS = st.integers(1, 10**8)
LIMITS = st.integers(0, 1000)


def _quote(length: timedelta, daily: int, deposit: int = 0, kms_limit: int = 0) -> Quote:
    return quote(Window(PICKUP, PICKUP + length), daily, deposit, kms_limit)


def test_every_started_day_is_a_full_day() -> None:
    assert _quote(timedelta(hours=50), 49_950, 200_000, 120) == Quote(
        lines=(Line(FULL_DAY, 3, 49_950, 149_850),), total=149_850, deposit=200_000, days=3, kms_included=360
    )


def test_exactly_a_day_is_one() -> None:
    assert _quote(timedelta(hours=24), 50_000).total == 50_000
    assert _quote(timedelta(hours=24, microseconds=1), 50_000).total == 100_000


@given(LENGTHS, LENGTHS, AMOUNTS, LIMITS)
def test_more_time_never_costs_less(one: timedelta, other: timedelta, daily: int, kms_limit: int) -> None:
    shorter, longer = (_quote(length, daily, kms_limit=kms_limit) for length in sorted((one, other)))
    assert shorter.total <= longer.total
    assert (shorter.kms_included or 0) <= (longer.kms_included or 0)


@given(LENGTHS, AMOUNTS, AMOUNTS, LIMITS)
def test_the_total_is_the_sum_of_lines_that_multiply_out(
    length: timedelta, daily: int, deposit: int, kms_limit: int
) -> None:
    made = _quote(length, daily, deposit, kms_limit)
    assert made.total == sum(line.amount for line in made.lines) == made.days * daily
    assert all(line.amount == line.quantity * line.rate for line in made.lines)


@given(LENGTHS, AMOUNTS, AMOUNTS)
def test_the_deposit_stays_apart(length: timedelta, daily: int, deposit: int) -> None:
    assert _quote(length, daily, deposit).deposit == deposit
    assert _quote(length, daily, deposit).total == _quote(length, daily).total


def test_kilometres_count_by_the_day_and_zero_is_unlimited() -> None:
    assert _quote(timedelta(days=2), 1, kms_limit=150).kms_included == 300
    assert _quote(timedelta(days=2), 1, kms_limit=0).kms_included is None
