"""What stays of a calendar's last import for entries that cannot be read in the next."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.clock import Window
from rental_app.domain.last_import import UNKNOWN, with_last

NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)
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
