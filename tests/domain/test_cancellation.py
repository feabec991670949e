"""What a cancellation keeps, at every hour and for every payment."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain import cancellation
from tests.support.rows import each

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
    terms = cancellation.terms(PICKUP, PICKUP - before, agreed=200_000, charged=200_000, paid=200_000, deposit=50_000)
    assert (terms.percent, terms.kept, terms.returned) == (percent, 2_000 * percent, 200_000 - 2_000 * percent)
    assert terms.deposit == 50_000
    assert terms.dearer_at == (None if dearer_before is None else PICKUP - dearer_before)


@given(instant=AROUND, agreed=PAISE, charged=PAISE, paid=PAISE, deposit=PAISE)
def test_nobody_keeps_or_returns_more_than_was_paid(
    instant: datetime, agreed: int, charged: int, paid: int, deposit: int
) -> None:
    terms = cancellation.terms(PICKUP, instant, agreed=agreed, charged=charged, paid=paid, deposit=deposit)
    assert terms.kept + terms.returned == paid
    assert 0 <= terms.kept <= paid
    assert terms.deposit == deposit
    if paid < min(agreed, charged):
        assert (terms.kept, terms.dearer_at) == (paid, None)


@given(one=AROUND, other=AROUND, agreed=PAISE, charged=PAISE, paid=PAISE)
def test_waiting_never_makes_it_cheaper_and_the_announced_moment_is_true(
    one: datetime, other: datetime, agreed: int, charged: int, paid: int
) -> None:
    early, late = (
        cancellation.terms(PICKUP, instant, agreed=agreed, charged=charged, paid=paid, deposit=0)
        for instant in sorted((one, other))
    )
    assert early.kept <= late.kept
    if late.kept > early.kept:
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
    assert cancellation.terms(PICKUP, early, agreed=200_000, charged=charged, paid=paid, deposit=0).kept == kept


@given(charged=PAISE, paid=PAISE)
def test_a_no_show_costs_what_was_paid_of_the_price(charged: int, paid: int) -> None:
    terms = cancellation.no_show(charged=charged, paid=paid, deposit=0)
    assert (terms.kept, terms.returned) == (min(charged, paid), max(0, paid - charged))
