"""The names of the lines of a booking's account, on its pages and on its receipt."""

from rental_app.domain.account import LedgerKind, PaymentMethod
from rental_app.domain.booking_events import MEANINGS

KINDS: dict[str, str] = {
    LedgerKind.RENTAL: "Rent",
    LedgerKind.EXTRA: "Extra",
    LedgerKind.DISCOUNT: "Discount",
    LedgerKind.EXTENSION: "Extension",
    LedgerKind.LATE: "Late return",
    LedgerKind.KILOMETRES: "Kilometres",
    LedgerKind.SPEEDING: "Speeding fines",
    LedgerKind.DAMAGE: "Damage",
    LedgerKind.CANCELLATION: "Cancellation",
    "challan": "Traffic challan",
    "toll": "Toll",
    "other": "Other charge",
    LedgerKind.PAYMENT: MEANINGS[LedgerKind.PAYMENT].word,
    LedgerKind.REFUND: MEANINGS[LedgerKind.REFUND].word,
    LedgerKind.DEPOSIT_TAKEN: MEANINGS[LedgerKind.DEPOSIT_TAKEN].word,
    LedgerKind.DEPOSIT_KEPT: "Kept from the deposit",
    LedgerKind.DEPOSIT_RETURNED: MEANINGS[LedgerKind.DEPOSIT_RETURNED].word,
}
METHODS: dict[str, str] = {PaymentMethod.CASH: "Cash", PaymentMethod.UPI: "UPI", PaymentMethod.CARD: "Card"}


def word_of(kind: str) -> str:
    """What a kind of line is called: a kind that only a later version knows, by its own name."""
    return KINDS.get(kind, kind.capitalize())
