"""Words of the shop in the console: as fields of a form, as their pages will show them, and what versions changed."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from rental_app.content import legal
from rental_app.content.figures import filled
from rental_app.content.words import TypedAs, Wording, WordsKind, WordsPart
from rental_app.domain import clock
from rental_app.domain.money import counted
from rental_app.services.words import Version
from rental_app.web.operator.numbers_presenter import EffectView, effects_of, first_value
from rental_app.web.parts.presenters import words as shown_words
from rental_app.web.parts.presenters.words import FaqView, PointView, TestimonialView

# Rows are told apart by what their fields' names begin with.
ONLY, TEXT = "0", "text"
ORDER, SEEN, NOTE = "order", "seen", "note"
HISTORY = 20
_NUMBERED = re.compile(r"[0-9x]{1,20}")
_LINE = WordsPart(TEXT, "Line")
_MARKDOWN = WordsPart(TEXT, "Text, in Markdown", TypedAs.TEXT, 50_000)


class WordsKeyView(BaseModel):
    """A key in the list of all."""

    href: str
    label: str
    about: str
    version: str
    changed: str


class WordsFieldView(BaseModel):
    """A part of a row as it is typed."""

    name: str
    label: str
    form: str
    value: str
    most: int
    heading: str = ""
    unit: str = ""
    hint: str = ""


class WordsRowView(BaseModel):
    """A row of the form; `id` stays while it moves."""

    id: str
    number: int
    fields: list[WordsFieldView]
    is_last: bool = False


class WordsSubject(BaseModel):
    """What is edited: its `page`, if it has one address, the `names` that may stand in braces, and whether its rows are
    `movable`."""

    key: str
    label: str
    about: str
    page: str
    names: list[str]
    movable: bool


class ChangedLine(BaseModel):
    """A line that a version took away (-) or added (+)."""

    sign: str
    text: str


class WordsVersionRow(BaseModel):
    """A version in the list of all."""

    number: int
    title: str
    when: str
    note: str
    in_force: bool
    changes: list[ChangedLine]
    summary: str


class WordsPreview(BaseModel):
    """Words as their pages will show them; a `problem` says why they cannot be saved yet."""

    problem: str = ""
    questions: list[FaqView] = []
    points: list[PointView] = []
    stories: list[TestimonialView] = []
    lines: list[str] = []
    heading: str = ""
    html: str = ""
    effects: list[EffectView] = []
    changes: list[ChangedLine] = []


class WordsConflict(BaseModel):
    """A version that was saved elsewhere while this form was open, beside what was typed here."""

    version: int
    title: str
    there: list[ChangedLine]
    here: list[ChangedLine]


def subject_of(words: Wording, figures: Mapping[str, str]) -> WordsSubject:
    """What is edited under a key."""
    page = words.shown_on[0]
    names = [] if words.kind == WordsKind.NUMBERS else [f"{{{name}}}" for name in sorted(figures)]
    return WordsSubject(
        key=words.key,
        label=words.label,
        about=words.about,
        page="" if "[" in page else page,
        names=names,
        movable=has_rows(words),
    )


def key_view(words: Wording, version: Version) -> WordsKeyView:
    """A key in the list of all."""
    return WordsKeyView(
        href=f"/operator/words/{words.key}",
        label=words.label,
        about=words.about,
        version=_title(version),
        changed=_changed(version),
    )


def _title(version: Version) -> str:
    name = f" ({version.name})" if version.name else ""
    return f"Version {version.version}{name}" if version.version else f"As it comes with the product{name}"


def _changed(version: Version) -> str:
    return f"{version.who}, {clock.friendly(version.at)}" if version.at else ""


def parts_of(words: Wording) -> tuple[WordsPart, ...]:
    """What a row of the form has."""
    return {WordsKind.LINES: (_LINE,), WordsKind.MARKDOWN: (_MARKDOWN,)}.get(words.kind, words.parts)


def has_rows(words: Wording) -> bool:
    """Whether there are rows to add, to remove and to move."""
    return words.kind in (WordsKind.ROWS, WordsKind.LINES)


def rows_of(words: Wording, value: Any, turn: int) -> list[WordsRowView]:
    """A stored value as the rows of a form; `turn` makes the fields' names new ones."""
    if not has_rows(words):
        return [_row(words, ONLY, 1, {TEXT: value} if words.kind == WordsKind.MARKDOWN else value)]
    return numbered(
        [
            _row(words, f"{turn}x{at}", at + 1, {TEXT: row} if words.kind == WordsKind.LINES else row)
            for at, row in enumerate(value)
        ]
    )


