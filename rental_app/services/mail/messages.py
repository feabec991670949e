"""The messages of the outbox as they are sent: e-mails to both sides of bookings and about accounts, and texts."""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime, formataddr
from functools import cache
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, Template
from sqlalchemy import bindparam, select
from sqlmodel import Session, col

import rental_app.content
from rental_app.content.figures import filled
from rental_app.content.messages import ACCOUNT_WORDS, CUSTOMER, DAY_DIGEST, VENDOR, WORDS, Words
from rental_app.content.texts import TEXTS
from rental_app.domain import clock, handover, settlement
from rental_app.domain.booking_events import EventKind, Standing, meaning_of
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.characters import without_links
from rental_app.domain.contacts import INDIA_CODE, has_mailbox
from rental_app.domain.money import format_rupees
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, Member, Outbox, Proof, User, Vehicle, snapshots
from rental_app.schemas.bookings import BookingView
from rental_app.services.accounts import proofs
from rental_app.services.accounts.letters import TEXT
from rental_app.services.bookings import events, ledger
from rental_app.services.bookings.guests import page_for
from rental_app.services.bookings.ledger import is_open, open_balance
from rental_app.services.bookings.rows import booking_row, booking_view
from rental_app.services.mail import digest
from rental_app.services.trips import papers
from rental_app.services.words import figures


class TextMessage(NamedTuple):
    """A text to a number, such as +919876543210: its words, and of which registered template with which values."""

    to: str
    text: str
    template: str
    values: dict[str, str]


def compose_text(session: Session, letter: Outbox) -> TextMessage | None:
    """The text of a row of the outbox; None if it has no recipient, or its proof can no longer be used."""
    if not letter.to:
        return None
    values = {"product": settings().product_name, "host": settings().host, "url": settings().public_url}
    values |= json.loads(letter.note)
    if letter.proof_id is not None:
        proof = session.get(Proof, letter.proof_id)
        if proof is None or not proofs.is_live(proof, clock.now()):
            return None
        values["code" if proofs.is_code(proof) else "token"] = proofs.secret_of(proof)
    template = TEXTS[letter.kind]
    used = {name: values[name] for _, name, _, _ in Formatter().parse(template) if name}
    return TextMessage(f"+{INDIA_CODE}{letter.to}", template.format(**used), letter.kind, used)


_VENDOR = select(col(Vehicle.vendor_id)).where(col(Vehicle.id) == bindparam("vehicle"))
Facts = list[tuple[str, str]]
MINUTES_TO_SAY, HOURS_TO_SAY = 90, 48
# These come after the trip: there is nothing left to put in a calendar.
ABOUT_REVIEWS = ("review_wanted", "reviewed", "review_answered")
# How a booking must stand for a reminder to be still true, as events say it of themselves.
REMINDED_WHILE = {
    "before_pickup": Standing(BookingStatus.CONFIRMED, (TripStage.BOOKED,)),
    "before_return": Standing(BookingStatus.CONFIRMED, (TripStage.OUT,)),
}


class ComposedMessage(NamedTuple):
    """An e-mail or a text, and the ids of the rows of the outbox that it reports."""

    message: EmailMessage | TextMessage
    letters: list[int]


def compose(session: Session, letter_id: int) -> ComposedMessage | None:
    """The text of a row of the outbox, or its e-mail and that of those joined to it, with the booking's current state.

    None if nothing of what they report still holds.
    """
    letter = session.get_one(Outbox, letter_id)
    if letter.channel == TEXT:
        text = compose_text(session, letter)
        return ComposedMessage(text, [letter_id]) if text else None
    # Nobody's: asked for with an address that no account has.
    if letter.user_id is None:
        return None
    to = session.get_one(User, letter.user_id)
    if not to.is_guest and not has_mailbox(letter.to or to.email):
        return None
    if letter.kind in ACCOUNT_WORDS:
        return _about_account(session, letter, to)
    if letter.kind == DAY_DIGEST:
        return _about_day(session, letter, to)
    if letter.booking_id is None:
        return ComposedMessage(_about_vehicle(session, letter, to), [letter_id])
    return _about_booking(session, letter, to, session.get_one(Booking, letter.booking_id))


def joined(session: Session, letter_id: int) -> Sequence[Outbox]:
    """The rows that are to be reported in the e-mail of another one, the oldest first."""
    own = (col(Outbox.joined_to) == letter_id, col(Outbox.due_at).is_not(None))
    return session.scalars(select(Outbox).where(*own).order_by(col(Outbox.id))).all()


