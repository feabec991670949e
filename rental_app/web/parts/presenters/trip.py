"""A trip in words: what its customer, whoever has a guest's link, and its vendor read on their pages."""

from datetime import datetime, timedelta

from pydantic import BaseModel

from rental_app.content.account_words import METHODS, word_of
from rental_app.domain import account, clock, handover
from rental_app.domain.account import BOOKED_CHARGES, CHARGES, RENT_CHARGE_SIGNS, LedgerKind
from rental_app.domain.booking_events import EventKind, meaning_of
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.counter import CONTINUES, REPLACES, continues
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.domain.settlement import fuel_missing, object_until
from rental_app.schemas.trips import Happening, LedgerLine, ReadingView, TripView
from rental_app.services.bookings.guests import CodeSent
from rental_app.services.bookings.ledger import open_balance
from rental_app.web.parts.presenters.bookings import line_label, note_of
from rental_app.web.parts.presenters.links import vehicle_url, wall_text
from rental_app.web.parts.presenters.texts import Fact, Link, facts, phone_shown

PAPERS = {
    "government_id": "Government ID",
    "licence": "Driving licence",
    "work_proof": "Work proof",
    "residence_proof": "Residence proof",
}


class Reading(BaseModel):
    """A handover or return as it was recorded; only the two sides of the trip can load its photos."""

    at: str
    facts: list[Fact]
    photos: list[Link]


class Objection(BaseModel):
    """An objection, whether it still stands, and the vendor's answer: '' while there is none."""

    id: int
    about: str
    note: str
    when: str
    open: bool
    photos: list[Link]
    answer: str
    answered: str
    answer_photos: list[Link]


class AccountLine(BaseModel):
    """A line of the account; `photo` is the address of its picture, '' without one.

    `may_act` is whether a customer may object to it, or a vendor reverse it. `about` says when and how it was paid; a
    customer reads the `note` there, too.
    """

    id: int
    label: str
    about: str
    note: str
    amount: str
    photo: str
    objected: bool
    may_act: bool


class ProposalText(BaseModel):
    """What the vendor proposes, with what it costs, and until when it can be agreed to."""

    id: int
    text: str
    cost: str
    until: str
    total: int


class Event(BaseModel):
    """Who did what when; only vendors read who."""

    what: str
    who: str
    when: str
    note: str


class ContactLinks(BaseModel):
    """How to reach the other side, and where to meet."""

    phone: str
    phone_shown: str
    whatsapp: str
    address: str
    maps: str


class PickerTimes(BaseModel):
    """Both ends as the pickers take them, the earliest return for an extension, and the vendor's hours."""

    pickup: str
    return_at: str
    earliest: str
    open_time: str
    close_time: str
    closing_days: list[str]


class TripPaper(BaseModel):
    """A paper of a trip to keep, with the name of its file."""

    label: str
    url: str
    file: str


class TripFacts(BaseModel):
    """What the pages of a trip show, of which each page chooses; texts are blank where there is nothing to say.

    `note` is what its customer should know first. `may_object` is about the handover. `calendar` and `receipt` are
    addresses, `papers` the invoice, the notes about it, and the agreement.
    """

    reference: str
    vehicle: str
    vehicle_url: str
    image: str
    status: str
    note: str
    pickup: str
    return_at: str
    prices: list[Fact]
    account: list[AccountLine]
    rent: str
    deposit: str
    vendor: str
    contact: ContactLinks | None
    proposal: ProposalText | None
    handover: Reading | None
    returned: Reading | None
    may_object: bool
    objections: list[Objection]
    history: list[Event]
    other_bookings: list[Link]
    calendar: str
    receipt: str
    papers: list[TripPaper]


def trip_facts(view: TripView, instant: datetime, *, for_customer: bool = True) -> TripFacts:
    """A trip at an instant, as one of its sides reads it."""
    balance = open_balance(view, for_customer=for_customer)
    noted = view.handover.written_at if view.handover else None
    return TripFacts(
        reference=view.reference,
        vehicle=view.car.title,
        vehicle_url=vehicle_url(view.car.id),
        image=view.car.card,
        status=view.status,
        note=note_of(view, instant),
        pickup=clock.friendly(view.pickup),
        return_at=clock.friendly(view.return_at),
        prices=[Fact(label=line_label(line), value=format_rupees(line.amount)) for line in view.lines],
        account=_account_lines(view, instant, for_customer=for_customer),
        rent=balance.rent_text,
        deposit=balance.deposit_text,
        vendor=view.vendor_name,
        contact=_contact(view),
        proposal=_proposal_text(view),
        handover=_reading_text(view.handover),
        returned=_reading_text(view.returned, view.handover),
        may_object=asks_about_handover(view) and noted is not None and instant <= object_until(noted, view.policies),
        objections=_objections(view),
        history=[_event(event, view, for_customer=for_customer) for event in view.timeline],
        other_bookings=_other_bookings(view),
        calendar=f"{view.files}/calendar.ics",
        receipt=f"{view.files}/receipt.pdf" if view.ledger else "",
        papers=_papers(view),
    )


