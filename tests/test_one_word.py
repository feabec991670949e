"""What people read says one thing one way."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rental_app.domain.pricing import EXTRA_LABELS
from rental_app.web.parts.reviews.presenter import rated
from tests.support.rows import each

ROOT = Path(__file__).parents[1] / "rental_app"
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
