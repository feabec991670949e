"""Operators judge objections and cancel bookings; the account, the timeline and the messages follow."""

from collections.abc import Callable
from functools import partial

import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import InvalidInputError, NotFoundError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import BookingEvent, User
from rental_app.schemas.operating import ObjectionDecision, OperatorCancelRequest
from rental_app.schemas.trips import ObjectRequest, ReverseRequest, TripView
from rental_app.services.operating import bookings
from rental_app.services.trips import answers, payments
from tests.conftest import Clock
from tests.support.booking_steps import book
from tests.support.operating import letters, version
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, wanted
from tests.support.trips import at_pickup, at_return, confirmed, hand_over, lines, owed, pay, seen, take_back

PRICE = 2 * DAILY_PAISE
DAMAGE = [{"note": "A dent", "amount": 1500}]


@pytest.fixture
def returned(stopped_clock: Clock, shop: Shop) -> TripView:
    """A trip that came back with a damage, to which the customer objects."""
    trip = confirmed(shop)
    pay(shop, trip.id, PRICE)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    at_return(stopped_clock, trip)
    back = take_back(shop, trip.id, damages=DAMAGE)
    entry = next(line.id for line in back.ledger if line.kind == "damage")
    request = ObjectRequest(entry=entry, note="It was there before")
    return write(answers.object_to, actor(shop.customer), str(trip.id), request)


def objection(trip: TripView) -> int:
    own = (col(BookingEvent.booking_id) == trip.id, col(BookingEvent.what) == EventKind.OBJECTED.value)
    found = select(col(BookingEvent.id)).where(*own).order_by(col(BookingEvent.id).desc())
    return int(read(lambda session: session.scalars(found).first()) or 0)


def judge(operator: User, trip: TripView, decision: str, **more: object) -> str:
    request = ObjectionDecision.model_validate({"decision": decision, "note": "The photo shows it"} | more)
    return write(bookings.judge, actor(operator), objection(trip), request)


def cancel(
    operator: User, trip: TripView, kept: int, reason: str = "The vendor is blocked", expected: str = ""
) -> TripView:
    request = OperatorCancelRequest.model_validate({"reason": reason, "kept": kept / 100, "expected": expected})
    return write(bookings.cancel, actor(operator), str(trip.id), request)


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(RentalError) as refused:
        call()
    return refused.value.code


def reverse(shop: Shop, trip: TripView, entry: int) -> TripView:
    return write(payments.reverse, actor(shop.vendor), str(trip.id), ReverseRequest(entry=entry, note="As it was"))


def damage(trip: TripView) -> int:
    return next(line.id for line in trip.ledger if line.kind == "damage")


def test_an_upheld_objection_takes_its_line_back_for_good(shop: Shop, operator: User, returned: TripView) -> None:
    judge(operator, returned, "uphold")
    now = seen(shop.customer, returned.id)
    assert sum(paise for kind, paise in lines(now) if kind == "damage") == 0
    assert (now.timeline[-1].what, now.timeline[-1].by) == ("objection_judged", "operator")
    for person in (shop.customer, shop.vendor):
        assert "You were right: The photo shows it" in letters(person)[-1]
    reversal = next(line.id for line in now.ledger if line.kind == "damage" and line.amount < 0)
    assert refusal(lambda: reverse(shop, now, reversal)) == "decided_by_operator"
    assert refusal(lambda: judge(operator, returned, "dismiss")) == "already_decided"


def test_one_upheld_in_part_writes_the_line_lower(shop: Shop, operator: User, returned: TripView) -> None:
    for amount in (None, 0, 1500, 2000):
        assert refusal(partial(judge, operator, returned, "partly", amount=amount)) == "bad_amount"
    judge(operator, returned, "partly", amount=400)
    now = seen(shop.customer, returned.id)
    assert [paise for kind, paise in lines(now) if kind == "damage"] == [150_000, -150_000, 40_000]
    lower = next(line.id for line in now.ledger if (line.kind, line.amount) == ("damage", 40_000))
    assert refusal(lambda: reverse(shop, now, lower)) == "decided_by_operator"


def test_one_dismissed_leaves_the_line_to_its_vendor(shop: Shop, operator: User, returned: TripView) -> None:
    before = seen(shop.customer, returned.id).ledger
    judge(operator, returned, "dismiss")
    assert seen(shop.customer, returned.id).ledger == before
    reverse(shop, returned, damage(returned))


