"""Documents by which customers prove who they are, as operators look at them; of a number its end is all there is."""

from sqlalchemy import String, case, cast, func, join, select
from sqlmodel import col

from rental_app.domain.identity import DOCUMENT_LABELS, KIND_LABELS, IdentityState
from rental_app.models import IdentityPaper, IdentityPaperFile, User
from rental_app.services.console.table import (
    WHY,
    Action,
    Column,
    Filter,
    Option,
    Related,
    RowStanding,
    Table,
    by,
    state_filter,
)
from rental_app.services.operating import acts

# The group under which its pictures stand beside the facts that they prove.
PROOF = "Document"
WHAT_ERASING_DOES = (
    "It shows a whole Aadhaar number: it is refused, its pictures are erased at once, and the person is told how to"
    " send the masked one."
)


class PaperStanding(RowStanding):
    """How a customer's document stands."""

    SENT = IdentityState.SENT.value, "Waits for you", "waits"
    ACCEPTED = IdentityState.ACCEPTED.value, "Accepted", "good"
    REFUSED = IdentityState.REFUSED.value, "Refused", "bad"
    EXPIRED = IdentityState.EXPIRED.value, "Expired", "plain"


_KIND = case(dict(KIND_LABELS), value=col(IdentityPaper.kind), else_=col(IdentityPaper.kind))
_WHICH = case(DOCUMENT_LABELS, value=col(IdentityPaper.document), else_=col(IdentityPaper.document))
_ENDS = case((col(IdentityPaper.number_ends) == "", ""), else_="..." + col(IdentityPaper.number_ends))
# JSON of both databases as people write a list.
_LISTED = cast(col(IdentityPaper.classes), String)
_CLASSES = case(
    (_LISTED == "[]", ""), else_=func.replace(func.replace(func.replace(_LISTED, '["', ""), '"]', ""), '","', ", ")
)
_FILES = (
    select(func.count())
    .select_from(IdentityPaperFile)
    .where(col(IdentityPaperFile.paper_id) == IdentityPaper.id)
    .correlate(IdentityPaper)
    .scalar_subquery()
)
_STATE = col(IdentityPaper.state)

PAPERS = Table(
    name="papers",
    title="Customers' documents",
    one="document",
    under="person",
    subject="identity_paper",
    versioned=True,
    of=("people", "user"),
    key=col(IdentityPaper.id),
    source=join(IdentityPaper, User, col(IdentityPaper.user_id) == col(User.id)),
    columns=(
        Column("kind", "Document", _KIND),
        Column("person", "Person", col(User.name), sortable=True),
        Column("name", "Name on it", col(IdentityPaper.name), proof=PROOF),
        Column("which", "Which", _WHICH, proof=PROOF),
        Column("ends", "Number ends in", _ENDS, proof=PROOF),
        Column("sent", "Sent", col(IdentityPaper.sent_at), "moment", sortable=True),
        Column("state", "State", _STATE, "state", states=PaperStanding),
        Column("classes", "Classes", _CLASSES, listed=False, proof=PROOF),
        Column("until", "Valid until", col(IdentityPaper.valid_until), "day", listed=False, proof=PROOF),
        Column("reason", "Told to the person", col(IdentityPaper.reason), listed=False),
        Column("decided", "Decided", col(IdentityPaper.decided_at), "moment", listed=False),
        Column("files", "Files", _FILES, "number", listed=False),
        Column("email", "E-mail", col(User.email), listed=False),
        Column("user", "Account", col(IdentityPaper.user_id), "number", listed=False, detailed=False),
    ),
    sort="-sent",
    search=(col(User.name), col(User.email), col(IdentityPaper.name)),
    filters=(
        state_filter({each: each.value == _STATE for each in PaperStanding}),
        Filter(
            "kind",
            "Document",
            tuple(Option(kind, label, col(IdentityPaper.kind) == kind) for kind, label in KIND_LABELS.items()),
        ),
        Filter("person", "Person", owners=(col(IdentityPaper.user_id),)),
    ),
    state="state",
    actions=(
        Action("accept", "Accept", by(acts.DECIDE_PAPER, decision="accept"), {PaperStanding.SENT}, key="a"),
        Action(
            "refuse",
            "Refuse",
            by(acts.DECIDE_PAPER, decision="refuse"),
            {PaperStanding.SENT, PaperStanding.ACCEPTED},
            WHY,
            danger=True,
            key="r",
        ),
        Action(
            "erase",
            "Unmasked",
            by(acts.DECIDE_PAPER, decision="refuse", reason="unmasked"),
            {PaperStanding.SENT, PaperStanding.ACCEPTED},
            danger=True,
            key="e",
            means=lambda _session, _row: WHAT_ERASING_DOES,
        ),
    ),
    related=(Related("audit", "paper", "Audit"),),
)
