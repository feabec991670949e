"""Customers without an account: the link to their trip, the codes they agree by, and the texts that carry both."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from limits import parse
from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from rental_app.content.messages import CUSTOMER, GUEST_LINK
from rental_app.content.texts import GUEST_TRIP, PROPOSED, TRIP_CANCEL, TRIP_NO, TRIP_OBJECT, TRIP_YES
from rental_app.domain import clock, counter
from rental_app.domain.acts import Act
from rental_app.domain.bookings import TripStage
from rental_app.domain.errors import ConflictError, TooManyRequestsError, UnavailableError
from rental_app.domain.money import format_rupees
from rental_app.infrastructure.db import lock_row
from rental_app.models import Booking, Outbox, Proof, Proposal, User, Vehicle
from rental_app.services import audit, throttle
from rental_app.services.accounts import letters, proofs
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.letters import TEXT
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.bookings import events
from rental_app.services.bookings.access import Trip, hold, page_of
from rental_app.services.throttle import Caller

DAY = timedelta(days=1)
USED_UP = "texts_used_up"
# Advisory locks with two keys, of which this is the first, have a range of their own.
_NUMBERS, _MOST_KEYS = 1, 2**31


LINK_SENT = "The link is on its way; the old one no longer works"
# Longer than any trip: when a link ends depends on its trip, which may be extended (`is_over`).
ROW_LASTS = timedelta(days=365)
# Of codes for one booking, wherever they are typed: it gets 3 of 5 tries each at most.
TRIES = parse("30 per hour")
CODE_SENT = "A code is on its way. It works for 10 minutes."
NOTE = "By a code texted to the customer's mobile"


class CodeMeaning(NamedTuple):
    """What a code stands for: an act, and its terms in paise and ids; `says` are values of the text that carries it."""

    template: str
    terms: Mapping[str, int]
    says: Mapping[str, str]


class TriedCode(NamedTuple):
    """A code that was right when it was tried: its proof, and what it stands for."""

    proof_id: int
    payload: Mapping[str, Any]


class CodeSent(NamedTuple):
    """Where a code went, as whoever asks may see it, and until when it works."""

    to: str
    until: datetime


def require_room_for_text(session: Session, booking: Booking, vendor_id: int, phone: str) -> None:
    """Raise an error with the code `texts_used_up` unless one more text about a locked booking may go to a number.

    ConflictError for the booking's own limit, TooManyRequestsError for the daily limit of its vendor or of the number,
    UnavailableError for the limit on all texts. Concurrent calls wait for the end of this transaction.
    """
    lock_row(session, select(col(User.id)).where(col(User.id) == vendor_id).with_for_update(key_share=True))
    lock_row(session, select(func.pg_advisory_xact_lock(_NUMBERS, int(phone) % _MOST_KEYS)))
    sent = select(func.count()).select_from(Outbox).where(*_texts(), col(Outbox.booking_id) == booking.id)
    if session.execute(sent).scalar_one() >= counter.MOST_TEXTS:
        message = f"{counter.MOST_TEXTS} texts were sent for this booking already: please call instead"
        raise ConflictError(message, code=USED_UP)
    of_vendor = select(col(Booking.id)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    theirs = col(Outbox.booking_id).in_(of_vendor.where(col(Vehicle.vendor_id) == vendor_id))
    _require_daily(session, counter.MOST_TEXTS_DAILY, "for the bookings of this vendor", theirs)
    _require_daily(session, counter.MOST_TEXTS_TO_NUMBER, "to this number", col(Outbox.to) == phone)
    try:
        letters.require_texts_left(session)
    except UnavailableError:
        raise UnavailableError("We cannot send more text messages today", code=USED_UP) from None


def _require_daily(session: Session, most: int, what: str, *which: ColumnElement[bool]) -> None:
    """Raise TooManyRequestsError if as many such texts were queued within a day as may be."""
    now = clock.now()
    recent = select(col(Outbox.created_at)).where(*_texts(), *which)
    latest = recent.where(col(Outbox.created_at) > now - DAY).order_by(col(Outbox.created_at).desc()).limit(most)
    queued = session.scalars(latest).all()
    if len(queued) < most:
        return
    wait = int((queued[-1] + DAY - now).total_seconds()) + 1
    message = f"{most} texts were sent {what} within a day: try again tomorrow"
    raise TooManyRequestsError(message, code=USED_UP, retry_after=wait)


def _texts() -> tuple[ColumnElement[bool], ...]:
    return (col(Outbox.channel) == TEXT, col(Outbox.booking_id).is_not(None))


def begin_link(session: Session, booking: Booking, guest: User, vendor_id: int) -> None:
    """Make the link of a new booking, and send it as a text unless enough texts were sent today."""
    proof = _open(session, booking)
    with suppress(ConflictError, TooManyRequestsError, UnavailableError):
        require_room_for_text(session, booking, vendor_id, guest.phone_number)
        _send_text(session, booking, guest, proof)


def send_link_again(session: Session, actor: Actor, ref: str) -> str:
    """Send a guest a new link, by text and to the e-mail they gave; the one before ends. Returns what to say.

    Raises NotFoundError, ForbiddenError (not the vendor), ConflictError (no guest, trip over), and what
    `texts.require_room` does.
    """
    throttle.count("change", actor)
    trip = hold(session, actor, ref, "vendor")
    booking, guest = trip.booking, session.get_one(User, trip.booking.customer_id)
    if not guest.is_guest:
        raise ConflictError("This customer has an account: they see the booking there", code="has_account")
    if link_is_over(session, booking, clock.now()):
        raise ConflictError("This trip ended too long ago for a link", code="trip_over")
    require_room_for_text(session, booking, trip.vendor_id, guest.phone_number)
    _send_text(session, booking, guest, _open(session, booking))
    if booking.guest_email:
        _send_letter(session, booking)
    audit.record(session, actor, Act.GUEST_LINK_SENT, ("booking", trip.id))
    return LINK_SENT


def page_for(session: Session, booking: Booking, side: str) -> str:
    """The path, without a leading slash, of a side's page for a booking: a guest's has their secret.

    It is the home page once a guest's link has ended.
    """
    if side != CUSTOMER or not session.get_one(User, booking.customer_id).is_guest:
        return page_of(booking, side)
    proof = proofs.current(session, Purpose.GUEST_TRIP, booking.customer_id)
    return f"trip/{proofs.secret_of(proof)}" if proof else ""


def link_is_over(session: Session, booking: Booking, instant: datetime) -> bool:
    """Whether a guest's link does not work any more, because the trip ended long ago."""
    if booking.stage == TripStage.OUT:
        return False
    came_back = events.read_at(session, booking, "return") or booking.return_at
    return instant >= max(came_back, booking.return_at) + counter.LINK_LASTS


