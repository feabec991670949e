"""Documents that prove who a customer is: their kinds and states, which licence covers what, how long they are kept.

Of any number only its last four characters are stored. What is done with the files is in `services/identity`.
"""

import re
from collections.abc import Collection
from datetime import date, timedelta
from enum import StrEnum
from typing import Literal, get_args

from stdnum.exceptions import ValidationError
from stdnum.in_ import aadhaar, pan

from rental_app.domain.characters import on_a_keyboard
from rental_app.domain.clock import full_day
from rental_app.domain.pictures import Shape

IdentityKind = Literal["id", "licence", "work", "residence"]
KINDS: tuple[IdentityKind, ...] = get_args(IdentityKind)
IdDocument = Literal["pan", "aadhaar"]
LicenceClass = Literal["MCWOG", "MCWG", "LMV"]
LICENCE_CLASSES: tuple[LicenceClass, ...] = get_args(LicenceClass)
PapersMode = Literal["off", "optional", "required"]
KIND_LABELS: dict[IdentityKind, str] = {
    "id": "Government ID",
    "licence": "Driving licence",
    "work": "Work proof",
    "residence": "Residence proof",
}
DOCUMENT_LABELS: dict[str, str] = {"pan": "PAN card", "aadhaar": "Masked Aadhaar"}
CLASS_LABELS: dict[LicenceClass, str] = {
    "MCWOG": "Two-wheeler without gears (MCWOG)",
    "MCWG": "Two-wheeler with gears (MCWG)",
    "LMV": "Car (LMV)",
}
# What each class allows to ride or drive.
_COVERS: dict[str, frozenset[str]] = {
    "MCWOG": frozenset({"MCWOG"}),
    "MCWG": frozenset({"MCWG", "MCWOG"}),
    "LMV": frozenset({"LMV"}),
}
_CARS: frozenset[Shape] = frozenset({"hatchback", "sedan", "suv", "mpv", "electric-car"})
_SCOOTERS: frozenset[Shape] = frozenset({"scooter", "electric-scooter"})
# What a handover calls the kinds (`schemas.readings.Paper`).
AT_HANDOVER: dict[IdentityKind, str] = {
    "id": "government_id",
    "licence": "licence",
    "work": "work_proof",
    "residence": "residence_proof",
}


class IdentityState(StrEnum):
    """How a document stands; operators alone accept one."""

    SENT = "sent"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    EXPIRED = "expired"


class RefusalReason(StrEnum):
    """Why an operator refuses a document, in one word; its owner reads `REFUSAL_WORDS`. Other reasons are typed."""

    UNREADABLE = "unreadable"
    OTHERS = "others"
    UNMASKED = "unmasked"
    EXPIRED = "expired"
    WRONG_DOCUMENT = "wrong_document"


REFUSAL_WORDS: dict[str, str] = {
    RefusalReason.UNREADABLE: "It is upside down, cut off or cannot be read",
    RefusalReason.OTHERS: "It is somebody else's: the name differs from the name of your account",
    RefusalReason.UNMASKED: "It shows a whole Aadhaar number: we have erased it, please send the masked Aadhaar",
    RefusalReason.EXPIRED: "It has expired",
    RefusalReason.WRONG_DOCUMENT: "It is not the document we asked for",
}

MAX_FILES = 4
# Of a PDF so many pages are turned into pictures; nothing else of it is stored.
MAX_PAGES = 4
# Of a number.
SHOWN_CHARACTERS = 4
LATEST_LOOKS = 50
# From the confirmation until so long after the return, or the end of a booking whose vehicle was never picked up.
PICTURES_AFTER = timedelta(hours=24)
# Retention.
REFUSED_FOR = timedelta(days=7)
EXPIRED_FOR = timedelta(days=30)
# After the later of the owner's last booking and the last time they sent a document.
UNUSED_FOR = timedelta(days=365)
DAYS_BEFORE_EXPIRY = (30, 7, 1)
# A licence holds for 20 years or to the age of 40, longer than that only by a typing error.
MOST_YEARS = 40

