"""What a customer, with an account or without, may still answer: what is proposed, the handover, and the account."""

from datetime import datetime

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.account import BOOKED_CHARGES, CHARGES, LedgerKind, is_replaced
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.money import format_rupees
from rental_app.domain.settlement import TIME_TO_OBJECT
from rental_app.schemas.trips import LedgerLine, TripView
from rental_app.web.parts.presenters.trip_words import METHODS, entry_label, line_time


class AccountLine(BaseModel):
    """A line of the account; `photo` is the address of its picture, '' without one."""

    id: int
    label: str
    about: str
    amount: str
    photo: str
    objected: bool
    may_object: bool


class ProposalText(BaseModel):
    """What the vendor proposes, with what it costs, and until when it can be agreed to."""

    id: int
    text: str
    cost: str
    until: str
    total: int


def proposal_text(view: TripView) -> ProposalText | None:
    """What the vendor proposes, if it waits for an answer."""
    offer = view.proposal
    if offer is None:
        return None
    by = f"{format_rupees(abs(offer.extra))} {'more' if offer.extra > 0 else 'less'}" if offer.extra else "nothing more"
    return ProposalText(
        id=offer.id,
        text=offer.text,
        cost=f"It costs {by}: {format_rupees(offer.total)} total.",
        until=clock.friendly(offer.answer_by),
        total=offer.total,
    )


def asks_about_handover(view: TripView) -> bool:
    """Whether the customer has neither confirmed the handover nor objected to it."""
    # An objection to a line of the account says nothing about the handover.
    kinds = {event.what for event in view.timeline if event.entry is None}
    return view.stage == TripStage.OUT and not kinds & {EventKind.ACKNOWLEDGED, EventKind.OBJECTED}


def is_recent(noted: datetime | None, instant: datetime) -> bool:
    """Whether something was noted so lately that the customer may still object to it."""
    return noted is not None and instant <= noted + TIME_TO_OBJECT


def account_lines(view: TripView, instant: datetime) -> list[AccountLine]:
    """Every line, the oldest first."""
    reversed_ids = {line.reverses for line in view.ledger}
    return [
        _line(line, instant, is_open=line.id not in reversed_ids and not _is_agreed(line, view)) for line in view.ledger
    ]


def _is_agreed(line: LedgerLine, view: TripView) -> bool:
    """Whether the customer agreed to a line by booking or cancelling, or it only takes a charge off."""
    by_booking = line.account_kind in BOOKED_CHARGES and line.reverses is None
    by_cancelling = line.kind == LedgerKind.CANCELLATION and view.status == BookingStatus.CANCELLED
    is_off = line.account_kind in CHARGES and line.amount < 0
    return by_booking or by_cancelling or is_off or is_replaced(line.account_kind, status=view.status, stage=view.stage)


def _line(line: LedgerLine, instant: datetime, *, is_open: bool) -> AccountLine:
    about = [line_time(line), METHODS.get(line.method, ""), line.note]
    return AccountLine(
        id=line.id,
        label=entry_label(line),
        about=" · ".join(text for text in about if text),
        amount=format_rupees(line.amount),
        photo=line.photo or "",
        objected=line.objected,
        may_object=is_open and not line.objected and is_recent(line.at, instant),
    )
