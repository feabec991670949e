"""What can happen to a booking, and what each event means: whom it is told to, how, and what it is called."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from rental_app.domain.account import LedgerKind

_BOTH = ("customer", "vendor")


class EventKind(StrEnum):
    """What happened; rows and clients have the values, so they stay as they are."""

    REQUESTED = "requested"
    CHANGED = "changed"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    LAPSED = "lapsed"
    CANCELLED = "cancelled"
    VENDOR_CANCELLED = "vendor_cancelled"
    REBOOKED = "rebooked"
    BOOKED = "booked"
    EXTENDED = "extended"
    MOVED = "vehicle_changed"
    PROPOSED = "proposed"
    AGREED = "proposal_agreed"
    PROPOSAL_REFUSED = "proposal_refused"
    PROPOSAL_LAPSED = "proposal_lapsed"
    HANDED_OVER = "handed over"
    ACKNOWLEDGED = "acknowledged"
    OBJECTED = "objected"
    OBJECTION_ANSWERED = "objection_answered"
    PAID = LedgerKind.PAYMENT
    REFUNDED = LedgerKind.REFUND
    DEPOSIT_TAKEN = LedgerKind.DEPOSIT_TAKEN
    DEPOSIT_RETURNED = LedgerKind.DEPOSIT_RETURNED
    REVERSED = "reversed"
    RETURNED = "returned"
    CONTINUED = "continued"
    CHARGED = "charged_later"
    SETTLED = "settled"
    NO_SHOW = "no_show"
    OPERATOR_CANCELLED = "operator_cancelled"
    JUDGED = "objection_judged"
    VENDOR_BLOCKED = "vendor_blocked"
    VENDOR_UNBLOCKED = "vendor_unblocked"


class Standing(NamedTuple):
    """A status of a booking, and some stages."""

    status: str
    stages: tuple[str, ...]


class EventMeaning(NamedTuple):
    """What an event means: its `word` in timelines, and what follows from it.

    `step` is its name among a trip's steps, '' if it is none of them. `recipients` are the sides that get a message,
    whose words are in `content/messages.py`. `valid_while` is the state of the booking in which that message is still
    true, None if it always is.
    """

    word: str
    step: str = ""
    recipients: tuple[str, ...] = ()
    valid_while: Standing | None = None
    # People wait for the message, and it happens once to a booking: the message takes along what waits.
    is_urgent: bool = False
    # May happen to many lines in a row: told after a moment, in one e-mail.
    is_batched: bool = False
    # May happen repeatedly: messages are composed when they are sent, so one message reports the last event.
    is_repeatable: bool = False
    # A new version of the entry in people's calendars.
    moves_calendars: bool = False
    # Whoever works for the vendor is told, too: somebody has to answer, or the day changes.
    for_staff: bool = False
    # The vendor has to answer from then on; the vendor has answered.
    asks_vendor: bool = False
    is_answer: bool = False
    # The trip does not take place.
    is_end: bool = False


# By text, because rows may have events that only a later version knows.
MEANINGS: Mapping[str, EventMeaning] = {
    EventKind.REQUESTED: EventMeaning(
        "Requested",
        step="Requested",
        recipients=_BOTH,
        valid_while=Standing("pending", ("booked",)),
        is_urgent=True,
        for_staff=True,
        asks_vendor=True,
    ),
    EventKind.CHANGED: EventMeaning(
        "Moved to other dates",
        recipients=_BOTH,
        valid_while=Standing("pending", ("booked",)),
        is_repeatable=True,
        moves_calendars=True,
        for_staff=True,
        asks_vendor=True,
    ),
    EventKind.CONFIRMED: EventMeaning(
        "Confirmed",
        step="Confirmed",
        recipients=("customer",),
        valid_while=Standing("confirmed", ("booked",)),
        is_urgent=True,
        moves_calendars=True,
        is_answer=True,
    ),
    EventKind.DECLINED: EventMeaning(
        "Declined", recipients=("customer",), is_urgent=True, moves_calendars=True, is_answer=True, is_end=True
    ),
    EventKind.LAPSED: EventMeaning(
        "Not answered in time", recipients=_BOTH, is_urgent=True, moves_calendars=True, is_end=True
    ),
    EventKind.CANCELLED: EventMeaning(
        "Cancelled", recipients=_BOTH, is_urgent=True, moves_calendars=True, for_staff=True, is_end=True
    ),
    EventKind.VENDOR_CANCELLED: EventMeaning(
        "Cancelled by the vendor", recipients=("customer",), is_urgent=True, moves_calendars=True, is_end=True
    ),
    EventKind.REBOOKED: EventMeaning(
        "Booked in place of another vehicle",
        recipients=("vendor",),
        valid_while=Standing("confirmed", ("booked",)),
        is_urgent=True,
    ),
    EventKind.BOOKED: EventMeaning(
        "Confirmed at once",
        recipients=("vendor",),
        for_staff=True,
        valid_while=Standing("confirmed", ("booked",)),
        is_urgent=True,
    ),
    EventKind.EXTENDED: EventMeaning(
        "Extended",
        recipients=_BOTH,
        valid_while=Standing("confirmed", ("booked", "out")),
        is_repeatable=True,
        moves_calendars=True,
    ),
    EventKind.MOVED: EventMeaning(
        "Moved to another vehicle",
        recipients=("customer",),
        valid_while=Standing("confirmed", ("booked",)),
        moves_calendars=True,
    ),
    EventKind.PROPOSED: EventMeaning(
        "Proposed by the vendor",
        recipients=("customer",),
        valid_while=Standing("confirmed", ("booked", "out", "returned", "settled")),
    ),
    EventKind.AGREED: EventMeaning("Agreed by the customer", recipients=("vendor",)),
    EventKind.PROPOSAL_REFUSED: EventMeaning("Proposal refused", recipients=("vendor",)),
    EventKind.PROPOSAL_LAPSED: EventMeaning("Proposal not answered", recipients=("vendor",)),
    EventKind.HANDED_OVER: EventMeaning("Handed over", step="Picked up"),
    EventKind.ACKNOWLEDGED: EventMeaning("Handover confirmed"),
    EventKind.OBJECTED: EventMeaning("Objection", recipients=("vendor",), is_batched=True, for_staff=True),
    EventKind.OBJECTION_ANSWERED: EventMeaning("Objection answered", recipients=("customer",), is_batched=True),
    EventKind.PAID: EventMeaning("Rent paid"),
    EventKind.REFUNDED: EventMeaning("Rent paid back"),
    EventKind.DEPOSIT_TAKEN: EventMeaning("Deposit taken"),
    EventKind.DEPOSIT_RETURNED: EventMeaning("Deposit given back"),
    EventKind.REVERSED: EventMeaning("Line reversed", recipients=("customer",), is_batched=True),
    EventKind.RETURNED: EventMeaning("Returned", step="Returned", recipients=_BOTH),
    EventKind.CONTINUED: EventMeaning("Continued with another vehicle"),
    EventKind.CHARGED: EventMeaning("Charged after the return", recipients=("customer",), is_batched=True),
    EventKind.SETTLED: EventMeaning("Settled", step="Settled", recipients=_BOTH),
    EventKind.NO_SHOW: EventMeaning(
        "No-show", recipients=("customer",), is_urgent=True, moves_calendars=True, is_end=True
    ),
    EventKind.OPERATOR_CANCELLED: EventMeaning(
        "Cancelled by us", recipients=_BOTH, is_urgent=True, moves_calendars=True, is_end=True
    ),
    EventKind.JUDGED: EventMeaning("Objection decided", recipients=_BOTH, is_batched=True),
    EventKind.VENDOR_BLOCKED: EventMeaning(
        "Vendor blocked", recipients=("customer",), valid_while=Standing("confirmed", ("booked", "out"))
    ),
    EventKind.VENDOR_UNBLOCKED: EventMeaning(
        "Vendor unblocked", recipients=("customer",), valid_while=Standing("confirmed", ("booked", "out"))
    ),
}
# The steps of a trip in their order, by the events that reach them.
STEPS = {kind: MEANINGS[kind].step for kind in EventKind if MEANINGS[kind].step}


def meaning_of(what: str) -> EventMeaning:
    """What an event means; one that only a later version knows is shown by its name, and nothing follows from it."""
    return MEANINGS.get(what) or EventMeaning(what.capitalize())
