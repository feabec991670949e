"""Documents by which customers prove who they are, as their owner sees them, and the vendor of a booking."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from urllib.parse import urlencode

from pydantic import BaseModel

from rental_app.content.faq import DOCUMENTS
from rental_app.domain import clock
from rental_app.domain.identity import AT_HANDOVER, KIND_LABELS, IdentityKind, IdentityState
from rental_app.schemas.identity import (
    BookingPapersAnswer,
    BookingPaperView,
    IdentityPapersAnswer,
    IdentityPaperView,
    NeededFor,
)
from rental_app.web.parts.presenters.texts import Fact, Link

# As they are listed, the one that is asked for first in front.
TITLES: dict[IdentityKind, str] = {
    "licence": "Driving licence",
    "id": "Government ID",
    "work": "Working-professional proof",
    "residence": "Residential proof",
}
ABOUT: dict[IdentityKind, str] = {
    "licence": "Both sides, so that the classes of vehicles can be read",
    "id": "PAN card or masked Aadhaar",
    "work": "Such as a company ID card or an offer letter",
    "residence": "Such as a rental agreement or a recent electricity bill",
}
_DOCUMENTS = {"pan": "PAN", "aadhaar": "Aadhaar"}
_BADGES = {
    IdentityState.ACCEPTED: "Accepted",
    IdentityState.SENT: "Sent",
    IdentityState.REFUSED: "Refused",
    IdentityState.EXPIRED: "Expired",
}
_COUNT = len(TITLES)
# Where documents are sent.
_ACCOUNT = "/account"
# What the documents that come with the product prove; what others prove is not known.
_BROUGHT: dict[str, str] = dict(zip(DOCUMENTS.points, ("id", "licence", "work", "residence"), strict=True))


class DocumentRow(BaseModel):
    """A document as its owner sees it, at its `place` among all kinds; `reason` is why it was refused.

    `id` is 0 and `state` blank for one that was not sent.
    """

    kind: str
    place: int
    title: str
    about: str
    id: int = 0
    note: str = ""
    state: str = ""
    badge: str = ""
    reason: str = ""
    facts: list[Fact] = []
    pictures: list[Link] = []


class DocumentsCard(BaseModel):
    """What a booking that is ahead still needs; `states` are those of all kinds, what is done first, `kind` is what is
    asked for next, '' for nothing."""

    title: str
    count: str
    text: str
    states: list[str]
    kind: str
    button: str


class Documents(BaseModel):
    """All about somebody's documents."""

    rows: list[DocumentRow]
    card: DocumentsCard | None
    looks: list[Fact]
    looked: str


class BroughtDocument(BaseModel):
    """A document to bring, what it proves ('' if that is not known), and whether we have accepted it."""

    kind: str
    text: str
    checked: bool


class DocumentsNote(BaseModel):
    """How documents stand before a booking or a pickup: `checked` are the kinds that we have accepted.

    `href` leads to where the rest is sent, and back from there; `holds` is whether the booking waits for that.
    """

    count: str
    text: str
    checked: list[str]
    action: str
    href: str
    holds: bool


def documents(answer: IdentityPapersAnswer, instant: datetime) -> Documents | None:
    """Somebody's documents at an instant; where none are taken, those that were sent before, None without any."""
    by_kind = {paper.kind: paper for paper in answer.papers}
    kinds = [kind for kind in TITLES if kind in by_kind or answer.mode != "off"]
    if not kinds:
        return None
    needed = answer.needed_for
    return Documents(
        rows=[_row(kind, by_kind.get(kind), needed, instant) for kind in kinds],
        card=_card(answer, needed) if needed else None,
        looks=[Fact(label=f"{TITLES[look.kind]}: {look.who}", value=clock.friendly(look.at)) for look in answer.looks],
        looked=_looked(answer, instant),
    )


def _looked(answer: IdentityPapersAnswer, instant: datetime) -> str:
    if not answer.looks:
        return "Nobody yet"
    last = answer.looks[0]
    return f"{last.who}, {clock.day_or_today(last.at, instant)}"


