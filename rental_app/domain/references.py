"""Booking references that people can read out: `PH-` and six characters of Crockford's alphabet."""

import re
import secrets

from rental_app.domain.characters import on_a_keyboard

PREFIX = "PH-"
LENGTH = 6
# Without I, L, O and U, so that nothing is mistaken for a digit and no words appear.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("ILO", "110")
_REFERENCE = re.compile(rf"(?:PH)?[- ]?([{ALPHABET}]{{{LENGTH}}})", re.ASCII)


def new_reference() -> str:
    """A reference that cannot be guessed from others."""
    # 32 divides 256 evenly, so no character is likelier than another.
    return PREFIX + "".join(ALPHABET[byte % len(ALPHABET)] for byte in secrets.token_bytes(LENGTH))


def read_reference(text: str) -> str | None:
    """The reference that a typed text means: 'ph 4x7k2o' is PH-4X7K20. None if it is not a reference."""
    match = _REFERENCE.fullmatch(on_a_keyboard(text).strip().upper().translate(_READ_AS))
    return PREFIX + match[1] if match else None
