"""What a cancellation keeps, what a return costs, and when the deposit comes back."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain import account, cancellation, settlement
from rental_app.domain.clock import indian
from rental_app.domain.policies import FIRST
from rental_app.domain.settlement import Readings, ReturnTerms
from tests.support.rows import each

RETURN = datetime(2026, 12, 31, 12, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
RUPEES = st.integers(0, 5_000).map(lambda rupees: rupees * 100)
LATE = st.integers(-3000, 10_000)


@each(("minutes", "hours"), [(-60, 0), (0, 0), (15, 0), (16, 1), (75, 1), (76, 2), (24 * 60 + 15, 24)])
def test_hours_count_after_a_quarter_of_an_hour(minutes: int, hours: int) -> None:
    assert settlement.late_hours(RETURN, RETURN + minutes * MINUTE, FIRST) == hours


@given(hours=st.integers(0, 200), penalty=RUPEES, full_day=RUPEES)
def test_any_24_late_hours_cost_at_most_two_full_days(hours: int, penalty: int, full_day: int) -> None:
    cost = [settlement.late_charge(so_far, penalty, full_day, FIRST) for so_far in range(hours + 25)]
    assert cost == sorted(cost)
    assert cost[hours] <= hours * penalty
    assert cost[hours + 24] - cost[hours] <= 2 * full_day


@given(late=LATE, kms=st.integers(0, 5000), included=st.none() | st.integers(0, 3000), speedings=st.integers(0, 9))
def test_a_return_charges_what_was_late_far_and_fast(late: int, kms: int, included: int | None, speedings: int) -> None:
    terms = ReturnTerms(RETURN, included, late_penalty=50_00, distance_penalty=5_00, full_day=500_00, policies=FIRST)
    lines = settlement.charges(terms, Readings(RETURN + late * MINUTE, kms, speedings))
    cost = {line.kind: line.paise for line in lines}
    assert all(cost.values())
    assert cost.get("speeding", 0) == speedings * 100_00
    assert cost.get("kilometres", 0) == (0 if included is None else max(0, kms - included) * 5_00)
    assert ("late" in cost) == (late > 15)


@each(("before", "now", "missing"), [(8, 4, 4), (4, 4, 0), (3, 8, 0), (8, 0, 8)])
def test_fuel_is_missing_where_less_is_left_than_at_the_handover(before: int, now: int, missing: int) -> None:
    assert settlement.fuel_missing(before, now) == missing


def test_kilometres_beyond_are_grouped() -> None:
    terms = ReturnTerms(RETURN, 100, late_penalty=0, distance_penalty=5_00, full_day=500_00, policies=FIRST)
    (line,) = settlement.charges(terms, Readings(RETURN, 1300, 0))
    assert line.note == "1,200 km beyond those included"


@each(
    ("came_back", "day", "month"),
    [
        (datetime(2026, 12, 31, 14, 30, tzinfo=UTC), 31, 12),
        (datetime(2026, 12, 31, 14, 31, tzinfo=UTC), 1, 1),
        (datetime(2026, 12, 31, 18, 29, tzinfo=UTC), 1, 1),
        (datetime(2026, 12, 31, 18, 30, tzinfo=UTC), 1, 1),
    ],
)
def test_deposits_go_back_that_evening_or_after_eight_the_next(came_back: datetime, day: int, month: int) -> None:
    begin, end = (indian(instant) for instant in settlement.deposit_back(came_back, FIRST))
    assert (begin.day, begin.month, begin.hour, end.hour) == (day, month, 20, 21)


@given(due=st.integers(-(10**7), 10**7), held=st.integers(-(10**5), 10**7))
def test_no_more_of_the_deposit_is_kept_than_is_due_and_held(due: int, held: int) -> None:
    kept = settlement.deposit_to_keep(due, held)
    assert 0 <= kept <= max(0, held)
    assert kept <= max(0, due)


def test_what_is_kept_of_the_deposit_pays_the_rent() -> None:
    entries = [("rental", 1000), ("payment", 400), ("deposit taken", 2000), ("deposit kept", 600)]
    assert account.total(entries, account.RENT_SIGNS) == 0
    assert account.total(entries, account.DEPOSIT_SIGNS) == 1400


def test_lateness_costs_no_more_than_an_account_holds() -> None:
    assert settlement.late_charge(24 * 365, 5_000_00, 50_000_00, FIRST) == settlement.MOST_CHARGED


PICKUP = datetime(2026, 12, 1, 4, 30, tzinfo=UTC)
SECOND = timedelta(seconds=1)
PAISE = st.integers(0, 10**8)
AROUND = st.integers(-100 * 3600, 100 * 3600).map(lambda seconds: PICKUP - timedelta(seconds=seconds))


@each(
    ("before", "percent", "dearer_before"),
    [
        (timedelta(hours=72) + SECOND, 25, timedelta(hours=72)),
        (timedelta(hours=72), 75, timedelta(hours=24)),
        (timedelta(hours=24), 75, timedelta(hours=24)),
        (timedelta(hours=24) - SECOND, 100, None),
        (timedelta(), 100, None),
        (-timedelta(days=2), 100, None),
    ],
)
def test_both_ends_of_the_middle_band_belong_to_it(
    before: timedelta, percent: int, dearer_before: timedelta | None
) -> None:
    terms = cancellation.terms(
        PICKUP, PICKUP - before, FIRST, agreed=200_000, charged=200_000, paid=200_000, deposit=50_000
    )
    assert (terms.percent, terms.retained, terms.returned) == (percent, 2_000 * percent, 200_000 - 2_000 * percent)
    assert terms.deposit == 50_000
    assert terms.dearer_at == (None if dearer_before is None else PICKUP - dearer_before)


@given(instant=AROUND, agreed=PAISE, charged=PAISE, paid=PAISE, deposit=PAISE)
def test_nobody_keeps_or_returns_more_than_was_paid(
    instant: datetime, agreed: int, charged: int, paid: int, deposit: int
) -> None:
    terms = cancellation.terms(PICKUP, instant, FIRST, agreed=agreed, charged=charged, paid=paid, deposit=deposit)
    assert terms.retained + terms.returned == paid
    assert 0 <= terms.retained <= paid
    assert terms.deposit == deposit
    if paid < min(agreed, charged):
        assert (terms.retained, terms.dearer_at) == (paid, None)


@given(one=AROUND, other=AROUND, agreed=PAISE, charged=PAISE, paid=PAISE)
def test_waiting_never_makes_it_cheaper_and_the_announced_moment_is_true(
    one: datetime, other: datetime, agreed: int, charged: int, paid: int
) -> None:
    early, late = (
        cancellation.terms(PICKUP, instant, FIRST, agreed=agreed, charged=charged, paid=paid, deposit=0)
        for instant in sorted((one, other))
    )
    assert early.retained <= late.retained
    if late.retained > early.retained:
        assert early.dearer_at is not None
        assert early.dearer_at <= max(one, other)


@each(
    ("charged", "paid", "kept"),
    [
        (250_000, 200_000, 50_000),
        (250_000, 230_000, 57_500),
        (250_000, 250_000, 62_500),
        (250_000, 199_999, 199_999),
        (150_000, 150_000, 37_500),
    ],
)
def test_what_was_charged_after_a_full_payment_does_not_make_it_a_partial_one(
    charged: int, paid: int, kept: int
) -> None:
    early = PICKUP - timedelta(days=20)
    assert (
        cancellation.terms(PICKUP, early, FIRST, agreed=200_000, charged=charged, paid=paid, deposit=0).retained == kept
    )


@given(charged=PAISE, paid=PAISE)
def test_a_no_show_costs_what_was_paid_of_the_price(charged: int, paid: int) -> None:
    terms = cancellation.no_show(FIRST, charged=charged, paid=paid, deposit=0)
    assert (terms.retained, terms.returned) == (min(charged, paid), max(0, paid - charged))


def test_half_a_paisa_is_rounded_up() -> None:
    """The rates of cancelling are whole percents, so that of 102 paise a quarter is 25 and a half."""
    terms = cancellation.terms(PICKUP, PICKUP - timedelta(days=30), FIRST, agreed=102, charged=102, paid=102, deposit=0)
    assert (terms.percent, terms.retained) == (FIRST.early_percent, 26)
