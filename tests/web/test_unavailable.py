"""What the pickers of a booking form leave out of a vehicle's calendar."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.clock import INDIA, MIN_LENGTH, Window
from rental_app.domain.free_windows import is_free
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.parts.window_pickers import state

START = datetime(2026, 11, 21, 10, tzinfo=INDIA)
HOUR = timedelta(hours=1)


def _leaves_out(windows: state.Taken, moment: datetime) -> bool:
    """Decide as hours.js does."""
    return any(each["pickup"] <= wall_text(moment) < each["return"] for each in windows)


@st.composite
def holds(draw: st.DrawFn) -> list[Window]:
    """Draw consecutive windows, as they hold a vehicle."""
    ends = sorted(draw(st.sets(st.integers(0, 400), min_size=2, max_size=8)))
    return [Window(START + HOUR * a, START + HOUR * b) for a, b in zip(ends[::2], ends[1::2], strict=False)]


@given(holds(), st.integers(0, 420), st.integers(0, 500))
def test_what_is_left_over_is_what_can_be_booked(busy: list[Window], pickup: int, length: int) -> None:
    window = Window(START + HOUR * pickup, START + HOUR * pickup + MIN_LENGTH + HOUR * length)
    shortest = Window(window.pickup, window.pickup + MIN_LENGTH)
    assert _leaves_out(state.pickups(busy), window.pickup) is not is_free(shortest, busy)
    if is_free(shortest, busy):
        assert _leaves_out(state.returns(busy, window.pickup), window.return_at) is not is_free(window, busy)


def test_without_a_pickup_returns_leave_out_what_is_taken() -> None:
    busy = [Window(START, START + HOUR * 24)]
    assert state.returns(busy, None) == [{"pickup": "2026-11-21T11:00", "return": "2026-11-22T11:00"}]
