"""Indian time, reading dates and times, and the limits of a window."""

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain import clock
from rental_app.domain.clock import Window, check_window
from rental_app.domain.errors import InvalidInputError

NOW = datetime(2026, 11, 20, 6, 30, tzinfo=UTC)
INSTANTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
TICK = timedelta(microseconds=1)


def test_the_indian_day_begins_at_half_past_six_in_the_evening_utc() -> None:
    assert clock.indian_today(datetime(2026, 11, 20, 18, 29, 59, tzinfo=UTC)) == date(2026, 11, 20)
    assert clock.indian_today(datetime(2026, 11, 20, 18, 30, tzinfo=UTC)) == date(2026, 11, 21)


@given(INSTANTS)
def test_indian_and_at_undo_each_other(instant: datetime) -> None:
    there = clock.indian(instant)
    assert there == instant
    assert there.utcoffset() == timedelta(hours=5, minutes=30)
    assert clock.at(there.date(), there.time()) == instant


@pytest.mark.parametrize(
    ("present", "pickup"),
    [
        (datetime(2026, 11, 20, 12, 0), datetime(2026, 11, 20, 12, 0)),
        (datetime(2026, 11, 20, 12, 0, 0, 1), datetime(2026, 11, 20, 13, 0)),
        (datetime(2026, 12, 31, 23, 30), datetime(2027, 1, 1, 0, 0)),
    ],
)
def test_default_pickup_is_the_next_full_hour_in_india(present: datetime, pickup: datetime) -> None:
    assert clock.default_pickup(present.replace(tzinfo=clock.INDIA)) == pickup.replace(tzinfo=clock.INDIA)


@given(INSTANTS)
def test_default_pickup_is_less_than_an_hour_away_and_on_the_hour(instant: datetime) -> None:
    pickup = clock.default_pickup(instant)
    assert timedelta() <= pickup - instant < timedelta(hours=1)
    assert clock.indian(pickup).timetz() == time(clock.indian(pickup).hour, tzinfo=clock.INDIA)


@given(INSTANTS)
def test_a_month_holds_its_instant_and_ends_where_the_next_begins(instant: datetime) -> None:
    first, following = clock.month_bounds(instant)
    assert first <= instant < following
    assert (clock.indian(first).day, clock.indian(first).time()) == (1, time())
    assert clock.month_bounds(following)[0] == following
    assert clock.month_bounds(following - TICK) == (first, following)


@pytest.mark.parametrize(
    "text",
    [
        *("2026-12-01T10:00", "2026-12-01 10:00", "2026-12-01T10:00:00.000", "2026-12-01T10:00+05:30"),
        *("2026-12-01T10:00+0530", "2026-12-01T10:00 05:30", "2026-12-01T04:30Z", "2026-12-01T04:30:00.000Z"),
        *("2026-11-30T23:30:00-05:00", "2026-12-01T10", "2026-12-01T04:30:00+00", "2026-11-30T23:30-05"),
        *("2026-12-01t04:30:00z", "20261201T043000Z", "20261201T1000", "20261201T100000 0530"),
        *("2026-12-01T10:00:00,000+05:30", "2026-W49-2T10:00"),
    ],
)
def test_every_spelling_of_one_moment_is_read_alike(text: str) -> None:
    moment = clock.parse_moment(text, "pickupDate")
    assert moment == datetime(2026, 12, 1, 4, 30, tzinfo=UTC)
    assert isinstance(moment, datetime)
    assert moment.tzinfo is UTC
    bare = clock.parse_moment("2026-12-01", "pickupDate")
    assert (bare, isinstance(bare, datetime)) == (date(2026, 12, 1), False)


@pytest.mark.parametrize(
    "text",
    [
        *("", "tomorrow", "0", "1764561600", "2026-13-01", "2026-02-30", "2026-1-1", "20261201", "2026-W49-2"),
        *("2026-12-01T", "2026-12-01T25:00", "2026-12-01T24:00", "2026-12-01T10:00X", "2026-12-01x10:00"),
        *("2026-12-01T10:00+", "2026-335T10:00", "0001-W01-1T00:00", "2026-12-01T10:00+99:00", "2026-12-01\n"),
        *("２０２６-12-01", "0001-01-01", "0001-01-01T00:00", "9999-12-31", "9999-12-31T23:00Z"),
    ],
)
def test_anything_else_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        clock.parse_moment(text, "returnDate")
    assert refused.value.code == "bad_date"
    assert list(refused.value.fields) == ["returnDate"]


