"""The name of a booking that people can read out: `PH-` and six letters of Crockford's alphabet."""

import re
import secrets

PREFIX = "PH-"
LENGTH = 6
# Without I, L, O and U: nothing is mistaken for a digit, and no words come out.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("ILO", "110")
_REFERENCE = re.compile(rf"(?:PH)?[- ]?([{ALPHABET}]{{{LENGTH}}})", re.ASCII)


def new_reference() -> str:
    """A reference nobody can guess from its neighbours."""
    # 32 letters divide 256 evenly: none is likelier than another.
    return PREFIX + "".join(ALPHABET[byte % len(ALPHABET)] for byte in secrets.token_bytes(LENGTH))


def read_reference(text: str) -> str | None:
    """The reference meant by what somebody typed: 'ph 4x7k2o' is PH-4X7K20. None when it is none."""
    match = _REFERENCE.fullmatch(text.strip().upper().translate(_READ_AS))
    return PREFIX + match[1] if match else None