# Groups of four digits, as Aadhaar numbers are printed. Sixteen digits are a virtual ID, which a masked Aadhaar shows.
_GROUPS = re.compile(r"(?<!\d)\d{4}(?:[ \u00a0-]?\d{4}){2,}(?!\d)", re.ASCII)
_NO_DIGIT = re.compile(r"[^0-9]")
AADHAAR_DIGITS = 12
HOW_TO_MASK = (
    "Send the masked Aadhaar, which shows the last four digits alone: at myaadhaar.uidai.gov.in choose"
    " Download Aadhaar, then Masked Aadhaar"
)
UNMASKED = f"This shows a whole Aadhaar number, so it was not stored. {HOW_TO_MASK}, or a PAN card"


def has_whole_aadhaar(text: str) -> bool:
    """Whether a text has twelve digits that are an Aadhaar number, in one piece or in groups of four."""
    return any(aadhaar.is_valid(digits) for digits in map(_digits, _GROUPS.findall(text)))


def is_like_aadhaar(number: str) -> bool:
    """Whether a number has the form of a whole Aadhaar number, right or mistyped."""
    typed = on_a_keyboard(number).strip()
    return len(_digits(typed)) == AADHAAR_DIGITS and bool(re.fullmatch(r"[\d\s-]+", typed, re.ASCII))


def _digits(text: str) -> str:
    return _NO_DIGIT.sub("", text)


def pan_ends(number: str) -> str:
    """The last four characters of a PAN, typed alone or with the rest; raises ValueError for what is none."""
    plain = on_a_keyboard(number).strip().upper()
    if re.fullmatch(r"\d{3}[A-Z]", plain, re.ASCII):
        return plain
    try:
        return ends_of(pan.validate(plain))
    except ValidationError:
        raise ValueError("Enter the last four characters of the PAN, such as 234F") from None


def aadhaar_ends(number: str) -> str:
    """The last four digits of a masked Aadhaar, typed alone or after crosses; raises ValueError for anything else."""
    typed = re.fullmatch(r"[xX*\s-]*(\d{4})", on_a_keyboard(number).strip(), re.ASCII)
    if not typed:
        raise ValueError("Enter the last four digits of your Aadhaar")
    return typed[1]


def licence_ends(number: str) -> str:
    """The last four digits of a licence's number, typed alone or with the rest; raises ValueError for what cannot be
    one."""
    plain = re.sub(r"[\s/-]", "", on_a_keyboard(number)).upper()
    if re.fullmatch(r"\d{4}", plain, re.ASCII):
        return plain
    if not re.fullmatch(r"[A-Z]{2}[A-Z0-9]{6,18}", plain, re.ASCII) or not re.search(r"\d{4}$", plain):
        raise ValueError("Enter the last four digits of the licence's number, such as 2345")
    return ends_of(plain)


def ends_of(number: str) -> str:
    """What is stored of a number."""
    return number[-SHOWN_CHARACTERS:]


def class_needed(shape: str, transmission: str) -> LicenceClass:
    """The class of licence that a vehicle takes, by its model's drawing and transmission."""
    if shape in _CARS:
        return "LMV"
    return "MCWOG" if shape in _SCOOTERS or transmission == "Automatic" else "MCWG"


def covers(classes: Collection[str], needed: LicenceClass) -> bool:
    """Whether a licence with some classes allows to ride or drive what takes a class; unknown ones allow nothing."""
    return any(needed in _COVERS.get(each, frozenset()) for each in classes)


def class_problem(classes: Collection[str], needed: LicenceClass, vehicle: str, whose: str = "Your") -> str:
    """What is wrong with a licence for a vehicle by its classes; '' when nothing is."""
    if covers(classes, needed):
        return ""
    return f"{whose} licence ({', '.join(classes)}) does not cover the {vehicle}. It needs: {CLASS_LABELS[needed]}"


def expiry_problem(valid_until: date | None, last_day: date, vehicle: str, whose: str = "Your") -> str:
    """What is wrong with a licence for a rental that ends on an Indian day; '' when nothing is."""
    if valid_until is None or valid_until >= last_day:
        return ""
    days = (full_day(valid_until), full_day(last_day))
    return f"{whose} licence is valid until {days[0]}, and the {vehicle} comes back on {days[1]}"


def names_of(kinds: Collection[IdentityKind]) -> str:
    """Some kinds in words: 'driving licence and work proof'."""
    words = [KIND_LABELS[kind] for kind in KINDS if kind in kinds]
    lowered = [word if word.startswith("Government ID") else word[0].lower() + word[1:] for word in words]
    return " and ".join(filter(None, (", ".join(lowered[:-1]), *lowered[-1:])))
