"""What stays of a calendar's last import for the entries that cannot be read in the next."""

from collections.abc import Iterable, Mapping, Sequence

from rental_app.domain.clock import Window

# The key of what stays for unread entries that were not in the last import, by that name at least.
UNKNOWN = ""

Taken = Mapping[str, Sequence[Window]]


def with_last(read: Taken, unread: Iterable[str], last: Taken) -> dict[str, Sequence[Window]]:
    """When entries take a vehicle, by their keys: as read now, and for unread ones also as in the last import.

    What has gone from the calendar is free, unless an unread entry has just come: it may be the same one under another
    name. What stays for that one is free again as soon as all can be read.
    """
    unread = list(unread)
    kept = {key: [*last.get(key, ()), *read.get(key, ())] for key in unread}
    if not unread:
        return dict(read)
    known = {*read, *unread, UNKNOWN}
    gone = [window for key, windows in last.items() if key not in known for window in windows]
    is_new = any(key not in last for key in unread)
    return {**read, **kept, UNKNOWN: [*last.get(UNKNOWN, ()), *(gone if is_new else ())]}
