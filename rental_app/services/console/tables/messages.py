"""The outbox: what was sent to whom, what waits, and what was given up."""

from sqlalchemy import and_, case, func, join
from sqlmodel import Session, col

from rental_app.models import Booking, Outbox, User
from rental_app.services.accounts.actor import Actor
from rental_app.services.console.table import Action, Column, Decision, Filter, Option, Table
from rental_app.services.operating import messages as operating

WAITS, SENT, GIVEN_UP, DROPPED = "Waits", "Sent", "Given up", "Dropped"
IS_GIVEN_UP = and_(col(Outbox.due_at).is_(None), col(Outbox.sent_at).is_(None), col(Outbox.error) != "")
_STATE = case(
    (col(Outbox.due_at).is_not(None), WAITS),
    (col(Outbox.sent_at).is_not(None), SENT),
    (col(Outbox.error) != "", GIVEN_UP),
    else_=DROPPED,
)
_TO = case(
    (col(Outbox.to) != "", col(Outbox.to)),
    (col(Outbox.channel) == "sms", func.coalesce(col(User.phone_number), "")),
    else_=func.coalesce(col(User.email), ""),
)
_WROTE = join(Outbox, User, col(Outbox.user_id) == col(User.id), isouter=True)


def _resend(session: Session, actor: Actor, chosen: Decision) -> str:
    return operating.resend(session, actor, chosen.row)


TABLE = Table(
    name="messages",
    title="Messages",
    one="message",
    under="to",
    subject="message",
    versioned=True,
    key=col(Outbox.id),
    source=_WROTE.outerjoin(Booking, col(Outbox.booking_id) == col(Booking.id)),
    columns=(
        Column("kind", "Message", col(Outbox.kind), "code", sortable=True),
        Column("to", "To", _TO),
        Column("person", "Person", func.coalesce(col(User.name), "")),
        Column("channel", "By", col(Outbox.channel)),
        Column("reference", "Booking", func.coalesce(col(Booking.reference), "")),
        Column("made", "Written", col(Outbox.created_at), "moment", sortable=True),
        Column("tries", "Tries", col(Outbox.tries), "number", sortable=True),
        Column(
            "state",
            "State",
            _STATE,
            "state",
            tones={WAITS: "waits", SENT: "good", GIVEN_UP: "bad", DROPPED: "plain"},
        ),
        Column("sent", "Sent", col(Outbox.sent_at), "moment", listed=False),
        Column("due", "Next try", col(Outbox.due_at), "moment", listed=False),
        Column("error", "What went wrong", col(Outbox.error), listed=False),
    ),
    sort="-made",
    search=(col(Outbox.kind), col(Outbox.to), col(User.name), col(User.email), col(Booking.reference)),
    filters=(
        Filter(
            "state",
            "State",
            (
                Option("given_up", GIVEN_UP, IS_GIVEN_UP),
                Option("waits", WAITS, col(Outbox.due_at).is_not(None)),
                Option("sent", SENT, col(Outbox.sent_at).is_not(None)),
                Option("dropped", DROPPED, _STATE == DROPPED),
            ),
        ),
        Filter(
            "channel",
            "By",
            (
                Option("email", "E-mail", col(Outbox.channel) == "email"),
                Option("sms", "Text", col(Outbox.channel) == "sms"),
            ),
        ),
        Filter("person", "Person", owners=(col(Outbox.user_id),)),
        Filter("booking", "Booking", owners=(col(Outbox.booking_id),)),
    ),
    state="state",
    actions=(Action("resend", "Send again", _resend, frozenset({GIVEN_UP}), key="a"),),
)
