"""The page of a customer without an account: what it shows, and what they do there by a code."""

from collections.abc import Callable

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.infrastructure.db import write
from rental_app.models import Booking, EventPhoto, Proposal, TripPhoto, Vehicle
from rental_app.schemas.trips import Cancellation, CancelRequest, ObjectRequest, ProposalAnswerRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts import letters, proofs
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.bookings import guests
from rental_app.services.bookings.access import Trip, hold, unknown_booking
from rental_app.services.bookings.guests import CodeMeaning, CodeSent, TriedCode, link_is_over
from rental_app.services.throttle import Caller
from rental_app.services.trips import answers, cancellations, detail, documents, papers
from rental_app.services.trips.cancellations import TermsChangedError

# An answer to a proposal, or a cancellation, on the terms that were shown; None objects.
GuestRequest = ProposalAnswerRequest | CancelRequest | None
# Does what a guest requests for their booking, and returns the word that their code has to stand for.
_Doing = Callable[[Session, Actor, str], CodeMeaning]


def trip_for(session: Session, caller: Caller, secret: str) -> TripView:
    """The booking of a link; raises NotFoundError for a link that is wrong or has ended."""
    throttle.count("lookup", caller)
    return view(session, trip_of(session, secret))


def receipt(session: Session, caller: Caller, secret: str) -> bytes:
    """Its receipt as a PDF; raises NotFoundError, ConflictError if there is none, and as `receipt_pdf.receipt` does."""
    throttle.count("lookup", caller)
    return papers.receipt(session, trip_of(session, secret))


def invoice(session: Session, caller: Caller, secret: str) -> bytes:
    """Its tax invoice as a PDF; raises NotFoundError, and ConflictError while there is none."""
    throttle.count("lookup", caller)
    return documents.invoice(session, trip_of(session, secret))


def note(session: Session, caller: Caller, secret: str, entry: int) -> bytes:
    """The credit or debit note for a line of its account as a PDF; raises NotFoundError."""
    throttle.count("lookup", caller)
    return documents.note(session, trip_of(session, secret), entry)


def agreement(session: Session, caller: Caller, secret: str) -> bytes:
    """Its rental agreement as a PDF; raises NotFoundError, and as `documents.agreement` does."""
    throttle.count("lookup", caller)
    return documents.agreement(session, trip_of(session, secret))


def calendar(session: Session, caller: Caller, secret: str) -> bytes:
    """It as a calendar file; raises NotFoundError."""
    throttle.count("lookup", caller)
    return papers.calendar(session, trip_of(session, secret).booking, "customer", clock.now())


def photo(session: Session, caller: Caller, secret: str, photo_id: int) -> TripPhoto:
    """A photo of its handover, its return or a charge; raises NotFoundError."""
    # A page has many of them.
    throttle.count("look", caller)
    return detail.photo_of(session, trip_of(session, secret), photo_id)


def event_photo(session: Session, caller: Caller, secret: str, photo_id: int) -> EventPhoto:
    """A photo of an objection or of its answer; raises NotFoundError."""
    throttle.count("look", caller)
    return detail.event_photo_of(session, trip_of(session, secret), photo_id)


def view(session: Session, trip: Trip) -> TripView:
    """A guest's booking with the number that its codes go to, of which only the ends are told."""
    number = guests.shown_number(guests.number_of(session, trip.booking))
    return detail.trip_view(session, trip).model_copy(update={"code_to": number})


