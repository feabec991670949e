"""Messages about an account to its owner."""

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.models import Outbox


def tell(
    session: Session,
    kind: str,
    user_id: int | None,
    *,
    proof_id: int | None = None,
    to: str = "",
    note: str = "",
    daily: bool = False,
) -> None:
    """Write a message to an account's owner, at another address (`to`) if it is for that; it goes out at once.

    With a `proof_id` it carries that proof's secret. An account of None is nobody's: the message is dropped. A `daily`
    one is written once a day at most.
    """
    now = clock.now()
    key = f"{kind} {user_id} {clock.indian_today(now) if daily else now.isoformat()} {proof_id or to}"
    if daily and session.scalars(select(col(Outbox.id)).where(col(Outbox.key) == key)).first():
        return
    letter = Outbox(
        key=key, kind=kind, user_id=user_id, proof_id=proof_id, to=to, note=note, created_at=now, due_at=now
    )
    session.add(letter)
    session.flush()
