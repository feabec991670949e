"""Two operators who decide one thing at the same moment: one does, the other is told that it has changed."""

from collections.abc import Callable
from functools import partial

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.booking_events import EventKind
from rental_app.infrastructure.db import read, write
from rental_app.models import AccountChange, BookingEvent, Outbox, User, Vehicle
from rental_app.schemas.catalogue import TypeEntry
from rental_app.schemas.operating import (
    Blocking,
    ListingDecision,
    LockedFields,
    ObjectionDecision,
    OperatorCancelRequest,
    PaidCommission,
    RecoveryRequest,
    RequestDecision,
    ReviewDecision,
    StopRequest,
)
from rental_app.schemas.reviews import ReportRequest
from rental_app.services.operating import bookings, catalogue, commission, listings, messages, people, reviews
from rental_app.services.reviews import writing
from tests.conftest import Clock
from tests.support.booking_steps import alter
from tests.support.console import add_given_up
from tests.support.operating import version
from tests.support.races import at_once
from tests.support.reviews import only_review, review
from tests.support.reviews import returned as reviewed
from tests.support.shop import DAILY_PAISE, Shop, actor, add_user, count, put
from tests.support.trips import confirmed, damage_objected_to, pay

# What an operator presses, and the code of the refusal of whoever comes second.
Act = Callable[[User], object]
CHANGED = "changed_meanwhile"


def _listing(shop: Shop, _clock: Clock) -> Act:
    alter(Vehicle, shop.vehicle.id, is_approved=False)
    request = ListingDecision(decision="approve", expected=version("listings", shop.vehicle.id))
    return lambda by: write(listings.decide, actor(by), shop.vehicle.id or 0, request)


def _request(shop: Shop, _clock: Clock) -> Act:
    wish = put(AccountChange(user_id=shop.vendor.id or 0, field="bank", value="Bank, 30012345678, SBIN0001234"))
    request = RequestDecision(decision="grant", expected=version("requests", wish.id))
    return lambda by: write(people.decide_request, actor(by), wish.id or 0, request)


def _objection(shop: Shop, clock: Clock) -> Act:
    damage_objected_to(shop, clock)
    which = select(col(BookingEvent.id)).where(col(BookingEvent.what) == EventKind.OBJECTED.value)
    found = int(read(lambda session: session.scalars(which.order_by(col(BookingEvent.id).desc())).first()) or 0)
    request = ObjectionDecision(decision="uphold", note="The photo shows it", expected=version("objections", found))
    return lambda by: write(bookings.judge, actor(by), found, request)


def _review(shop: Shop, clock: Clock) -> Act:
    trip = reviewed(shop, clock)
    review(shop.customer, trip.id, 1, "Thieves, all of them")
    review(shop.vendor, trip.id, 4)
    bad = only_review()
    write(writing.report, actor(shop.vendor), bad, ReportRequest(note="It insults"))
    request = ReviewDecision(decision="remove", reason="It insults", expected=version("reviews", bad))
    return lambda by: write(reviews.decide, actor(by), bad, request)


def _booking(shop: Shop, _clock: Clock) -> Act:
    trip = confirmed(shop)
    request = OperatorCancelRequest(reason="The vendor is blocked", kept=0, expected=version("bookings", trip.id))
    return lambda by: write(bookings.cancel, actor(by), str(trip.id), request)


def _block(shop: Shop, _clock: Clock) -> Act:
    request = Blocking(reason="Three complaints", expected=version("people", shop.vendor.id))
    return lambda by: write(people.block, actor(by), shop.vendor.id or 0, request)


def _locked(shop: Shop, _clock: Clock) -> Act:
    seen = version("people", shop.vendor.id)
    request = LockedFields.model_validate({"name": "Another", "reason": "Asked by phone", "expected": seen})
    return lambda by: write(people.change, actor(by), shop.vendor.id or 0, request)


def _recovery(shop: Shop, _clock: Clock) -> Act:
    lost = {"email": "new.address@example.com", "checked": "Called the employer"}
    request = RecoveryRequest.model_validate(lost | {"expected": version("people", shop.customer.id)})
    return lambda by: write(people.begin_recovery, actor(by), shop.customer.id or 0, request)


def _end_of_recovery(shop: Shop, clock: Clock) -> Act:
    _recovery(shop, clock)(add_user("Operator"))
    request = StopRequest(expected=version("people", shop.customer.id))
    return lambda by: write(people.end_recovery, actor(by), shop.customer.id or 0, request)


def _entry(_shop: Shop, _clock: Clock) -> Act:
    request = TypeEntry.model_validate({"name": "Scooters", "expected": version("types", 1)})
    return lambda by: write(catalogue.put_type, actor(by), 1, request)


def _message(shop: Shop, _clock: Clock) -> Act:
    letter = add_given_up(shop)
    return lambda by: write(messages.resend, actor(by), letter.id or 0)


def _payment(shop: Shop, clock: Clock) -> Act:
    alter(User, shop.vendor.id, commission_bps=1000)
    pay(shop, confirmed(shop).id, 2 * DAILY_PAISE)
    paid = PaidCommission.model_validate({"amount": 30, "reference": "UTR 1234"})
    month = f"{clock.instant:%Y-%m}"
    return lambda by: write(commission.note_paid, actor(by), shop.vendor.id or 0, month, paid)


ACTS: dict[str, tuple[Callable[[Shop, Clock], Act], str]] = {
    "listing": (_listing, CHANGED),
    "change request": (_request, CHANGED),
    "objection": (_objection, CHANGED),
    "review": (_review, CHANGED),
    "booking": (_booking, CHANGED),
    "block": (_block, CHANGED),
    "locked fields": (_locked, CHANGED),
    "lost mail and phone": (_recovery, CHANGED),
    "stopping that": (_end_of_recovery, CHANGED),
    "entry of the catalogue": (_entry, CHANGED),
    "message": (_message, "still_waiting"),
    "commission": (_payment, "already_noted"),
}


def _entries() -> int:
    return count("audit_entry")


def _messages() -> list[tuple[object, ...]]:
    """Which messages there are, and to whom."""
    told = (col(Outbox.kind), col(Outbox.channel), col(Outbox.user_id), col(Outbox.to), col(Outbox.note))
    return [tuple(row) for row in read(lambda session: session.execute(select(*told).order_by(col(Outbox.id))).all())]


@pytest.mark.long
@pytest.mark.databases
@pytest.mark.parametrize("name", list(ACTS))
def test_of_two_at_once_one_decides_and_everything_is_written_once(
    shop: Shop, operator: User, stopped_clock: Clock, name: str
) -> None:
    make, refusal = ACTS[name]
    press, other = make(shop, stopped_clock), add_user("Operator")
    entries, messages_before = _entries(), len(_messages())
    assert sorted(at_once(partial(press, operator), partial(press, other))) == ["", refusal]
    told = _messages()[messages_before:]
    assert _entries() == entries + 1
    assert len(set(told)) == len(told)
    assert at_once(partial(press, operator)) == [refusal]
    assert (_entries(), len(_messages())) == (entries + 1, messages_before + len(told))
