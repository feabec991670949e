"""What stays of a calendar's last import for the entries that cannot be read in the next."""

from collections.abc import Iterable, Mapping, Sequence

from rental_app.domain.clock import Window

# The key of what stays for unread entries that were not in the last import, by that name at least.
UNKNOWN = ""

Taken = Mapping[str, Sequence[Window]]


def with_last(read: Taken, unread: Iterable[str], last: Taken) -> dict[str, Sequence[Window]]:
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