def _about_booking(session: Session, letter: Outbox, to: User, booking: Booking) -> ComposedMessage | None:
    side = CUSTOMER if to.id == booking.customer_id else VENDOR
    address = booking.guest_email or "" if to.is_guest else to.email
    if not address or (side == VENDOR and not _works_for(session, booking, to)):
        return None
    row = booking_row(session, booking.id, clock.now())
    view = booking_view(row, BookingView, for_vendor=side == VENDOR)
    letters = [one for one in (letter, *joined(session, letter.id or 0)) if _holds(one.kind, view)]
    if not letters:
        return None
    values = _values(session, booking, view, side)
    words = [
        _filled(words, values | _noted(note, is_typed=to.is_guest)) for words, note in _by_kind(letters, view, side)
    ]
    content = Words(words[-1].subject, "\n\n".join(one.lead for one in words))
    made = _letter(letter, address, content, _facts(session, booking, view, side), page_for(session, booking, side))
    if any(one.kind not in ABOUT_REVIEWS for one in letters):
        calendar = papers.calendar(session, booking, side, clock.now(), to)
        method = "CANCEL" if b"METHOD:CANCEL" in calendar else "REQUEST"
        parameters = {"method": method, "charset": "utf-8", "component": "VEVENT"}
        made.add_attachment(calendar, maintype="text", subtype="calendar", filename="booking.ics", params=parameters)
    return ComposedMessage(made, [one.id or 0 for one in letters])


def _works_for(session: Session, booking: Booking, to: User) -> bool:
    """Whether somebody is the vendor of a booking's vehicle, or still one of their members."""
    vendor_id = session.execute(_VENDOR, {"vehicle": booking.vehicle_id}).scalar_one()
    member = session.get(Member, to.id) if to.id != vendor_id else None
    return to.id == vendor_id or (member is not None and member.vendor_id == vendor_id)


def _by_kind(letters: Sequence[Outbox], view: BookingView, side: str) -> Iterator[tuple[Words, str]]:
    """The words of each kind of message, with the notes of all those of that kind."""
    notes: dict[str, list[str]] = {}
    for letter in letters:
        notes.setdefault(letter.kind, []).append(letter.note)
    for kind, texts in notes.items():
        yield WORDS[kind + _case(kind, view), side], "; ".join(texts)


def _noted(note: str, *, is_typed: bool) -> dict[str, str]:
    """A note as the message has it: without links if the recipient's address was typed in, as it may be anybody's."""
    shown = without_links(note) if is_typed else note
    return {"note": shown, "why": f" ({shown})" if shown else ""}


def _holds(kind: str, view: BookingView) -> bool:
    standing = REMINDED_WHILE.get(kind) or meaning_of(kind).valid_while
    is_so = standing is None or (view.status == standing.status and view.stage in standing.stages)
    return is_so and not (kind == EventKind.SETTLED and is_open(view))


def _case(kind: str, view: BookingView) -> str:
    """The case of a kind that has other words for a booking like this, or ''."""
    if kind == "before_pickup" and "drop_off" in view.extras:
        return ".delivered"
    if kind == "before_return" and clock.extendable_until(view.return_at, view.policies) <= clock.now():
        return ".too_late"
    if kind == EventKind.CONFIRMED and view.pickup < view.created_at:
        return ".begun"
    is_even = not is_open(view)
    if kind == EventKind.CANCELLED and is_even:
        return ".even"
    if kind == EventKind.RETURNED and view.balance.deposit >= 0:
        return ".even" if is_even else ".owing"
    return ""


def _about_account(session: Session, letter: Outbox, to: User) -> ComposedMessage | None:
    """A message about the account itself; one with a link is dropped once the link no longer works."""
    words, query, lasts = ACCOUNT_WORDS[letter.kind], "", ""
    if letter.proof_id is not None:
        proof = session.get(Proof, letter.proof_id)
        if proof is None or not proofs.is_live(proof, clock.now()):
            return None
        query = f"?token={proofs.secret_of(proof)}"
        lasts = _how_long(proof.expires_at - proof.created_at)
    content = _filled(Words(words.subject, words.lead), {"lasts": lasts, "note": letter.note})
    page, action = words.otherwise
    otherwise = (f"{settings().public_url}/{page}{query}", action) if page else None
    made = _letter(letter, letter.to or to.email, content, [], words.page + query, words.action, otherwise)
    return ComposedMessage(made, [letter.id or 0])


def _how_long(span: timedelta) -> str:
    """How long a link works, rounded to the minute, hour or day, as the clock moved on while its row was written."""
    minutes = round(span / timedelta(minutes=1))
    if minutes <= MINUTES_TO_SAY:
        return f"{minutes} minutes"
    hours = round(minutes / 60)
    return f"{hours} hours" if hours <= HOURS_TO_SAY else f"{round(hours / 24)} days"


def _about_day(session: Session, letter: Outbox, to: User) -> ComposedMessage | None:
    """The day of whoever works in a business, in one message; None if nothing is to be done any more."""
    parts = digest.parts_for(session, to.id or 0, clock.now())
    if not parts:
        return None
    counts = ", ".join(f"{part.total} {kind.lower()}" for kind, part in parts.items())
    facts = [(kind, line) for kind, part in parts.items() for line in part.lines]
    words = _filled(WORDS[DAY_DIGEST, VENDOR], {"note": counts})
    return ComposedMessage(_letter(letter, to.email, words, facts, "vendor"), [letter.id or 0])


