"""Matching free text with labels, tolerant of typing errors."""

from collections.abc import Iterable

from rapidfuzz import fuzz

FUZZY_FROM_LETTERS = 4
FUZZY_RATIO = 75
# What people in India call them, by the catalogue's words for them.
ALSO_CALLED = {
    "Motorcycle": "bike motorbike two wheeler",
    "Scooter": "scooty scootie moped two wheeler",
    "Electric": "ev battery",
    "Car": "four wheeler",
    "Hatchback": "car four wheeler",
    "Sedan": "car four wheeler",
    "SUV": "car four wheeler",
    "MPV": "car four wheeler",
    "Automatic": "gearless",
    "Manual": "geared",
}


def searched_by(*facts: str) -> str:
    """The words something is found by: its facts, and what people call those."""
    said = " ".join(facts)
    called = (names for word, names in ALSO_CALLED.items() if word in said.split())
    return " ".join((said, *called))


def matching(labels: Iterable[str], text: str) -> set[str]:
    """The labels that every word of `text` matches: as a substring or, from four letters on, approximately."""
    left = set(labels)
    for word in text.casefold().split():
        exact = {label for label in left if word in label.casefold()}
        left = exact or {label for label in left if len(word) >= FUZZY_FROM_LETTERS and _near(word, label)}
    return left


def _near(word: str, label: str) -> bool:
    return fuzz.partial_ratio(word, label.casefold()) >= FUZZY_RATIO
