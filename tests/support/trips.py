"""Steps that tests of trips repeat."""

import itertools
from datetime import datetime, timedelta
from typing import Any

from rental_app.domain.uploads import DAMAGE_GROUP, TRIP_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.schemas.readings import PAPERS, HandoverData, ReturnData
from rental_app.schemas.trips import (
    Cancellation,
    CancelRequest,
    ChangeRequest,
    ExtendRequest,
    Extension,
    ExtensionRequest,
    PaymentRequest,
    ReverseRequest,
    TripView,
)
from rental_app.services.files.storage import CheckedFile
from rental_app.services.trips import cancelling, changing, payments, readings, showing
from tests.conftest import Clock
from tests.support.booking_steps import book, decide
from tests.support.shop import Shop, actor, wanted, wire

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
    return read(showing.of, actor(user), str(ref))


def pay(shop: Shop, ref: object, paise: int, of: Any = "rent", direction: Any = "in", key: str = "") -> TripView:
    """Record money as the vendor."""
    request = PaymentRequest(amount=paise / 100, method="cash", of=of, direction=direction)
    return write(payments.record, actor(shop.vendor), str(ref), request, key)


def reverse(shop: Shop, ref: object, entry: int) -> TripView:
    """Reverse a line as the vendor."""
    return write(payments.reverse, actor(shop.vendor), str(ref), ReverseRequest(entry=entry, note="Typed wrongly"))


def hand_over(shop: Shop, ref: object, odometer: int = 1300) -> TripView:
    """Hand the vehicle over, with everything in order."""
    data = HandoverData(
        odometer=odometer, fuel_eighths=8, papers_seen=list(PAPERS), helmets=1, unpaid_reason="Pays later"
    )
    return write(readings.hand_over, actor(shop.vendor), str(ref), data, photos())


def take_back(shop: Shop, ref: object, odometer: int = 1400, **data: Any) -> TripView:
    """Take the vehicle back."""
    read_back = ReturnData.model_validate({"odometer": odometer, "fuelEighths": 6} | data)
    damaged = [DAMAGE_GROUP] * len(read_back.damages)
    return write(readings.take_back, actor(shop.vendor), str(ref), read_back, photos(*damaged))


def terms(shop: Shop, ref: object) -> Cancellation:
    """Return what cancelling now would cost."""
    return read(cancelling.preview, actor(shop.customer), str(ref))


def cancel(shop: Shop, ref: object, kept: int) -> TripView:
    """Cancel as the customer."""
    return write(cancelling.cancel, actor(shop.customer), str(ref), CancelRequest(kept=kept / 100))


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
    return write(changing.change, actor(shop.customer), str(ref), request)


def preview(user: User, ref: object, return_at: datetime) -> Extension:
    """Return what a later return would cost."""
    return read(changing.preview, actor(user), str(ref), ExtensionRequest(return_at=wire(return_at)))


def extend(shop: Shop, ref: object, return_at: datetime, extra: int | None = None) -> TripView:
    """Extend as the customer, for the extra price shown (paise)."""
    request = ExtendRequest(return_at=wire(return_at), expected_extra=None if extra is None else extra / 100)
    return write(changing.extend, actor(shop.customer), str(ref), request)


def grant(shop: Shop, ref: object, return_at: datetime) -> TripView:
    """Grant a later return as the vendor."""
    return write(changing.grant, actor(shop.vendor), str(ref), ExtendRequest(return_at=wire(return_at)))
