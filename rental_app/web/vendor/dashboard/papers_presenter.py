"""Papers that expire, as the vendor's pages show them."""

from datetime import date

from pydantic import BaseModel

from rental_app.domain.papers import expiry_effect, expiry_note
from rental_app.services.fleet.papers import ExpiringPaper


class PaperLine(BaseModel):
    """An expiring paper of a vehicle, with the consequences."""

    vehicle: str
    note: str


def paper_line(paper: ExpiringPaper, today: date) -> PaperLine:
    """A paper as the dashboard lists it."""
    return PaperLine(vehicle=f"{paper.title}, {paper.rc_number}", note=paper_note(paper, today))


def paper_note(paper: ExpiringPaper, today: date) -> str:
    """'Insurance expires in 12 days: ...' with the consequences."""
    return f"{expiry_note(paper.paper, paper.day, today)}: {expiry_effect(paper.day, today, paper.bookings)}"
