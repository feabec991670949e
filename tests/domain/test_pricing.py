"""What a rental costs."""

import math
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.clock import Window
from rental_app.domain.pricing import (
    FULL_DAY,
    HALF_DAY,
    SLOTS,
    DayRule,
    Discount,
    Plan,
    PriceLine,
    Quote,
    Tariff,
    earlier_return,
    quote,
)

# A Saturday, 10 AM in India.
PICKUP = datetime(2026, 11, 21, 4, 30, tzinfo=UTC)
SATURDAY, SUNDAY = 5, 6
LENGTHS = st.timedeltas(timedelta(hours=24), timedelta(days=30))
AMOUNTS = st.integers(1, 10**6)
# Few values, so that ties are common.
FEW = st.sampled_from((100, 200, 300, 600, 1400, 12_000))
PERCENTS = st.integers(-50, 200)
RULES = st.lists(
    st.builds(DayRule, PERCENTS, st.sets(st.integers(0, 6), min_size=1).map(tuple))
    | st.builds(
        lambda percent, first, days: DayRule(
            percent, (), date(2026, 11, 21) + timedelta(first), date(2026, 11, 21) + timedelta(first + days)
        ),
        PERCENTS,
        st.integers(-2, 30),
        st.integers(0, 9),
    ),
    max_size=4,
).map(tuple)


@st.composite
def tariffs(
    draw: st.DrawFn, amounts: st.SearchStrategy[int] = AMOUNTS, rules: st.SearchStrategy[tuple[DayRule, ...]] = RULES
) -> Tariff:
    """Full Day and any of the other plans, in any order."""
    names = [FULL_DAY, *draw(st.sets(st.sampled_from([name for name in SLOTS if name != FULL_DAY])))]
    limits = st.sampled_from((0, 50, 100, 700))
    return Tariff(tuple(Plan(name, draw(amounts), draw(limits)) for name in draw(st.permutations(names))), draw(rules))


def _quote(length: timedelta, tariff: Tariff, discount: Discount | None = None) -> Quote:
    return quote(Window(PICKUP, PICKUP + length), tariff, 0, (), discount)


def _tariff(*rules: DayRule, **prices: tuple[int, int]) -> Tariff:
    return Tariff(tuple(Plan(name.replace("_", " "), *asked) for name, asked in prices.items()), rules)


USUAL = {"Half_Day": (30_000, 60), "Full_Day": (50_000, 100), "Week": (280_000, 600), "Month": (900_000, 0)}


def _said(made: Quote) -> list[str]:
    return [f"{line.quantity} x {line.label} at {line.rate}" for line in made.lines]


def test_with_a_daily_price_alone_every_started_day_is_a_full_day() -> None:
    daily = _tariff(Full_Day=(49_950, 120))
    made = quote(Window(PICKUP, PICKUP + timedelta(hours=50)), daily, 200_000)
    assert made == Quote(
        lines=(PriceLine(FULL_DAY, 3, 49_950, 149_850),), total=149_850, deposit=200_000, days=3, kms_included=360
    )
    assert _quote(timedelta(hours=24), daily).total == 49_950
    assert _quote(timedelta(hours=24, microseconds=1), daily).total == 99_900


def test_the_cheapest_plans_are_laid_end_to_end() -> None:
    usual = _tariff(**USUAL)
    assert _said(_quote(timedelta(hours=30), usual)) == ["1 x Full Day at 50000", "1 x Half Day at 30000"]
    assert _said(_quote(timedelta(hours=37), usual)) == ["2 x Full Day at 50000"]
    # Six days would cost more than a week, so it is the week.
    week = _quote(timedelta(days=6), usual)
    assert (_said(week), week.kms_included, week.saving) == (["1 x Week at 280000"], 600, 20_000)
    assert _said(_quote(timedelta(days=9), usual)) == ["1 x Week at 280000", "2 x Full Day at 50000"]
    month = _quote(timedelta(days=25), usual)
    assert (month.total, month.kms_included, month.saving) == (900_000, None, 350_000)


def test_ties_go_to_more_kilometres_then_to_fewer_lines() -> None:
    kms = _tariff(Half_Day=(250, 80), Full_Day=(500, 100))
    assert _said(_quote(timedelta(days=1), kms)) == ["2 x Half Day at 250"]
    alike = _tariff(Half_Day=(250, 50), Full_Day=(500, 100), Week=(3500, 700))
    assert _said(_quote(timedelta(days=8), alike)) == ["8 x Full Day at 500"]
    assert _said(_quote(timedelta(days=7), alike)) == ["1 x Week at 3500"]
    blank = _tariff(Half_Day=(250, 0), Full_Day=(500, 100))
    assert _quote(timedelta(days=3), blank).kms_included is None


def test_rules_act_by_the_indian_day_on_which_a_half_or_full_day_begins() -> None:
    weekend = (DayRule(50, (SATURDAY,)), DayRule(25, (SUNDAY,)))
    days = _quote(timedelta(days=3), _tariff(*weekend, Full_Day=(33_300, 100)))
    assert _said(days) == ["1 x Full Day at 50000", "1 x Full Day at 41600", "1 x Full Day at 33300"]
    both = _quote(timedelta(days=3), _tariff(DayRule(50, (SATURDAY, SUNDAY)), Full_Day=(33_300, 100)))
    assert _said(both) == ["2 x Full Day at 50000", "1 x Full Day at 33300"]
    week = _tariff(DayRule(-50, (SATURDAY,)), Full_Day=(50_000, 100), Week=(100_000, 700))
    assert _said(_quote(timedelta(days=7), week)) == ["1 x Week at 100000"]
    dated = DayRule(100, (), date(2026, 11, 22), date(2026, 11, 22))
    early = Window(datetime(2026, 11, 20, 19, tzinfo=UTC), datetime(2026, 11, 21, 19, tzinfo=UTC))
    assert quote(early, _tariff(dated, Full_Day=(500, 0)), 0).total == 500
    late = Window(datetime(2026, 11, 21, 19, tzinfo=UTC), datetime(2026, 11, 22, 19, tzinfo=UTC))
    assert quote(late, _tariff(dated, Full_Day=(500, 0)), 0).total == 1000


