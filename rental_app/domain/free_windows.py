"""Windows in which a vehicle is free, and what stays taken by a calendar that cannot be read as a whole."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from rental_app.domain.clock import MAX_AHEAD, Window, default_pickup, hour_begun, is_possible
from rental_app.domain.hours import OpeningHours

MOST = 3


def nearest_free(
    requested: Window, busy: Sequence[Window], hours: OpeningHours, instant: datetime, last_return: datetime
) -> list[Window]:
    """At most three free windows as long as the requested one, the nearest first, that end by `last_return`.

    They are within the booking limits and the opening hours.
    """
    return nearest(
        requested, busy, last_return, lambda window: is_possible(window, instant) and not hours.refusal(window)
    )


def nearest(
    requested: Window, busy: Sequence[Window], last_return: datetime, fits: Callable[[Window], bool]
) -> list[Window]:
    """At most three free windows that fit and are as long as the requested one, the nearest first.

    Candidates are the requested clock time on all other days, and the full hours right after and right before each
    busy window: one may end at any second, when a vehicle is received, but pickups are chosen by the hour.
    """
    pickups = sorted(set(_pickups(requested, busy)), key=lambda pickup: (abs(pickup - requested.pickup), pickup))
    length = requested.return_at - requested.pickup
    windows = (Window(pickup, pickup + length) for pickup in pickups)
    fitting = (
        window for window in windows if window.return_at <= last_return and fits(window) and is_free(window, busy)
    )
    return [window for window, _ in zip(fitting, range(MOST), strict=False)]


def is_free(window: Window, busy: Sequence[Window]) -> bool:
    """Whether a half-open window overlaps none of the busy ones."""
    return all(held.return_at <= window.pickup or window.return_at <= held.pickup for held in busy)


def without(windows: Sequence[Window], busy: Sequence[Window]) -> list[Window]:
    """What some windows cover together, less the busy ones: in order, and no two touching."""
    covered: list[Window] = []
    wanted = held = 0
    for (begin, more_wanted, more_held), (end, *_) in pairwise(sorted((*_ends(windows, 1, 0), *_ends(busy, 0, 1)))):
        wanted, held = wanted + more_wanted, held + more_held
        if wanted and not held and begin < end:
            covered.append(Window(begin, end))
    joined: list[Window] = []
    for window in covered:
        if joined and joined[-1].return_at == window.pickup:
            window = Window(joined.pop().pickup, window.return_at)
        joined.append(window)
    return joined


def _ends(windows: Sequence[Window], wanted: int, held: int) -> Iterator[tuple[datetime, int, int]]:
    """Both ends of windows, each with the change in how many windows want and hold an instant from there on."""
    for window in windows:
        yield window.pickup, wanted, held
        yield window.return_at, -wanted, -held


def _pickups(requested: Window, busy: Sequence[Window]) -> Iterator[datetime]:
    for days in range(1, MAX_AHEAD.days + 1):
        yield requested.pickup - timedelta(days=days)
        yield requested.pickup + timedelta(days=days)
    for held in busy:
        yield default_pickup(held.return_at)
        yield hour_begun(held.pickup - (requested.return_at - requested.pickup))


# The key of what stays for unread entries that were not in the last import, by that name at least.
UNKNOWN = ""

TakenWindows = Mapping[str, Sequence[Window]]


def with_last(read: TakenWindows, unread: Iterable[str], last: TakenWindows) -> dict[str, Sequence[Window]]:
    """The windows that entries take, by their keys: as read now, and for unread entries also as in the last import.

    The windows of entries that have left the calendar are free, unless an unread entry is new: it may be one of them
    under another key. Those windows then stay taken until the whole calendar can be read.
    """
    unread = list(unread)
    carried_over = {key: [*last.get(key, ()), *read.get(key, ())] for key in unread}
    if not unread:
        return dict(read)
    present = {*read, *unread, UNKNOWN}
    gone = [window for key, windows in last.items() if key not in present for window in windows]
    is_new = any(key not in last for key in unread)
    return {**read, **carried_over, UNKNOWN: [*last.get(UNKNOWN, ()), *(gone if is_new else ())]}
