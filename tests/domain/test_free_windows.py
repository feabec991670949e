"""Which windows are free near one that is taken, and what stays of a calendar's last import."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.domain.free_windows import MOST, UNKNOWN, is_free, nearest_free, with_last, without
from rental_app.domain.hours import OpeningHours

# A Saturday noon in India.
NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
FAR = NOW + timedelta(days=200)


def at(day: int, hour: int) -> datetime:
    """Return an hour in India this many days from now."""
    return clock.at(clock.indian_today(NOW) + DAY * day, time(hour))


def test_the_nearest_come_first_right_after_and_before_what_is_taken() -> None:
    busy = [Window(at(4, 12), at(5, 14)), Window(at(8, 9), at(8, 19))]
    found = nearest_free(Window(at(4, 10), at(6, 10)), busy, OpeningHours(), NOW, FAR)
    assert found == [
        Window(at(5, 14), at(7, 14)),
        Window(at(2, 12), at(4, 12)),
        Window(at(6, 9), at(8, 9)),
    ]


def test_what_is_offered_begins_at_a_full_hour() -> None:
    received = at(4, 14) + timedelta(minutes=35, seconds=27)
    busy = [Window(at(4, 9) + timedelta(minutes=5), received)]
    found = nearest_free(Window(at(4, 10), at(5, 10)), busy, OpeningHours(), NOW, FAR)
    assert [window.pickup for window in found] == [at(4, 15), at(5, 10), at(3, 9)]


WINDOWS = st.builds(
    lambda start, hours: Window(NOW + HOUR * start, NOW + HOUR * (start + hours)),
    st.integers(-48, 2600),
    st.integers(1, 300),
)
HOURS = st.builds(OpeningHours, closing_days=st.frozensets(st.sampled_from(clock.WEEKDAYS)))


@given(st.integers(1, 2000), st.integers(24, 720), st.lists(WINDOWS, max_size=8), HOURS)
def test_what_is_offered_can_be_booked(start: int, length: int, busy: list[Window], hours: OpeningHours) -> None:
    wish = Window(NOW + HOUR * start, NOW + HOUR * (start + length))
    found = nearest_free(wish, busy, hours, NOW, FAR)
    assert len(found) <= MOST
    assert len(set(found)) == len(found)
    assert found == sorted(found, key=lambda window: abs(window.pickup - wish.pickup))
    for window in found:
        assert window.return_at - window.pickup == wish.return_at - wish.pickup
        assert is_free(window, busy)
        assert hours.refusal(window) is None
        assert clock.is_possible(window, NOW)


def test_nothing_is_offered_past_the_last_return_or_while_the_vendor_is_closed() -> None:
    busy, wish = [Window(at(1, 10), at(100, 10))], Window(at(2, 10), at(3, 10))
    assert nearest_free(wish, busy, OpeningHours(), NOW, FAR) == []
    busy = [Window(at(2, 10), at(3, 10))]
    assert nearest_free(wish, busy, OpeningHours(closing_days=frozenset(clock.WEEKDAYS)), NOW, FAR) == []
    assert nearest_free(wish, busy, OpeningHours(), NOW, at(2, 23)) == [Window(at(1, 10), at(2, 10))]


def hours_of(windows: Sequence[Window]) -> set[int]:
    """Return the hours that windows cover, counted from now."""
    return {hour for each in windows for hour in range((each.pickup - NOW) // HOUR, (each.return_at - NOW) // HOUR)}


@given(st.lists(WINDOWS, max_size=8), st.lists(WINDOWS, max_size=8))
def test_what_is_left_of_windows_is_what_nothing_else_holds(windows: list[Window], busy: list[Window]) -> None:
    left = without(windows, busy)
    assert hours_of(left) == hours_of(windows) - hours_of(busy)
    assert all(each.pickup < each.return_at for each in left)
    assert all(one.return_at < other.pickup for one, other in pairwise(left)), "in order, and joined where they touch"


ONE, TWO, THREE = (Window(NOW + timedelta(days=day), NOW + timedelta(days=day + 1)) for day in (1, 2, 3))
KEYS = st.sampled_from("abcd")
TAKEN = st.dictionaries(KEYS, st.lists(st.sampled_from([ONE, TWO, THREE]), max_size=2))


def test_an_entry_that_cannot_be_read_keeps_what_it_took() -> None:
    assert with_last({"b": [TWO]}, ["a"], {"a": [ONE], "c": [THREE]}) == {"b": [TWO], "a": [ONE], UNKNOWN: []}


def test_an_entry_under_a_new_name_keeps_what_is_gone_until_all_can_be_read() -> None:
    first = with_last({}, ["x"], {"a": [ONE], "b": [TWO]})
    assert first == {"x": [], UNKNOWN: [ONE, TWO]}
    # Nothing that goes later is kept for it as well.
    second = with_last({}, ["x"], {**first, "c": [THREE]})
    assert second == {"x": [], UNKNOWN: [ONE, TWO]}
    assert with_last({"x": [THREE]}, [], second) == {"x": [THREE]}


@given(TAKEN, st.lists(KEYS, unique=True), TAKEN)
def test_nothing_read_is_lost_and_nothing_comes_from_nowhere(
    read: dict[str, list[Window]], unread: list[str], last: dict[str, list[Window]]
) -> None:
    kept = with_last(read, unread, last)
    assert all({*windows} <= {*kept[key]} for key, windows in read.items())
    assert all({*last.get(key, [])} <= {*kept[key]} for key in unread)
    assert {one for windows in kept.values() for one in windows} <= {
        one for windows in (*read.values(), *last.values()) for one in windows
    }
    if not unread:
        assert kept == read
