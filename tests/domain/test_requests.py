"""When requests that nobody answers lapse, how they are named, and how many overlap."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.bookings import ALPHABET, answer_by, most_at_once, new_reference, read_reference
from rental_app.domain.clock import PAST_TOLERANCE, Window
from rental_app.domain.policies import FIRST
from tests.support.rows import each

NOW = datetime(2026, 11, 20, 6, 30, tzinfo=UTC)
TICK = timedelta(microseconds=1)
HOUR = timedelta(hours=1)
SHORTEST_ANSWER = timedelta(minutes=FIRST.answer_minutes)
LEADS = st.timedeltas(timedelta(), timedelta(days=90))


def _time_to_answer(lead: timedelta) -> timedelta:
    return answer_by(NOW, NOW + lead, FIRST) - NOW


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


def test_a_new_reference_is_read_back() -> None:
    made = {new_reference() for _ in range(500)}
    assert len(made) > 490
    assert all(read_reference(reference) == reference for reference in made)
    assert {letter for reference in made for letter in reference[3:]} == set(ALPHABET)


@each(
    "typed",
    [
        *("PH-4X7K21", "ph-4x7k21", " PH 4X7K2I ", "4x7k2l", "PH4X7K21", "PH\u20114X7K21"),
        "\u200ePH\u20134X7K\u00ad21\ufeff",
    ],
)
def test_people_may_type_it_their_way(typed: str) -> None:
    assert read_reference(typed) == "PH-4X7K21"


@each("typed", ["", "PH-", "PH-4X7K2", "PH-4X7K211", "PH-4X7K2U", "XX-4X7K21", "PH-4X7K2\u0661"])
def test_anything_else_is_none(typed: str) -> None:
    assert read_reference(typed) is None


@given(st.text())
def test_no_text_is_too_odd(typed: str) -> None:
    found = read_reference(typed)
    assert found is None or read_reference(found) == found


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
