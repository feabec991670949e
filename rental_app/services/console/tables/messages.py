"""The outbox: what was sent to whom, what waits, and what was given up."""

from sqlalchemy import and_, case, func, join
from sqlmodel import col

from rental_app.models import Booking, Outbox, User
from rental_app.services.console.table import (
    Action,
    Column,
    Filter,
    Option,
    RowStanding,
    Table,
    by,
    state_filter,
    state_of,
)
from rental_app.services.operating import acts


class MessageStanding(RowStanding):
    """How a message of the outbox stands."""

    GIVEN_UP = "given_up", "Given up", "bad"
    WAITS = "waits", "Waits", "waits"
    SENT = "sent", "Sent", "good"
    DROPPED = "dropped", "Dropped", "plain"


_IS_GIVEN_UP = and_(col(Outbox.due_at).is_(None), col(Outbox.sent_at).is_(None), col(Outbox.error) != "")
_STATE = state_of(
    (
        (col(Outbox.due_at).is_not(None), MessageStanding.WAITS),
        (col(Outbox.sent_at).is_not(None), MessageStanding.SENT),
        (col(Outbox.error) != "", MessageStanding.GIVEN_UP),
    ),
    MessageStanding.DROPPED,
)
_TO = case(
    (col(Outbox.to) != "", col(Outbox.to)),
    (col(Outbox.channel) == "sms", func.coalesce(col(User.phone_number), "")),
    else_=func.coalesce(col(User.email), ""),
)
_WROTE = join(Outbox, User, col(Outbox.user_id) == col(User.id), isouter=True)


MESSAGES = Table(
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
        Column("channel", "By", col(Outbox.channel), "code"),
        Column("reference", "Booking", func.coalesce(col(Booking.reference), "")),
        Column("made", "Written", col(Outbox.created_at), "moment", sortable=True),
        Column("tries", "Tries", col(Outbox.tries), "number", sortable=True),
        Column("state", "State", _STATE, "state", states=MessageStanding),
        Column("sent", "Sent", col(Outbox.sent_at), "moment", listed=False),
        Column("due", "Next try", col(Outbox.due_at), "moment", listed=False),
        Column("error", "What went wrong", col(Outbox.error), listed=False),
    ),
    sort="-made",
    search=(col(Outbox.kind), col(Outbox.to), col(User.name), col(User.email), col(Booking.reference)),
    filters=(
        state_filter(
            {
                MessageStanding.GIVEN_UP: _IS_GIVEN_UP,
                MessageStanding.WAITS: col(Outbox.due_at).is_not(None),
                MessageStanding.SENT: col(Outbox.sent_at).is_not(None),
                MessageStanding.DROPPED: MessageStanding.DROPPED.value == _STATE,
            }
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
    actions=(Action("resend", "Send again", by(acts.RESEND_MESSAGE), {MessageStanding.GIVEN_UP}, key="a"),),
)
