"""Links that people use to reach each other, and mobile numbers as they copy them."""

import re
from urllib.parse import quote_plus

from rental_app.domain.characters import made_storable, on_a_keyboard, searchable

INDIA_CODE = "91"
# A mobile number with or without its prefix, in groups of any length. Other countries' numbers contain such ones.
_COPIED = re.compile(rf"(?<![\w+])(?:(?:\+|00)?{INDIA_CODE}[\s-]*|0[\s-]*)?([6-9](?:[\s-]?\d){{9}})(?!\w)", re.ASCII)
# What people write between a number's groups, which never is part of it.
_BETWEEN = re.compile(r"[\s().\-]", re.ASCII)
_FOREIGN = re.compile(rf"(?:\+|00)(?!{INDIA_CODE})")
_MOBILE = re.compile(rf"(?:(?:\+|00)?{INDIA_CODE})?0?([6-9][0-9]{{9}})")
# Of an account that has given its address up. Nobody can have an address below a name that ends so (RFC 2606).
GIVEN_UP_HOST, NOWHERE = "given-up.invalid", ".invalid"
NOT_INDIAN, NOT_MOBILE = "Enter an Indian mobile number", "Enter a 10-digit Indian mobile number"


def has_mailbox(email: str) -> bool:
    """Whether somebody can read what is sent to an address: not that of a guest, or of who gave theirs up."""
    return not email.endswith(NOWHERE)


def whatsapp_link(mobile: str) -> str:
    """The link that opens a WhatsApp chat with a ten-digit mobile number."""
    return f"https://wa.me/{INDIA_CODE}{mobile}"


def mobile(text: str) -> str:
    """The ten digits of an Indian mobile number, however it is written: +91 90000-01002; raises ValueError.

    Nothing is left out to make it fit: a number of another country is none of ours.
    """
    digits = _BETWEEN.sub("", on_a_keyboard(text))
    if _FOREIGN.match(digits):
        raise ValueError(NOT_INDIAN)
    match = _MOBILE.fullmatch(digits)
    if not match:
        raise ValueError(NOT_MOBILE)
    return match[1]


def phone_link(phone: str) -> str:
    """The link that calls a number, which people write with blanks and links must not contain (RFC 3966)."""
    return f"tel:{re.sub(r'[^0-9+]', '', on_a_keyboard(phone))}"


def search_words(text: str) -> list[str]:
    """The words of a search (`characters.searchable`), with mobile numbers as they are stored: 9000001002 for
    "+91 90000-01002"."""
    plain = searchable(made_storable(on_a_keyboard(text)))
    return _COPIED.sub(lambda copied: re.sub(r"[\s-]", "", copied[1]), plain).split()


def maps_link(address: str) -> str:
    """The link that searches Google Maps for an address."""
    return f"https://www.google.com/maps/search/?api=1&query={quote_plus(address)}"
