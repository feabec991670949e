"""The words of the shop that operators edit: what there is, what comes with the product, and what each may hold.

What is in force is read by `services/words.py`; a key without a version of its own shows what stands here.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from rental_app.content import cover, faq, legal, marketing, numbers
from rental_app.domain.characters import composed, in_sight
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.policies import BOUNDS, FIRST

Value = Any
_IN_BRACES = re.compile(r"\{([^{}\n]*)\}")
# All of C0 and C1 but tabs and line feeds, and half a surrogate pair.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# A Markdown list: it stands alone, or in Markdown.
DOCUMENTS = "documents"
NUMBERS = "numbers"
MOST_LETTERS, MOST_LINE, MOST_MARKDOWN = 2_000, 300, 50_000
MOST_NOTE = 300


class WordsKind(StrEnum):
    """How the words under a key are written."""

    # A list of objects, each with the same parts.
    ROWS = "rows"
    # A list of texts of one line.
    LINES = "lines"
    # An object with one text for each part.
    TEXTS = "texts"
    MARKDOWN = "markdown"
    NUMBERS = "numbers"


class TypedAs(StrEnum):
    """How a part is typed."""

    LINE = "line"
    # Several lines of one text.
    TEXT = "text"
    # A list of texts.
    LIST = "list"
    SWITCH = "switch"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class WordsPart:
    """A part of a row or of an object."""

    name: str
    label: str
    form: TypedAs = TypedAs.LINE
    most: int = MOST_LINE
    # Of a number: what it is about, where that begins; what it counts; and what it decides.
    heading: str = ""
    unit: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """What stands under a key: `shown_on` are the addresses of pages that show it, `least` and `most` bound its rows.

    `check` replaces the check of its kind: it takes the value and the names that may stand in braces, returns the value
    as it is stored, and raises InvalidInputError.
    """

    key: str
    label: str
    kind: WordsKind
    default: Callable[[], Value]
    shown_on: tuple[str, ...]
    about: str = ""
    parts: tuple[WordsPart, ...] = ()
    least: int = 1
    most: int = 60
    check: Callable[[Value, Collection[str]], Value] | None = None

    def checked(self, value: Value, names: Collection[str]) -> Value:
        """A value as it is stored; raises InvalidInputError, whose fields begin with `value`.

        `names` may stand in braces. All texts together are no longer than one may be: the editor is one form.
        """
        stored = self.check(value, names) if self.check else _CHECKS[self.kind](self, value, names)
        if (letters := _letters(stored)) > MOST_MARKDOWN:
            raise _refusal("value", f"At most {MOST_MARKDOWN:,} letters altogether: this has {letters:,}")
        return stored


def _letters(value: Value) -> int:
    """How many letters there are in all the texts of a value."""
    if isinstance(value, str):
        return len(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(map(_letters, parts))


def _refusal(field: str, message: str) -> InvalidInputError:
    return InvalidInputError(message, fields={field: message})


def checked_text(value: Value, field: str, most: int, names: Collection[str] | None, *, lines: bool = False) -> str:
    """A text as it is stored: composed, without white space around it or characters that nobody sees.

    Raises InvalidInputError under the name of the field: no text, blank, longer than `most` letters, of several lines
    (unless `lines`), with control characters, or with a name in braces that is not among `names` (None: braces are
    letters like others).
    """
    if not isinstance(value, str):
        raise _refusal(field, "Write a text")
    text = value.replace("\r\n", "\n").strip()
    if _UNPRINTABLE.search(text) or ("\n" in text and not lines):
        raise _refusal(field, "Control characters are not allowed" if lines else "Write this on one line")
    text = in_sight(composed(text)).strip()
    if not text:
        raise _refusal(field, "Write something here")
    if len(text) > most:
        raise _refusal(field, f"At most {most:,} letters: this has {len(text):,}")
    found = [] if names is None else [name for name in _IN_BRACES.findall(text) if name not in names]
    if found:
        raise _refusal(field, f"There is nothing called {{{found[0][:40]}}}: see the list of names in braces")
    return text


def _text(words: Wording, value: Value, names: Collection[str]) -> str:
    return checked_text(value, "value", MOST_MARKDOWN, names, lines=True)


def _list(value: Value, field: str, least: int, most: int) -> list[Value]:
    if not isinstance(value, list):
        raise _refusal(field, "Send a list")
    if not least <= len(value) <= most:
        raise _refusal(field, f"Keep at least {least}" if len(value) < least else f"At most {most:,}")
    return value


def _lines(words: Wording, value: Value, names: Collection[str]) -> list[str]:
    rows = _list(value, "value", words.least, words.most)
    return [checked_text(text, f"value.{at}", MOST_LINE, _in_plain(names)) for at, text in enumerate(rows)]


def _in_plain(names: Collection[str]) -> set[str]:
    return set(names) - {DOCUMENTS}


def _rows(words: Wording, value: Value, names: Collection[str]) -> list[dict[str, Value]]:
    rows = _list(value, "value", words.least, words.most)
    return [_row(words.parts, row, f"value.{at}", names) for at, row in enumerate(rows)]


def _texts(words: Wording, value: Value, names: Collection[str]) -> dict[str, Value]:
    return _row(words.parts, value, "value", names)


def _row(parts: tuple[WordsPart, ...], row: Value, field: str, names: Collection[str]) -> dict[str, Value]:
    if not isinstance(row, dict):
        raise _refusal(field, "Send an object")
    known = {part.name for part in parts}
    if unknown := next((name for name in row if name not in known), None):
        raise _refusal(field, f"There is no part called {str(unknown)[:40]!r} here")
    return {part.name: _part(part, row.get(part.name), f"{field}.{part.name}", names) for part in parts}


def _part(part: WordsPart, value: Value, field: str, names: Collection[str]) -> Value:
    if part.form == TypedAs.SWITCH:
        if not isinstance(value, bool | None):
            raise _refusal(field, "Send true or false")
        return bool(value)
    if part.form == TypedAs.LIST:
        texts = _list(value if value is not None else [], field, 0, 20)
        # The list of documents fills in for the line that names it.
        return [
            text if text == f"{{{DOCUMENTS}}}" else checked_text(text, f"{field}.{at}", part.most, _in_plain(names))
            for at, text in enumerate(texts)
        ]
    return checked_text(value, field, part.most, _in_plain(names), lines=part.form == TypedAs.TEXT)


_CHECKS: Mapping[WordsKind, Callable[[Wording, Value, Collection[str]], Value]] = {
    WordsKind.ROWS: _rows,
    WordsKind.LINES: _lines,
    WordsKind.TEXTS: _texts,
    WordsKind.MARKDOWN: _text,
}


def _questions() -> Value:
    return [
        {
            "question": each.text,
            "answer": each.answer,
            "points": ["{documents}"] if each is faq.DOCUMENTS else list(each.points),
            "local": each in faq.LOCAL_FAQ,
        }
        for each in faq.FAQ
    ]


def _points(points: tuple[Any, ...]) -> Callable[[], Value]:
    return lambda: [asdict(point) for point in points]


def _numbers() -> tuple[WordsPart, ...]:
    parts, group = [], ""
    for name, wire in numbers.NAMES.items():
        bounds = BOUNDS[wire]
        heading = numbers.GROUPS[bounds.group] if bounds.group != group else ""
        group = bounds.group
        parts.append(
            WordsPart(
                name,
                bounds.label,
                TypedAs.NUMBER,
                30,
                heading=heading,
                unit=numbers.UNITS[bounds.unit],
                hint=bounds.hint,
            )
        )
    return tuple(parts)


_POINT = (WordsPart("title", "Title", most=80), WordsPart("text", "Text", TypedAs.TEXT, 400))
_HOME, _PLACES, _VEHICLE = "/", "/[city_slug]/bike-rentals", "/vehicle-details/[vehicle_id]"
_LISTING = "/list-your-vehicle"
WORDS = (
    Wording(
        "faq",
        "Questions and answers",
        WordsKind.ROWS,
        _questions,
        (_HOME, _PLACES),
        "The home page shows all of them; the pages of localities those that matter on the day.",
        (
            WordsPart("question", "Question", most=150),
            WordsPart("answer", "Answer", TypedAs.TEXT, MOST_LETTERS),
            WordsPart("points", "Points below the answer", TypedAs.LIST),
            WordsPart("local", "Matters on the day: on the pages of localities, too", TypedAs.SWITCH),
        ),
    ),
    Wording(
        DOCUMENTS,
        "Documents to bring",
        WordsKind.LINES,
        lambda: list(faq.DOCUMENTS.points),
        (_HOME, _PLACES, "/vehicle-details/[vehicle_id]/review", "/blog/[post]"),
        "Also on the pages of bookings. Other texts name the list as {documents}.",
        most=10,
    ),
    Wording(
        "house_rules",
        "House rules",
        WordsKind.LINES,
        lambda: list(faq.HOUSE_RULES),
        (_PLACES,),
        most=10,
    ),
    Wording(
        "cover",
        "Cancelling and cover",
        WordsKind.TEXTS,
        lambda: {
            "free": cover.FREE,
            "kept": cover.KEPT,
            "covered": cover.COVERED,
            "notCovered": cover.NOT_COVERED,
            "breakdown": cover.BREAKDOWN,
        },
        (_VEHICLE,),
        parts=(
            WordsPart("free", "When cancelling is free"),
            WordsPart("kept", "What is kept later", most=400),
            WordsPart("covered", "What is covered"),
            WordsPart("notCovered", "What is not"),
            WordsPart("breakdown", "Breakdown: our phone number follows"),
        ),
    ),
    Wording(
        "terms",
        "Terms",
        WordsKind.MARKDOWN,
        lambda: legal.terms().strip(),
        ("/terms",),
        "Each version is named by its day and stays readable for ever; bookings note which one was accepted.",
    ),
    Wording("why", "Why rent with us", WordsKind.ROWS, _points(marketing.WHY), (_HOME,), parts=_POINT, most=4),
    Wording("how", "How to book", WordsKind.ROWS, _points(marketing.HOW), (_HOME,), parts=_POINT, most=6),
    Wording(
        "testimonials",
        "What riders say",
        WordsKind.ROWS,
        _points(marketing.TESTIMONIALS),
        (_HOME,),
        parts=(
            WordsPart("quote", "What they say", TypedAs.TEXT, 400),
            WordsPart("name", "Name", most=60),
            WordsPart("rode", "What they rented", most=100),
        ),
        most=6,
    ),
    Wording(
        "offer_steps",
        "How to use an offer",
        WordsKind.ROWS,
        _points(marketing.OFFER_STEPS),
        ("/offers",),
        parts=_POINT,
        most=6,
    ),
    Wording(
        NUMBERS,
        "Numbers",
        WordsKind.NUMBERS,
        lambda: numbers.written(FIRST),
        (_HOME, _PLACES, _VEHICLE, _LISTING, "/terms", "/blog/[post]"),
        "What cancelling, being late, extras and limits come to. Bookings keep the numbers that they were made under.",
        parts=_numbers(),
        check=lambda value, _: numbers.written(numbers.read(value)),
    ),
)
KEYS: Mapping[str, Wording] = {words.key: words for words in WORDS}
