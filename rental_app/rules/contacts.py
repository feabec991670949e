"""Links that people use to reach each other."""

from urllib.parse import quote_plus

INDIA_CODE = "91"


def whatsapp_link(mobile: str) -> str:
    """The link that opens a WhatsApp chat with a ten-digit mobile number."""
    return f"https://wa.me/{INDIA_CODE}{mobile}"


def maps_link(address: str) -> str:
    """The link that searches Google Maps for an address."""
    return f"https://www.google.com/maps/search/?api=1&query={quote_plus(address)}"
