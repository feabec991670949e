"""Steps that tests of trips repeat."""

import itertools
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.errors import RentalError
from rental_app.domain.uploads import DAMAGE_GROUP, TRIP_GROUPS, trip_upload
from rental_app.infrastructure.db import read, write
from rental_app.models import Outbox, User, Vehicle
from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.counter import CounterRequest
from rental_app.schemas.readings import PAPERS, HandoverData, ReturnData
from rental_app.schemas.trips import (
    Cancellation,
    CancelRequest,
    ChangeRequest,
    ChargeRequest,
    ExtendRequest,
    Extension,
    ExtensionRequest,
    MoveRequest,
    ObjectRequest,
    PaymentRequest,
    ProposalAnswerRequest,
    ReverseRequest,
    TripView,
    VendorCancelRequest,
)
from rental_app.schemas.validation import validated
from rental_app.services.files import uploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.trips import answers, cancellations, changes, detail, moves, payments, readings
from tests.conftest import Clock
from tests.support import trips
from tests.support.booking_steps import book, decide
from tests.support.guests import at_counter
from tests.support.shop import DAILY_PAISE, Shop, actor, count, moment, wanted, wire

_names = itertools.count(1)


def photos(*groups: str) -> list[CheckedFile]:
    """Return photos of the groups that every reading requires, and of others."""
    return [
        CheckedFile(group, f"private/{next(_names):032x}.jpg", "image/jpeg", 1, {}) for group in (*TRIP_GROUPS, *groups)
    ]


def confirmed(shop: Shop, days: int = 3, length: int = 2) -> TripView:
    """Make a booking that its vendor has confirmed."""
    made = book(shop.customer, wanted(shop.vehicle, days=days, length=length))
    decide(shop.vendor, made.id, "confirmed")
    return seen(shop.customer, made.reference)


def seen(user: User, ref: object) -> TripView:
    """Return the booking as a user sees it."""
    return read(detail.view_of, actor(user), str(ref))


def pay(
    shop: Shop, ref: object, paise: int, of: Any = "rent", direction: Any = "in", key: str = "", on: date | None = None
) -> TripView:
    """Record money as the vendor, paid on a day."""
    request = PaymentRequest(amount=paise / 100, method="cash", of=of, direction=direction, paid_on=on)
    return write(payments.record, actor(shop.vendor), str(ref), request, key)


def reverse(shop: Shop, ref: object, entry: int) -> TripView:
    """Reverse a line as the vendor."""
    return write(payments.reverse, actor(shop.vendor), str(ref), ReverseRequest(entry=entry, note="Typed wrongly"))


def hand_over(shop: Shop, ref: object, odometer: int = 1300, at: datetime | None = None) -> TripView:
    """Hand the vehicle over, with everything in order."""
    data = HandoverData(
        odometer=odometer,
        fuel_eighths=8,
        papers_seen=list(PAPERS),
        helmets=1,
        unpaid_reason="Pays later",
        went_out_at=at,
    )
    return write(readings.hand_over, actor(shop.vendor), str(ref), data, photos())


def take_back(shop: Shop, ref: object, odometer: int = 1400, **data: Any) -> TripView:
    """Take the vehicle back."""
    read_back = ReturnData.model_validate({"odometer": odometer, "fuelEighths": 6} | data)
    damaged = [DAMAGE_GROUP] * len(read_back.damages)
    return write(readings.take_back, actor(shop.vendor), str(ref), read_back, photos(*damaged))


def damage_objected_to(shop: Shop, clock: Clock) -> int:
    """Take a vehicle back with damage that its customer objects to; return the id of the account's line."""
    trip = confirmed(shop)
    pay(shop, trip.id, 2 * DAILY_PAISE)
    at_pickup(clock, trip)
    hand_over(shop, trip.id)
    at_return(clock, trip)
    back = take_back(shop, trip.id, damages=[{"note": "A dent", "amount": 1500}])
    line = next(line.id for line in back.ledger if line.kind == "damage")
    write(answers.object_to, actor(shop.customer), str(trip.id), ObjectRequest(entry=line, note="Not me"))
    return line


def terms(shop: Shop, ref: object) -> Cancellation:
    """Return what cancelling now would cost."""
    return read(cancellations.preview, actor(shop.customer), str(ref))


def cancel(shop: Shop, ref: object, kept: int) -> TripView:
    """Cancel as the customer."""
    return write(cancellations.cancel, actor(shop.customer), str(ref), CancelRequest(kept=kept / 100))


def at_pickup(clock: Clock, trip: TripView, **late: float) -> None:
    """Move the clock to the pickup."""
    clock.instant = trip.pickup + timedelta(**late)


def at_return(clock: Clock, trip: TripView, **late: float) -> None:
    """Move the clock to the return."""
    clock.instant = trip.return_at + timedelta(**late)


