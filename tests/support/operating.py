"""What tests of operators' acts repeat."""

from email.message import EmailMessage

from sqlalchemy import select
from sqlmodel import col

from rental_app.infrastructure.db import read
from rental_app.models import AuditEntry, Outbox, User
from rental_app.services.mail import messages
from rental_app.services.operating.versions import version_of


def letters(user: User) -> list[str]:
    """What was written to somebody and still holds, subject and text, the oldest first."""
    own = select(col(Outbox.id)).where(col(Outbox.user_id) == user.id, col(Outbox.joined_to).is_(None))
    ids = read(lambda session: list(session.scalars(own.order_by(col(Outbox.id)))))
    made = [read(messages.compose, letter) for letter in ids if letter]
    return [_text(each.message) for each in made if each]


def _text(message: object) -> str:
    if not isinstance(message, EmailMessage):
        return str(message)
    body = message.get_body(("plain",))
    return f"{message['Subject']} {body.get_content() if body else ''}"


def version(kind: str, row_id: int | None) -> str:
    """The version of what an operator looks at."""
    return read(version_of, kind, row_id or 0)


def last_entry() -> AuditEntry:
    """The latest entry of the trail."""
    found = read(lambda session: session.scalars(select(AuditEntry).order_by(col(AuditEntry.id).desc())).first())
    assert found
    return found
