"""The names of the lines of a booking's account, on its pages and on its receipt."""

from rental_app.domain import account

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
    account.PAYMENT: "Rent paid",
    account.REFUND: "Rent paid back",
    account.TAKEN: "Deposit taken",
    account.KEPT: "Kept from the deposit",
    account.GIVEN_BACK: "Deposit given back",
}
METHODS = {"cash": "Cash", "upi": "UPI", "card": "Card"}


def word_of(kind: str) -> str:
    """What a kind of line is called: a kind that only a later version knows, by its own name."""
    return KINDS.get(kind, kind.capitalize())