def _row(words: Wording, row_id: str, number: int, values: Mapping[str, Any]) -> WordsRowView:
    fields = [
        WordsFieldView(
            name=f"{row_id}.{part.name}",
            label=part.label,
            form=part.form.value,
            value=_typed(part, values.get(part.name)),
            most=part.most if part.form != TypedAs.LIST else part.most * 20,
            heading=part.heading,
            unit=part.unit,
            hint=f"{part.hint}. {first_value(part.name)}".strip(". ") if words.kind == WordsKind.NUMBERS else "",
        )
        for part in parts_of(words)
    ]
    return WordsRowView(id=row_id, number=number, fields=fields)


def blank_row(words: Wording, row_id: str, number: int) -> WordsRowView:
    """A row to be typed."""
    return _row(words, row_id, number, {})


def _typed(part: WordsPart, value: Any) -> str:
    if part.form == TypedAs.SWITCH:
        return "on" if value else ""
    if part.form == TypedAs.LIST:
        return "\n".join(value or [])
    return str(value if value is not None else "")


def numbered(rows: Sequence[WordsRowView]) -> list[WordsRowView]:
    """Rows counted anew from 1."""
    last = len(rows)
    return [row.model_copy(update={"number": at, "is_last": at == last}) for at, row in enumerate(rows, 1)]


def order_in(form: Mapping[str, str]) -> list[str]:
    """The ids of a form's rows, in their order."""
    return [each for each in form.get(ORDER, "").split(",") if _NUMBERED.fullmatch(each)]


def typed_rows(words: Wording, form: Mapping[str, str]) -> list[WordsRowView]:
    """The rows of a form as they were typed."""
    blank = [_row(words, row_id, 0, {}) for row_id in order_in(form)]
    return numbered(
        [row.model_copy(update={"fields": [_typed_again(each, form) for each in row.fields]}) for row in blank]
    )


def _typed_again(field: WordsFieldView, form: Mapping[str, str]) -> WordsFieldView:
    return field.model_copy(update={"value": form.get(field.name, "")})


def value_in(words: Wording, form: Mapping[str, str]) -> Any:
    """The value that a form says."""
    rows = [
        {part.name: _value(part, form.get(f"{row_id}.{part.name}", "")) for part in parts_of(words)}
        for row_id in order_in(form)
    ]
    if words.kind == WordsKind.LINES:
        return [row[TEXT] for row in rows]
    if words.kind == WordsKind.ROWS:
        return rows
    only = rows[0] if rows else {}
    return only.get(TEXT, "") if words.kind == WordsKind.MARKDOWN else only


def _value(part: WordsPart, text: str) -> Any:
    if part.form == TypedAs.SWITCH:
        return text != ""
    return [line.strip() for line in text.splitlines() if line.strip()] if part.form == TypedAs.LIST else text


def errors_at(words: Wording, fields: Mapping[str, str], order: Sequence[str]) -> dict[str, str]:
    """Refusals by the names of the form's fields; '' has what is wrong with the whole."""
    return {_field_of(words, name, order): message for name, message in fields.items()}


