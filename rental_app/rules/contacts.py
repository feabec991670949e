"""Links by which people reach each other."""

from urllib.parse import quote_plus

INDIA_CODE = "91"


def whatsapp_link(mobile: str) -> str:
    """Where WhatsApp opens a chat with a ten-digit mobile number."""
    return f"https://wa.me/{INDIA_CODE}{mobile}"


def maps_link(address: str) -> str:
    """Where Google Maps looks for an address."""
    return f"https://www.google.com/maps/search/?api=1&query={quote_plus(address)}"