def lines(trip: TripView) -> list[tuple[str, int]]:
    """Return the account's lines as kinds and paise."""
    return [(line.kind, line.amount) for line in trip.ledger]


def owed(trip: TripView) -> tuple[int, int]:
    """Return both balances in paise."""
    return trip.balance.rent, trip.balance.deposit


def move(
    shop: Shop, ref: object, pickup: datetime, return_at: datetime, total: int | None = None, deposit: int | None = None
) -> TripView:
    """Move a request as the customer, at the total and deposit shown (paise)."""
    shown = {"expected_total": total and total / 100, "expected_deposit": deposit and deposit / 100}
    request = ChangeRequest(pickup=wire(pickup), return_at=wire(return_at), **shown)
    return write(changes.change, actor(shop.customer), str(ref), request)


def preview(user: User, ref: object, return_at: datetime) -> Extension:
    """Return what a later return would cost."""
    return read(changes.preview, actor(user), str(ref), ExtensionRequest(return_at=wire(return_at)))


def extend(shop: Shop, ref: object, return_at: datetime, extra: int | None = None) -> TripView:
    """Extend as the customer, for the extra price shown (paise)."""
    request = ExtendRequest(return_at=wire(return_at), expected_extra=None if extra is None else extra / 100)
    return write(changes.extend, actor(shop.customer), str(ref), request)


def grant(shop: Shop, ref: object, return_at: datetime) -> TripView:
    """Grant a later return as the vendor."""
    return write(changes.grant, actor(shop.vendor), str(ref), ExtendRequest(return_at=wire(return_at)))


def refusal(code: str, call: Callable[..., object], *args: object, **more: object) -> RentalError:
    """Return the error with which a call is refused; check that nothing changed."""
    before = (count("ledger_entry"), count("booking_event"), count("outbox"), count("trip_reading"))
    with pytest.raises(RentalError) as caught:
        call(*args, **more)
    assert caught.value.code == code
    assert (count("ledger_entry"), count("booking_event"), count("outbox"), count("trip_reading")) == before
    return caught.value


def give_up(user: User, ref: object, reason: str = "papers", **more: object) -> TripView:
    """Cancel as the vendor."""
    request = VendorCancelRequest.model_validate({"reason": reason} | more)
    return write(cancellations.cancel_as_vendor, actor(user), str(ref), request)


def kinds_to(user: User) -> list[str]:
    """The kinds of the messages to somebody, the oldest first."""
    own = select(col(Outbox.kind)).where(col(Outbox.user_id) == user.id).order_by(col(Outbox.id))
    return list(read(lambda session: session.scalars(own).all()))


def charge(shop: Shop, ref: object, kind: Any = "challan", rupees: float = 500, key: str = "", **more: Any) -> TripView:
    """Charge as the vendor, with a photo unless told otherwise."""
    proof: list[CheckedFile] = more.get("proof", photos("Damage")[-1:])
    request = ChargeRequest(kind=kind, amount=rupees, note="Seen by a camera")
    return write(payments.charge, actor(shop.vendor), str(ref), request, proof, key)


def answer(shop: Shop, ref: object, proposal: int, yes: bool = True, total: int | None = None) -> TripView:
    """Answer as the customer; a yes at the total shown (paise)."""
    request = ProposalAnswerRequest(
        id=proposal, answer="yes" if yes else "no", expected_total=None if total is None else total / 100
    )
    return write(answers.answer, actor(shop.customer), str(ref), request)


def move_vehicle(shop: Shop, ref: object, vehicle: Vehicle, user: User | None = None) -> TripView:
    """Move a booking as the vendor."""
    request = MoveRequest(vehicle=vehicle.id, note="The gearbox")
    return write(moves.move, actor(user or shop.vendor), str(ref), request)


def send(shop: Shop, group: str) -> dict[str, Any]:
    """Upload a photo ahead; return it as a step refers to it."""
    (photo,) = trips.photos()[:1]
    file = CheckedFile(trip_upload(group), photo.key, "image/jpeg", 1, {})
    return {"id": write(uploads.store, actor(shop.vendor), file).id, "name": f"{group}.jpg"}


def going_on(
    user: User, ref: object, vehicle: Vehicle, pickup: datetime, return_at: datetime, **more: object
) -> VendorBookingView:
    """Go on with another vehicle, as the vendor."""
    asked = {"vehicle": vehicle.id, "pickupDate": wire(pickup), "returnDate": wire(return_at), "continues": str(ref)}
    return write(moves.continue_trip, actor(user), validated(CounterRequest, asked | more))


def walk_in_broken_down(shop: Shop) -> str:
    """The reference of a guest's trip of two days whose vehicle broke down at once."""
    made = at_counter(shop.vendor, shop.vehicle, moment(0), moment(2))
    hand_over(shop, made.id)
    return take_back(shop, made.id, reason="breakdown").reference
