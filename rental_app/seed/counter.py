"""What happens at demo vendors' counters: walk-ins, a move, a proposal that waits, a cancellation, a breakdown whose
trip goes on, a late charge and the objection to it.
"""

from datetime import datetime, time, timedelta

from sqlalchemy import delete, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.clock import Window
from rental_app.domain.settlement import BREAKDOWN
from rental_app.domain.uploads import ANSWER_GROUP, OBJECTION, trip_upload
from rental_app.models import Booking, Outbox, User, Vehicle
from rental_app.schemas.counter import CounterRequest, GuestRequest
from rental_app.schemas.readings import ReturnData
from rental_app.schemas.trips import (
    ChargeRequest,
    ExtendRequest,
    MoveRequest,
    ObjectionAnswerRequest,
    ObjectRequest,
    ProposalAnswerRequest,
    VendorCancelRequest,
)
from rental_app.seed.people import CUSTOMER_EMAIL, VENDOR_EMAIL
from rental_app.seed.photos import photos
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import counter
from rental_app.services.files import storage, uploads
from rental_app.services.trips import answers, cancellations, changes, detail, moves, payments, readings

# Kilometres.
BROKE_DOWN_AFTER = 12
WALK_INS = (("Suresh Babu Gundlapalli", "9000020288"), ("Fatima Begum", "9000020377"))


def add_counter(session: Session, now: datetime) -> None:
    """Let all of it happen as it does in the product; nobody is written to about it."""
    _walk_ins(session, now)
    # Those made online that are days ahead, of others than the demo customer; the nearest first.
    ahead = (
        col(Booking.status) == BookingStatus.CONFIRMED,
        col(Booking.stage) == TripStage.BOOKED,
        col(Booking.pickup_at) > now + timedelta(days=2),
        col(Booking.source) == "online",
        col(User.email) != "customer@example.com",
    )
    query = select(Booking).join(User, col(User.id) == Booking.customer_id).where(*ahead)
    coming = list(session.scalars(query.order_by(col(Booking.pickup_at))).all())
    if coming:
        _move_and_propose(session, coming[0])
    if len(coming) > 1:
        # One of them is given up. A block would leave an entry in the audit trail, which begins empty.
        request = VendorCancelRequest(reason="breakdown", note="The gearbox", block=False)
        cancellations.cancel_as_vendor(session, _vendor_of(session, coming[-1]), coming[-1].reference, request)
    _break_down(session, now)
    _charge_later(session)
    session.execute(delete(Outbox))
    session.flush()


def _acting(session: Session, user_id: int) -> Actor:
    return Actor("", user_id, session.get_one(User, user_id).role, jti="")


def _vendor_of(session: Session, booking: Booking) -> Actor:
    return _acting(session, session.get_one(Vehicle, booking.vehicle_id).vendor_id)


def _walk_ins(session: Session, now: datetime) -> None:
    """Two bookings of the demo vendor's own making, tomorrow, the second at an agreed total."""
    vendor = session.scalars(select(User).where(col(User.email) == VENDOR_EMAIL)).one()
    actor = _acting(session, vendor.id or 0)
    first = clock.at(clock.indian_today(now) + timedelta(days=1), time(10))
    window = Window(first, first + timedelta(days=1))
    free = [one for one in counter.choices_for(session, actor, window, now) if one.taken_until is None]
    for (name, phone), one in zip(WALK_INS, reversed(free), strict=False):
        agreed = {} if name == WALK_INS[0][0] else {"total": one.total / 100 - 50, "reason": "Regular customer"}
        request = CounterRequest(
            vehicle=one.id,
            pickup=window.pickup.isoformat(),
            return_at=window.return_at.isoformat(),
            customer=GuestRequest(name=name, phone=phone),
            **agreed,
        )
        counter.create(session, actor, request)


