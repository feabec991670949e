"""Numbers on papers: those of a vehicle, how they are written and which cannot be true, and of GST."""

import re

from stdnum import luhn
from stdnum.exceptions import ValidationError
from stdnum.in_ import pan

from rental_app.domain.characters import on_a_keyboard
from rental_app.domain.gst import STATES

# States and union territories, including old codes that are still on the road.
STATE_CODES = frozenset(
    """AN AP AR AS BR CG CH DD DL DN GA GJ HP HR JH JK KA KL LA LD MH ML MN MP MZ NL OD OR PB PY RJ SK TG TN TR TS UA
    UK UP WB""".split()
)
_STATE_SERIES = re.compile(r"([A-Z]{2})(\d{1,2})([A-HJ-NP-Z]{1,3})(\d{1,4})", re.ASCII)
_BHARAT_SERIES = re.compile(r"\d{2}BH(?!0000)\d{4}[A-HJ-NP-Z]{1,2}", re.ASCII)
# Vintage vehicles (rule 81A of the Central Motor Vehicles Rules): state, VA, two letters, number.
_VINTAGE_SERIES = re.compile(r"([A-Z]{2})(VA)([A-HJ-NP-Z]{2})(\d{1,4})", re.ASCII)
# New vehicles until they are registered for good: T, month and year, state, number, one or two letters.
_TEMPORARY = re.compile(r"T(0[1-9]|1[0-2])(\d{2})([A-Z]{2})(?!0000)\d{4}[A-HJ-NP-Z]{1,2}", re.ASCII)
# Before that, and in some states still, the office's series ended with TR: TS 07 GK TR 1234.
_STATES_TEMPORARY = re.compile(r"([A-Z]{2})(\d{1,2})([A-HJ-NP-Z]{2}TR)(\d{1,4})", re.ASCII)
_OF_STATES = (_STATE_SERIES, _VINTAGE_SERIES, _STATES_TEMPORARY)
_CHASSIS = re.compile(r"[A-HJ-NPR-Z0-9]{17}", re.ASCII)
_ENGINE = re.compile(r"[A-Z0-9/-]{5,20}", re.ASCII)


def _compact(text: str) -> str:
    return re.sub(r"[\s.-]", "", on_a_keyboard(text)).upper()


def rc_number(text: str) -> str:
    """A registration number in its canonical form ('ts 9 ea 123' is TS09EA0123); raises ValueError."""
    compact = _compact(text)
    temporary = _TEMPORARY.fullmatch(compact)
    if _BHARAT_SERIES.fullmatch(compact) or (temporary and temporary[3] in STATE_CODES):
        return compact
    match = next(filter(None, (form.fullmatch(compact) for form in _OF_STATES)), None)
    if not match or match[1] not in STATE_CODES or match[2] in ("0", "00") or not int(match[4]):
        raise ValueError("Enter a registration number like TS09EA1234")
    return f"{match[1]}{match[2]:0>2}{match[3]}{match[4]:0>4}"


def rc_part(word: str) -> str:
    """What to look for in registration numbers when somebody searches for a word: its canonical form, or its letters
    and digits."""
    try:
        return rc_number(word)
    except ValueError:
        return _compact(word) or word


def chassis_number(text: str) -> str:
    """A 17-character chassis number without I, O and Q; raises ValueError."""
    compact = _compact(text)
    if not _CHASSIS.fullmatch(compact):
        raise ValueError("Enter the 17 characters of the chassis number (no I, O or Q)")
    return compact


def engine_number(text: str) -> str:
    """An engine number of 5 to 20 letters, digits, slashes or dashes; raises ValueError."""
    compact = re.sub(r"\s", "", on_a_keyboard(text)).upper()
    if not _ENGINE.fullmatch(compact):
        raise ValueError("Enter 5 to 20 letters and digits")
    return compact


# `stdnum.in_.gstin` knows only the states up to 37.
_NUMBER = re.compile(r"([0-9]{2})([A-Z]{5}[0-9]{4}[A-Z])[1-9A-Z]Z[0-9A-Z]")
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def gst_number(text: str) -> str:
    """A GST number without blanks and dashes, in capitals; raises ValueError if it cannot be one."""
    compact = re.sub(r"[\s-]", "", on_a_keyboard(text)).upper()
    match = _NUMBER.fullmatch(compact)
    if not match or match[1] not in STATES or not _adds_up(compact, match[2]):
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
