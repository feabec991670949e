"""Links that people use to reach each other, and mobile numbers as they copy them."""

import re
from urllib.parse import quote_plus

INDIA_CODE = "91"
# A mobile number with or without its prefix, in groups of any length.
_COPIED = re.compile(rf"(?<!\w)(?:(?:\+|00)?{INDIA_CODE}[\s-]*|0[\s-]*)?([6-9](?:[\s-]?\d){{9}})(?!\w)", re.ASCII)


def whatsapp_link(mobile: str) -> str:
    """The link that opens a WhatsApp chat with a ten-digit mobile number."""
    return f"https://wa.me/{INDIA_CODE}{mobile}"


def search_words(text: str) -> list[str]:
    """The words of a search, with mobile numbers as they are stored: 9000001002 for "+91 90000-01002"."""
    return _COPIED.sub(lambda copied: re.sub(r"[\s-]", "", copied[1]), text).split()


def maps_link(address: str) -> str:
    """The link that searches Google Maps for an address."""
    return f"https://www.google.com/maps/search/?api=1&query={quote_plus(address)}"