def _row(
    kind: IdentityKind, paper: IdentityPaperView | None, needed: NeededFor | None, instant: datetime
) -> DocumentRow:
    place = [*TITLES].index(kind) + 1
    if paper is None:
        note = f"Needed for {_day(needed)}" if needed else ABOUT[kind]
        return DocumentRow(kind=kind, place=place, title=TITLES[kind], about=ABOUT[kind], note=note)
    return DocumentRow(
        kind=kind,
        place=place,
        title=TITLES[kind],
        about=ABOUT[kind],
        id=paper.id,
        note=paper.reason or _note(paper, instant),
        state=paper.state,
        badge=_BADGES[paper.state],
        reason=paper.reason,
        facts=_facts(paper),
        pictures=[
            Link(text=f"{TITLES[kind]}, picture {place}", href=f"/api/user/papers/{paper.id}/pictures/{place}")
            for place in range(1, paper.pictures + 1)
        ],
    )


def _note(paper: IdentityPaperView, instant: datetime) -> str:
    """What tells a document from others: 'ends 5518, to 9 May 2034', or when it was sent."""
    ends = f"ends {paper.number_ends}" if paper.number_ends else ""
    until = f"to {_full(paper.valid_until)}" if paper.valid_until else ""
    known = ", ".join(filter(None, (_DOCUMENTS.get(paper.document, ""), ends, until)))
    return known or f"Sent {clock.day_or_today(paper.sent_at, instant)}"


def _facts(paper: IdentityPaperView) -> list[Fact]:
    values = {
        "Name on it": paper.name,
        "What it is": _DOCUMENTS.get(paper.document, ""),
        "Number": f"ends {paper.number_ends}" if paper.number_ends else "",
        "Classes": ", ".join(paper.classes),
        "Valid until": _full(paper.valid_until) if paper.valid_until else "",
        "Sent": clock.friendly(paper.sent_at),
    }
    return [Fact(label=label, value=value) for label, value in values.items() if value]


def _full(day: date) -> str:
    return f"{day:%-d %b %Y}"


def _day(needed: NeededFor) -> str:
    return clock.friendly_day(clock.indian_today(needed.pickup))


def _card(answer: IdentityPapersAnswer, needed: NeededFor) -> DocumentsCard:
    by_kind = {paper.kind: paper.state for paper in answer.papers}
    order = [IdentityState.ACCEPTED, IdentityState.SENT, IdentityState.REFUSED, IdentityState.EXPIRED]
    ranked = sorted(order.index(state) for state in by_kind.values())
    states = [str(order[rank]) for rank in ranked] + [""] * (_COUNT - len(ranked))
    missing = [kind for kind in TITLES if kind in answer.missing]
    first = missing[0] if missing else ""
    return DocumentsCard(
        title=f"Documents for {_day(needed)}",
        count=_accepted(by_kind.values()),
        text=f"{_missing_text(missing)} The {needed.vehicle} is handed over at {clock.hour_text(needed.pickup)}.",
        states=states,
        kind=first,
        button=f"Add {_lowered(TITLES[missing[0]])}" if missing else "",
    )


def _accepted(states: Collection[str]) -> str:
    return f"{sum(state == IdentityState.ACCEPTED for state in states)} of {_COUNT} accepted"


def _missing_text(missing: Collection[IdentityKind]) -> str:
    if not missing:
        return "All are sent. Bring the originals too."
    verb = "is" if len(missing) == 1 else "are"
    return f"{_listed(missing)} {verb} missing."


def _listed(kinds: Collection[IdentityKind]) -> str:
    """Kinds in a sentence: 'Driving licence and residential proof'."""
    *others, last = (TITLES[kind] if place == 0 else _lowered(TITLES[kind]) for place, kind in enumerate(kinds))
    return f"{', '.join(others)} and {last}" if others else last


def _lowered(title: str) -> str:
    return title[0].lower() + title[1:]