def trip_of(session: Session, secret: str) -> Trip:
    """The booking of a link; raises NotFoundError for a link that is wrong or has ended."""
    try:
        proven = proofs.find(session, Purpose.GUEST_TRIP, secret)
    except RentalError:
        raise unknown_booking() from None
    # A booking that an account has taken over has another customer.
    own = (col(Booking.id) == proven.payload["booking"], col(Booking.customer_id) == proven.user_id)
    bookings = select(Booking, col(Vehicle.vendor_id)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    row = session.execute(bookings.where(*own)).first()
    if row is None or link_is_over(session, row[0], clock.now()):
        raise unknown_booking()
    return Trip(row[0], row[1], "customer", proven.user_id, secret)


def send_code(session: Session, caller: Caller, secret: str, request: GuestRequest) -> CodeSent:
    """Text the guest of a link a code for what they request.

    Raises NotFoundError, ConflictError (nothing is proposed, or something else; cannot be cancelled any more),
    TermsChangedError, and `texts_used_up` of several kinds.
    """
    throttle.count("lookup", caller)
    booking = trip_of(session, secret).booking
    guest = guests.customer_of(booking, caller)
    throttle.count("amend", guest)
    trip = hold(session, guest, booking.reference, "customer")
    return guests.send_code(session, guest, trip, _word(session, guest, trip, request))


def texted_code(session: Session, caller: Caller, secret: str, request: GuestRequest) -> CodeSent | None:
    """The code for a request that was texted before and still works, if there is one; raises what `send_code` does."""
    throttle.count("lookup", caller)
    trip = trip_of(session, secret)
    guest = guests.customer_of(trip.booking, caller)
    return guests.texted_code(session, trip.booking, _word(session, guest, trip, request))


def _word(session: Session, guest: Actor, trip: Trip, request: GuestRequest) -> CodeMeaning:
    """The word for a request that is still possible as it was shown: no text is spent on any other."""
    if request is None:
        return guests.objecting()
    if isinstance(request, CancelRequest):
        now = cancellations.preview(session, guest, trip.booking.reference)
        if now.kept != request.kept:
            raise TermsChangedError(request.kept, now)
        return guests.cancelling(now.kept)
    proposal = answers.waiting(session, trip.booking)
    if proposal.id != request.id:
        raise answers.proposal_over()
    return _answer_word(proposal, request)


def _answer_word(proposal: Proposal, answer: ProposalAnswerRequest) -> CodeMeaning:
    return guests.yes_to(proposal) if answer.answer == "yes" else guests.no_to(proposal)


def preview(session: Session, caller: Caller, secret: str) -> Cancellation:
    """What cancelling now would keep and return. Raises NotFoundError, ConflictError (nothing to cancel)."""
    throttle.count("lookup", caller)
    booking = trip_of(session, secret).booking
    return cancellations.preview(session, guests.customer_of(booking, caller), booking.reference)


def answer_proposal(caller: Caller, secret: str, request: ProposalAnswerRequest, code: str) -> TripView:
    """Agree to a proposal, or refuse it; raises NotFoundError, InvalidInputError (`wrong_code`) and as for accounts."""
    throttle.count("lookup", caller)

    def do(session: Session, guest: Actor, ref: str) -> CodeMeaning:
        answers.answer(session, guest, ref, request, guests.NOTE)
        return _answer_word(session.get_one(Proposal, request.id), request)

    return _by_code(caller, secret, code, do)


def cancel(caller: Caller, secret: str, request: CancelRequest, code: str) -> TripView:
    """Cancel on the terms shown; raises NotFoundError, InvalidInputError (`wrong_code`) and as for accounts."""
    throttle.count("lookup", caller)

    def do(session: Session, guest: Actor, ref: str) -> CodeMeaning:
        cancellations.cancel(session, guest, ref, request)
        return guests.cancelling(request.kept)

    return _by_code(caller, secret, code, do)


def object_to(caller: Caller, secret: str, request: ObjectRequest, code: str) -> TripView:
    """Object to a line or to the handover; raises NotFoundError, InvalidInputError (`wrong_code`) and as for
    accounts."""
    throttle.count("lookup", caller)

    def do(session: Session, guest: Actor, ref: str) -> CodeMeaning:
        answers.object_to(session, guest, ref, request)
        return guests.objecting()

    return _by_code(caller, secret, code, do)


def _by_code(caller: Caller, secret: str, code: str, do: _Doing) -> TripView:
    """Try a code, which counts even if what follows fails, then do what it is for."""
    tried = write(_tried, caller, secret, code)
    if tried is None:
        raise letters.wrong_code()
    return write(_done, caller, secret, tried, do)


def _tried(session: Session, caller: Caller, secret: str, code: str) -> TriedCode | None:
    return guests.tried_code(session, caller, trip_of(session, secret).booking, code)


def _done(session: Session, caller: Caller, secret: str, tried: TriedCode, do: _Doing) -> TripView:
    trip = trip_of(session, secret)
    guest = guests.customer_of(trip.booking, caller)
    # First, because what has changed since it was shown is the better reason for a refusal.
    word = do(session, guest, trip.booking.reference)
    guests.use_code(session, guest, trip.booking, guests.require_code(tried, word))
    return view(session, trip)
