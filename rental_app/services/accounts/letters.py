"""Messages about an account to its owner."""

from sqlmodel import Session

from rental_app.domain import clock
from rental_app.models import Outbox


def tell(
    session: Session, kind: str, user_id: int | None, *, proof_id: int | None = None, to: str = "", note: str = ""
) -> None:
    """Write a message to an account's owner, at another address (`to`) if it is for that; it goes out at once.

    With a `proof_id` it carries that proof's secret. An account of None is nobody's: the message is dropped.
    """
    now = clock.now()
    key = f"{kind} {user_id} {now.isoformat()} {proof_id or to}"
    letter = Outbox(
        key=key, kind=kind, user_id=user_id, proof_id=proof_id, to=to, note=note, created_at=now, due_at=now
    )
    session.add(letter)
    session.flush()