_TAX_PAPERS = {"invoice": "Tax invoice", "credit note": "Credit note", "debit note": "Debit note"}


def _papers(view: TripView) -> list[TripPaper]:
    issued = [
        TripPaper(
            label=f"{_TAX_PAPERS[one.kind]} {one.number}", url=one.url, file=f"{one.number.replace('/', '-')}.pdf"
        )
        for one in view.invoices
    ]
    if not view.ledger:
        return issued
    file = f"agreement-{view.reference}.pdf"
    return [*issued, TripPaper(label="Rental agreement", url=f"{view.files}/agreement.pdf", file=file)]


def picker_times(view: TripView) -> PickerTimes:
    """What pickers need to choose other dates for a trip."""
    return PickerTimes(
        pickup=wall_text(view.pickup),
        return_at=wall_text(view.return_at),
        earliest=wall_text(view.return_at + timedelta(hours=1)),
        open_time=f"{view.hours.open_time:%H:%M}",
        close_time=f"{view.hours.close_time:%H:%M}",
        closing_days=view.closed,
    )


def _entry_label(line: LedgerLine) -> str:
    """What a line of the account is: 'Rent', 'Rent, reversed', or 'Rent, restored' if that was reversed, too."""
    word = word_of(line.kind)
    if line.reverses is None:
        return word
    return f"{word}, reversed" if account.takes_back(line.kind, line.amount) else f"{word}, restored"


def _account_lines(view: TripView, instant: datetime, *, for_customer: bool) -> list[AccountLine]:
    """Every line, the oldest first."""
    gone = {line.reverses for line in view.ledger}
    may_act, comma = (_may_object, " · ") if for_customer else (_may_reverse, ", ")
    return [
        AccountLine(
            id=line.id,
            label=_entry_label(line),
            about=comma.join(filter(None, (*_when_and_how(line), line.note if for_customer else ""))),
            note="" if for_customer else line.note,
            amount=format_rupees(line.amount),
            photo=line.photo or "",
            # To a vendor it matters while the line is in force.
            objected=line.objected and (for_customer or line.id not in gone),
            may_act=line.id not in gone and may_act(line, view, instant),
        )
        for line in view.ledger
    ]


def _when_and_how(line: LedgerLine) -> tuple[str, str]:
    """When a line was written, after the day on which the money was paid if that was an earlier one; and how it was."""
    written = clock.friendly(line.at)
    when = f"{clock.friendly_day(line.paid_on)}, noted {written}" if line.paid_on else written
    return when, METHODS.get(line.method, "")


def _may_object(line: LedgerLine, view: TripView, instant: datetime) -> bool:
    """Whether the customer may object to a line: they have not, did not agree to it by booking or cancelling, it does
    not only take a charge off, and it is recent."""
    by_booking = line.account_kind in BOOKED_CHARGES and line.reverses is None
    by_cancelling = line.kind == LedgerKind.CANCELLATION and view.status == BookingStatus.CANCELLED
    is_off = line.account_kind in CHARGES and line.amount < 0
    is_replaced = account.is_replaced(line.account_kind, status=view.status, stage=view.stage)
    is_agreed = by_booking or by_cancelling or is_off or is_replaced
    return not (line.objected or is_agreed) and instant <= object_until(line.at, view.policies)


def _may_reverse(line: LedgerLine, view: TripView, instant: datetime) -> bool:
    """Whether the vendor may take a line back without asking the customer."""
    lines = ((each.account_kind, each.amount) for each in view.ledger)
    room = view.price - account.total(lines, RENT_CHARGE_SIGNS)
    is_replaced = account.is_replaced(line.account_kind, status=view.status, stage=view.stage)
    return not is_replaced and not account.needs_consent(
        line.account_kind, line.amount, line.reverses, line.at, instant, room
    )


def asks_about_handover(view: TripView) -> bool:
    """Whether the customer has neither confirmed the handover nor objected to it."""
    # An objection to a line of the account says nothing about the handover.
    kinds = {event.what for event in view.timeline if event.entry is None}
    return view.stage == TripStage.OUT and not kinds & {EventKind.ACKNOWLEDGED, EventKind.OBJECTED}


def _contact(view: TripView) -> ContactLinks | None:
    if view.contact is None:
        return None
    return ContactLinks(phone_shown=phone_shown(view.contact.phone), **dict(view.contact))


def _proposal_text(view: TripView) -> ProposalText | None:
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


