"""Documents of customers for tests."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from fpdf import FPDF
from sqlmodel import delete

from rental_app.domain import clock
from rental_app.domain.identity import IdentityKind, IdentityState
from rental_app.domain.uploads import IDENTITY
from rental_app.infrastructure.db import write
from rental_app.models import IdentityPaper, IdentityPaperFile, User
from rental_app.schemas.identity import IdentityData, IdentityPaperView
from rental_app.schemas.validation import validated
from rental_app.services.files.storage import CheckedFile, storing
from rental_app.services.identity import papers
from tests.support.shop import actor, put

WHOLE_AADHAAR = "2341 2341 2346"
PAN: dict[str, Any] = {"document": "pan", "number": "ABCPE1234F", "name": "Asha Rao"}
LICENCE: dict[str, Any] = {
    "number": "TS09 20110012345",
    "name": "Asha Rao",
    "classes": ["MCWG"],
    "validUntil": "2036-01-31",
}


def written_pdf(text: str) -> bytes:
    """A PDF with a line of text."""
    page = FPDF()
    page.add_page()
    page.set_font("helvetica", size=14)
    page.cell(text=text)
    return bytes(page.output())


def add_paper(user: User, kind: str = "licence", state: str = IdentityState.ACCEPTED, **fields: Any) -> IdentityPaper:
    """Add a document without files."""
    today = clock.indian_today(clock.now())
    licence = {"classes": ["MCWG"], "valid_until": today + timedelta(days=2000), "number_ends": "2345"}
    columns: dict[str, Any] = {"user_id": user.id, "kind": kind, "name": user.name, "state": state}
    columns |= {"document": "pan", "number_ends": "234F"} if kind == "id" else licence if kind == "licence" else {}
    columns |= {"decided_at": None if state == IdentityState.SENT else clock.now()}
    return put(IdentityPaper(**(columns | fields)))


def send(person: User, kind: IdentityKind = "licence", **typed: object) -> IdentityPaperView:
    """Send a document with a file, as its owner."""
    data = validated(IdentityData, {"licence": LICENCE, "id": PAN}.get(kind, {"name": person.name}) | typed)
    key = f"private/{uuid4().hex}"
    file = CheckedFile(IDENTITY, key, "image/jpeg", 1, {key: b"x"})
    with storing([file]):
        return write(papers.send, actor(person), kind, data, [file])


def clear() -> None:
    """Take the demo's documents away."""
    write(lambda session: session.execute(delete(IdentityPaperFile)))
    write(lambda session: session.execute(delete(IdentityPaper)))
