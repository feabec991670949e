"""Which numbers of the shop can be in force, what a booking keeps of them, and that they decide what they name."""

from dataclasses import asdict, replace
from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain import cancellation, clock, pricing, settlement
from rental_app.domain.bookings import answer_by
from rental_app.domain.clock import Window, indian
from rental_app.domain.policies import BOUNDS, FIRST, Policies, refusals
from rental_app.domain.reviews import review_until
from rental_app.domain.settlement import Readings, ReturnTerms
from tests.support.policies import PAIRS, in_force
from tests.support.rows import each

AT = datetime(2026, 12, 10, 4, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
PAISE = st.integers(0, 10**8)
AROUND = st.integers(-800 * 3600, 800 * 3600).map(lambda seconds: AT - timedelta(seconds=seconds))


def test_the_first_numbers_are_the_specifications() -> None:
    assert not refusals(FIRST)
    assert (FIRST.early_hours, FIRST.late_hours, FIRST.no_show_hours) == (72, 24, 2)
    assert (FIRST.early_percent, FIRST.middle_percent, FIRST.late_percent, FIRST.partial_percent) == (25, 75, 100, 100)
    assert (FIRST.grace_minutes, FIRST.most_full_days, FIRST.extend_hours, FIRST.speeding_fine) == (15, 2, 24, 100_00)
    assert (FIRST.second_helmet, FIRST.helmet_days, FIRST.answer_hours, FIRST.answer_minutes) == (200_00, 5, 8, 5)
    assert (FIRST.object_hours, FIRST.charge_days, FIRST.review_days) == (24, 7, 14)
    assert (FIRST.refunds_from, FIRST.refunds_to) == (20, 21)


@each("name", list(BOUNDS))
def test_a_number_beyond_its_bounds_is_refused_by_its_name(name: str) -> None:
    bounds = BOUNDS[name]
    for value in (bounds.least - 1, bounds.most + 1, -(10**12), 10**12):
        assert name in refusals(replace(FIRST, **{name: value})), value


@each(("lower", "higher", "apart"), list(PAIRS))
def test_numbers_in_the_wrong_order_are_refused_by_the_name_of_the_higher(lower: str, higher: str, apart: int) -> None:
    most = getattr(FIRST, higher)
    crossed = {lower: most, higher: most - 1}
    assert set(refusals(replace(FIRST, **crossed))) == {higher}
    same = refusals(replace(FIRST, **{lower: most, higher: most}))
    assert (higher in same) == bool(apart)


@given(in_force())
def test_what_a_booking_stores_is_read_back(policies: Policies) -> None:
    stored = policies.booked
    kept = Policies.of(stored)
    assert all(getattr(kept, name) == getattr(policies, name) for name in stored)
    assert kept.booked == stored
    assert kept.code == policies.code


def test_a_booking_stores_nothing_that_is_only_shown_or_a_limit() -> None:
    assert not {"max_vehicles", "commission_bps", "range_km", "usual_late_from"} & FIRST.booked.keys()
    assert len(FIRST.booked) == sum(bounds.group not in ("texts", "limits") for bounds in BOUNDS.values())
    assert replace(FIRST, max_vehicles=7).code == FIRST.code
    assert replace(FIRST, grace_minutes=7).code != FIRST.code


def test_a_booking_of_an_earlier_version_goes_by_the_first_numbers() -> None:
    assert Policies.of(None) == FIRST
    assert Policies.of({"grace_minutes": 30, "of_a_later_version": 1}) == replace(FIRST, grace_minutes=30)


@given(policies=in_force(), one=AROUND, other=AROUND, agreed=PAISE, charged=PAISE, paid=PAISE)
def test_waiting_never_makes_cancelling_cheaper(
    policies: Policies, one: datetime, other: datetime, agreed: int, charged: int, paid: int
) -> None:
    amounts = {"agreed": agreed, "charged": charged, "paid": paid, "deposit": 7}
    early, late = (cancellation.terms(AT, instant, policies, **amounts) for instant in sorted((one, other)))
    assert early.retained <= late.retained
    assert 0 <= early.retained <= paid
    assert (early.retained + early.returned, early.deposit) == (paid, 7)
    if late.retained > early.retained:
        assert early.dearer_at is not None
        assert early.dearer_at <= max(one, other)


@given(policies=in_force(), instant=AROUND)
def test_the_moment_from_which_cancelling_costs_more_is_true(policies: Policies, instant: datetime) -> None:
    rent = dict.fromkeys(("agreed", "charged", "paid"), 10**6)
    terms = cancellation.terms(AT, instant, policies, **rent, deposit=0)
    if terms.dearer_at is None:
        assert terms.percent == policies.late_percent
        return
    # The ends of the middle band belong to it.
    if terms.dearer_at > instant:
        before = terms.dearer_at - timedelta(microseconds=1)
        assert cancellation.percent_at(AT, before, policies) == terms.percent
    later = cancellation.terms(AT, terms.dearer_at + timedelta(seconds=1), policies, **rent, deposit=0)
    assert later.percent > terms.percent


@given(policies=in_force(), charged=PAISE, paid=PAISE)
def test_a_no_show_keeps_as_much_as_cancelling_last(policies: Policies, charged: int, paid: int) -> None:
    terms = cancellation.no_show(policies, charged=charged, paid=paid, deposit=3)
    assert terms.retained + terms.returned == paid
    assert terms.retained == (min(charged, paid) * policies.late_percent + 50) // 100
    assert cancellation.absent_from(AT, policies) == AT + policies.no_show_hours * HOUR


@given(policies=in_force(), hours=st.integers(0, 100), penalty=PAISE, full_day=st.integers(0, 10**6))
def test_any_24_late_hours_cost_at_most_so_many_full_days(
    policies: Policies, hours: int, penalty: int, full_day: int
) -> None:
    cost = [settlement.late_charge(so_far, penalty, full_day, policies) for so_far in range(hours + 25)]
    assert cost == sorted(cost)
    assert cost[hours + 24] - cost[hours] <= policies.most_full_days * full_day


@given(policies=in_force(), late=st.integers(-500, 5_000), speedings=st.integers(0, 9))
def test_a_return_is_late_after_the_grace_and_fined_as_set(policies: Policies, late: int, speedings: int) -> None:
    terms = ReturnTerms(AT, None, late_penalty=1, distance_penalty=0, full_day=10**6, policies=policies)
    read = Readings(AT + timedelta(minutes=late), 0, speedings)
    cost = {line.kind: line.paise for line in settlement.charges(terms, read)}
    assert ("late" in cost) == (late > policies.grace_minutes)
    assert cost.get("speeding", 0) == speedings * policies.speeding_fine


@given(policies=in_force(), came_back=AROUND)
def test_deposits_go_back_between_the_hours_set_and_never_before_the_return(
    policies: Policies, came_back: datetime
) -> None:
    begin, end = settlement.deposit_back(came_back, policies)
    assert (indian(begin).time(), indian(end).time()) == (time(policies.refunds_from), time(policies.refunds_to))
    assert timedelta() <= begin - came_back < timedelta(days=1)


@given(policies=in_force(), lead=st.timedeltas(timedelta(minutes=-5), timedelta(days=90)))
def test_requests_lapse_within_the_longest_time_and_never_in_the_past(policies: Policies, lead: timedelta) -> None:
    shortest = timedelta(minutes=policies.answer_minutes)
    time_to_answer = answer_by(AT, AT + lead, policies) - AT
    assert timedelta() < time_to_answer <= policies.answer_hours * HOUR
    assert time_to_answer <= max(lead, shortest)


@given(policies=in_force(), hours=st.integers(24, 720))
def test_a_second_helmet_costs_the_fee_for_each_trip_begun(policies: Policies, hours: int) -> None:
    rates = pricing.extra_rates(2, policies, delivers=False, drop_off=0, pick_up=0)
    (line,) = pricing.extra_lines(["helmet"], rates, Window(AT, AT + hours * HOUR), policies)
    assert (line.quantity, line.rate) == (-(-hours // (24 * policies.helmet_days)), policies.second_helmet)
    assert line.amount == line.quantity * line.rate


@given(in_force())
def test_deadlines_lie_as_far_away_as_set(policies: Policies) -> None:
    assert clock.extendable_until(AT, policies) == AT - policies.extend_hours * HOUR
    assert settlement.object_until(AT, policies) == AT + policies.object_hours * HOUR
    assert review_until(AT, policies) == AT + timedelta(days=policies.review_days)
    last = indian(settlement.chargeable_until(AT, policies) - timedelta(microseconds=1)).date()
    assert last == indian(AT).date() + timedelta(days=policies.charge_days)


def test_numbers_do_not_change() -> None:
    with pytest.raises(AttributeError):
        FIRST.grace_minutes = 0  # type: ignore[misc]
    assert asdict(FIRST) == asdict(Policies())
