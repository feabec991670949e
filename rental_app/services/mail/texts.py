"""Texts of the outbox as the gateway takes them."""

import json
from string import Formatter
from typing import NamedTuple

from sqlmodel import Session

from rental_app.content.texts import TEXTS
from rental_app.domain import clock
from rental_app.domain.contacts import INDIA_CODE
from rental_app.infrastructure.settings import settings
from rental_app.models import Outbox, Proof
from rental_app.services.accounts import proofs


class TextMessage(NamedTuple):
    """A text to a number, such as +919876543210: its words, and of which registered template with which values."""

    to: str
    text: str
    template: str
    values: dict[str, str]


def compose_text(session: Session, letter: Outbox) -> TextMessage | None:
    """The text of a row of the outbox; None if it has no recipient, or its proof can no longer be used."""
    if not letter.to:
        return None
    values = {"product": settings().product_name, "host": settings().host, "url": settings().public_url}
    values |= json.loads(letter.note)
    if letter.proof_id is not None:
        proof = session.get(Proof, letter.proof_id)
        if proof is None or not proofs.is_live(proof, clock.now()):
            return None
        values["code" if proofs.is_code(proof) else "token"] = proofs.secret_of(proof)
    template = TEXTS[letter.kind]
    used = {name: values[name] for _, name, _, _ in Formatter().parse(template) if name}
    return TextMessage(f"+{INDIA_CODE}{letter.to}", template.format(**used), letter.kind, used)
