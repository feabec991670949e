"""Names: every class has one of its own, and words that the glossary replaced name nothing any more."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1] / "rental_app"
# What names said once, and what `docs/glossary.md` says instead.
REPLACED = {
    "shelf": "search cache",
    "stock": "search index",
    "offered": "matches, filters",
    "shop": "listings, public",
    "busy": "availability",
    "finding": "eligibility",
    "diary": "customer bookings",
    "bearers": "tokens",
    "turn": "page request, queue, lock",
    "turns": "queues, locks",
    "outside": "safe HTTP",
    "straight": "gone",
    "watch": "metrics",
    "watched": "metrics",
    "frames": "websocket limits, messages",
    "forever": "background",
    "private": "data folder, or who may see it",
    "served": "server-rendered",
    "kept": "page cache, drafts",
    "gate": "auth, middleware",
    "views": "presenters, or what is returned",
    "marks": "favourites and compare",
    "mark": "favourites and compare, or what is done",
    "faults": "errors, failures",
    "fault": "error, failure",
    "instead": "alternatives",
    "taken": "unavailable",
    "wishes": "pending actions",
    "asked": "what is returned",
    "said": "what is returned",
    "given": "what is returned",
    "found": "what is returned",
}
# Whole names that keep such a word, and why.
ALLOWED = {
    **dict.fromkeys(("ShopRequest", "FoundVehicle"), "schemas of the published API"),
    "private_file": "an operation id of the published API",
    **dict.fromkeys(("not_found", "not_found_for_vendors", "NotFoundError"), "HTTP's own word"),
    "outside_hours": "a code of the published API: the hours of a vendor",
    "rc_number_taken": "a code of the published API",
    "read_free_busy": "the calendar standard's own word",
    "PrivateState": "the state of one account",
    "mark_absent": "a no-show is marked, as the button says",
    "mark_no_show": "a no-show is marked, as the button says",
    "is_given": "tells whether a field of the wire was given",
}


@cache
def names() -> list[tuple[str, str, bool]]:
    """Modules, classes, public functions and methods: path, name, whether it is a class."""
    return list(_names())


def _names() -> Iterator[tuple[str, str, bool]]:
    for path in sorted(ROOT.rglob("*.py")):
        where = str(path.relative_to(ROOT))
        yield where, path.stem, False
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                yield where, node.name, True
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                yield where, node.name, False


def words(name: str) -> set[str]:
    spaced = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return set(spaced.split("_"))


def test_every_class_has_a_name_of_its_own() -> None:
    places = defaultdict(set)
    for where, name, is_class in names():
        if is_class:
            places[name].add(where)
    twice = {name: sorted(found) for name, found in places.items() if len(found) > 1}
    assert not twice, f"give one of each a name that says what it holds: {twice}"


def test_nothing_is_named_by_a_word_that_was_replaced() -> None:
    wrong = [
        f'{where}: {name} ("{word}": say {REPLACED[word]})'
        for where, name, _ in names()
        for word in sorted(words(name) & REPLACED.keys())
        if name not in ALLOWED
    ]
    assert not wrong, "\n".join(wrong)


def test_no_exception_outlives_its_name() -> None:
    assert ALLOWED.keys() <= {known for _, known, _ in names()}
