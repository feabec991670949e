"""How many bookings overlap."""

from collections.abc import Sequence

from rental_app.domain.clock import Window


def most_at_once(window: Window, others: Sequence[Window]) -> int:
    """The largest number of other windows under way at any one moment of a window."""
    beginnings = [max(window.pickup, other.pickup) for other in others]
    within = [moment for moment in beginnings if moment < window.return_at]
    return max((sum(other.pickup <= moment < other.return_at for other in others) for moment in within), default=0)