def documents_note(answer: IdentityPapersAnswer, back: str) -> DocumentsNote | None:
    """How somebody's documents stand on the page at the address `back`; None where no documents are taken."""
    if answer.mode == "off":
        return None
    missing = [kind for kind in TITLES if kind in answer.missing]
    holds = answer.mode == "required" and bool(missing)
    return DocumentsNote(
        count=_accepted([paper.state for paper in answer.papers]),
        text=_what_to_do(missing, holds=holds),
        checked=[paper.kind for paper in answer.papers if paper.state == IdentityState.ACCEPTED],
        action=f"Add {_lowered(TITLES[missing[0]])}" if missing else "",
        href=f"{_ACCOUNT}?{urlencode({'back': back})}",
        holds=holds,
    )


def brought_documents(points: Sequence[str], checked: Collection[str]) -> list[BroughtDocument]:
    """What to bring to a pickup, in words, with what we have accepted of it."""
    kinds = [_BROUGHT.get(text, "") for text in points]
    return [
        BroughtDocument(kind=kind, text=text, checked=kind in checked) for kind, text in zip(kinds, points, strict=True)
    ]


def _what_to_do(missing: Collection[IdentityKind], *, holds: bool) -> str:
    if holds:
        verb = "is" if len(missing) == 1 else "are"
        return f"{_listed(missing)} {verb} needed before you can send this request. What you have chosen stays."
    originals = "The vendor looks at the originals in any case."
    return f"Add the rest now, or bring it to the pickup. {originals}" if missing else originals


class SeenDocument(BaseModel):
    """A customer's document as the vendor of a booking sees it; `problem` is what is wrong with a licence for it.

    `at_handover` is what the steps of a handover call it.
    """

    id: int
    title: str
    badge: str
    state: str
    problem: str
    at_handover: str
    pictures: list[Link]


class SeenDocuments(BaseModel):
    """All of them, in a line too, and what is said of their pictures; '' for none."""

    rows: list[SeenDocument]
    line: str
    note: str


_SEEN = {
    "checked": ("Checked", "accepted", "checked"),
    "sent": ("Sent", "sent", "not checked yet"),
    "refused": ("Refused", "refused", "refused"),
    "expired": ("Expired", "expired", "expired"),
    "missing": ("Not sent", "", "not sent"),
}
_SHORT: dict[IdentityKind, str] = {
    "licence": "licence",
    "id": "ID",
    "work": "work proof",
    "residence": "residence proof",
}


def seen_documents(answer: BookingPapersAnswer, reference: str, instant: datetime) -> SeenDocuments | None:
    """A customer's documents for the vendor of a booking at an instant; None if there is nothing to see."""
    by_kind = {paper.kind: paper for paper in answer.papers}
    papers = [by_kind[kind] for kind in TITLES if kind in by_kind]
    if not papers:
        return None
    line = ", ".join(f"{_SHORT[paper.kind]} {_SEEN[paper.state][2]}" for paper in papers)
    shows = any(paper.pictures for paper in papers)
    until = f", until {clock.friendly(answer.pictures_until)}" if answer.pictures_until else ""
    note = f"You can look at the pictures{until}. The customer is told of each look." if shows else ""
    return SeenDocuments(rows=[_seen(paper, reference) for paper in papers], line=line[0].upper() + line[1:], note=note)


def _seen(paper: BookingPaperView, reference: str) -> SeenDocument:
    badge, state, _ = _SEEN[paper.state]
    address = f"/api/vendor/bookings/{reference}/papers/{paper.id}/pictures"
    return SeenDocument(
        id=paper.id or 0,
        title=KIND_LABELS[paper.kind],
        badge=badge,
        state=state,
        problem=paper.problem,
        at_handover=AT_HANDOVER[paper.kind],
        pictures=[
            Link(text=f"{KIND_LABELS[paper.kind]}, picture {place}", href=f"{address}/{place}")
            for place in range(1, paper.pictures + 1)
        ],
    )
