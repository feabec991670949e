"""What operators decide about customers' documents."""

from functools import partial

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.content.messages import DOCUMENT_ACCEPTED, DOCUMENT_REFUSED
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError
from rental_app.domain.identity import KIND_LABELS, REFUSAL_WORDS, IdentityState, RefusalReason
from rental_app.infrastructure.db import on_commit
from rental_app.models import AuditEntry, IdentityPaper
from rental_app.schemas.identity import IdentityDecision
from rental_app.schemas.operating import require_reason
from rental_app.services import audit
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.operators import enter
from rental_app.services.files import storage
from rental_app.services.identity import stored
from rental_app.services.identity.papers import SUBJECT, unknown_paper
from rental_app.services.operating.versions import CHANGED, require_seen

ACCEPTED, REFUSED = "Accepted, and the customer is told", "Refused, and the customer is told why"


def decide(session: Session, actor: Actor, paper_id: int, request: IdentityDecision) -> str:
    """Accept a document that waits, or refuse one; its owner is told, and a refused unmasked one is erased at once.

    Returns a message. Raises ForbiddenError, NotFoundError, InvalidInputError (no reason) and ConflictError
    (`changed_meanwhile` if it was replaced or withdrawn, `already_decided`).
    """
    enter(actor)
    paper = _held(session, paper_id)
    require_seen(session, "papers", paper_id, request.expected)
    reason = _reason_of(request)
    _require_open(paper, request.decision)
    before = {"state": paper.state, "reason": paper.reason}
    paper.state = IdentityState.REFUSED if reason else IdentityState.ACCEPTED
    paper.reason, paper.decided_at = reason, clock.now()
    session.flush()
    if reason and request.reason == RefusalReason.UNMASKED.value:
        on_commit(session, partial(storage.remove, stored.erase_files(session, [paper_id])))
    act = Act.IDENTITY_REFUSED if reason else Act.IDENTITY_ACCEPTED
    after = {"state": paper.state, "reason": paper.reason}
    audit.record(session, actor, act, (SUBJECT, paper_id), about=paper.kind, before=before, after=after)
    label = KIND_LABELS[paper.kind].lower()  # type: ignore[index]
    letter = DOCUMENT_REFUSED if reason else DOCUMENT_ACCEPTED
    tell(session, letter, paper.user_id, note=f"{label}: {reason}" if reason else label)
    return REFUSED if reason else ACCEPTED


def _reason_of(request: IdentityDecision) -> str:
    """Why a document is refused, in words; '' for one that is accepted. Raises InvalidInputError without a reason."""
    if request.decision == "accept":
        return ""
    require_reason(request.reason)
    return REFUSAL_WORDS.get(request.reason, request.reason)


def _held(session: Session, paper_id: int) -> IdentityPaper:
    """The document, locked; raises ConflictError (`changed_meanwhile`) for one that is gone, and NotFoundError for one
    that never was."""
    own = select(IdentityPaper).where(col(IdentityPaper.id) == paper_id).with_for_update()
    if paper := session.scalars(own.execution_options(populate_existing=True)).first():
        return paper
    was = (col(AuditEntry.subject) == SUBJECT, col(AuditEntry.subject_id) == paper_id)
    if session.scalars(select(col(AuditEntry.id)).where(*was).limit(1)).first():
        raise ConflictError(CHANGED, code="changed_meanwhile")
    raise unknown_paper()


def _require_open(paper: IdentityPaper, decision: str) -> None:
    """Raise ConflictError if a decision would change nothing, or is about what has expired."""
    may = {
        "accept": {IdentityState.SENT},
        "refuse": {IdentityState.SENT, IdentityState.ACCEPTED},
    }
    if paper.state not in may[decision]:
        raise ConflictError(f"This document is {paper.state}: that cannot be decided about it", code="already_decided")
