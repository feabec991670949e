"""Matching free text with labels, tolerant of typing errors."""

import re
from collections.abc import Iterable

from rapidfuzz import fuzz

FUZZY_FROM_LETTERS = 4
FUZZY_RATIO = 75
# What people in India call them, by the catalogue's words for them.
ALSO_CALLED = {
    "Motorcycle": "bike motorbike two-wheeler",
    "Scooter": "scooty scootie moped two-wheeler",
    "Electric": "ev evs battery",
    "Car": "four-wheeler",
    "Hatchback": "car four-wheeler",
    "Sedan": "car four-wheeler",
    "SUV": "car four-wheeler",
    "MPV": "car four-wheeler",
    "Automatic": "gearless",
    "Manual": "geared",
}
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
# "2 wheelers", "two-wheeler" and "2wheeler" alike: a digit alone would be found in the names of models.
_NUMBERED = re.compile(rf"\b([0-9]{{1,2}}|{'|'.join(_NUMBERS)})[ -]?(wheeler|seater)s?\b")


def searched_by(seats: int, *facts: str) -> str:
    """The words something is found by: its facts, what people call those, and how many it seats."""
    said = " ".join(facts)
    called = (names for word, names in ALSO_CALLED.items() if word in said.split())
    return " ".join((said, f"{_in_words(str(seats))}-seater", *called))


def matching(labels: Iterable[str], text: str) -> set[str]:
    """The labels that every word of `text` matches: as a substring, or without a final s, or else approximately."""
    left = set(labels)
    for word in _NUMBERED.sub(lambda said: f"{_in_words(said[1])}-{said[2]}", text.casefold()).split():
        left = _containing(word, left) or _containing(_singular(word), left) or _near(word, left)
    return left


def _in_words(number: str) -> str:
    return _NUMBERS[int(number)] if number.isdecimal() and int(number) < len(_NUMBERS) else number


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) >= FUZZY_FROM_LETTERS else word


def _containing(word: str, labels: set[str]) -> set[str]:
    return {label for label in labels if word in label.casefold()}


def _near(word: str, labels: set[str]) -> set[str]:
    """The labels with this word written as several ("royalenfield"), or else with one that is much like it."""
    if len(word) < FUZZY_FROM_LETTERS:
        return set()
    said = {label: label.casefold().split() for label in labels}
    joined = {label for label, words in said.items() if word in "".join(words)}
    return joined or {label for label, words in said.items() if any(_alike(word, each) for each in words)}


def _alike(word: str, other: str) -> bool:
    return fuzz.ratio(word, other) >= FUZZY_RATIO
