"""The console's queue of work as texts: what waits, and what is decided about."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel

from rental_app.content.art import picture_path
from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.identity import REFUSAL_WORDS, RefusalReason
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.domain.pictures import Picture
from rental_app.services.console.evidence import EvidencePhoto
from rental_app.services.console.lists import ConsoleRow
from rental_app.services.console.parts import PriceStanding
from rental_app.services.console.table import Table
from rental_app.services.console.tables.papers import PROOF
from rental_app.services.console.work import WorkItem, WorkKind
from rental_app.web.operator.action_presenter import ActionView
from rental_app.web.operator.cells_presenter import cell, in_words, moment_text
from rental_app.web.operator.row_presenter import PaperPage, PaperView


class WorkItemView(BaseModel):
    """Something that waits, as a line of the queue."""

    key: str
    kind: str
    id: int
    label: str
    title: str
    note: str
    due: str
    late: bool
    done: str = ""


class KindView(BaseModel):
    """A kind of work, with how much there is of it."""

    name: str
    label: str
    many: str


class FieldView(BaseModel):
    """A fact to look at: the paper that proves it and its number, what it was at the last approval, what was found."""

    name: str
    label: str
    text: str
    kind: str
    was: str
    paper: str
    number: str = ""
    mark: str = ""
    # What is known besides, and whether that speaks against it.
    note: str = ""
    differs: bool = False


class SectionView(BaseModel):
    """The facts that one paper proves; `number` is the key that shows it."""

    title: str
    number: str
    fields: list[FieldView]


class ReadyReason(BaseModel):
    """A reason to choose, by its label: one that the data show (`is_finding`), or one that is given often."""

    label: str
    text: str
    is_finding: bool


class CurrentItemView(BaseModel):
    """What is looked at in the queue."""

    kind: str
    table: str
    id: int
    seen: str
    title: str
    # What a screen reader hears of it as it is come to by a key.
    spoken: str
    under: str
    # The vehicle that it is about: its number and its picture, '' for none.
    plate: str
    picture: str
    position: str
    href: str
    sections: list[SectionView]
    papers: list[PaperView]
    actions: list[ActionView]
    # What the box for the reason is called, and whether every decision asks for one.
    reason_label: str
    always_asked: bool
    ready: list[ReadyReason]


CHOSEN = {
    RefusalReason.UNREADABLE: "Upside down or unreadable",
    RefusalReason.OTHERS: "Somebody else's",
    RefusalReason.EXPIRED: "Expired",
    RefusalReason.WRONG_DOCUMENT: "Wrong document",
}
# What reasons are called that take more words than there is room for.
_SHORT = {REFUSAL_WORDS[reason]: label for reason, label in CHOSEN.items()}
EQUAL, DIFFERS = "equal", "differs"
# What is said often when something is refused.
READY = {
    "listings": ("A photo cannot be read", "A paper has expired", "A paper is missing"),
    "requests": ("We could not reach you to confirm it", "The name differs from the account's"),
    # An unmasked one has a button of its own, which erases it.
    "papers": tuple(REFUSAL_WORDS[reason] for reason in CHOSEN),
    "reviews": ("Insults or threats", "Names or numbers of people", "Not about this trip"),
}
PHOTOS = ("Front", "Left", "Right", "Back", "Tyre", "Engine")
# In the order in which papers are looked at; what none proves comes last.
PROOFS = ("RC", "Insurance", "Pollution", "Odometer Reading", PROOF, "")
_TITLES = {"RC": "Registration (RC)", "Odometer Reading": "Odometer", "": "The rest"}


def plate_of(table: Table, row: ConsoleRow) -> str:
    """The number of the vehicle that a row is about, '' if it is about none."""
    return next((str(row.values[each.name] or "") for each in table.columns if each.kind == "plate"), "")


def picture_of(row: ConsoleRow) -> str:
    """The path of the picture of the vehicle that a row is: its photo, else its model's drawing; '' for other rows."""
    if "shape" not in row.values or "vehicle" not in row.values:
        return ""
    drawn = picture_path(row.values["shape"], row.values["color"], row.values["vehicle"])
    return Picture(row.values["photo"] or drawn).card