def _move_and_propose(session: Session, booking: Booking) -> None:
    """Another model, to which the customer has agreed, and then a later return that waits for their answer."""
    vendor, customer = _vendor_of(session, booking), _acting(session, booking.customer_id)
    ref = booking.reference
    if targets := moves.choices(session, vendor, ref):
        moved = moves.move(session, vendor, ref, MoveRequest(vehicle=targets[-1].id, note="It is in the workshop"))
        if moved.proposal:
            yes = ProposalAnswerRequest(id=moved.proposal.id, answer="yes")
            answers.answer(session, customer, ref, yes)
    later = detail.view_of(session, vendor, ref).return_at + timedelta(days=1)
    hours = session.get_one(User, session.get_one(Vehicle, booking.vehicle_id).vendor_id).hours
    if hours.return_refusal(later) is None:
        changes.grant(session, vendor, ref, ExtendRequest(return_at=later.isoformat()))


def _charge_later(session: Session) -> None:
    """A challan for the trip that is back and not settled yet."""
    back = (
        select(Booking).where(col(Booking.stage) == TripStage.RETURNED).order_by(col(Booking.return_at).desc()).limit(1)
    )
    booking = session.scalars(back).first()
    if booking is None:
        return
    proof = photos(_plate_of(session, booking), 0)[:1]
    request = ChargeRequest(kind="challan", amount=300, note="Signal jumped at Madhapur")
    with storage.storing(proof):
        charged = payments.charge(session, _vendor_of(session, booking), booking.reference, request, proof)
    _object(session, booking, charged.ledger[-1].id)


def _plate_of(session: Session, booking: Booking) -> str:
    """The number of a booking's vehicle as the demo's own tables have it."""
    return session.get_one(Vehicle, booking.vehicle_id).rc_number[len("TG") :]


def _object(session: Session, booking: Booking, entry: int) -> None:
    """The customer does not agree with a line and shows why; the vendor answers, with a photo too."""
    customer, vendor = _acting(session, booking.customer_id), _vendor_of(session, booking)
    front, *_, odometer = photos(_plate_of(session, booking), 0)
    shown, answer = front.of_group(OBJECTION), odometer.of_group(trip_upload(ANSWER_GROUP))
    with storage.storing([shown, answer]):
        sent = uploads.store(session, customer, shown)
        note = "I had parked at Kondapur at that hour, see the photo"
        seen = answers.object_to(
            session, customer, booking.reference, ObjectRequest(entry=entry, note=note, photos=[sent.id])
        )
        raised = next(one for one in reversed(seen.timeline) if one.what == EventKind.OBJECTED)
        sent = uploads.store(session, vendor, answer)
        note = "The notice names this vehicle and the hour; I attach what the police sent"
        reply = ObjectionAnswerRequest(objection=raised.id, note=note, photos=[sent.id])
        answers.answer_objection(session, vendor, booking.reference, reply)


def _break_down(session: Session, now: datetime) -> None:
    """A vehicle that is out comes back broken, and another one of its vendor's goes on with the trip."""
    demo_users = select(col(User.id)).where(col(User.email).in_((CUSTOMER_EMAIL, VENDOR_EMAIL)))
    out = (
        select(Booking)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(col(Booking.stage) == TripStage.OUT, col(Booking.return_at) > now)
        .where(col(Booking.customer_id).not_in(demo_users), col(Vehicle.vendor_id).not_in(demo_users))
        .order_by(col(Booking.return_at).desc())
    )
    for booking in session.scalars(out).all():
        vendor = _vendor_of(session, booking)
        window = Window(now, booking.return_at)
        free = [one for one in counter.choices_for(session, vendor, window, now) if one.taken_until is None]
        if free:
            _go_on(session, vendor, booking, free[0].id, window)
            return


def _go_on(session: Session, vendor: Actor, booking: Booking, vehicle: int, window: Window) -> None:
    odometer = session.get_one(Vehicle, booking.vehicle_id).odometer_reading + BROKE_DOWN_AFTER
    taken = photos(_plate_of(session, booking), odometer)
    data = ReturnData.model_validate({"odometer": odometer, "fuelEighths": 8, "helmets": 1, "reason": BREAKDOWN})
    with storage.storing(taken):
        readings.take_back(session, vendor, booking.reference, data, taken)
    request = CounterRequest(
        vehicle=vehicle,
        pickup=window.pickup.isoformat(),
        return_at=window.return_at.isoformat(),
        continues=booking.reference,
        note="The clutch cable tore",
    )
    moves.continue_trip(session, vendor, request)