def _about_vehicle(session: Session, letter: Outbox, to: User) -> EmailMessage:
    vehicle = letter.vehicle_id or 0
    title = snapshots(session, col(Vehicle.id) == vehicle)[vehicle].title
    named = f"{title}, {session.get_one(Vehicle, vehicle).rc_number}"
    words = _filled(WORDS[letter.kind, VENDOR], {"vehicle": named, "note": letter.note})
    there = f"?renew={vehicle}" if letter.kind == "papers_expiring" else ""
    return _letter(letter, to.email, words, [], f"vendor/manage-vehicles{there}")


def _filled(words: Words, values: dict[str, str]) -> Words:
    return Words(filled(words.subject, values), filled(words.lead, values))


def _values(session: Session, booking: Booking, view: BookingView, side: str) -> dict[str, str]:
    vendor_id = session.execute(_VENDOR, {"vehicle": booking.vehicle_id}).scalar_one()
    other_id = booking.customer_id if side == VENDOR else vendor_id
    begin, end = settlement.deposit_back(events.noted_at(session, booking, "return") or view.return_at, view.policies)
    return {
        **figures(session, view.policies),
        "vehicle": f"{view.vehicle}, {view.reference}",
        "other": without_links(session.get_one(User, other_id).name),
        "pickup": clock.friendly(view.pickup),
        "return_at": clock.friendly(view.return_at),
        "answer_by": clock.friendly(view.answer_by),
        "extend_by": clock.friendly(clock.extendable_until(view.return_at, view.policies)),
        "deposit_from": clock.friendly(begin),
        "deposit_to": clock.hour_text(end),
    }


def _facts(session: Session, booking: Booking, view: BookingView, side: str) -> Facts:
    facts = [
        ("Booking", view.reference),
        ("Pickup", clock.friendly(view.pickup)),
        ("Return", clock.friendly(view.return_at)),
    ]
    # The price of a trip that does not take place reads as if it were due.
    if view.status == BookingStatus.CANCELLED or view.stage == TripStage.NO_SHOW:
        retained = ledger.standing(session, booking).retained
        facts.append(("Kept", format_rupees(retained) if retained else ""))
    else:
        facts.append(("Price", format_rupees(view.price)))
    if view.due_at_pickup:
        facts.append(("Due at the pickup", f"{format_rupees(view.due_at_pickup)}, deposit included"))
    open_now = open_balance(view, for_customer=side == CUSTOMER)
    if noted := _noted_later(session, booking):
        facts.append(("Came back", noted))
    if view.balance.held:
        facts.append(("Deposit", open_now.deposit_text))
    if view.balance.rent and not view.due_at_pickup:
        facts.append(("Rent", open_now.rent_text))
    if view.contact:
        facts += [("Phone", view.contact.phone), ("Where", view.contact.address)]
    return [(label, text) for label, text in facts if text]


def _noted_later(session: Session, booking: Booking) -> str:
    """When the vehicle came back and when that was noted; '' if it was noted at once."""
    came_back, noted = events.read_at(session, booking, "return"), events.noted_at(session, booking, "return")
    if came_back is None or noted is None or came_back == noted:
        return ""
    return f"{handover.both_times(came_back, noted, 'the vendor')}; late hours go by it, and may be objected to"


def _letter(
    letter: Outbox,
    to: str,
    words: Words,
    facts: Facts,
    path: str,
    action: str = "",
    otherwise: tuple[str, str] | None = None,
) -> EmailMessage:
    """An e-mail that leads to a page; `action` names what is done there, if it is more than looking.

    `otherwise` is another link, and what is done there.
    """
    link = f"{settings().public_url}/{path}"
    made = EmailMessage()
    made["From"] = formataddr((settings().product_name, settings().support_email))
    made["To"] = to
    made["Subject"] = words.subject
    made["Date"] = format_datetime(letter.created_at)
    # Otherwise programs that answer for people who are away would answer (RFC 3834).
    made["Auto-Submitted"] = "auto-generated"
    # The same at every try, so that duplicates can be recognised.
    made["Message-ID"] = f"<outbox-{letter.id}@{settings().host}>"
    lines = [words.lead, "", *(f"{label}: {text}" for label, text in facts), "", link]
    if otherwise:
        lines += ["", f"{otherwise[1]}:", otherwise[0]]
    made.set_content("\n".join([*lines, "", f"{settings().product_name}, {settings().city}"]))
    label = action or f"Open it in {settings().product_name}"
    made.add_alternative(_html(words, facts, link, label, otherwise), subtype="html")
    return made


def _html(words: Words, facts: Facts, link: str, action: str, otherwise: tuple[str, str] | None) -> str:
    return _template().render(
        subject=words.subject,
        lead=words.lead,
        facts=facts,
        link=link,
        action=action,
        otherwise=otherwise,
        product=settings().product_name,
        city=settings().city,
        support=settings().support_email,
    )


@cache
def _template() -> Template:
    folder = Path(next(iter(rental_app.content.__path__))) / "mail"
    return Environment(loader=FileSystemLoader(folder), autoescape=True).get_template("message.html")
