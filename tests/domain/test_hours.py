"""Opening hours."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.clock import WEEKDAYS, Window, at, indian
from rental_app.domain.hours import OpeningHours, format_time, parse_time, resolve

SATURDAY, SUNDAY, MONDAY = date(2026, 11, 21), date(2026, 11, 22), date(2026, 11, 23)
TICK = timedelta(microseconds=1)
NINE_TO_EIGHT = OpeningHours()
NO_SUNDAYS = OpeningHours(time(10), time(18, 30), frozenset({"Sunday"}))

MINUTES = st.times().map(lambda moment: moment.replace(second=0, microsecond=0))
HOURS = st.builds(
    lambda ends, closed: OpeningHours(min(ends), max(ends), frozenset(closed)),
    st.tuples(MINUTES, MINUTES),
    st.sets(st.sampled_from(WEEKDAYS), max_size=6),
)
INSTANTS = st.datetimes(datetime(2026, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(minute=moment.minute // 30 * 30, second=0, microsecond=0)
)


def test_both_ends_of_the_day_are_served() -> None:
    opening, closing = at(SATURDAY, time(9)), at(SATURDAY, time(20))
    assert NINE_TO_EIGHT.serves(opening)
    assert NINE_TO_EIGHT.serves(closing)
    assert not NINE_TO_EIGHT.serves(opening - TICK)
    assert not NINE_TO_EIGHT.serves(closing + TICK)


@pytest.mark.parametrize(
    ("pickup", "return_at", "refusal"),
    [
        (
            at(SATURDAY, time(9, 59)),
            at(MONDAY, time(12)),
            ("pickupDate", "Pickup must be between 10 AM and 6:30 PM"),
        ),
        (
            at(SATURDAY, time(12)),
            at(MONDAY, time(18, 31)),
            ("returnDate", "Return must be between 10 AM and 6:30 PM"),
        ),
        (
            at(SATURDAY, time(12)),
            at(SUNDAY, time(12)),
            ("returnDate", "Return is not possible on a Sunday: the vendor is closed that day"),
        ),
        (
            at(SUNDAY, time(3)),
            at(MONDAY, time(3)),
            ("pickupDate", "Pickup is not possible on a Sunday: the vendor is closed that day"),
        ),
    ],
)
def test_a_refusal_names_the_field_and_the_reason(pickup: datetime, return_at: datetime, refusal: object) -> None:
    assert NO_SUNDAYS.refusal(Window(pickup, return_at)) == refusal


@given(HOURS, INSTANTS)
def test_a_return_alone_is_refused_as_that_of_a_window(hours: OpeningHours, return_at: datetime) -> None:
    refusal = hours.return_refusal(return_at)
    assert (refusal is None) == hours.serves(return_at)
    pickup = hours.nearest(return_at, not_before=return_at - timedelta(days=7))
    assert pickup
    assert refusal == hours.refusal(Window(pickup, return_at))


@given(HOURS, INSTANTS, INSTANTS)
def test_a_window_is_refused_exactly_when_an_end_is_not_served(
    hours: OpeningHours, one: datetime, other: datetime
) -> None:
    assert (hours.refusal(Window(one, other)) is None) == (hours.serves(one) and hours.serves(other))


@pytest.mark.parametrize(
    ("wish", "not_before", "nearest"),
    [
        (at(SATURDAY, time(12)), at(SATURDAY, time(8)), at(SATURDAY, time(12))),
        (at(SATURDAY, time(7)), at(SATURDAY, time(6)), at(SATURDAY, time(10))),
        (at(SATURDAY, time(20)), at(SATURDAY, time(6)), at(SATURDAY, time(18, 30))),
        (at(SATURDAY, time(20)), at(SATURDAY, time(19)), at(MONDAY, time(10))),
        (at(SATURDAY, time(7)), at(SATURDAY, time(13)), at(SATURDAY, time(13))),
        (at(SUNDAY, time(6)), at(SATURDAY, time(6)), at(SATURDAY, time(18, 30))),
        (at(SUNDAY, time(20)), at(SATURDAY, time(6)), at(MONDAY, time(10))),
    ],
)
def test_the_nearest_open_moment(wish: datetime, not_before: datetime, nearest: datetime) -> None:
    assert NO_SUNDAYS.nearest(wish, not_before=not_before) == nearest


def test_nobody_who_never_opens_has_a_nearest_moment() -> None:
    moment = at(SATURDAY, time(12))
    assert OpeningHours(closing_days=frozenset(WEEKDAYS)).nearest(moment, not_before=moment) is None
    assert OpeningHours(time(21), time(20)).nearest(moment, not_before=moment) is None


@given(HOURS, INSTANTS, st.integers(-96, 96))
def test_no_served_moment_allowed_is_nearer_than_the_nearest(
    hours: OpeningHours, wish: datetime, halves_until_allowed: int
) -> None:
    not_before = wish + halves_until_allowed * timedelta(minutes=30)
    found = hours.nearest(wish, not_before=not_before)
    assert found is not None
    assert found >= not_before
    assert hours.serves(found)
    grid = (wish + step * timedelta(minutes=30) for step in range(-7 * 48, 7 * 48))
    assert all(abs(found - wish) <= abs(m - wish) for m in grid if m >= not_before and hours.serves(m))


def test_bare_dates_mean_the_opening_time_and_a_bare_return_the_clock_time_of_the_pickup() -> None:
    assert resolve(SATURDAY, MONDAY, NO_SUNDAYS) == Window(at(SATURDAY, time(10)), at(MONDAY, time(10)))
    assert resolve(at(SATURDAY, time(15)), MONDAY, NO_SUNDAYS).return_at == at(MONDAY, time(15))


@given(HOURS, INSTANTS, INSTANTS)
def test_instants_are_taken_as_they_are(hours: OpeningHours, one: datetime, other: datetime) -> None:
    assert resolve(one, other, hours) == Window(one, other)


@given(MINUTES)
def test_clock_times_survive_being_written(moment: time) -> None:
    assert parse_time(format_time(moment)) == moment


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("12:00 AM", time(0)),
        ("12:30 PM", time(12, 30)),
        ("9:00 am", time(9)),
        ("09:00AM", time(9)),
        (" 11:59 PM ", time(23, 59)),
    ],
)
def test_twelve_hour_times_are_read(text: str, moment: time) -> None:
    assert parse_time(text) == moment


@pytest.mark.parametrize("text", ["", "9", "09:00", "13:00 PM", "00:30 AM", "9:60 AM", "9:00 XM", "９:00 AM"])
def test_other_times_are_not(text: str) -> None:
    with pytest.raises(ValueError, match="09:00 AM"):
        parse_time(text)


@given(HOURS, INSTANTS)
def test_serving_goes_by_the_indian_clock(hours: OpeningHours, instant: datetime) -> None:
    there = indian(instant)
    closed = WEEKDAYS[there.weekday()] in hours.closing_days
    assert hours.serves(instant) == (not closed and hours.open <= there.time() <= hours.close)


def test_hours_are_put_into_words_and_closing_days_into_the_order_of_the_week() -> None:
    hours = OpeningHours(closing_days=frozenset({"Sunday", "Monday", "Thursday"}))
    assert hours.text == "9 AM to 8 PM"
    assert hours.closed == ["Monday", "Thursday", "Sunday"]
