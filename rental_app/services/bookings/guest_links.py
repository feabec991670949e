"""The link with which a guest, who has no account, reads their booking."""

from contextlib import suppress
from datetime import datetime, timedelta
from uuid import uuid4

from sqlmodel import Session

from rental_app.content.messages import CUSTOMER, GUEST_LINK
from rental_app.content.texts import GUEST_TRIP
from rental_app.domain import clock, counter
from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, TooManyRequestsError, UnavailableError
from rental_app.models import Booking, Outbox, Proof, User
from rental_app.models.booking import OUT
from rental_app.services import audit, throttle
from rental_app.services.accounts import letters, proofs
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.bookings import events, texts
from rental_app.services.bookings.access import hold, page_of

SENT = "The link is on its way; the one before does not work any more"
# Longer than any trip: when a link ends depends on its trip, which may be extended (`is_over`).
ROW_LASTS = timedelta(days=365)


def begin(session: Session, booking: Booking, guest: User, vendor_id: int) -> None:
    """Make the link of a new booking, and send it as a text unless enough texts were sent today."""
    proof = _open(session, booking)
    with suppress(ConflictError, TooManyRequestsError, UnavailableError):
        texts.require_room(session, booking, vendor_id, guest.phone_number)
        _send_text(session, booking, guest, proof)


def send_again(session: Session, actor: Actor, ref: str) -> str:
    """Send a guest a new link, by text and to the e-mail they gave; the one before ends. Returns what to say.

    Raises NotFoundError, ForbiddenError (not the vendor), ConflictError (no guest, trip over), and what
    `texts.require_room` does.
    """
    throttle.count("change", actor)
    trip = hold(session, actor, ref, "vendor")
    booking, guest = trip.booking, session.get_one(User, trip.booking.customer_id)
    if not guest.is_guest:
        raise ConflictError("This customer has an account: they see the booking there", code="has_account")
    if is_over(session, booking, clock.now()):
        raise ConflictError("This trip ended too long ago for a link", code="trip_over")
    texts.require_room(session, booking, trip.vendor_id, guest.phone_number)
    _send_text(session, booking, guest, _open(session, booking))
    if booking.guest_email:
        _send_letter(session, booking)
    audit.record(session, actor, Act.GUEST_LINK_SENT, ("booking", trip.id))
    return SENT


def page_for(session: Session, booking: Booking, side: str) -> str:
    """The path, without a leading slash, of a side's page for a booking: a guest's has their secret.

    It is the home page once a guest's link has ended.
    """
    if side != CUSTOMER or not session.get_one(User, booking.customer_id).is_guest:
        return page_of(booking, side)
    proof = proofs.current(session, Purpose.GUEST_TRIP, booking.customer_id)
    return f"trip/{proofs.secret_of(proof)}" if proof else ""


def is_over(session: Session, booking: Booking, instant: datetime) -> bool:
    """Whether a guest's link does not work any more, because the trip ended long ago."""
    if booking.stage == OUT:
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
