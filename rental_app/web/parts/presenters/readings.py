"""What was read and photographed at the vehicle, and when the deposit comes back, in the same words for both sides."""

from pydantic import BaseModel

from rental_app.domain import handover
from rental_app.domain.money import grouped
from rental_app.schemas.trips import ReadingView
from rental_app.web.parts.presenters.texts import Fact, Link
from rental_app.web.parts.presenters.trip_words import PAPERS, fuel_text


class Reading(BaseModel):
    """A handover or return as it was recorded; only the two sides of the trip can load its photos."""

    at: str
    facts: list[Fact]
    photos: list[Link]


def noted_text(reading: ReadingView) -> str:
    """When the vehicle went out or came back, and when and by whom that was noted if it was later."""
    happened = reading.at if reading.noted_at else None
    return handover.both_times(happened, reading.written_at, reading.noted_by or "the vendor")


def reading_text(reading: ReadingView | None, before: ReadingView | None = None) -> Reading | None:
    """A final reading, if there is one; a return is compared with the handover `before` it."""
    if reading is None:
        return None
    facts = {
        "Odometer": f"{grouped(reading.odometer)} km",
        "Fuel or charge": fuel_text(reading, before),
        "Helmets": str(reading.helmets),
        "Speeding fines": str(reading.speedings or ""),
        "Documents seen": ", ".join(PAPERS.get(paper, paper) for paper in reading.papers_seen),
    }
    return Reading(
        at=noted_text(reading),
        facts=[Fact(label=label, value=value) for label, value in facts.items() if value],
        photos=[Link(text=photo.group, href=photo.url) for photo in reading.photos],
    )
