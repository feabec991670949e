"""Messages that operators send again."""

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.models import Outbox, Proof
from rental_app.services import audit
from rental_app.services.accounts import proofs
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.operators import enter

AGAIN = "It is sent again"


def resend(session: Session, actor: Actor, message_id: int) -> str:
    """Send a message again that was given up, or that was sent and did not arrive; what it says is what holds now.

    Returns a message for the operator. Raises ForbiddenError, NotFoundError and ConflictError (`still_waiting`,
    `not_sent`: it did not hold any more; `link_expired`).
    """
    enter(actor)
    locked = select(Outbox).where(col(Outbox.id) == message_id).with_for_update()
    letter = session.scalars(locked.execution_options(populate_existing=True)).first()
    if letter is None:
        raise NotFoundError("There is no such message", code="unknown_message")
    if letter.due_at is not None:
        raise ConflictError("This message waits to be sent anyway", code="still_waiting")
    if letter.sent_at is None and not letter.error:
        raise ConflictError("What this message said did not hold any more", code="not_sent")
    proof = session.get(Proof, letter.proof_id) if letter.proof_id else None
    if letter.proof_id and (proof is None or not proofs.is_live(proof, clock.now())):
        raise ConflictError("The link or code in this message has expired: send a new one", code="link_expired")
    before = {"sent_at": letter.sent_at, "error": letter.error, "tries": letter.tries}
    letter.due_at, letter.sent_at, letter.error, letter.tries, letter.joined_to = clock.now(), None, "", 0, None
    session.flush()
    audit.record(session, actor, Act.MESSAGE_SENT_AGAIN, ("outbox", message_id), about=letter.kind, before=before)
    return AGAIN