def _open(session: Session, booking: Booking) -> Proof:
    about = {"booking": booking.id}
    return proofs.open_proof(session, Purpose.GUEST_TRIP, booking.customer_id, ROW_LASTS, about)


def _send_text(session: Session, booking: Booking, guest: User, proof: Proof) -> None:
    letters.send_text(
        session,
        GUEST_TRIP,
        guest.phone_number,
        {"reference": booking.reference},
        user_id=guest.id,
        proof_id=proof.id,
        booking_id=booking.id,
    )


def _send_letter(session: Session, booking: Booking) -> None:
    now = clock.now()
    session.add(
        Outbox(
            key=f"{GUEST_LINK} {booking.id} {uuid4()}",
            kind=GUEST_LINK,
            user_id=booking.customer_id,
            booking_id=booking.id,
            created_at=now,
            due_at=now,
        )
    )
    session.flush()


def yes_to(proposal: Proposal) -> CodeMeaning:
    """The word that agrees to a proposal, at its total."""
    total = proposal.shown_terms().total
    says = {"what": PROPOSED[proposal.kind], "amount": _rupees(total)}
    return CodeMeaning(TRIP_YES, {"proposal": proposal.id or 0, "total": total}, says)


def no_to(proposal: Proposal) -> CodeMeaning:
    """The word that refuses a proposal."""
    return CodeMeaning(TRIP_NO, {"proposal": proposal.id or 0}, {"what": PROPOSED[proposal.kind]})


def cancelling(retained: int) -> CodeMeaning:
    """The word that cancels a booking of which the vendor keeps this much (paise)."""
    return CodeMeaning(TRIP_CANCEL, {"kept": retained}, {"amount": _rupees(retained)})


def objecting() -> CodeMeaning:
    """The word that objects."""
    return CodeMeaning(TRIP_OBJECT, {}, {})


