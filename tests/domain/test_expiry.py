"""How long a vendor has to answer."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.clock import PAST_TOLERANCE
from rental_app.domain.expiry import SHORTEST_ANSWER, answer_by

NOW = datetime(2026, 11, 20, 6, 30, tzinfo=UTC)
TICK = timedelta(microseconds=1)
HOUR = timedelta(hours=1)
LEADS = st.timedeltas(timedelta(), timedelta(days=90))


def _time_to_answer(lead: timedelta) -> timedelta:
    return answer_by(NOW, NOW + lead) - NOW


@pytest.mark.parametrize(
    ("lead", "answer_within"),
    [
        (90 * 24 * HOUR, 8 * HOUR),
        (10 * HOUR + TICK, 8 * HOUR),
        (10 * HOUR, 8 * HOUR),
        (10 * HOUR - TICK, 8 * HOUR - TICK),
        (6 * HOUR, 4 * HOUR),
        (4.5 * HOUR, 2.5 * HOUR),
        (4 * HOUR, 2 * HOUR),
        (3 * HOUR, 1.5 * HOUR),
        (HOUR, HOUR / 2),
        (HOUR - TICK, HOUR - TICK),
        (HOUR / 4, HOUR / 4),
        (SHORTEST_ANSWER, SHORTEST_ANSWER),
        (timedelta(), SHORTEST_ANSWER),
        (-PAST_TOLERANCE, SHORTEST_ANSWER),
    ],
)
def test_each_band_and_its_edges(lead: timedelta, answer_within: timedelta) -> None:
    assert _time_to_answer(lead) == answer_within


@given(LEADS)
def test_never_after_pickup_unless_that_is_within_five_minutes(lead: timedelta) -> None:
    assert SHORTEST_ANSWER <= _time_to_answer(lead) <= max(lead, SHORTEST_ANSWER)


@given(LEADS)
def test_at_least_half_the_lead_time_or_eight_hours(lead: timedelta) -> None:
    assert _time_to_answer(lead) >= min(lead / 2, 8 * HOUR)


@given(st.timedeltas(HOUR, timedelta(days=2)), st.timedeltas(timedelta(), HOUR))
def test_from_an_hour_on_more_lead_gives_as_much_more_time_at_most(lead: timedelta, more: timedelta) -> None:
    assert timedelta() <= _time_to_answer(lead + more) - _time_to_answer(lead) <= more


@pytest.mark.parametrize("edge", [4 * HOUR, 10 * HOUR])
def test_the_bands_meet_where_they_touch(edge: timedelta) -> None:
    assert abs(_time_to_answer(edge + TICK) - _time_to_answer(edge - TICK)) <= 2 * TICK
