"""Names and words: every class has a name of its own, replaced words stay away, and one thing is said one way."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rental_app.domain.pricing import EXTRA_LABELS
from rental_app.web.parts.reviews.presenter import rated
from tests.support.rows import each

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


# What a value has been through, as the name of a local, a parameter or a field: the name says what the value is.
UNTELLING = {"asked", "found", "given", "kept", "known", "mine", "said", "told", "wish"}
CLEAN = ("domain", "infrastructure", "models", "seed", "services")


def bound(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name that a module gives to something, in whatever scope, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


@each("room", CLEAN)
def test_names_say_what_a_value_is(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, name in bound(ast.parse(path.read_text()))
        if name.strip("_").lower() in UNTELLING
    ]
    assert not wrong, "\n".join(wrong)


# What was said otherwise before, with the word for it.
RETIRED = {
    r"\be-mail": "email",
    r"\bsign in\b": "log in",
    r"\bin all\b": "total",
    r"\btoo\b.*\bAround|^Around ": "Include nearby areas",
    r"\b[Pp]apers\b": "documents",
    r"\bLook at this vehicle|\bSee vehicle": "View vehicle",
    r"\bKeep the return": "Don't extend",
    r"\bAll that happened|\bTimeline": "History",
    r"\bDrop-off at your place|\bDelivery to me": "Deliver to me",
    r"\bPickup from your place": "Collect from me",
    r"\belectric and\b": "electric vehicles",
    r"come with the confirmation": "the address is shown before",
    r"\b[Ss]tudents?\b": "a proof that one works is asked of everybody",
}
READ = ("web", "content", "domain", "services", "schemas", "ssr", "seed")


def docstrings(tree: ast.AST) -> set[int]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    first = [node.body[0] for node in ast.walk(tree) if isinstance(node, kinds) and node.body]
    return {id(line.value) for line in first if isinstance(line, ast.Expr)}


@cache
def texts() -> list[tuple[str, str]]:
    """Every text that may be read by people, with where it stands."""
    return list(_texts())


def _texts() -> Iterator[tuple[str, str]]:
    for path in sorted(path for part in READ for path in (ROOT / part).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        comments = docstrings(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in comments:
                continue
            # Names of steps, fields and the like are one word in lower case.
            if " " in node.value.strip() or node.value[:1].isupper():
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value
    # In reviews people speak as they like.
    for path in [*(ROOT / "content").rglob("*.md"), ROOT / "seed" / "vendors.toml"]:
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


# Said to the log, or the name of a lock or of a source of random numbers.
UNREAD = re.compile(r"^papers |^%|SELECT |sqlite")


@each(("retired", "word"), list(RETIRED.items()))
def test_retired_words_stay_away(retired: str, word: str) -> None:
    found = {where: text for where, text in texts() if re.search(retired, text) and not UNREAD.search(text)}
    assert not found, f"say it as everywhere: {word}"


def test_what_is_delivered_and_how_many_rated_it() -> None:
    assert (EXTRA_LABELS["drop_off"], EXTRA_LABELS["pick_up"]) == ("Deliver to me", "Collect from me")
    assert (rated(17, 4), rated(5, 1), rated(0, 0)) == ("4.3 of 5 from 4 reviews", "5.0 of 5 from 1 review", "")
    assert rated(43_217, 10_000) == "4.3 of 5 from 10,000 reviews"
