"""Codes texted to the mobile of a booking's customer: each is their word to one act, on the terms that were shown."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from limits import parse
from sqlmodel import Session, col, select

from rental_app.content.texts import PROPOSED, TRIP_CANCEL, TRIP_NO, TRIP_OBJECT, TRIP_YES
from rental_app.domain import counter
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError
from rental_app.domain.money import format_rupees
from rental_app.models import Booking, Proposal, User
from rental_app.services import audit, throttle
from rental_app.services.accounts import codes, letters, proofs
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.bookings import texts
from rental_app.services.bookings.access import Trip
from rental_app.services.throttle import Caller

# Of codes for one booking, wherever they are typed: it gets 3 of 5 tries each at most.
TRIES = parse("30 per hour")
SENT = "A code is on its way. It works for 10 minutes."
NOTE = "By a code texted to the customer's mobile"


class Word(NamedTuple):
    """What a code stands for: an act, and its terms in paise and ids; `says` are values of the text that carries it."""

    template: str
    terms: Mapping[str, int]
    says: Mapping[str, str]


class Tried(NamedTuple):
    """A code that was right when it was tried: its proof, and what it stands for."""

    proof_id: int
    payload: Mapping[str, Any]


class CodeSent(NamedTuple):
    """Where a code went, as whoever asks may see it, and until when it works."""

    to: str
    until: datetime


def yes_to(proposal: Proposal) -> Word:
    """The word that agrees to a proposal, at its total."""
    total = proposal.terms["total"]
    says = {"what": PROPOSED[proposal.kind], "amount": _rupees(total)}
    return Word(TRIP_YES, {"proposal": proposal.id or 0, "total": total}, says)


def no_to(proposal: Proposal) -> Word:
    """The word that refuses a proposal."""
    return Word(TRIP_NO, {"proposal": proposal.id or 0}, {"what": PROPOSED[proposal.kind]})


def cancelling(kept: int) -> Word:
    """The word that cancels a booking, of which this is kept (paise)."""
    return Word(TRIP_CANCEL, {"kept": kept}, {"amount": _rupees(kept)})


def objecting() -> Word:
    """The word that objects."""
    return Word(TRIP_OBJECT, {}, {})


def _rupees(paise: int) -> str:
    """An amount in the letters that every phone shows, and carriers count once."""
    return f"Rs {format_rupees(paise).removeprefix('₹')}"


def send(session: Session, actor: Actor, trip: Trip, word: Word) -> CodeSent:
    """Text the customer of a locked booking a code for a word; it ends the booking's earlier ones.

    Raises ConflictError (`no_mobile`) and what `texts.require_room` does.
    """
    phone = number_of(session, trip.booking)
    if phone == counter.NOBODYS_NUMBER or not phone.isdecimal():
        raise ConflictError("There is no mobile number for this booking", code="no_mobile")
    texts.require_room(session, trip.booking, trip.vendor_id, phone)
    customer_id = trip.booking.customer_id
    payload = {"booking": trip.id, "word": word.template, **word.terms}
    about = _about(trip.booking, phone)
    proof = proofs.open_proof(session, Purpose.TRIP_CODE, customer_id, codes.CODE_LIVES, payload, about=about)
    values = {"reference": trip.booking.reference, **word.says}
    letters.send_text(session, word.template, phone, values, user_id=customer_id, proof_id=proof.id, booking_id=trip.id)
    audit.record(session, actor, Act.TRIP_CODE_SENT, ("booking", trip.id), about=word.template)
    return CodeSent(shown(phone), proof.expires_at)


def texted(session: Session, booking: Booking, word: Word) -> CodeSent | None:
    """The code for a word that was texted already and still works: texts are few, and pages are left and reloaded."""
    phone = number_of(session, booking)
    proof = proofs.current(session, Purpose.TRIP_CODE, booking.customer_id, _about(booking, phone))
    if proof is None or proof.tries >= proofs.MOST_TRIES or not _stands_for(proof.payload, word):
        return None
    return CodeSent(shown(phone), proof.expires_at)


def shown(phone: str) -> str:
    """A mobile number as whoever may only guess it sees it."""
    return f"{phone[:2]}xxxxxx{phone[-2:]}"


def number_of(session: Session, booking: Booking) -> str:
    """The mobile number of a booking's customer."""
    owner = select(User.phone_number).where(col(User.id) == booking.customer_id)
    return session.exec(owner).one()


def tried(session: Session, caller: Caller, booking: Booking, code: str) -> Tried | None:
    """What a code for a booking stands for; None if it is wrong, used, replaced or expired, or was tried five times.

    The try counts with the transaction, so let it end well, and have `require` refuse in the next. Raises
    TooManyRequestsError.
    """
    throttle.count("reset", caller)
    throttle.hit(TRIES, "trip code", str(booking.id))
    about = _about(booking, number_of(session, booking))
    proof = proofs.recognise_code(session, Purpose.TRIP_CODE, about, code, user_id=booking.customer_id)
    return Tried(proof.id or 0, proof.payload) if proof else None


def require(found: Tried | None, word: Word) -> Tried:
    """Raise InvalidInputError (`wrong_code`) unless a code that was tried stands for this word."""
    if found is None or not _stands_for(found.payload, word):
        raise codes.wrong_code()
    return found


def _stands_for(payload: Mapping[str, Any], word: Word) -> bool:
    meant = {"word": word.template, **word.terms}
    return all(payload.get(name) == value for name, value in meant.items())


def use(session: Session, actor: Actor, booking: Booking, found: Tried) -> None:
    """Use up a code that was tried, with what it allows; the booking is locked.

    Raises InvalidInputError (`wrong_code`) if it was used or replaced meanwhile, or the booking got another customer.
    """
    if not proofs.use_up(session, found.proof_id, booking.customer_id):
        raise codes.wrong_code()
    about = str(found.payload["word"])
    audit.record(session, actor, Act.TRIP_CODE_USED, ("booking", booking.id or 0), about=about)


def customer_of(booking: Booking, caller: Caller) -> Actor:
    """The customer of a booking, for whom a code speaks: an account, or a guest who has this booking alone."""
    return Actor(caller.address, booking.customer_id, "Customer", jti="", request_id=caller.request_id)


def _about(booking: Booking, phone: str) -> str:
    return f"{booking.reference} {phone}"