def code_sent_text(sent: CodeSent, limit: str = "") -> str:
    """Where a code has gone, until when it works, and what else limits it."""
    return f"A code went to {sent.to}. It works until {clock.hour_text(sent.until)}{limit}."


def _reading_text(reading: ReadingView | None, before: ReadingView | None = None) -> Reading | None:
    """A final reading, if there is one; a return is compared with the handover `before` it."""
    if reading is None:
        return None
    missing = fuel_missing(before.fuel_eighths, reading.fuel_eighths) if before else 0
    # When it happened, and when and by whom that was noted if it was later.
    happened = reading.at if reading.noted_at else None
    return Reading(
        at=handover.both_times(happened, reading.written_at, reading.noted_by or "the vendor"),
        facts=facts(
            {
                "Odometer": f"{grouped(reading.odometer)} km",
                "Fuel or charge": ", ".join(filter(None, (eighths(reading.fuel_eighths), fuel_less(missing)))),
                "Helmets": str(reading.helmets),
                "Speeding fines": str(reading.speedings or ""),
                "Documents seen": ", ".join(PAPERS.get(paper, paper) for paper in reading.papers_seen),
            }
        ),
        photos=[Link(text=photo.group, href=photo.url) for photo in reading.photos],
    )


def fuel_less(missing: int) -> str:
    """Missing eighths in words: '4 eighths less than at the handover'; blank for none."""
    return f"{counted(missing, 'eighth')} less than at the handover" if missing else ""


def eighths(count: int) -> str:
    """Fuel or charge as people say it: 'Full', '3/4', '5/8', 'Empty'."""
    words = {0: "Empty", 2: "1/4", 4: "1/2", 6: "3/4", 8: "Full"}
    return words.get(count, f"{count}/8")


def _objections(view: TripView) -> list[Objection]:
    """What the customer has objected to, oldest first."""
    lines, gone = {line.id: line for line in view.ledger}, {line.reverses for line in view.ledger}
    answers = {one.about: one for one in view.timeline if one.what == EventKind.OBJECTION_ANSWERED}
    raised = [one for one in view.timeline if one.what == EventKind.OBJECTED]
    return [_objection(one, answers.get(one.id), lines.get(one.entry or 0), gone) for one in raised]


def _objection(
    raised: Happening, answer: Happening | None, line: LedgerLine | None, gone: set[int | None]
) -> Objection:
    return Objection(
        id=raised.id,
        about=f"{_entry_label(line)}, {format_rupees(line.amount)}" if line else "The handover as it was noted",
        note=raised.note,
        when=clock.friendly(raised.at),
        open=not line or line.id not in gone,
        photos=_photos(raised.photos, "Photo of the objection"),
        answer=answer.note if answer else "",
        answered=clock.friendly(answer.at) if answer else "",
        answer_photos=_photos(answer.photos, "Photo of the answer") if answer else [],
    )


def _photos(addresses: list[str], name: str) -> list[Link]:
    return [Link(text=f"{name} {place}", href=address) for place, address in enumerate(addresses, start=1)]


def _event(event: Happening, view: TripView, *, for_customer: bool) -> Event:
    """An event with when it happened and, if that was later, when and by whom it was noted; its photos are counted, as
    they are shown with their objection."""
    names = {"customer": view.customer_name, "vendor": event.who, "operator": "Support"}
    who = "" if for_customer else "You" if event.yours else names.get(event.by, "")
    by = f"the {event.by}" if for_customer else "you" if event.yours else who
    photos = f"({counted(len(event.photos), 'photo')})" if event.photos else ""
    return Event(
        what=meaning_of(event.what).word,
        who=who,
        when=_paid_on(event, view, by) or handover.both_times(event.happened_at, event.at, by),
        note=f"{event.note} {photos}" if photos else event.note,
    )


def _paid_on(event: Happening, view: TripView, by: str) -> str:
    """The day of the money that an event has noted, and when and by whom that was noted; '' if on the same day."""
    paid = next((line.paid_on for line in view.ledger if line.id == event.entry and line.at == event.at), None)
    noted = f"noted {clock.friendly(event.at)}{f' by {by}' if by else ''}"
    return f"{clock.friendly_day(paid)}, {noted}" if paid else ""


def _other_bookings(view: TripView) -> list[Link]:
    """Links to the booking that this one follows, and to the one that follows it."""
    before = CONTINUES if continues(line.label for line in view.lines) else REPLACES
    after = "In its place" if view.status == BookingStatus.CANCELLED else "Continued as"
    neighbours = ((before, view.follows), (after, view.followed_by))
    # The page of a guest's link that has ended is the home page.
    return [
        Link(text=f"{words} {other.reference}", href=other.page)
        for words, other in neighbours
        if other and other.page != "/"
    ]