@given(st.text(alphabet="0123456789-:.,TtWZz +", max_size=40) | st.text(max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        moment = clock.parse_moment(text, "pickupDate")
    except InvalidInputError:
        return
    assert isinstance(moment, date)


@given(st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)), OFFSETS)
def test_an_instant_survives_iso_8601_in_any_offset(wall: datetime, offset: timezone) -> None:
    instant = wall.replace(tzinfo=offset)
    assert clock.parse_moment(instant.isoformat(), "pickupDate") == instant


@pytest.mark.parametrize(
    ("length", "days", "label"),
    [
        (timedelta(hours=1), 1, "1 h"),
        (timedelta(minutes=30), 1, "0 h"),
        (timedelta(hours=24), 1, "1 day"),
        (timedelta(hours=24) + TICK, 2, "1 day"),
        (timedelta(hours=25), 2, "1 day 1 h"),
        (timedelta(hours=48), 2, "2 days"),
        (timedelta(hours=51), 3, "2 days 3 h"),
        (timedelta(days=30), 30, "30 days"),
    ],
)
def test_days_to_pay_and_the_label_of_a_window(length: timedelta, days: int, label: str) -> None:
    window = Window(NOW, NOW + length)
    assert (window.days, window.label) == (days, label)


@given(st.timedeltas(TICK, timedelta(days=60)))
def test_days_cover_the_window_with_less_than_one_to_spare(length: timedelta) -> None:
    days = Window(NOW, NOW + length).days
    assert timedelta() <= timedelta(days=days) - length < timedelta(days=1)


DAY, MONTH, QUARTER, TOLERANCE = timedelta(hours=24), timedelta(days=30), timedelta(days=90), timedelta(minutes=5)


@pytest.mark.parametrize(
    ("lead", "length"), [(-TOLERANCE, DAY), (timedelta(), MONTH), (QUARTER, DAY), (QUARTER, MONTH)]
)
def test_a_window_at_its_limits_is_accepted(lead: timedelta, length: timedelta) -> None:
    check_window(Window(NOW + lead, NOW + lead + length), NOW)


@pytest.mark.parametrize(
    ("lead", "length", "code", "field"),
    [
        (-TOLERANCE - TICK, DAY, "pickup_in_past", "pickupDate"),
        (timedelta(), timedelta(), "return_before_pickup", "returnDate"),
        (timedelta(), -DAY, "return_before_pickup", "returnDate"),
        (timedelta(), TICK, "too_short", "returnDate"),
        (timedelta(), DAY - TICK, "too_short", "returnDate"),
        (timedelta(), MONTH + TICK, "too_long", "returnDate"),
        (QUARTER + TICK, DAY, "too_far", "pickupDate"),
    ],
)
def test_a_window_past_a_limit_is_refused_with_its_code(
    lead: timedelta, length: timedelta, code: str, field: str
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        check_window(Window(NOW + lead, NOW + lead + length), NOW)
    assert (refused.value.code, list(refused.value.fields)) == (code, [field])


def test_friendly_is_how_people_write_it_with_the_year_where_it_is_another() -> None:
    assert clock.friendly(datetime(2026, 11, 21, 4, 30, tzinfo=UTC), date(2026, 6, 1)) == "Sat 21 Nov, 10 AM"
    new_year = datetime(2026, 12, 31, 19, 5, tzinfo=UTC)
    assert clock.friendly(new_year, date(2026, 12, 31)) == "Fri 1 Jan 2027, 12:35 AM"
    assert clock.friendly(new_year, date(2027, 1, 1)) == "Fri 1 Jan, 12:35 AM"
    begin = datetime(1999, 1, 1, tzinfo=UTC)
    assert clock.friendly_span(begin, begin + clock.HOUR) == "Fri 1 Jan 1999, 5:30 AM to Fri 1 Jan 1999, 6:30 AM"