def test_one_whose_line_was_reversed_meanwhile(shop: Shop, operator: User, returned: TripView) -> None:
    looked_at = version("objections", objection(returned))
    reverse(shop, returned, damage(returned))
    assert refusal(lambda: judge(operator, returned, "uphold", expected=looked_at)) == "changed_meanwhile"
    assert refusal(lambda: judge(operator, returned, "uphold")) == "already_reversed"
    judge(operator, returned, "dismiss")


def test_one_whose_line_was_reversed_and_brought_back(shop: Shop, operator: User, returned: TripView) -> None:
    first, looked_at = objection(returned), version("objections", objection(returned))
    taken_back = reverse(shop, returned, damage(returned)).ledger[-1].id
    restored = reverse(shop, returned, taken_back).ledger[-1]
    assert (restored.kind, restored.amount) == ("damage", 150_000)
    assert refusal(lambda: judge(operator, returned, "uphold", expected=looked_at)) == "changed_meanwhile"
    assert refusal(lambda: judge(operator, returned, "uphold")) == "already_reversed"
    request = ObjectRequest(entry=restored.id, note="Again")
    write(answers.object_to, actor(shop.customer), str(returned.id), request)
    assert objection(returned) != first
    judge(operator, returned, "uphold")
    assert sum(paise for kind, paise in lines(seen(shop.customer, returned.id)) if kind == "damage") == 0


def test_one_about_the_handover_is_only_noted(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    out = hand_over(shop, trip.id)
    write(answers.object_to, actor(shop.customer), str(trip.id), ObjectRequest(note="Less fuel"))
    assert refusal(lambda: judge(operator, trip, "partly", amount=100)) == "no_line"
    judge(operator, trip, "uphold")
    assert seen(shop.customer, trip.id).ledger == out.ledger
    assert refusal(lambda: judge(operator, trip, "dismiss")) == "already_decided"


def test_what_is_no_objection_cannot_be_judged(shop: Shop, operator: User) -> None:
    confirmed(shop)
    request = ObjectionDecision(decision="dismiss", note="Nothing to see")
    with pytest.raises(NotFoundError):
        write(bookings.judge, actor(operator), 1, request)
    with pytest.raises(InvalidInputError):
        write(bookings.judge, actor(operator), 1, request.model_copy(update={"note": ""}))


def test_a_booking_is_cancelled_and_what_is_above_the_kept_is_owed_back(
    stopped_clock: Clock, shop: Shop, operator: User
) -> None:
    trip = confirmed(shop)
    pay(shop, trip.id, PRICE)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    for kept in (PRICE + 1, 10 * PRICE):
        assert refusal(partial(cancel, operator, trip, kept)) == "kept_above_paid"
    done = cancel(operator, trip, 20_000)
    assert (done.status, done.cancelled_by, owed(done)) == ("cancelled", "operator", (20_000 - PRICE, -DEPOSIT_PAISE))
    for person in (shop.customer, shop.vendor):
        assert "Cancelled by us" in letters(person)[-1]
    kept_line = next(line.id for line in done.ledger if line.kind == "cancellation")
    assert refusal(lambda: reverse(shop, done, kept_line)) == "decided_by_operator"
    assert refusal(lambda: cancel(operator, trip, 0)) == "already_decided"


def test_a_trip_that_is_out_is_not_cancelled(stopped_clock: Clock, shop: Shop, operator: User) -> None:
    trip = confirmed(shop)
    looked_at = version("bookings", trip.id)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    assert refusal(lambda: cancel(operator, trip, 0, expected=looked_at)) == "changed_meanwhile"
    assert refusal(lambda: cancel(operator, trip, 0)) == "wrong_stage"
    assert seen(shop.customer, trip.id).status == "confirmed"


def test_a_request_is_cancelled_with_nothing_kept(shop: Shop, operator: User) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    trip = seen(shop.customer, made.id)
    assert refusal(lambda: cancel(operator, trip, 100)) == "kept_above_paid"
    with pytest.raises(InvalidInputError):
        cancel(operator, trip, 0, reason="")
    assert cancel(operator, trip, 0).cancelled_by == "operator"
    assert refusal(lambda: cancel(operator, trip, 0)) == "already_decided"
