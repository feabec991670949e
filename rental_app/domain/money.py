"""Amounts of money, and UPI: addresses people are paid at, and the links that a phone's payment app opens."""

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import NewType
from urllib.parse import quote, urlencode

Paise = NewType("Paise", int)
PAISE_PER_RUPEE = 100
# Thousands grouped as in India, or as in the rest of the world.
_GROUPED = r"\d{1,2}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+"
_WRITTEN = re.compile(
    rf"(?:₹|Rs\.?|INR)?\s*(-?(?:(?:{_GROUPED}|\d+)(?:\.\d*)?|\.\d+))\s*(?:/-)?", re.ASCII | re.IGNORECASE
)
_KILOMETRES = re.compile(rf"({_GROUPED}|\d+)\s*(?:kms?)?", re.ASCII | re.IGNORECASE)


def read_rupees(text: str) -> Decimal:
    """Rupees as people write them: '450', '12,345.50', 'Rs 450', '₹1,20,000/-'; raises ValueError for anything else."""
    if not (written := _WRITTEN.fullmatch(text.strip())):
        raise ValueError("Enter an amount in rupees")
    return Decimal(written[1].replace(",", ""))


def plain_kilometres(text: str) -> str:
    """The digits of kilometres as people write them: '9491', '9,491', '1,20,000 km'; other text unchanged."""
    written = _KILOMETRES.fullmatch(text.strip())
    return written[1].replace(",", "") if written else text


def to_paise(rupees: Decimal) -> Paise:
    """Rupees to paise, half a paisa rounded up."""
    return Paise(int((rupees * PAISE_PER_RUPEE).quantize(Decimal(1), rounding=ROUND_HALF_UP)))


def to_rupees(paise: int) -> int | float:
    """Paise to the number sent on the wire: a whole number if there are no paise left over."""
    rupees, rest = divmod(paise, PAISE_PER_RUPEE)
    return paise / PAISE_PER_RUPEE if rest else rupees


def grouped(number: int) -> str:
    """A non-negative number with Indian grouping: '1,20,000'."""
    digits = str(number)
    head, tail = digits[:-3], digits[-3:]
    groups = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)][::-1]
    return ",".join([*groups, tail])


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number of things: '1 seat', '1,200 seats'; `nouns` is the plural if it takes more than an s."""
    return f"{grouped(number)} {noun if number == 1 else nouns or f'{noun}s'}"


def format_rupees(paise: int) -> str:
    """Paise as ₹ with Indian grouping: '₹1,200', '₹1,20,000', '₹49.50'."""
    rupees, rest = divmod(abs(paise), PAISE_PER_RUPEE)
    sign = "-" if paise < 0 else ""
    return f"{sign}₹{grouped(rupees)}" + (f".{rest:02d}" if rest else "")


CURRENCY = "INR"
_ADDRESS = re.compile(r"[a-z0-9][a-z0-9._-]{1,99}@[a-z][a-z0-9]{1,63}", re.ASCII | re.IGNORECASE)


def is_upi_address(text: str) -> bool:
    """Whether a text is a UPI ID: a name, '@' and a bank's handle, which has no dots."""
    return _ADDRESS.fullmatch(text) is not None


def upi_link(address: str, payee: str, paise: int, note: str) -> str:
    """The content of a QR code that asks for exactly `paise` (NPCI's linking specification: pa, pn, am, cu, tn)."""
    amount = f"{paise // PAISE_PER_RUPEE}.{paise % PAISE_PER_RUPEE:02}"
    parameters = {"pa": address, "pn": payee, "am": amount, "cu": CURRENCY, "tn": note}
    # Payment apps do not read a plus sign as a space.
    return f"upi://pay?{urlencode(parameters, safe='@', quote_via=quote)}"