def _field_of(words: Wording, name: str, order: Sequence[str]) -> str:
    first, *others = name.split(".")
    if first != "value":
        return name
    if not has_rows(words):
        return f"{ONLY}.{others[0] if others else TEXT}" if words.kind != WordsKind.MARKDOWN else f"{ONLY}.{TEXT}"
    at = int(others[0]) if others else -1
    if not 0 <= at < len(order):
        return ""
    return f"{order[at]}.{others[1] if len(others) > 1 else TEXT}"


def lines_of(words: Wording, value: Any) -> list[str]:
    """A value as lines to read, and to compare."""
    if words.kind == WordsKind.MARKDOWN:
        return str(value).splitlines()
    if words.kind == WordsKind.LINES:
        return [str(line) for line in value]
    if words.kind == WordsKind.NUMBERS:
        return [f"{part.label}: {_counted(value.get(part.name, ''), part.unit)}" for part in words.parts]
    rows = value if words.kind == WordsKind.ROWS else [value]
    return [line for row in rows for part in words.parts for line in _lines_of(part, row.get(part.name))]


def _counted(value: object, unit: str) -> str:
    return f"₹{value}" if unit == "₹" else f"{value} {unit}".strip()


def _lines_of(part: WordsPart, value: Any) -> list[str]:
    if part.form == TypedAs.SWITCH:
        return [part.label] if value else []
    if part.form == TypedAs.LIST:
        return [f"- {line}" for line in value or []]
    return str(value if value is not None else "").splitlines()


def changes_between(words: Wording, before: Any, after: Any) -> list[ChangedLine]:
    """The lines taken away and added between two values."""
    compared = difflib.unified_diff(lines_of(words, before), lines_of(words, after), n=0, lineterm="")
    return [
        ChangedLine(sign=line[0], text=line[1:])
        for at, line in enumerate(compared)
        # After the two names of the files.
        if at > 1 and line[0] in "+-" and line[1:].strip()
    ]


def history_view(words: Wording, versions: Sequence[Version]) -> list[WordsVersionRow]:
    """The latest versions, each with what it changed."""
    rows = []
    for at, version in enumerate(versions[:HISTORY]):
        before = versions[at + 1].value if at + 1 < len(versions) else version.value
        changes = changes_between(words, before, version.value)
        rows.append(
            WordsVersionRow(
                number=version.version,
                title=_title(version),
                when=_changed(version),
                note=version.note,
                in_force=at == 0,
                changes=changes,
                summary=counted(len(changes), "line changed", "lines changed") if changes else "",
            )
        )
    return rows


def preview_of(words: Wording, value: Any, figures: Mapping[str, str], in_force: Any) -> WordsPreview:
    """A checked value as its pages will show it, and how it differs from what is in force."""
    shown: dict[str, Any] = {"changes": changes_between(words, in_force, value)}
    if words.kind == WordsKind.MARKDOWN:
        shown["heading"], shown["html"] = legal.parted(filled(value, figures))
    elif words.key == "faq":
        shown["questions"] = shown_words.questions_of(value, figures)
    elif words.key == "testimonials":
        shown["stories"] = shown_words.testimonials_of(value, figures)
    elif words.kind == WordsKind.NUMBERS:
        shown["effects"] = effects_of(in_force, value)
    elif words.kind == WordsKind.ROWS:
        shown["points"] = shown_words.points_of(value, figures)
    else:
        shown["lines"] = [filled(line, figures) for line in lines_of(words, value)]
    return WordsPreview(**shown)


def conflict_view(words: Wording, there: Version, typed: Any) -> WordsConflict:
    """What was saved elsewhere, beside what was typed here: the lines that the other lacks are marked."""
    theirs, own = lines_of(words, there.value), lines_of(words, typed)
    return WordsConflict(
        version=there.version,
        title=f"{_title(there)}, {_changed(there)}",
        there=_marked(theirs, own),
        here=_marked(own, theirs),
    )


def _marked(lines: Sequence[str], others: Sequence[str]) -> list[ChangedLine]:
    known = set(others)
    return [ChangedLine(sign="" if line in known else "+", text=line) for line in lines if line.strip()]
