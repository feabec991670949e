"""GST numbers: which can be true."""

import re

from stdnum import luhn
from stdnum.exceptions import ValidationError
from stdnum.in_ import pan

from rental_app.domain.characters import on_a_keyboard

# States by number, Ladakh (38) being the last; 96 is for those abroad, 97 for other territory, 99 for the Centre.
# `stdnum.in_.gstin` knows only those up to 37.
_STATES = {f"{number:02}" for number in (*range(1, 39), 96, 97, 99)}
_NUMBER = re.compile(r"([0-9]{2})([A-Z]{5}[0-9]{4}[A-Z])[1-9A-Z]Z[0-9A-Z]")
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def gst_number(text: str) -> str:
    """A GST number without blanks and dashes, in capitals; raises ValueError if it cannot be one."""
    compact = re.sub(r"[\s-]", "", on_a_keyboard(text)).upper()
    match = _NUMBER.fullmatch(compact)
    if not match or match[1] not in _STATES or not _adds_up(compact, match[2]):
        raise ValueError("This is not a valid GST number")
    return compact


def _adds_up(number: str, permanent_account: str) -> bool:
    """Whether a number has the right check digit, and a possible PAN inside it."""
    try:
        pan.validate(permanent_account)
        luhn.validate(number, _ALPHABET)
    except ValidationError:
        return False
    return True
