"""UPI: addresses people are paid at, and the links that a phone's payment app opens."""

import re
from urllib.parse import quote, urlencode

from rental_app.domain.money import PAISE_PER_RUPEE

CURRENCY = "INR"
_ADDRESS = re.compile(r"[a-z0-9][a-z0-9._-]{1,99}@[a-z][a-z0-9]{1,63}", re.ASCII | re.IGNORECASE)


def is_address(text: str) -> bool:
    """Whether a text is a UPI ID: a name, '@' and a bank's handle, which has no dots."""
    return _ADDRESS.fullmatch(text) is not None


def link(address: str, payee: str, paise: int, note: str) -> str:
    """The content of a QR code that asks for exactly `paise` (NPCI's linking specification: pa, pn, am, cu, tn)."""
    amount = f"{paise // PAISE_PER_RUPEE}.{paise % PAISE_PER_RUPEE:02}"
    parameters = {"pa": address, "pn": payee, "am": amount, "cu": CURRENCY, "tn": note}
    # Payment apps do not read a plus sign as a space.
    return f"upi://pay?{urlencode(parameters, safe='@', quote_via=quote)}"
