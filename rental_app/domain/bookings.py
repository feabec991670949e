"""What a booking can be: its status, the stage of its trip, and where it was made."""

from enum import StrEnum


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


class WhyCancelled(StoredWord):
    """Why a booking was cancelled, in the words in which it is stored and served; operators may use others."""

    BY_CUSTOMER = "Cancelled by the customer"
    BY_VENDOR = "Cancelled by the vendor"
    DECLINED = "Declined by the vendor"
    LAPSED = "The vendor did not answer in time"
    VENDOR_BLOCKED = "The vendor's account is blocked"
    CUSTOMER_BLOCKED = "The customer's account is blocked"
