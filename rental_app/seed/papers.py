"""Documents of the demo's customer: two that are checked and one that waits for the operator; the fourth is missing."""

import io
import logging
import uuid
from datetime import datetime, timedelta
from typing import Any

from PIL import Image, ImageDraw, ImageFont
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.errors import UnavailableError
from rental_app.domain.identity import KIND_LABELS, IdentityKind, IdentityState
from rental_app.domain.uploads import IDENTITY
from rental_app.models import IdentityPaper, IdentityPaperFile, User
from rental_app.seed.tables import row_id
from rental_app.services.files import storage
from rental_app.services.files.storage import CheckedFile

SIZE, PAPER, INK = (860, 540), "#eef1ea", "#2b3a37"
DECIDED_AFTER = timedelta(hours=6)
SENT, WAITS = timedelta(days=20), timedelta(hours=22)
LICENCE_YEARS = 12

log = logging.getLogger(__name__)


def add_papers(session: Session, now: datetime, customer: User) -> None:
    """Store the documents with pictures that say what they are; without a file store there are none."""
    until = clock.indian_today(now).replace(month=1, day=31)
    until = until.replace(year=until.year + LICENCE_YEARS)
    rows = [
        _paper(customer, "id", now - SENT, document="pan", number_ends="234F"),
        _paper(customer, "licence", now - SENT, number_ends="2345", classes=["MCWG", "LMV"], valid_until=until),
        _paper(customer, "work", now - WAITS, state=IdentityState.SENT, decided_at=None),
    ]
    pictures = [_picture(row, customer.name) for row in rows]
    try:
        with storage.storing(pictures):
            session.add_all(rows)
            session.flush()
            session.add_all(_file(row, picture) for row, picture in zip(rows, pictures, strict=True))
            session.flush()
    except UnavailableError:
        log.warning("the demo's documents could not be stored")


def _paper(customer: User, kind: IdentityKind, sent: datetime, **facts: Any) -> IdentityPaper:
    accepted: dict[str, Any] = {"state": IdentityState.ACCEPTED, "decided_at": sent + DECIDED_AFTER}
    own = {"user_id": row_id(customer), "kind": kind, "name": customer.name, "sent_at": sent}
    return IdentityPaper(**(own | accepted | facts))


def _picture(paper: IdentityPaper, name: str) -> CheckedFile:
    image = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((12, 12, SIZE[0] - 12, SIZE[1] - 12), 28, outline=INK, width=4)
    label = KIND_LABELS[paper.kind]  # type: ignore[index]
    for text, size, height in ((label, 44, 0.2), (name, 40, 0.42), ("SAMPLE", 96, 0.68)):
        pen.text((SIZE[0] / 2, SIZE[1] * height), text, INK, font=ImageFont.load_default(size), anchor="mm")
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=70)
    data, key = stream.getvalue(), f"private/{uuid.uuid4().hex}"
    return CheckedFile(IDENTITY, key, "image/jpeg", len(data), {key: data})


def _file(paper: IdentityPaper, picture: CheckedFile) -> IdentityPaperFile:
    return IdentityPaperFile(
        paper_id=row_id(paper),
        key=picture.key,
        content_type=picture.content_type,
        size=picture.size,
        stored_bytes=picture.stored_bytes,
    )
