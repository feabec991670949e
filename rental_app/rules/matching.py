"""Free text against labels, forgiving of typing errors."""

from collections.abc import Iterable

from rapidfuzz import fuzz

FUZZY_FROM_LETTERS = 4
FUZZY_RATIO = 75


def matching(labels: Iterable[str], text: str) -> set[str]:
    """The labels that every word of `text` fits: as a part of them or, from four letters on, approximately."""
    left = set(labels)
    for word in text.casefold().split():
        exact = {label for label in left if word in label.casefold()}
        left = exact or {label for label in left if len(word) >= FUZZY_FROM_LETTERS and _near(word, label)}
    return left


def _near(word: str, label: str) -> bool:
    return fuzz.partial_ratio(word, label.casefold()) >= FUZZY_RATIO