def item_view(item: WorkItem, kinds: Mapping[str, WorkKind], now: datetime) -> WorkItemView:
    """A line of the queue."""
    late = item.due < now
    title = in_words(item.title) if item.kind in CODED else item.title
    amount = format_rupees(item.amount) if item.amount else ""
    note = _MACHINES_WORDS.sub("", item.note) if item.kind == "messages" else item.note
    return WorkItemView(
        key=f"{item.kind}-{item.id}",
        kind=item.kind,
        id=item.id,
        label=kinds[item.kind].label,
        title=f"{title} {amount}".rstrip(),
        note=", ".join(part for part in (item.ref, note) if part),
        due=f"{_long(now - item.due)} over" if late else f"due {_soon(item.due, now)}",
        late=late,
    )


def _soon(due: datetime, now: datetime) -> str:
    """The hour of something that is due today, else the day: '11:20 PM', 'Sat 28 Nov'."""
    at, today = clock.indian(due), clock.indian_today(now)
    return clock.hour_text(at) if at.date() == today else clock.friendly_day(at.date(), today)


def _long(gone: timedelta) -> str:
    """How long something is over: '2 h', '3 days'."""
    hours = int(gone / clock.HOUR)
    return f"{max(1, hours)} h" if hours < 24 else counted(hours // 24, "day")


def kinds_shown(
    counts: Mapping[str, int], kinds: Mapping[str, WorkKind], chosen: str
) -> tuple[list[KindView], list[KindView]]:
    """The kinds of work that there is any of, after all of them: the first few, the chosen one among them, and those
    for which there is no room."""
    some = [KindView(name=name, label=PLURALS[name], many=grouped(counts[name])) for name in kinds if counts.get(name)]
    shown = [KindView(name="", label="All", many=grouped(sum(counts.values()))), *some]
    place = next(place for place, kind in enumerate(shown) if kind.name == chosen)
    if place >= FIRST_KINDS:
        shown.insert(FIRST_KINDS - 1, shown.pop(place))
    return shown[:FIRST_KINDS], shown[FIRST_KINDS:]


FIRST_KINDS = 5
# What stands before the words of an error: its class and its number.
_MACHINES_WORDS = re.compile(r"^\w+: (\[Errno -?\d+\] |\d{3} )?")

# What is called by a word of the program's.
CODED = ("messages", "objections")
PLURALS = {
    "listings": "Listings",
    "requests": "Changes",
    "identity": "Documents",
    "objections": "Objections",
    "reviews": "Reviews",
    "messages": "Messages",
    "refunds": "Refunds",
    "bookings": "Blocked",
    "papers": "Expiring",
}


def papers_of(files: Iterable[tuple[int, str, str]]) -> list[PaperView]:
    """The papers of a listing in the order in which they prove its facts, photos as one; files as id, group, type."""
    groups: dict[str, list[PaperPage]] = {}
    for number, group, kind in files:
        name = "Photos" if group in PHOTOS else group
        pages = groups.setdefault(name, [])
        title = group if name == "Photos" else f"{group}, page {len(pages) + 1}"
        pages.append(PaperPage(url=f"/api/operator/files/{number}", name=title, is_picture=kind.startswith("image/")))
    order = [name for name in (*PROOFS, "Photos") if name in groups]
    return [
        PaperView(number=str(position), group=name, label=_called(name, len(groups[name])), files=groups[name])
        for position, name in enumerate(order, 1)
    ]


def evidence_of(photos: Iterable[EvidencePhoto]) -> list[PaperView]:
    """The photos that speak for either side of an objection, by whose they are."""
    groups: dict[str, list[PaperPage]] = {}
    for photo in photos:
        pages = groups.setdefault(photo.of, [])
        name = photo.name or f"{photo.of}, photo {len(pages) + 1}"
        pages.append(PaperPage(url=photo.path, name=name, is_picture=photo.content_type.startswith("image/")))
    return [
        PaperView(number=str(position), group=of, label=f"{of} {len(pages)}", files=pages, recorded=False)
        for position, (of, pages) in enumerate(groups.items(), 1)
    ]


def pictures_of(paper_id: int, many: int) -> list[PaperView]:
    """The pictures of a customer's document."""
    pages = [
        PaperPage(url=f"/api/operator/papers/{paper_id}/pictures/{number}", name=f"Picture {number}", is_picture=True)
        for number in range(1, many + 1)
    ]
    return [PaperView(number="1", group=PROOF, label=_called(PROOF, many), files=pages)] if pages else []


def _called(name: str, many: int) -> str:
    if name == "Photos":
        return f"Photos {many}"
    return f"{name}, {many} pages" if many > 1 else name


def reason_box(actions: Sequence[ActionView]) -> tuple[str, bool]:
    """What the box for the reason is called, and whether every decision asks for one."""
    questions = [action.asks for action in actions]
    label = next((asks[0].label for asks in questions if asks), "")
    return (label if all(questions) else "Told to those it concerns when refused"), all(questions)


def reasons_for(table: str, findings: Iterable[ConsoleRow]) -> list[ReadyReason]:
    """The reasons to refuse a row of a table: those that were found, then those that are given often."""
    reasons = [ReadyReason(label=row.values["title"], text=row.values["reason"], is_finding=True) for row in findings]
    shown = {reason.text for reason in reasons}
    often = [text for text in READY.get(table, ()) if text not in shown]
    return [*reasons, *(ReadyReason(label=_SHORT.get(text, text), text=text, is_finding=False) for text in often)]


def with_findings(sections: Iterable[SectionView], findings: Iterable[ConsoleRow]) -> list[SectionView]:
    """The facts with what the data say against some of them."""
    notes = {row.values["column"]: row.values["note"] for row in findings}
    return [
        section.model_copy(
            update={
                "fields": [
                    field.model_copy(update={"note": notes[field.name], "differs": True})
                    if notes.get(field.name)
                    else field
                    for field in section.fields
                ]
            }
        )
        for section in sections
    ]


def prices_section(prices: Iterable[ConsoleRow]) -> list[SectionView]:
    """The vendor's price for each plan, with the advised one below it; nothing if there are no prices."""
    fields = [_price_field(row.values) for row in prices]
    return [SectionView(title="Prices", number="", fields=fields)] if fields else []


def answer_section(sides: Iterable[ConsoleRow]) -> list[SectionView]:
    """What the vendor answers to an objection, or that there is no answer yet."""
    answers = (row.values for row in sides if row.values["what"] == EventKind.OBJECTION_ANSWERED)
    answer = next(answers, None)
    text, at = (answer["note"], moment_text(answer["at"])) if answer else ("No answer yet", "")
    field = FieldView(name="answer", label="Answers", text=text, kind="text", was="", paper="", note=at)
    return [SectionView(title="The vendor's side", number="", fields=[field])]


def _price_field(price: Mapping[str, Any]) -> FieldView:
    advised = price["recommended"] is not None
    advice = f"advised {format_rupees(price['recommended'])}, at most {format_rupees(price['most'])}" if advised else ""
    state = price["state"]
    standing = "" if state == PriceStanding.USUAL else state.label
    return FieldView(
        name=f"price-{price['plan']}",
        label=price["plan"],
        text=format_rupees(price["price"]),
        kind="money",
        was="",
        paper="",
        note=", ".join(part for part in (standing, advice) if part),
        differs=state == PriceStanding.ABOVE,
    )


def sections_of(
    table: Table, row: ConsoleRow, papers: Sequence[PaperView], before: Mapping[str, Any]
) -> list[SectionView]:
    """The facts of a row by the papers that prove them, those that none proves last."""
    numbers = {paper.group: paper.number for paper in papers}
    by_proof: dict[str, list[FieldView]] = {}
    elsewhere = (table.columns[0].name, table.state, table.under if table.under != "plate" else "")
    for column in table.columns:
        # A plate that nothing proves stands in the head alone; a customer's document has some of its facts only.
        is_blank = cell(column, row.values).faint
        is_shown = not is_blank if column.proof == PROOF else column.proof or (column.kind != "plate" and not is_blank)
        if column.detailed and column.name not in elsewhere and is_shown:
            was = before.get(getattr(column.value, "key", None) or "")
            text = cell(column, row.values)
            by_proof.setdefault(column.proof, []).append(
                FieldView(
                    name=column.name,
                    label=column.label,
                    text=text.text,
                    kind=column.kind,
                    was=f"was {was}" if was is not None else "",
                    paper=column.proof,
                )
            )
    order = [proof for proof in PROOFS if proof in by_proof]
    has_proofs = len(order) > 1
    return [
        SectionView(
            title=_TITLES.get(proof, proof) if has_proofs else "",
            number=numbers.get(proof, ""),
            fields=[field.model_copy(update={"number": numbers.get(proof, "")}) for field in by_proof[proof]],
        )
        for proof in order
    ]
