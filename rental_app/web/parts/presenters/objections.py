"""What a customer objects to, and what the vendor has answered, as both read it."""

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.money import counted, format_rupees
from rental_app.schemas.trips import Happening, LedgerLine, TripView
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.presenters.trip_words import entry_label


class Objection(BaseModel):
    """An objection, whether it still stands, and the vendor's answer: '' while there is none."""

    id: int
    about: str
    note: str
    when: str
    open: bool
    photos: list[Link]
    answer: str
    answered: str
    answer_photos: list[Link]


def objections(trip: TripView) -> list[Objection]:
    """What the customer has objected to, oldest first."""
    lines, gone = {line.id: line for line in trip.ledger}, {line.reverses for line in trip.ledger}
    answers = {one.about: one for one in trip.timeline if one.what == EventKind.OBJECTION_ANSWERED}
    raised = [one for one in trip.timeline if one.what == EventKind.OBJECTED]
    return [_objection(one, answers.get(one.id), lines.get(one.entry or 0), gone) for one in raised]


def _objection(
    raised: Happening, answer: Happening | None, line: LedgerLine | None, gone: set[int | None]
) -> Objection:
    return Objection(
        id=raised.id,
        about=f"{entry_label(line)}, {format_rupees(line.amount)}" if line else "The handover as it was noted",
        note=raised.note,
        when=clock.friendly(raised.at),
        open=not line or line.id not in gone,
        photos=_photos(raised.photos, "Photo of the objection"),
        answer=answer.note if answer else "",
        answered=clock.friendly(answer.at) if answer else "",
        answer_photos=_photos(answer.photos, "Photo of the answer") if answer else [],
    )


def note_with_photos(event: Happening) -> str:
    """What was said of an event, with the number of its photos, which are shown with the objection."""
    photos = counted(len(event.photos), "photo") if event.photos else ""
    return f"{event.note} ({photos})" if photos else event.note


def _photos(addresses: list[str], name: str) -> list[Link]:
    return [Link(text=f"{name} {place}", href=address) for place, address in enumerate(addresses, start=1)]