def _rupees(paise: int) -> str:
    """An amount in the letters that every phone shows, and carriers count once."""
    return f"Rs {format_rupees(paise).removeprefix('₹')}"


def send_code(session: Session, actor: Actor, trip: Trip, word: CodeMeaning) -> CodeSent:
    """Text the customer of a locked booking a code for a word; it ends the booking's earlier ones.

    Raises ConflictError (`no_mobile`) and what `texts.require_room` does.
    """
    phone = number_of(session, trip.booking)
    if phone == counter.NOBODYS_NUMBER or not phone.isdecimal():
        raise ConflictError("There is no mobile number for this booking", code="no_mobile")
    require_room_for_text(session, trip.booking, trip.vendor_id, phone)
    customer_id = trip.booking.customer_id
    payload = {"booking": trip.id, "word": word.template, **word.terms}
    about = _about(trip.booking, phone)
    proof = proofs.open_proof(session, Purpose.TRIP_CODE, customer_id, letters.CODE_LIVES, payload, about=about)
    values = {"reference": trip.booking.reference, **word.says}
    letters.send_text(session, word.template, phone, values, user_id=customer_id, proof_id=proof.id, booking_id=trip.id)
    audit.record(session, actor, Act.TRIP_CODE_SENT, ("booking", trip.id), about=word.template)
    return CodeSent(shown_number(phone), proof.expires_at)


def texted_code(session: Session, booking: Booking, word: CodeMeaning) -> CodeSent | None:
    """The code for a word that was texted already and still works: texts are few, and pages are left and reloaded."""
    phone = number_of(session, booking)
    proof = proofs.current(session, Purpose.TRIP_CODE, booking.customer_id, _about(booking, phone))
    if proof is None or proof.tries >= proofs.MOST_TRIES or not _stands_for(proof.payload, word):
        return None
    return CodeSent(shown_number(phone), proof.expires_at)


def shown_number(phone: str) -> str:
    """A mobile number as whoever may only guess it sees it."""
    return f"{phone[:2]}xxxxxx{phone[-2:]}"


def number_of(session: Session, booking: Booking) -> str:
    """The mobile number of a booking's customer."""
    return session.scalars(select(col(User.phone_number)).where(col(User.id) == booking.customer_id)).one()


def tried_code(session: Session, caller: Caller, booking: Booking, code: str) -> TriedCode | None:
    """What a code for a booking stands for; None if it is wrong, used, replaced or expired, or was tried five times.

    The try counts only if the transaction is committed, so `require_code` refuses in the next one. Raises
    TooManyRequestsError.
    """
    throttle.count("reset", caller)
    throttle.hit(TRIES, "trip code", str(booking.id))
    about = _about(booking, number_of(session, booking))
    proof = proofs.recognise_code(session, Purpose.TRIP_CODE, about, code, user_id=booking.customer_id)
    return TriedCode(proof.id or 0, proof.payload) if proof else None


def require_code(tried: TriedCode | None, word: CodeMeaning) -> TriedCode:
    """Raise InvalidInputError (`wrong_code`) unless a code that was tried stands for this word."""
    if tried is None or not _stands_for(tried.payload, word):
        raise letters.wrong_code()
    return tried


def _stands_for(payload: Mapping[str, Any], word: CodeMeaning) -> bool:
    meant = {"word": word.template, **word.terms}
    return all(payload.get(name) == value for name, value in meant.items())


def use_code(session: Session, actor: Actor, booking: Booking, tried: TriedCode) -> None:
    """Use up a code that was tried, with what it allows; the booking is locked.

    Raises InvalidInputError (`wrong_code`) if it was used or replaced meanwhile, or the booking got another customer.
    """
    if not proofs.use_up(session, tried.proof_id, booking.customer_id):
        raise letters.wrong_code()
    about = str(tried.payload["word"])
    audit.record(session, actor, Act.TRIP_CODE_USED, ("booking", booking.id or 0), about=about)


def customer_of(booking: Booking, caller: Caller) -> Actor:
    """The customer of a booking, for whom a code speaks: an account, or a guest who has this booking alone."""
    return Actor(caller.address, booking.customer_id, "Customer", jti="", request_id=caller.request_id)


def _about(booking: Booking, phone: str) -> str:
    return f"{booking.reference} {phone}"
