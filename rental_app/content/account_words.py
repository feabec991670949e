"""The names of the lines of a booking's account, on its pages and on its receipt."""

from rental_app.domain import account
from rental_app.domain.booking_events import MEANINGS

KINDS = {
    "rental": "Rent",
    "extra": "Extra",
    "discount": "Discount",
    "extension": "Extension",
    "late": "Late return",
    "kilometres": "Kilometres",
    "speeding": "Speeding fines",
    "damage": "Damage",
    "cancellation": "Cancellation",
    "challan": "Traffic challan",
    "toll": "Toll",
    "other": "Other charge",
    account.PAYMENT: MEANINGS[account.PAYMENT].word,
    account.REFUND: MEANINGS[account.REFUND].word,
    account.TAKEN: MEANINGS[account.TAKEN].word,
    account.KEPT: "Kept from the deposit",
    account.GIVEN_BACK: MEANINGS[account.GIVEN_BACK].word,
}
METHODS = {"cash": "Cash", "upi": "UPI", "card": "Card"}


def word_of(kind: str) -> str:
    """What a kind of line is called: a kind that only a later version knows, by its own name."""
    return KINDS.get(kind, kind.capitalize())
