"""What a booking can be, and its request: its reference, how long its vendor has to answer, why one is declined."""

import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from rental_app.domain.characters import on_a_keyboard
from rental_app.domain.clock import HOUR, Window
from rental_app.domain.policies import Policies


class StoredWord(StrEnum):
    """A word that is stored and on the wire as it is; refusals that list the choices show it so, too."""

    def __repr__(self) -> str:
        return repr(str(self))


class BookingStatus(StoredWord):
    """Whether a request was answered (specification, section 10.5)."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"


class TripStage(StoredWord):
    """How far the trip of a booking is; all but the first are of confirmed bookings."""

    BOOKED = "booked"
    OUT = "out"
    RETURNED = "returned"
    SETTLED = "settled"
    NO_SHOW = "no_show"


class BookingSource(StoredWord):
    """Where a booking was made: by its customer, or by its vendor for them."""

    ONLINE = "online"
    COUNTER = "counter"


class VendorPart(StoredWord):
    """The parts of a vendor's list of bookings, in their order; each booking is in one of them, and `all` has all.

    To settle is what nothing more happens with but money or a word of the vendor's: returned, over without a handover,
    or done with something owed or held.
    """

    WAITING = "waiting"
    UPCOMING = "upcoming"
    OUT = "out"
    TO_SETTLE = "to_settle"
    PAST = "past"
    ALL = "all"


class WhyCancelled(StoredWord):
    """Why a booking was cancelled, in the words in which it is stored and served; operators may use others."""

    BY_CUSTOMER = "Cancelled by the customer"
    BY_VENDOR = "Cancelled by the vendor"
    DECLINED = "Declined by the vendor"
    LAPSED = "The vendor did not answer in time"
    VENDOR_BLOCKED = "The vendor's account is blocked"
    CUSTOMER_BLOCKED = "The customer's account is blocked"
    VENDOR_LEAVES = "The vendor is closing their account"
    CUSTOMER_LEAVES = "The customer is closing their account"


PREFIX = "PH-"
LENGTH = 6
# Without I, L, O and U, so that nothing is mistaken for a digit and no words appear.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("ILO", "110")
_REFERENCE = re.compile(rf"(?:PH)?[- ]?([{ALPHABET}]{{{LENGTH}}})", re.ASCII)


def answer_by(requested: datetime, pickup: datetime, policies: Policies) -> datetime:
    """The instant (UTC) at which an unanswered request is cancelled by the system.

    The vendor has the longest time to answer (8 hours at first), but at most until 2 hours before a pickup at least 4
    hours ahead, and half the lead time before one that is 1 to 4 hours ahead; less than an hour before, until pickup
    itself, or for the shortest time (5 minutes at first) if that is later.
    """
    lead = pickup - requested
    longest = requested + timedelta(hours=policies.answer_hours)
    if lead >= timedelta(hours=4):
        return min(longest, pickup - timedelta(hours=2))
    if lead >= HOUR:
        return min(longest, requested + lead / 2)
    # A pickup may lie a little in the past; the deadline must not.
    return max(pickup, requested + timedelta(minutes=policies.answer_minutes))


def time_left(deadline: datetime, instant: datetime) -> str:
    """The time left for an answer, in whole minutes: '7 h 45 min'."""
    minutes = int((deadline - instant) / timedelta(minutes=1))
    hours, rest = divmod(minutes, 60)
    if minutes < 1:
        return "less than a minute"
    return f"{hours} h {rest} min" if hours else f"{rest} min"


def new_reference() -> str:
    """A reference that cannot be guessed from others."""
    # 32 divides 256 evenly, so no character is likelier than another.
    return PREFIX + "".join(ALPHABET[byte % len(ALPHABET)] for byte in secrets.token_bytes(LENGTH))


def read_reference(text: str) -> str | None:
    """The reference that a typed text means: 'ph 4x7k2o' is PH-4X7K20. None if it is not a reference."""
    match = _REFERENCE.fullmatch(on_a_keyboard(text).strip().upper().translate(_READ_AS))
    return PREFIX + match[1] if match else None


def most_at_once(window: Window, others: Sequence[Window]) -> int:
    """The largest number of other windows under way at any one moment of a window."""
    beginnings = [max(window.pickup, other.pickup) for other in others]
    within = [moment for moment in beginnings if moment < window.return_at]
    return max((sum(other.pickup <= moment < other.return_at for other in others) for moment in within), default=0)


DeclineReason = Literal["", "unavailable", "repair", "times", "other"]
DECLINE_REASONS: dict[DeclineReason, str] = {
    "unavailable": "The vehicle is not available on these dates",
    "repair": "The vehicle needs repair",
    "times": "The pickup or return time does not suit",
    "other": "Another reason",
}