def test_of_several_rules_the_first_that_acts_counts() -> None:
    rules = (DayRule(100, (), date(2026, 11, 21), date(2026, 11, 21)), DayRule(-50, (SATURDAY,)))
    assert _quote(timedelta(days=1), _tariff(*rules, Full_Day=(1000, 0))).total == 2000


def test_a_discount_comes_off_the_plans_alone() -> None:
    extra = PriceLine("Second helmet", 1, 20_000, 20_000, "extra")
    window, usual = Window(PICKUP, PICKUP + timedelta(days=2)), _tariff(**USUAL)
    made = quote(window, usual, 0, [extra], Discount("TENTH", percent=10, cap=5_000))
    assert made.lines[1:] == (extra, PriceLine("Offer TENTH", 1, -5_000, -5_000, "discount"))
    assert made.total == 100_000 + 20_000 - 5_000
    assert quote(window, usual, 0, [extra], Discount("MUCH", off=900_000)).total == 20_000


def test_the_price_before_a_return_begins_at_its_half_day() -> None:
    assert earlier_return(Window(PICKUP, PICKUP + timedelta(hours=29))) == PICKUP + timedelta(hours=24)
    assert earlier_return(Window(PICKUP, PICKUP + timedelta(hours=48))) == PICKUP + timedelta(hours=36)


DISCOUNTS = st.none() | st.builds(
    Discount, st.just("CODE"), st.integers(0, 100), st.none() | st.integers(1, 10**5), st.integers(0, 10**6)
)


@given(LENGTHS, LENGTHS, tariffs(), DISCOUNTS)
def test_more_time_never_costs_less(
    one: timedelta, other: timedelta, tariff: Tariff, discount: Discount | None
) -> None:
    shorter, longer = (_quote(length, tariff, discount) for length in sorted((one, other)))
    assert 0 <= shorter.total <= longer.total


@given(LENGTHS, tariffs())
def test_no_price_is_above_plain_full_days(length: timedelta, tariff: Tariff) -> None:
    full_day = tuple(plan for plan in tariff.plans if plan.name == FULL_DAY)
    made, plain = _quote(length, tariff), _quote(length, Tariff(full_day, tariff.rules))
    assert made.total <= plain.total
    assert made.saving == plain.total - made.total


@given(LENGTHS, tariffs(), DISCOUNTS)
def test_the_total_is_the_sum_of_lines_that_multiply_out(
    length: timedelta, tariff: Tariff, discount: Discount | None
) -> None:
    made = _quote(length, tariff, discount)
    assert made.total == sum(line.amount for line in made.lines)
    assert all(line.amount == line.quantity * line.rate for line in made.lines)
    assert len({(line.label, line.rate) for line in made.lines}) == len(made.lines)


def _every_cover(tariff: Tariff, slots: int, slot: int = 0) -> Iterator[list[tuple[Plan, int]]]:
    if slot >= slots:
        yield []
        return
    for plan in tariff.plans:
        piece = (plan, tariff.rate(plan, PICKUP + HALF_DAY * slot))
        for rest in _every_cover(tariff, slots, slot + SLOTS[plan.name]):
            yield [piece, *rest]


def _rank(cover: list[tuple[Plan, int]]) -> tuple[int, float, int]:
    kms = sum(plan.kms_limit or math.inf for plan, _ in cover)
    return sum(rate for _, rate in cover), -kms, len({plan.name for plan, _ in cover})


def _rank_of(made: Quote) -> tuple[int, float, int]:
    kms = math.inf if made.kms_included is None else made.kms_included
    return made.total, -kms, len({line.label for line in made.lines})


@given(st.integers(2, 9), tariffs(FEW) | tariffs())
def test_it_equals_a_search_of_every_cover(slots: int, tariff: Tariff) -> None:
    assert _rank_of(_quote(HALF_DAY * slots, tariff)) == min(map(_rank, _every_cover(tariff, slots)))


def _every_set(tariff: Tariff, slots: int) -> Iterator[list[tuple[Plan, int]]]:
    """Yield as many of each plan as could be of use; without rules their order does not matter."""
    *first, last = tariff.plans
    sets: list[list[tuple[Plan, int]]] = [[]]
    for plan in first:
        sets = [made + [(plan, plan.price)] * n for made in sets for n in range(-(-slots // SLOTS[plan.name]) + 1)]
    for made in sets:
        rest = slots - sum(SLOTS[plan.name] for plan, _ in made)
        yield made + [(last, last.price)] * max(0, -(-rest // SLOTS[last.name]))


@given(st.sampled_from((15, 29, 46, 60)), tariffs(FEW, rules=st.just(())))
def test_it_equals_a_search_of_every_set_of_plans_over_a_month(slots: int, tariff: Tariff) -> None:
    assert _rank_of(_quote(HALF_DAY * slots, tariff)) == min(map(_rank, _every_set(tariff, slots)))


@pytest.mark.parametrize("length", [timedelta(days=-9), timedelta(), timedelta(days=62_000)], ids=str)
def test_a_window_nobody_has_checked_has_no_price(length: timedelta) -> None:
    """An unchecked window is refused: plans to cover two hundred years would take gigabytes."""
    with pytest.raises(ValueError, match="nobody has checked"):
        _quote(length, _tariff(Full_Day=(1000, 0)))
