"""A booking's account: which way each kind of entry moves the two balances."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from rental_app.domain.bookings import BookingStatus, StoredWord, TripStage

Signs = dict[str, int]


class LedgerKind(StoredWord):
    """What a line of a booking's account is about."""

    RENTAL = "rental"
    EXTRA = "extra"
    DISCOUNT = "discount"
    EXTENSION = "extension"
    LATE = "late"
    KILOMETRES = "kilometres"
    SPEEDING = "speeding"
    DAMAGE = "damage"
    CANCELLATION = "cancellation"
    PAYMENT = "payment"
    REFUND = "refund"
    DEPOSIT_TAKEN = "deposit taken"
    DEPOSIT_KEPT = "deposit kept"
    DEPOSIT_RETURNED = "deposit returned"


class PaymentMethod(StoredWord):
    """How money changed hands."""

    CASH = "cash"
    UPI = "upi"
    CARD = "card"


# What a booking is charged when it is confirmed.
BOOKED_CHARGES = (LedgerKind.RENTAL, LedgerKind.EXTRA, LedgerKind.DISCOUNT)
# What the vehicle costs for its window; a cancellation keeps a share of this.
RENT_CHARGES = (*BOOKED_CHARGES, LedgerKind.EXTENSION)
CHARGES = (
    *RENT_CHARGES,
    LedgerKind.LATE,
    LedgerKind.KILOMETRES,
    LedgerKind.SPEEDING,
    LedgerKind.DAMAGE,
    LedgerKind.CANCELLATION,
)

# Charges and refunds raise what the customer owes of the rent; payments and kept parts of the deposit lower it.
# Deposits taken raise what the vendor holds of the deposit; amounts kept or returned lower it.
CHARGE_SIGNS: Signs = dict.fromkeys(CHARGES, 1)
RENT_SIGNS: Signs = CHARGE_SIGNS | {LedgerKind.PAYMENT: -1, LedgerKind.REFUND: 1, LedgerKind.DEPOSIT_KEPT: -1}
DEPOSIT_SIGNS: Signs = {LedgerKind.DEPOSIT_TAKEN: 1, LedgerKind.DEPOSIT_KEPT: -1, LedgerKind.DEPOSIT_RETURNED: -1}
PAID_SIGNS: Signs = {LedgerKind.PAYMENT: 1, LedgerKind.REFUND: -1}
# What the vendor has actually earned: money held as a deposit is not theirs.
RECEIVED_SIGNS: Signs = PAID_SIGNS | {LedgerKind.DEPOSIT_KEPT: 1}
RENT_CHARGE_SIGNS: Signs = dict.fromkeys(RENT_CHARGES, 1)
BOOKED_SIGNS: Signs = dict.fromkeys(BOOKED_CHARGES, 1)
RETAINED_SIGNS: Signs = {LedgerKind.CANCELLATION: 1}

# How long a charge that was taken back by mistake may be restored without asking the customer.
TIME_TO_RESTORE = timedelta(minutes=15)

Entries = Iterable[tuple[str, int]]


def total(entries: Entries, signs: Signs) -> int:
    """The sum of entries, each a kind and its paise, multiplied by the sign of its kind."""
    return sum(signs.get(kind, 0) * paise for kind, paise in entries)


def takes_back(kind: str, paise: int) -> bool:
    """Whether a line takes something back: its sign is the opposite of that of its kind."""
    return (paise < 0) != (kind == LedgerKind.DISCOUNT)


def needs_consent(kind: str, paise: int, reverses: int | None, at: datetime, instant: datetime, room: int) -> bool:
    """Whether reversing a line charges the customer more, so that they have to agree to it.

    They have to when a discount is taken back, and when a reversed charge is restored, unless that is done soon enough
    (`TIME_TO_RESTORE`) to be the repair of a mistake. A charge for the vehicle also needs it beyond `room` (paise),
    which is how far the charges are below the agreed price: the booking may have been moved to a cheaper vehicle since.
    """
    is_mistake = reverses is not None and instant <= at + TIME_TO_RESTORE
    fits = kind not in RENT_CHARGES or -paise <= room
    return kind in CHARGES and paise < 0 and not (is_mistake and fits)


def is_replaced(kind: str, *, status: str, stage: str) -> bool:
    """Whether charges of a kind were replaced, for good, by what a cancellation or a no-show keeps."""
    return kind in RENT_CHARGES and (status == BookingStatus.CANCELLED or stage == TripStage.NO_SHOW)
